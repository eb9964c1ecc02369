import CProcessor

/// Memory that is looked at soon, brought into the processor's cache meanwhile. A hint: nothing depends on it.
public enum Prefetch {
    /// Brings the lines of `byteCount` bytes: 64 each, on most processors. The address may be any.
    @inlinable
    @inline(__always)
    public static func lines(_ address: UnsafeRawPointer, byteCount: Int) {
        var offset = 0
        while offset < byteCount {
            unsafe processor_prefetch(address + offset)
            offset += 64
        }
    }

    /// Brings the lines of an array's first bytes, at most `limit`.
    @inlinable
    @inline(__always)
    public static func lines(of bytes: [UInt8], limit: Int) {
        unsafe bytes.withUnsafeBytes { content in
            guard let address = content.baseAddress else { return }
            unsafe lines(address, byteCount: min(content.count, limit))
        }
    }
}
