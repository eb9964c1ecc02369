/// Why a byte was on the wire. Every byte of an IP packet of a connection has exactly one cause per direction.
///
/// `message` causes are what an application-layer estimate tries to be; the others are what it cannot see.
public enum Cause: Int, CaseIterable, Sendable {
    /// HTTP/1 request or status line with its line end (RFC 9112 §3, §4).
    case startLine
    /// HTTP/1 header section with the empty line that ends it (RFC 9112 §5).
    case headers
    /// Chunk sizes, chunk line ends, last chunk and trailers (RFC 9112 §7.1).
    case framing
    /// Body bytes as sent: still content-coded, without framing.
    case body
    /// TLS record overhead of records that carry the message.
    case tlsRecords
    /// Network and transport headers of `data` packets.
    case tcpip
    /// QUIC: headers of packets and frames that carry the message, and what steers its stream.
    case quic
    /// Whole bare-acknowledgment packets. QUIC: also ACK frames that ride elsewhere.
    case ack
    /// Whole retransmission packets, and payload seen before in packets that carry new payload as well.
    case retransmission
    /// The DNS exchange that gave the server's address.
    case setupDNS
    /// Whole handshake packets. Payload of a SYN (Fast Open) belongs to its message, not here.
    case setupTCP
    /// TLS handshake.
    case setupTLS
    /// The rest of QUIC's handshake, and what keeps the connection usable.
    case setupQUIC
    /// HTTP/2 and HTTP/3 connection control.
    case setupHTTP
    /// FIN and RST packets and the bare acknowledgment of a FIN.
    case teardown
    /// Keep-alive and window probes and their answers.
    case keepalive
    /// Payload that is not read: encrypted without a key, not HTTP, unparsable, or what runs inside a tunnel.
    case opaque

    /// The name in every output.
    public var name: String { Cause.names[rawValue] }

    /// Paid by the connection and shared out by policy (ByteLedger.md §5.5).
    var isOverhead: Bool {
        switch self {
        case .setupDNS, .setupTCP, .setupTLS, .setupQUIC, .setupHTTP, .teardown, .keepalive: true
        default: false
        }
    }

    private static let names = [
        "start_line", "headers", "framing", "body", "tls_records", "tcpip", "quic", "ack", "retransmission",
        "setup.dns", "setup.tcp", "setup.tls", "setup.quic", "setup.http", "teardown", "keepalive", "opaque",
    ]
}

/// Bytes by cause, of one direction of one owner. All counts are bytes of the IP layer, except `link` and
/// `offloadHidden`, which stand beside the causes and are in none of their sums, and the parts of causes behind them.
public struct CostVector: Sendable, Equatable {
    var values = InlineArray<17, Int>(repeating: 0)
    /// Link and tunnel bytes of the packets (and shares of packets) that the causes come from.
    public var link = 0
    /// Inferred, never captured: header bytes of the packets that offload hid behind super-segments.
    public var offloadHidden = 0
    /// Part of setup.tls: network and transport headers of the packets that carry only a handshake.
    public var handshakeHeaders = 0
    /// Part of teardown: TLS records that say close_notify.
    public var closingRecords = 0

    public init() {}

    public subscript(cause: Cause) -> Int {
        @inline(__always) get { values[cause.rawValue] }
        @inline(__always) set { values[cause.rawValue] = newValue }
    }

    @inline(__always)
    mutating func clear() {
        values = InlineArray(repeating: 0)
        (link, offloadHidden, handshakeHeaders, closingRecords) = (0, 0, 0, 0)
    }

    /// start_line + headers + framing + body.
    public var message: Int { self[.startLine] + self[.headers] + self[.framing] + self[.body] }

    /// All causes together: bytes of the IP layer.
    public var internet: Int {
        var sum = 0
        for index in values.indices { sum += values[index] }
        return sum
    }

    /// setup.dns + setup.tcp + setup.tls + setup.quic + setup.http.
    public var setup: Int {
        self[.setupDNS] + self[.setupTCP] + self[.setupTLS] + self[.setupQUIC] + self[.setupHTTP]
    }

    public static func == (left: CostVector, right: CostVector) -> Bool {
        let (one, other) = (left.values.span, right.values.span)
        for index in 0..<17 where one[index] != other[index] { return false }
        return left.link == right.link && left.offloadHidden == right.offloadHidden
            && left.handshakeHeaders == right.handshakeHeaders && left.closingRecords == right.closingRecords
    }

    public static func += (left: inout CostVector, right: CostVector) {
        // Through spans, because reading an element of an inline array by a variable index copies the array. Without a
        // check of each sum several are added at once; none overflows before 2³¹ of the longest frames.
        var sums = left.values.mutableSpan
        let values = right.values.span
        for index in 0..<17 { sums[index] &+= values[index] }
        left.link &+= right.link
        left.offloadHidden &+= right.offloadHidden
        left.handshakeHeaders &+= right.handshakeHeaders
        left.closingRecords &+= right.closingRecords
    }
}

extension Directions where Value == CostVector {
    public init() { self.init(up: CostVector(), down: CostVector()) }

    public static func += (left: inout Directions<CostVector>, right: Directions<CostVector>) {
        left.up += right.up
        left.down += right.down
    }
}

extension CostVector {
    /// Adds in place, without a copy of either.
    @inline(__always)
    mutating func add(_ other: borrowing CostVector) {
        var sums = values.mutableSpan
        let added = other.values.span
        for index in 0..<17 { sums[index] &+= added[index] }
        link &+= other.link
        offloadHidden &+= other.offloadHidden
        handshakeHeaders &+= other.handshakeHeaders
        closingRecords &+= other.closingRecords
    }
}
