/// Integer loads at a byte offset, checked against the span's bounds.
///
/// Every decoder reads the wire through these and nothing else. A load outside the span traps, so a decoder first
/// guards the length of what it is about to read; wire data then never reaches the trap.
extension RawSpan {
    @inlinable
    @inline(__always)
    public func u8(_ offset: Int) -> UInt8 {
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }

    /// Two bytes, most significant first.
    @inlinable
    @inline(__always)
    public func be16(_ offset: Int) -> UInt16 {
        unsafe UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Four bytes, most significant first.
    @inlinable
    @inline(__always)
    public func be32(_ offset: Int) -> UInt32 {
        unsafe UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Eight bytes, most significant first.
    @inlinable
    @inline(__always)
    public func be64(_ offset: Int) -> UInt64 {
        unsafe UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Two bytes, least significant first.
    @inlinable
    @inline(__always)
    public func le16(_ offset: Int) -> UInt16 {
        unsafe UInt16(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Four bytes, least significant first.
    @inlinable
    @inline(__always)
    public func le32(_ offset: Int) -> UInt32 {
        unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Eight bytes, least significant first.
    @inlinable
    @inline(__always)
    public func le64(_ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
