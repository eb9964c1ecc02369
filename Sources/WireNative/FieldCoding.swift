/// How a field was sent in a compressed block.
public struct FieldCoding: Sendable, Equatable {
    /// Bytes of the block that it took. What stands before it that is no field counts with it: table size updates of HPACK
    /// (RFC 7541 §6.3). So the fields of a block add up to the block.
    public var size: Int
    /// Whoever sends it again must not index it either (RFC 7541 §6.2.3, RFC 9204 §4.5.4).
    public var isNeverIndexed: Bool

    public init(size: Int, isNeverIndexed: Bool) { (self.size, self.isNeverIndexed) = (size, isNeverIndexed) }
}
