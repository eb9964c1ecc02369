/// The handshake of a TCP connection as one capture point saw it.
struct HandshakeSide {
    private(set) var point = CapturePoint()
    /// Number of the first packet in its file.
    private(set) var packet = 0
    /// The client's first sequence number, and the server's.
    private(set) var sequence: UInt32 = 0
    private(set) var answer: UInt32?
    private(set) var hasPayload = false
    /// Of the first SYN, and of the latest answer.
    private var hopLimit: UInt8 = 0
    private var answerHopLimit: UInt8 = 0
    /// With the client as sender.
    private(set) var key = ConnectionKey()
    /// In `LookupPayments`, what its connection pays for; 0 for nothing.
    private(set) var lookup: Int32 = 0
    /// It counts, and was captured at another place too.
    var isKept = false
    /// Packets have come behind the handshake, or may have.
    var isFollowed = false
    private var packets = 0
    private var cost = HeaderCost()
    private var headers = 0
    private var pseudo = 0
    private var tunnel = 0
    private var frameBytes = 0
    /// Of the latest SYN, and of the latest answer.
    private var openingTime: Int64 = .min
    private var answerTime: Int64 = .min

    /// How much later a packet may show at another place; and at most, where clocks differ.
    private static let patience: Int64 = 500_000_000
    private static let longestDelay: Int64 = 10_000_000_000

    /// Begins with a SYN, which stays as it is. Field by field: every connection does so, and a copy costs as much again.
    @inline(__always)
    mutating func begin(_ routed: inout RoutedSegment, at interface: UInt64) {
        point.file = routed.file
        point.interface = interface
        packet = routed.number
        sequence = routed.segment.sequence.rawValue
        answer = nil
        hasPayload = routed.segment.payload > 0
        hopLimit = routed.segment.hopLimit
        key = routed.key
        lookup = routed.lookup
        (isKept, isFollowed) = (false, false)
        packets = 1
        (cost.internet, cost.link) = (routed.segment.cost.internet, routed.segment.cost.link)
        headers = routed.segment.headerLength
        (pseudo, tunnel) = (routed.pseudo, routed.tunnel)
        frameBytes = routed.segment.frameBytes
        openingTime = routed.time
    }

    /// A further SYN of the same connection, or its answer.
    mutating func add(_ routed: inout RoutedSegment, isAnswer: Bool) {
        packets += 1
        cost.internet += routed.segment.cost.internet
        cost.link += routed.segment.cost.link
        headers += routed.segment.headerLength
        pseudo += routed.pseudo
        tunnel += routed.tunnel
        frameBytes += routed.segment.frameBytes
        if routed.segment.payload > 0 { hasPayload = true }
        guard isAnswer else {
            openingTime = routed.time
            return
        }
        answer = routed.segment.sequence.rawValue
        answerHopLimit = routed.segment.hopLimit
        answerTime = routed.time
    }

    /// All its packets as one, which are no connection's any more.
    func withdrawal(at latest: RoutedSegment) -> RoutedSegment {
        var routed = latest
        routed.kind = .withdrawal
        routed.key = key
        routed.segment.frames = packets
        routed.segment.cost = cost
        routed.segment.headerLength = headers
        routed.segment.payload = 0
        routed.segment.frameBytes = frameBytes
        (routed.pseudo, routed.tunnel) = (pseudo, tunnel)
        return routed
    }

    // MARK: Two of them

    /// Whether a SYN of the same number may be this one behind a translation. What was made with constant numbers shows one
    /// place: a translation has routed packets, as another interface, a lower hop limit or the other version of IP shows.
    func mayBecome(_ routed: inout RoutedSegment, at interface: UInt64) -> Bool {
        isElsewhere(&routed, interface) && !key.hasAddresses(of: routed.key)
            && Self.isNear(openingTime, routed.time, Self.longestDelay)
    }

    @inline(__always)
    func isElsewhere(_ routed: inout RoutedSegment, _ interface: UInt64) -> Bool {
        point.interface != interface || point.file != routed.file || hopLimit != routed.segment.hopLimit
            || key.isVersion6 != routed.key.isVersion6
    }

    /// Whether both saw the same answer at one time.
    func isAnswered(as other: HandshakeSide) -> Bool {
        answer != nil && answer == other.answer && Self.isNear(answerTime, other.answerTime, Self.patience)
    }

    /// Whether this place, to which the SYN came after it had come to the other, is nearer to the network. It is unless the
    /// server is nearer to it than the client is to the other, as their hop limits show, or has a private address here only.
    func isOutside(of other: HandshakeSide) -> Bool {
        let client = Self.hops(other.hopLimit)
        let server = answer != nil ? Self.hops(answerHopLimit) : client
        return server == client ? !hasPrivateServer || other.hasPrivateServer : server > client
    }

    private var hasPrivateServer: Bool { key.sender(of: key.sender.opposite).address.isPrivate }

    /// Routers behind a packet, which senders begin with 64, 128 or 255.
    static func hops(_ limit: UInt8) -> UInt8 { (limit <= 64 ? 64 : limit <= 128 ? 128 : 255) - limit }

    private static func isNear(_ one: Int64, _ other: Int64, _ limit: Int64) -> Bool {
        (one &- other).magnitude <= limit.magnitude
    }
}
