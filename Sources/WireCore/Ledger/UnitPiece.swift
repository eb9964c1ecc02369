/// Bytes of a packet, or of a record, that belong to a unit which was not whole when they came.
struct UnitPiece: Sendable {
    /// What carried them: its costs are shared out when it is known whose they are.
    var debt: Int32
    var start: StreamPosition
    var count: Int
    /// When, and with what acknowledgment, they came.
    var moment: Moment

    var end: StreamPosition { start + count }
}

/// A TLS record whose content was read, with what is needed to share out its costs.
struct RecordUnit: Sendable {
    var start: StreamPosition
    /// Bytes before the content: header, explicit nonce.
    var lead: Int
    /// Bytes behind it: inner content type, padding, authentication tag.
    var trail: Int
    var end: StreamPosition
    /// The packets that it came in.
    var pieces: [UnitPiece]
}
