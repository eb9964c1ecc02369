/// What is known of one message of an exchange, while it is read.
struct MessageState: Sendable {
    var version = HTTPVersion.none
    var framing = BodyFraming.unknown
    /// Number of its media type (`MediaTypes`).
    var mediaType = MediaTypes.none
    var isPresent = false
    /// Read up to its end by its framing, all of it captured.
    var isComplete = false
    /// Nothing more will come of it, complete or not.
    var isFinished = false
    /// A gap or unknown content lies in it.
    var isBroken = false
    var isCoded = false
    /// Sections or insertions are missing, so that another message may have been the first to refer to `insertedBytes`.
    var isInsertedUnknown = false
    /// Bytes of headers of HEADERS and CONTINUATION frames, and of DATA frames, of a message in frames.
    var headerFrames = 0
    var dataFrames = 0
    /// Bytes of QPACK insertions that field sections of this message were the first to refer to. They stand in no sum: the
    /// connection pays for them.
    var insertedBytes = 0
    /// Size of compressed field blocks as HTTP/1.1 would spell them; nil when one could not be read.
    var fieldBytes: Int? = 0
    /// Decoded body size; nil while, or if, it is not known.
    var decodedBody: Int?
    /// The body as its examiner knows it; nil where it is not examined.
    var examined: (any ExaminedBody)?
    /// Start line and header section, when they are kept.
    var head: MessageHead?
    /// What each field took as sent in HTTP/2 and HTTP/3, when it is kept.
    var sentFields: SentFields?

    /// Decoded size of a body that came whole. A tunnel of HTTP/1 begins behind the message; in HTTP/2 and HTTP/3 its bytes
    /// stand where the body would.
    var knownDecodedBody: Int? {
        isComplete && (framing != .tunnel || version.rawValue < HTTPVersion.http2.rawValue) ? decodedBody : nil
    }

    /// Insertions of its table, where HTTP/3 has one and all that the message refers to is known.
    var inserted: Int? {
        isPresent && version == .http3 && fieldBytes != nil && !isInsertedUnknown ? insertedBytes : nil
    }

    /// A field block was read; nil: it could not be.
    mutating func addFields(_ bytes: Int?) {
        guard let bytes, let before = fieldBytes else {
            fieldBytes = nil
            return
        }
        fieldBytes = before + bytes
    }

    /// A field block of these fields was read.
    mutating func addSizes(_ block: SentFields?, room: Int) {
        guard let block else { return }
        sentFields = sentFields ?? SentFields()
        sentFields?.append(block, room: room)
    }

    @inline(__always)
    mutating func renew() {
        (version, framing, mediaType) = (.none, .unknown, MediaTypes.none)
        (isPresent, isComplete, isFinished) = (false, false, false)
        (isBroken, isCoded, isInsertedUnknown) = (false, false, false)
        (headerFrames, dataFrames, insertedBytes, fieldBytes) = (0, 0, 0, 0)
        decodedBody = nil
        if examined != nil { examined = nil }
        if head != nil { head = nil }
        if sentFields != nil { sentFields = nil }
    }

    /// The message ended where its framing says.
    mutating func finish(_ decoded: Int?) {
        isFinished = true
        isComplete = !isBroken
        decodedBody = isBroken ? nil : decoded
    }
}

/// What is known of an exchange, for its record. What it costs stands in its owner's account, which has the same index.
struct Exchange: Sendable {
    /// Number in its connection, from 0.
    var number = 0
    /// Stream of HTTP/2 or HTTP/3; below 0 in HTTP/1.
    var stream = -1
    /// It runs over TLS.
    var isSecure = false
    var request = MessageState()
    var response = MessageState()
    var methodKind = MethodKind.other
    var status = 0
    /// Bytes of 1xx responses.
    var interim = 0
    var flags: RecordFlags = []
    var firstTime: Int64 = 0
    /// How far the client had the server's bytes when it began the request; `unset` where that is not known.
    var acknowledgedAtRequest = StreamPosition.unset
    var requestEndTime: Int64?
    var responseStartTime: Int64?
    var responseEndTime: Int64?
    /// Method, target and host as read, end to end.
    var text: [UInt8] = []
    var methodLength = 0
    var targetLength = 0
    /// What the request asks for beside its path, such as a method of JSON-RPC; empty where it names nothing.
    var operation: [UInt8] = []

    /// Its requester closed or reset before the response had ended; nil where it did not.
    var earlyClose: EarlyClose?
    /// An interim response was read; the final one is still to come.
    var awaitsFinalResponse = false

    /// Longest text of which the memory is kept for the next exchange in the place, bytes.
    private static let keptCapacity = 512

    var isAnswered: Bool { request.isFinished && response.isFinished }

    /// Makes it a new one, field by field: making one beside it and moving that here takes several times as long.
    mutating func renew() {
        (number, stream) = (0, -1)
        (isSecure, awaitsFinalResponse) = (false, false)
        request.renew()
        response.renew()
        methodKind = .other
        (status, interim) = (0, 0)
        flags = []
        firstTime = 0
        acknowledgedAtRequest = .unset
        (requestEndTime, responseStartTime, responseEndTime) = (nil, nil, nil)
        earlyClose = nil
        (methodLength, targetLength) = (0, 0)
        if !operation.isEmpty { operation = [] }
        if text.capacity > Exchange.keptCapacity { text = [] } else { text.removeAll(keepingCapacity: true) }
    }

    /// Keeps method and target, of the target at most `limit` bytes.
    mutating func keepStartLine(_ bytes: RawSpan, _ line: StartLine, limit: Int) {
        let target = line.target.prefix(limit)
        text.reserveCapacity(line.method.count + target.count + 32)
        bytes.append(line.method, to: &text)
        bytes.append(target, to: &text)
        methodLength = line.method.count
        targetLength = target.count
    }

    var hasCommonMethod: Bool {
        unsafe StartLinePlausibility.isCommonMethod(text.span.bytes, 0..<methodLength)
    }

    /// The end of the target is not known.
    mutating func noteCutTarget() {
        text.append(contentsOf: "…".utf8)
        targetLength = text.count - methodLength
    }

    /// Keeps method, target and host, of the target at most `limit` bytes.
    mutating func keepNames(method: [UInt8], target: [UInt8], host: [UInt8], limit: Int) {
        let target = target.prefix(limit)
        text = method + target + host
        methodLength = method.count
        targetLength = target.count
    }

    mutating func keepHost(_ bytes: RawSpan, _ range: Range<Int>) {
        guard text.count == methodLength + targetLength else { return }
        bytes.append(range, to: &text)
    }
}
