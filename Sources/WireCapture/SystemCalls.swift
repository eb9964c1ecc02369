#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Calls of the system whose names the methods of files would hide. On failure `errno` says why.
enum SystemCalls {
    /// A descriptor, or a negative number.
    static func open(_ path: String, _ flags: Int32, permissions: mode_t = 0) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.open(path, flags, permissions)
        #elseif canImport(Musl)
            unsafe Musl.open(path, flags, permissions)
        #else
            unsafe Darwin.open(path, flags, permissions)
        #endif
    }

    /// How many bytes came; 0 at the end, negative on failure.
    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            unsafe Musl.read(descriptor, bytes.baseAddress, bytes.count)
        #else
            unsafe Darwin.read(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// How many bytes were taken; negative on failure.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// 0, or negative where the system could not keep what was written.
    static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// What the system says of an error: of the latest one, if no code is given.
    static func reason(_ code: Int32 = errno) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
