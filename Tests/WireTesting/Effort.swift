import Foundation
import Platform

/// How much the longest tests try: a quarter of the same cases, but in the nightly run.
public enum Effort {
    /// This process was built with AddressSanitizer or ThreadSanitizer, whose run-time libraries are then part of it.
    public static let isSanitized = {
        guard let program = unsafe dlopen(nil, RTLD_NOW) else { return false }
        return unsafe dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }()

    /// The nightly run sets it: random models and stored inputs are tried in full.
    public static let isFull = ProcessInfo.processInfo.environment["WIREAUDIT_FULL"] != nil

    /// One of so many rounds, or inputs, is tried.
    public static let step = isFull && !isSanitized ? 1 : 4

    /// The number of rounds, one at least.
    public static func rounds(_ full: Int) -> Int { max(1, full / step) }
}
