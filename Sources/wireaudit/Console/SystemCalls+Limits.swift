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

    /// Threads have heaps of their own, which glibc by default grows and shrinks page by page: a system call for each
    /// dozen of messages. Here they grow by a megabyte and keep what they have. Under a limit of the address space threads
    /// share one heap: glibc would reserve 64 MiB for each, of which little is ever used. Called before there are threads.
    static func fitMemory() {
        #if canImport(Glibc)
            if addressSpaceLimit == nil {
                set(.growth, 1 << 20)
                set(.shrinking, 64 << 20)
                set(.separate, 4 << 20)
            } else {
                set(.heaps, 1)
            }
        #endif
    }

    #if canImport(Glibc)
        /// Parameters of mallopt, as malloc.h numbers them.
        private enum HeapParameter: Int32 {
            /// M_TRIM_THRESHOLD: free bytes at a heap's end that are not given back.
            case shrinking = -1
            /// M_TOP_PAD.
            case growth = -2
            /// M_MMAP_THRESHOLD: from this size on a block is the system's own.
            case separate = -3
            /// M_ARENA_MAX.
            case heaps = -8
        }

        private static func set(_ parameter: HeapParameter, _ value: Int32) {
            typealias Setting = @convention(c) (Int32, Int32) -> Int32
            guard let mallopt = unsafe dlsym(nil, "mallopt") else { return }
            _ = unsafe unsafeBitCast(mallopt, to: Setting.self)(parameter.rawValue, value)
        }
    #endif

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
