import Platform

/// What a capture says of the machine that it was made on. Its name is not among that.
struct SystemFacts {
    /// Kernel and its release.
    var system = ""
    /// Kind of processor.
    var hardware = ""

    static func current() -> SystemFacts {
        var facts = utsname()
        guard unsafe uname(&facts) == 0 else { return SystemFacts() }
        let system = unsafe withUnsafeBytes(of: &facts.sysname) { unsafe text($0) }
        let release = unsafe withUnsafeBytes(of: &facts.release) { unsafe text($0) }
        let hardware = unsafe withUnsafeBytes(of: &facts.machine) { unsafe text($0) }
        return SystemFacts(system: system + " " + release, hardware: hardware)
    }

    /// Nanoseconds since 1970-01-01 00:00 UTC.
    static func now() -> Int64 {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
