/// What lies between one direction's stream and its messages: nothing decided yet, TLS records, or HTTP/2 frames in
/// clear. Only directions that have such a layer have this object.
final class StreamLayer {
    enum Kind: Sendable {
        /// The first bytes could still be one thing or another; they wait in `buffer`.
        case undecided
        case tls
        /// HTTP/2 without TLS.
        case frames
    }

    /// Where a direction of TLS is.
    enum RecordStage: Sendable {
        /// A record begins with the next byte, or has begun with the bytes in `buffer`.
        case header
        /// The record is collected in `buffer` until it is whole.
        case whole(RecordHeader)
        /// An SSLv2-framed hello of that length is collected.
        case versionTwo(Int)
        /// The record is followed by length.
        case counted(CountedRecord)
        /// The records in `buffer` need a key that may still come.
        case awaitingKey
        /// Where records begin is not known any more.
        case lost
    }

    /// A record that is counted, not read: bytes still to come of its three parts.
    struct CountedRecord: Sendable {
        var header: RecordHeader
        var lead: Int
        var content: Int
        var trail: Int
        var leadCause = Cause.tlsRecords
        var contentCause = Cause.opaque
        var owner = Owner.connection

        var remaining: Int { lead + content + trail }
    }

    /// A whole unit of one owner.
    struct LaterUnit: Sendable {
        var pieces: [UnitPiece]
        var end: StreamPosition
        var owner: Owner
    }

    /// A record of early data that was opened.
    struct EarlyRecord: Sendable {
        var unit: RecordUnit
        var content: [UInt8]
        var moment: Moment
    }

    /// Bytes that went by since the boundary of records was lost, and whether it is looked for.
    var lostBytes = 0
    var isSeeking = false
    var kind: Kind
    let origin: StreamPosition
    /// Who owns what, from `origin` on.
    var owners: OwnerRuns
    /// Begun units: bytes that wait for the rest, where the first of them lies, and what carried them.
    var buffer: [UInt8] = []
    var bufferStart: StreamPosition
    var pieces: [UnitPiece] = []
    var stage = RecordStage.header
    /// Bytes at the end of what was read that belong to a unit of the layer above, such as a split frame header.
    var unresolved: [UnitPiece] = []
    /// Units that came whole behind unresolved bytes: they get their owner in their turn.
    private var later: [LaterUnit] = []
    /// Units before this one were taken out.
    private var laterHead = 0
    var laterCount: Int { later.count - laterHead }
    /// Early data that the server has neither accepted nor rejected yet.
    var early: [EarlyRecord] = []
    /// Earlier bytes have no owner yet.
    var isBlocked: Bool { !unresolved.isEmpty || !early.isEmpty }
    /// The application's bytes begin here; nil before the first of them.
    var contentStart: StreamPosition?
    /// What comes next is looked at, not only counted.
    var readsContent: Bool {
        guard kind == .tls else { return true }
        switch stage {
        case .counted, .lost: return false
        case .header, .whole, .versionTwo, .awaitingKey: return true
        }
    }

    func appendLater(_ unit: LaterUnit) { later.append(unit) }

    /// Takes out the first of those units, if it ends by that place.
    func takeLater(endingBy position: StreamPosition) -> LaterUnit? {
        guard laterHead < later.count, later[laterHead].end <= position else { return nil }
        let unit = later[laterHead]
        laterHead += 1
        if laterHead == later.count || (laterHead >= 1024 && laterHead * 2 > later.count) {
            later.removeFirst(laterHead)
            laterHead = 0
        }
        return unit
    }

    init(_ kind: Kind, origin: StreamPosition) {
        self.kind = kind
        self.origin = origin
        owners = OwnerRuns(from: origin)
        bufferStart = origin
    }
}
