/// Bytes of a packet, or of a record, that belong to a unit which was not whole when they came.
struct UnitPiece: Sendable {
    /// What carried them: its overhead is shared out when it is known whose they are.
    var overhead: PendingOverheads.Handle
    var start: StreamPosition
    var count: Int
    /// When, and with what acknowledgment, they came.
    var packet: PacketContext

    var end: StreamPosition { start + count }
}

/// A unit that came whole, all of one owner, behind bytes whose owner is not known yet.
struct DeferredUnit: Sendable {
    var pieces: [UnitPiece]
    var end: StreamPosition
    var owner: Owner
}

/// A TLS record whose content was read, with what is needed to share out its overhead.
struct RecordUnit: Sendable {
    var start: StreamPosition
    /// Bytes before the content: header, explicit nonce.
    var lead: Int
    /// Bytes behind it: inner content type, padding, authentication tag.
    var trail: Int
    var end: StreamPosition
    /// The packets that it came in; empty when it lies in the packet that is being delivered.
    var pieces: [UnitPiece]

    var length: Int { end - start }
}
