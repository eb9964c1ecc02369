/// Where an exchange's message lies in one direction.
struct MessageRange: Sendable {
    /// `never` while the direction has nothing of the exchange.
    var start = StreamPosition.never
    /// `never` while the message goes on.
    var end = StreamPosition.never

    var isPresent: Bool { start != .never }
}

/// An exchange's message ranges by side of the connection.
struct SideRanges: Sendable {
    private var zero = MessageRange()
    private var one = MessageRange()

    @inline(__always)
    subscript(side: Int) -> MessageRange {
        get { side == 0 ? zero : one }
        set { if side == 0 { zero = newValue } else { one = newValue } }
    }
}

/// An exchange's costs by side of the connection.
struct SideCosts: Sendable {
    private var zero = CostVector()
    private var one = CostVector()

    subscript(side: Int) -> CostVector {
        get { side == 0 ? zero : one }
        set { if side == 0 { zero = newValue } else { one = newValue } }
    }

    /// Adds without copying the vector.
    @inline(__always)
    mutating func add(_ cause: Cause, _ bytes: Int, _ side: Int) {
        if side == 0 { zero[cause] += bytes } else { one[cause] += bytes }
    }

    /// Adds those of one side to others.
    @inline(__always)
    func add(to sum: inout CostVector, _ side: Int) {
        if side == 0 { sum += zero } else { sum += one }
    }

    @inline(__always)
    mutating func addLink(_ bytes: Int, _ side: Int) {
        if side == 0 { zero.link += bytes } else { one.link += bytes }
    }

    mutating func clear() {
        zero.clear()
        one.clear()
    }

    @inline(__always)
    func bytes(_ cause: Cause, _ side: Int) -> Int {
        side == 0 ? zero[cause] : one[cause]
    }
}

/// What is known of one message of an exchange, while it is read.
struct MessageState: Sendable {
    var version = HTTPVersion.none
    var framing = BodyFraming.unknown
    var isPresent = false
    /// Read up to its end by its framing, all of it captured.
    var isComplete = false
    /// Nothing more will come of it, complete or not.
    var isFinished = false
    /// A hole or unknown content lies in it.
    var isBroken = false
    var isCoded = false
    /// HEADERS and CONTINUATION frames, and DATA frames, of an HTTP/2 message.
    var headerFrames = 0
    var dataFrames = 0
    /// Size of compressed field blocks as HTTP/1.1 would spell them; nil when one could not be read.
    var fieldBytes: Int? = 0
    /// Decoded body size; nil while, or if, it is not known.
    var decodedBody: Int?
    /// The body as its examiner knows it; nil where it is not examined.
    var examined: (any ExaminedBody)?
    /// Start line and header section, when they are kept.
    var head: MessageHead?

    /// A field block was read; nil: it could not be.
    mutating func addFields(_ bytes: Int?) {
        guard let bytes, let before = fieldBytes else {
            fieldBytes = nil
            return
        }
        fieldBytes = before + bytes
    }

    @inline(__always)
    mutating func renew() {
        (version, framing) = (.none, .unknown)
        (isPresent, isComplete, isFinished, isBroken, isCoded) = (false, false, false, false, false)
        (headerFrames, dataFrames, fieldBytes) = (0, 0, 0)
        decodedBody = nil
        if examined != nil { examined = nil }
        if head != nil { head = nil }
    }

    /// The message ended where its framing says.
    mutating func finish(_ decoded: Int?) {
        isFinished = true
        isComplete = !isBroken
        decodedBody = isBroken ? nil : decoded
    }
}

/// An exchange in the books: its costs by side of the connection, and facts for its record.
struct Exchange: Sendable {
    var serial: UInt32 = 0
    var previous: Int32 = -1
    var following: Int32 = -1
    /// Number in its connection, from 0.
    var number = 0
    /// HTTP/2 stream; below 0 in HTTP/1.
    var stream: Int32 = -1
    /// It runs over TLS.
    var isSecure = false
    /// Costs by side of the connection (not yet by direction: who is the client may show later).
    var costs = SideCosts()
    var ranges = SideRanges()
    var request = MessageState()
    var response = MessageState()
    var methodKind = MethodKind.other
    var status = 0
    /// Bytes of 1xx responses.
    var interim = 0
    var unseen = 0
    var flags: RecordFlags = []
    var firstTime: Int64 = 0
    var lastTime: Int64 = 0
    var requestEndTime: Int64?
    var responseStartTime: Int64?
    var responseEndTime: Int64?
    /// Method, target and host as read, end to end.
    var text: [UInt8] = []
    var methodLength = 0
    var targetLength = 0

    /// An interim response was read; the final one is still to come.
    var awaitsFinalResponse = false

    /// Longest text of which the memory is kept for the next exchange in the place, bytes.
    private static let keptCapacity = 512

    var isAnswered: Bool { request.isFinished && response.isFinished }

    /// Makes it a new one, field by field: making one beside it and moving that here takes several times as long.
    mutating func renew() {
        serial = 0
        (previous, following) = (-1, -1)
        (number, stream) = (0, -1)
        (isSecure, awaitsFinalResponse) = (false, false)
        costs.clear()
        ranges = SideRanges()
        request.renew()
        response.renew()
        methodKind = .other
        (status, interim, unseen) = (0, 0, 0)
        flags = []
        (firstTime, lastTime) = (0, 0)
        (requestEndTime, responseStartTime, responseEndTime) = (nil, nil, nil)
        (methodLength, targetLength) = (0, 0)
        if text.capacity > Exchange.keptCapacity { text = [] } else { text.removeAll(keepingCapacity: true) }
    }

    mutating func setBroken(_ isRequest: Bool) {
        if isRequest { request.isBroken = true } else { response.isBroken = true }
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

/// All exchanges of a part's connections that may still be charged: an arena with one chain per connection.
struct ExchangeStore: ~Copyable {
    /// Untouched capacity costs no memory.
    var slots = UnsafeSlab<Exchange>(capacity: 1 << 12)
    private var free: [Int32] = []
    private var nextSerial: UInt32 = 1
    /// Exchanges in it.
    private(set) var liveCount = 0

    mutating func insert() -> Owner {
        let serial = nextSerial
        nextSerial &+= 1
        liveCount += 1
        if let index = free.popLast() {
            slots[Int(index)].serial = serial
            return Owner(index: index, serial: serial)
        }
        slots.append(Exchange())
        slots[slots.count - 1].serial = serial
        return Owner(index: Int32(slots.count - 1), serial: serial)
    }

    mutating func release(_ index: Int32) {
        slots[Int(index)].renew()
        free.append(index)
        liveCount -= 1
    }

    func owner(_ index: Int32) -> Owner {
        index < 0 ? .connection : Owner(index: index, serial: slots[Int(index)].serial)
    }

    /// Whether the owner is an exchange that is still in the books.
    @inline(__always)
    func isLive(_ owner: Owner) -> Bool {
        owner.index >= 0 && slots[Int(owner.index)].serial == owner.serial
    }
}
