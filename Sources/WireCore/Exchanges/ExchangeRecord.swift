/// Bytes of the headers of the frames that carried a message of HTTP/2 or HTTP/3, those of its interim responses and
/// trailers included. They are part of the `framing` cost. A header has nine bytes in HTTP/2 (RFC 9113 §4.1), and two
/// variable-length integers in HTTP/3 (RFC 9114 §7.1).
public struct FrameHeaderBytes: Sendable, Equatable {
    /// Of HEADERS and CONTINUATION frames; of PUSH_PROMISE where that carried the request of HTTP/2.
    public var headerFrames: Int
    /// Of DATA frames, empty ones too.
    public var dataFrames: Int

    public init(headerFrames: Int, dataFrames: Int) {
        self.headerFrames = headerFrames
        self.dataFrames = dataFrames
    }
}

/// Facts of a request or response that are not byte costs.
public struct MessageFacts: Sendable, Equatable {
    /// "HTTP/3", "HTTP/2", "HTTP/1.1", "HTTP/1.0", or "HTTP/0.9"; nil when the start line did not come whole.
    public var version: String?
    public var framing: BodyFraming
    /// Bytes of 1xx responses before this one; they are part of its `headers` cost.
    public var interim: Int
    /// The whole message was captured up to its end.
    public var complete: Bool
    /// Content or transfer codings other than chunked changed the body, or may have.
    public var isCoded: Bool
    /// Headers of its frames; nil in HTTP/1.
    public var frames: FrameHeaderBytes?
    /// Media type of the body, in lower case, without parameters; nil where none is told.
    public var contentType: [UInt8]?

    public init(
        version: String?, framing: BodyFraming, interim: Int, complete: Bool, isCoded: Bool = false,
        frames: FrameHeaderBytes? = nil, contentType: [UInt8]? = nil
    ) {
        self.version = version
        self.framing = framing
        self.interim = interim
        self.complete = complete
        self.isCoded = isCoded
        self.frames = frames
        self.contentType = contentType
    }
}

/// What is odd about an exchange or a connection. Names stand in every output.
public struct RecordFlags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes that the peer acknowledged, or that lie before later bytes, were in no captured packet.
    public static let gap = RecordFlags(rawValue: 1 << 0)
    /// A frame was snapped where its content was needed.
    public static let snapped = RecordFlags(rawValue: 1 << 1)
    /// The capture began after the connection.
    public static let noStart = RecordFlags(rawValue: 1 << 2)
    /// The capture ended before the connection.
    public static let noEnd = RecordFlags(rawValue: 1 << 3)
    public static let noRequest = RecordFlags(rawValue: 1 << 4)
    public static let noResponse = RecordFlags(rawValue: 1 << 5)
    /// A message ended before its framing says it does.
    public static let aborted = RecordFlags(rawValue: 1 << 6)
    /// The connection ended with a reset.
    public static let reset = RecordFlags(rawValue: 1 << 7)
    /// 101: the connection went on in another protocol.
    public static let upgraded = RecordFlags(rawValue: 1 << 8)
    /// CONNECT: the connection went on as a tunnel.
    public static let tunnel = RecordFlags(rawValue: 1 << 9)
    /// A message breaks RFC 9112.
    public static let malformed = RecordFlags(rawValue: 1 << 10)

    /// The server sent it without being asked (RFC 9113 §8.4): its request came in a PUSH_PROMISE.
    public static let pushed = RecordFlags(rawValue: 1 << 11)

    /// The capturing program lost packets while this went on: it may have cost more than is attributed to it.
    public static let drops = RecordFlags(rawValue: 1 << 12)

    static let all: [(RecordFlags, String)] = [
        (.gap, "gap"), (.snapped, "snapped"), (.noStart, "no-start"), (.noEnd, "no-end"), (.noRequest, "no-request"),
        (.noResponse, "no-response"), (.aborted, "aborted"), (.reset, "reset"), (.upgraded, "upgraded"),
        (.tunnel, "tunnel"), (.malformed, "malformed"), (.pushed, "pushed"), (.drops, "drops"),
    ]

    /// The names of the flags that are set, in a fixed order.
    public var names: [String] { RecordFlags.all.filter { contains($0.0) }.map(\.1) }
}

