import Platform

/// Calls of the system whose names the methods of files would hide. On failure `errno` says why.
enum SystemCalls {
    /// A descriptor, or a negative number.
    static func open(_ path: String, _ flags: Int32, permissions: mode_t = 0) -> Int32 {
        unsafe Platform.open(systemName(path), flags, permissions)
    }

    /// How many bytes came; 0 at the end, negative on failure.
    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        unsafe Platform.read(descriptor, bytes.baseAddress, bytes.count)
    }

    /// How many bytes were taken; negative on failure.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        unsafe Platform.write(descriptor, bytes.baseAddress, bytes.count)
    }

    /// 0, or negative where the system could not keep what was written.
    static func close(_ descriptor: Int32) -> Int32 {
        Platform.close(descriptor)
    }

    /// What the system says of an error: of the latest one, if no code is given.
    static func reason(_ code: Int32 = errno) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
