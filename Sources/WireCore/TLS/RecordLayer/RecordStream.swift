/// Where the record layer of TLS is in one direction.
final class RecordStream {
    enum Stage {
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
    struct CountedRecord {
        var header: RecordHeader
        var lead: Int
        var content: Int
        var trail: Int
        var leadCause = Cause.tlsRecords
        var contentCause = Cause.opaque
        var owner = Owner.connection
        /// All of its content that nobody can read.
        var hidden = 0

        var remaining: Int { lead + content + trail }
    }

    /// A record of early data that was opened.
    struct EarlyRecord {
        var unit: RecordUnit
        var content: [UInt8]
        var packet: PacketContext
    }

    /// The first byte of the first record.
    let origin: StreamPosition
    var stage = Stage.header
    /// Bytes of a begun record, or of several that need a key, where the first of them lies, and what carried them.
    var buffer: [UInt8] = []
    var bufferStart: StreamPosition
    var pieces: [UnitPiece] = []
    /// Bytes that went by since the boundary of records was lost, and whether it is looked for.
    var lostBytes = 0
    var isSeeking = false
    /// Early data that the server has neither accepted nor rejected yet.
    var early: [EarlyRecord] = []
    /// The application's bytes begin here; nil before the first of them.
    var contentStart: StreamPosition?

    init(origin: StreamPosition) {
        self.origin = origin
        bufferStart = origin
    }

    /// A record begins with the next byte.
    var isAtHeader: Bool { if case .header = stage { true } else { false } }

    var awaitsKey: Bool { if case .awaitingKey = stage { true } else { false } }

    /// What comes next is looked at, not only counted.
    var readsContent: Bool {
        switch stage {
        case .counted, .lost: false
        case .header, .whole, .versionTwo, .awaitingKey: true
        }
    }

    /// Keeps bytes of a run that belong to a record which is not whole.
    func keep(
        _ run: RawSpan, _ range: Range<Int>, at start: StreamPosition, _ context: inout StreamContext
    ) {
        guard !range.isEmpty else { return }
        if buffer.isEmpty { bufferStart = start }
        run.append(range, to: &buffer)
        context.buffered.records += range.count
        pieces.append(context.attribution.deferPiece(start, range.count))
    }

    /// Lets go of what was kept. Its pieces are the caller's.
    func takePieces(_ context: inout StreamContext) -> [UnitPiece] {
        context.buffered.records -= buffer.count
        buffer.removeAll(keepingCapacity: true)
        let pieces = pieces
        self.pieces.removeAll(keepingCapacity: true)
        return pieces
    }
}
