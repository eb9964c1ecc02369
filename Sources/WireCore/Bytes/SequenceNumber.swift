/// A TCP sequence number: a point on a circle of 2³² (RFC 9293 §3.4). SYN and FIN take a place on it but no byte.
struct SequenceNumber: Equatable, Sendable {
    let rawValue: UInt32

    init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// The signed distance to this number from another, in -2³¹ ..< 2³¹.
    @inline(__always)
    func distance(from other: SequenceNumber) -> Int {
        Int(Int32(bitPattern: rawValue &- other.rawValue))
    }

    @inline(__always)
    func advanced(by count: Int) -> SequenceNumber {
        SequenceNumber(rawValue &+ UInt32(truncatingIfNeeded: count))
    }
}

/// A place in the bytes of one direction of a connection, unwrapped to 64 bits. 0 is the first byte after the SYN, or the
/// first byte seen where the capture has no SYN; bytes before that have negative positions.
///
/// A position counts sequence space, an `Int` counts bytes; the two meet only in the difference of two positions.
struct StreamPosition: Comparable, Sendable {
    var value: Int

    @inline(__always)
    init(_ value: Int) { self.value = value }

    static let zero = StreamPosition(0)
    /// Stands for "not yet" where a later position is awaited.
    static let never = StreamPosition(1 << 60)
    /// Stands for "before everything". Far from the ends of `Int`, so that differences cannot overflow.
    static let unset = StreamPosition(-1 << 60)

    @inline(__always)
    static func < (left: StreamPosition, right: StreamPosition) -> Bool { left.value < right.value }

    @inline(__always)
    static func - (left: StreamPosition, right: StreamPosition) -> Int { left.value - right.value }

    @inline(__always)
    static func + (left: StreamPosition, count: Int) -> StreamPosition { StreamPosition(left.value + count) }

    @inline(__always)
    static func - (left: StreamPosition, count: Int) -> StreamPosition { StreamPosition(left.value - count) }
}