/// One exchange: a request with the response that answers it, with every byte it cost.
public struct ExchangeRecord: Sendable {
    /// Path of the capture file in which the connection began.
    public var file: String
    /// Number of the connection in the audit, from 0 in order of first packets.
    public var connection: Int
    /// Number of the exchange in its connection, from 0 in order of requests.
    public var exchange: Int
    public var transport = ConnectionTransport.tcp
    /// HTTP/2 or HTTP/3 stream; nil in HTTP/1.
    public var stream: Int?
    /// Version of TLS that the exchange ran over, such as "TLS 1.3"; "TLS" where no ServerHello was read, nil without TLS.
    public var tlsVersion: String?
    /// First byte of the exchange: nanoseconds since the epoch.
    public var time: Int64
    /// From first to last byte of the exchange's messages as captured, nanoseconds. See `knownDuration`.
    public var duration: Int64
    /// What it can be, where the clocks of the two directions differ and the capture shows by how much at most.
    public var durationRange: ClosedRange<Int64>?
    /// The clocks of the two directions differ, and the exchange has messages in both.
    public var clocksDiffer = false
    /// Last byte of the request: nanoseconds since the epoch. Nil where it is not known.
    public var requestEnd: Int64?
    /// From the last byte of the request to the first of the final response; nil where one is missing, where the response
    /// was captured first, and where the clocks of the two directions differ.
    public var timeToFirstByte: Int64?
    /// What it can be, where the clocks of the two directions differ and the capture shows by how much at most.
    public var timeToFirstByteRange: ClosedRange<Int64>?
    /// Last byte of the final response, or of what came of it: nanoseconds since the epoch. Nil without response.
    public var responseEnd: Int64?
    /// The requester closed or reset before the response had come whole; nil where it did not.
    public var earlyClose: EarlyClose?
    public var client: Endpoint
    public var server: Endpoint
    /// Nil where the request is missing or its start line did not come whole.
    public var method: [UInt8]?
    /// Lower-case host of the request, or the server's name or address.
    public var host: [UInt8]
    public var path: [UInt8]?
    public var query: [UInt8]?
    /// The request target as sent.
    public var target: [UInt8]?
    /// `method host path-template operation`.
    public var api: [UInt8]
    /// What the request asks for beside its path, such as a method of JSON-RPC; nil where it names nothing.
    public var operation: [UInt8]?
    public var status: Int?
    public var costs: Directions<CostVector>
    /// The request went from server to client: whoever opened the connection answered.
    public var isReversed = false
    /// Body sizes after transfer and content coding were undone; nil where they were not or could not be.
    public var decodedBody: Directions<Int?>
    /// Header fields as HTTP/1.1 would spell them, bytes: of each field its name, its value and four more, and two for
    /// the empty line. In HTTP/1 what was sent; nil where a compressed field block could not be read.
    public var decodedHeaders: Directions<Int?>
    /// HTTP/3: bytes of QPACK insertions (RFC 9204 §4.3) that a message was the first to refer to, by the lowest stream.
    /// They are part of `setup.http` of the connection and in no cost here. Nil where it is not known, and elsewhere.
    public var insertedHeaders = Directions<Int?>(up: nil, down: nil)
    /// Sequence space inside the exchange that no captured packet held, bytes. In HTTP/2 a lower bound: frames whose headers
    /// are missing may be of any stream.
    public var unseenBytes: Int
    public var request: MessageFacts?
    public var response: MessageFacts?
    /// Heads of the messages as sent, where the audit keeps them (`AuditOptions.keepsHeads`) and they came whole.
    public var requestHead: MessageHead?
    public var responseHead: MessageHead?
    /// What their fields took as sent in HTTP/2 and HTTP/3, where the audit keeps that (`AuditOptions.keepsFieldSizes`).
    public var requestFields: SentFields?
    public var responseFields: SentFields?
    /// Bodies as the audit's examiner knows them.
    public var requestBody: (any ExaminedBody)?
    public var responseBody: (any ExaminedBody)?
    public var flags: RecordFlags
    /// Not nil of a call that nobody could read: it has no name, and its bytes are told by records alone.
    public var unread: UnreadMessages?
    /// The app that most packets of its connection named, up to when the exchange was over.
    public var process: CaptureProcess?
    /// Of the first exchange of a connection: whose DNS answer gave the server's address, where that was read of another
    /// connection.
    public var lookup: LookupLink?
    /// First packet of its connection: nanoseconds since the epoch.
    var connectionTime: Int64 = 0
    /// Name of the server that TLS asked for.
    var serverName: [UInt8]?

    /// Costs of the direction that carried the request, and of the other.
    public var requestCosts: CostVector { isReversed ? costs.down : costs.up }
    public var responseCosts: CostVector { isReversed ? costs.up : costs.down }

    /// Header bytes of the packets that offload hid, both directions.
    public var offloadHidden: Int { costs.up.offloadHidden + costs.down.offloadHidden }
    /// Bytes of text that the record holds, about: what it weighs in memory.
    public var textBytes: Int {
        2 * (target?.count ?? 0) + host.count + (requestHead?.bytes.count ?? 0) + (responseHead?.bytes.count ?? 0)
            + (requestFields?.memory ?? 0) + (responseFields?.memory ?? 0)
    }
    /// The duration; nil where the clocks of the two directions differ, or what was captured ends before it begins.
    public var knownDuration: Int64? { clocksDiffer || duration < 0 ? nil : duration }
    /// The protocol's version as `http` in the outputs: the response's, else the request's.
    public var httpVersion: String? { response?.version ?? request?.version }
}

extension ExchangeRecord {
    /// A record of nothing, for what needs one only to learn its fields.
    package static let blank = ExchangeRecord(
        file: "", connection: 0, exchange: 0, time: 0, duration: 0, client: Endpoint(address: IPAddress(), port: 0),
        server: Endpoint(address: IPAddress(), port: 0), host: [], api: [],
        costs: Directions(up: CostVector(), down: CostVector()), decodedBody: Directions(up: nil, down: nil),
        decodedHeaders: Directions(up: nil, down: nil), unseenBytes: 0, flags: [])
}

extension RecordFlags {
    /// Flags that say why a message is there in part.
    static let reasonsForPart: RecordFlags = [
        .gap, .snapped, .noStart, .noEnd, .aborted, .reset, .malformed, .drops, .tunnel, .upgraded,
    ]
}
