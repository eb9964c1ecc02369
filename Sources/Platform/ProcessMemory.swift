/// Largest address space that this process may have (`ulimit -v`), bytes; nil where there is no limit.
package func addressSpaceLimit() -> Int? {
    var limit = rlimit()
    #if canImport(Darwin)
        let result = unsafe getrlimit(RLIMIT_AS, &limit)
    #elseif canImport(Glibc)
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #else
        let result = unsafe getrlimit(Int32(RLIMIT_AS), &limit)
    #endif
    guard result == 0, limit.rlim_cur <= rlim_t(Int.max >> 1) else { return nil }
    return Int(limit.rlim_cur)
}

/// Memory of this process that is in RAM, bytes; nil where the system does not tell.
package func residentBytes() -> Int? {
    #if canImport(Darwin)
        var usage = rusage_info_v4()
        let result = unsafe withUnsafeMutablePointer(to: &usage) { pointer in
            unsafe pointer.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
                unsafe proc_pid_rusage(getpid(), RUSAGE_INFO_V4, $0)
            }
        }
        return result == 0 ? Int(clamping: usage.ri_resident_size) : nil
    #else
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        let text = unsafe [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            repeat {
                count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            count = max(0, count)
        }
        // Pages: all, resident, …
        let fields = text.split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    #endif
}

/// What glibc lets a program choose about its heaps; other C libraries have no such choice.
package enum HeapParameter: Int32 {
    // The numbers are those of malloc.h.
    /// M_TRIM_THRESHOLD: free bytes at a heap's end that are not given back.
    case shrinking = -1
    /// M_TOP_PAD: bytes by which a heap grows beyond what is needed.
    case growth = -2
    /// M_MMAP_THRESHOLD: a block of so many bytes or more is mapped by itself.
    case separate = -3
    /// M_ARENA_MAX: number of heaps.
    case heaps = -8

    /// Does nothing where the C library is not glibc.
    package func set(_ value: Int32) {
        #if canImport(Darwin)
            // There is no such choice.
        #elseif canImport(Glibc)
            typealias Setting = @convention(c) (Int32, Int32) -> Int32
            guard let mallopt = unsafe dlsym(nil, "mallopt") else { return }
            _ = unsafe unsafeBitCast(mallopt, to: Setting.self)(rawValue, value)
        #endif
    }
}

/// Limits the data of this process, bytes; 0, or the error code. Allocations beyond it end the process.
package func limitMemory(bytes: Int) -> Int32 {
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #if canImport(Darwin)
        let result = unsafe setrlimit(RLIMIT_DATA, &limit)
    #elseif canImport(Glibc)
        let result = unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    #else
        let result = unsafe setrlimit(Int32(RLIMIT_DATA), &limit)
    #endif
    return result == 0 ? 0 : errno
}
