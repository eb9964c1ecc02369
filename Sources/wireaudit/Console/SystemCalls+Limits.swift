#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system has for this process: processors, and room for threads.
extension System {
    /// Bytes of the address space that the program, its libraries and the data of one thread take.
    private static let mainSpace = 128 << 20
    /// Bytes that another thread takes: its stack, mostly.
    private static let threadSpace = 16 << 20

    /// Threads that work is spread over when the command line does not say: one for each processor, fewer where the
    /// address space is limited (`ulimit -v`). At least 1.
    static var processorCount: Int {
        let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        guard let limit = addressSpaceLimit else { return processors }
        return min(processors, max(1, (limit - mainSpace) / threadSpace))
    }

    /// Under a limit of the address space threads share one heap: glibc would reserve 64 MiB for each, of which little is
    /// ever used. Called before there are threads.
    static func fitMemory() {
        #if canImport(Glibc)
            typealias Setting = @convention(c) (Int32, Int32) -> Int32
            // M_ARENA_MAX of malloc.h.
            let heaps: Int32 = -8
            guard addressSpaceLimit != nil, let mallopt = unsafe dlsym(nil, "mallopt") else { return }
            _ = unsafe unsafeBitCast(mallopt, to: Setting.self)(heaps, 1)
        #endif
    }

    /// Bytes; nil where there is no limit.
    private static var addressSpaceLimit: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #else
            let result = unsafe getrlimit(Int32(RLIMIT_AS), &limit)
        #endif
        guard result == 0, limit.rlim_cur <= rlim_t(Int.max >> 1) else { return nil }
        return Int(limit.rlim_cur)
    }
}
