/// A stream of a QUIC connection that carries HTTP/3: what it is for, and how far each direction is read.
///
/// - Invariant: `waiting` of a direction holds what follows a field section that cannot be read yet, in the order of the
///   stream; while it is empty, nothing of the direction waits.
final class HTTP3Stream {
    /// What a stream is for.
    enum Use {
        /// A unidirectional stream whose type has not come, or a bidirectional one of the server.
        case undecided
        /// A request with its response, or a pushed response.
        case message(MessageStream)
        case control
        /// Instructions of a QPACK encoder.
        case instructions
        /// Bytes that are not read: of a WebTransport session, of QPACK's decoder, of a reserved type, or lost.
        case passed(Owner, Cause)
    }

    let id: UInt64
    var use = Use.undecided
    private var zero = HTTP3StreamDirection()
    private var one = HTTP3StreamDirection()

    init(id: UInt64) { self.id = id }

    /// Only its opener sends on it (RFC 9000 §2.1).
    var isUnidirectional: Bool { HTTP3Stream.isUnidirectional(id) }

    var message: MessageStream? { if case .message(let message) = use { message } else { nil } }

    subscript(direction: Direction) -> HTTP3StreamDirection {
        get { direction.index == 0 ? zero : one }
        _modify { if direction.index == 0 { yield &zero } else { yield &one } }
    }

    static func isUnidirectional(_ id: UInt64) -> Bool { id & 2 != 0 }

    /// Requests go on bidirectional streams of the client (RFC 9114 §6.1).
    static func isOfRequest(_ id: UInt64) -> Bool { id & 3 == 0 }

    /// Whether a stream of HTTP/3 can begin so: with a type of RFC 9114 §6.2 or 9204 §4.2, on a request stream with HEADERS
    /// (§7.2.2), or with a reserved type. What is registered by others is taken for something else.
    static func canBegin(_ id: UInt64, with bytes: RawSpan) -> Bool {
        var offset = 0
        guard let type = bytes.varint(&offset, end: bytes.byteCount) else { return true }
        if type >= 0x21, (type - 0x21) % 0x1F == 0 { return true }
        guard !isUnidirectional(id) else { return type <= 3 }
        // No field section is longer than this by far.
        return type == 1 && bytes.varint(&offset, end: bytes.byteCount).map { $0 < 1 << 24 } != false
    }
}

/// One direction of a stream while it is read.
struct HTTP3StreamDirection {
    /// Of a unidirectional stream: its type, and the push or session behind it.
    var type = VariableInteger()
    var number = VariableInteger()
    var reader = HTTP3FrameReader()
    /// Bytes at the beginning of the stream of which the owner is not known yet: at most 16.
    var heldBytes = 0
    /// A frame header was missing: what follows cannot be read.
    var isLost = false
    /// Payload of the current frame, where it is kept until it is whole.
    var payload: [UInt8] = []
    /// Some of that is missing, or was not kept.
    var isPayloadBroken = false
    /// What follows the head, until it begins.
    var bodyStart: BodyStart?
    var waiting: [WaitingEvent] = []
    /// Bytes in `payload` and `waiting` that are counted among the unfinished heads of all connections.
    var keptBytes = 0

    /// Nothing of the direction has been read.
    var isUntouched: Bool { reader.count == 0 && reader.isAtFrameStart && type.count == 0 }
}

/// Something that follows a field section which cannot be read yet.
struct WaitingEvent {
    enum Kind {
        /// A field section of so many bytes; without its bytes where they cannot be read.
        case section([UInt8]?, count: Int)
        /// A PUSH_PROMISE with its push.
        case promise([UInt8]?, count: Int, push: UInt64)
        /// A DATA frame begins.
        case data
        /// Payload of DATA, booked as a body.
        case content([UInt8])
        /// Payload of DATA that is missing.
        case missing(Int, SkipReason)
        /// The sender ended the stream, in the middle of a frame or between two.
        case end(isCut: Bool)
        /// RESET_STREAM with its error code.
        case reset(UInt64)
    }

    var kind: Kind
    /// When it came: nanoseconds.
    var time: Int64

    /// Bytes that it keeps.
    var byteCount: Int {
        switch kind {
        case .section(let bytes, _), .promise(let bytes, _, _): bytes?.count ?? 0
        case .content(let bytes): bytes.count
        default: 0
        }
    }
}

/// Request streams that were closed and given out: nothing that comes on them still opens an exchange.
struct ClosedStreams {
    /// Kept one by one, beside those before `first`.
    private static let limit = 65_536

    /// All request streams before it are closed.
    private var first: UInt64 = 0
    private var others: Set<UInt64> = []

    func contains(_ id: UInt64) -> Bool { id < first || others.contains(id) }

    mutating func insert(_ id: UInt64) {
        guard id >= first else { return }
        others.insert(id)
        while others.remove(first) != nil { first += 4 }
        guard others.count > ClosedStreams.limit else { return }
        // Streams that nobody has seen by then will hardly come. Half of them at a time, because that takes a sort.
        let sorted = others.sorted()
        first = sorted[sorted.count / 2]
        others = Set(sorted[(sorted.count / 2)...])
        while others.remove(first) != nil { first += 4 }
    }
}
