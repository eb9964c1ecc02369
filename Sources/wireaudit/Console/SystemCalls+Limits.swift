import Platform

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
        guard let limit = addressSpaceLimit() else { return processors }
        return min(processors, max(1, (limit - mainSpace) / threadSpace))
    }

    /// The limit that the command line asks for.
    static func limitMemory(_ invocation: Invocation) {
        guard let bytes = invocation.memory else { return }
        let code = Platform.limitMemory(bytes: bytes)
        if code != 0 { Console.stop("--memory: the system refuses the limit: \(reason(code))", .unavailable) }
    }

    /// Threads have heaps of their own, which glibc by default grows and shrinks page by page: a system call for each
    /// dozen of messages. Here they grow by a megabyte and keep what they have. Under a limit of the address space threads
    /// share one heap: glibc would reserve 64 MiB for each, of which little is ever used. Called before there are threads.
    static func fitMemory() {
        if addressSpaceLimit() == nil {
            HeapParameter.growth.set(1 << 20)
            HeapParameter.shrinking.set(64 << 20)
            HeapParameter.separate.set(4 << 20)
        } else {
            HeapParameter.heaps.set(1)
        }
    }
}
