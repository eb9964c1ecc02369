import Platform

/// How much the longest tests try. Sanitizers make them several times slower: there they try a part of the same cases.
public enum Effort {
    /// This process was built with AddressSanitizer or ThreadSanitizer, whose run-time libraries are then part of it.
    public static let isSanitized = {
        guard let program = unsafe dlopen(nil, RTLD_NOW) else { return false }
        return unsafe dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }()

    /// The number of rounds: a quarter where a sanitizer runs, one at least.
    public static func rounds(_ full: Int) -> Int { isSanitized ? max(1, full / 4) : full }
}
