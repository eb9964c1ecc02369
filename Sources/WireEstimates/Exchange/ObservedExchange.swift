/// A body as it was sent, and what is known of its content. All sizes are bytes.
public struct ObservedBody: Sendable, Equatable {
    /// Without framing, as sent: still content-coded.
    public var content = 0
    /// Chunk sizes, their line ends and trailers.
    public var framing = 0
    /// After content codings were undone; of a body that was cut, what had come. Nil: not known.
    public var decoded: Int?
    /// Size after the SDK's own gzip: of the decoded content in a response, of the content in a request. Already
    /// gzipped input and an empty one stay as they are. Nil: not computed.
    public var recompressed: Int?
    /// The decoded content is valid UTF-8. Nil: not looked at.
    public var isText: Bool?
    /// The decoded content as a string of JavaScript. Nil: not looked at, or not UTF-8.
    public var string: StringUnits?

    public init(content: Int = 0, framing: Int = 0, decoded: Int? = nil) {
        self.content = content
        self.framing = framing
        self.decoded = decoded
    }

    /// Bytes on the wire.
    public var transferred: Int { content + framing }
}

/// Lengths of text as a string, UTF-16 code units.
public struct StringUnits: Sendable, Equatable {
    /// As it is.
    public var plain: Int
    /// As a JSON string: with quotes and escapes.
    public var quoted: Int

    public init(plain: Int, quoted: Int) {
        self.plain = plain
        self.quoted = quoted
    }

    public static let empty = StringUnits(plain: 0, quoted: 2)
}

/// A request as it was sent. One of HTTP/2 is told as HTTP/1.1 would spell it, with what it really cost in `http2`.
public struct ObservedRequest: Sendable {
    public var method: [UInt8]
    /// Path of the target as sent: percent-encoded, without query.
    public var path: [UInt8]
    /// Query of the target without its question mark; nil where there is none.
    public var query: [UInt8]?
    public var fields: HeaderFields
    /// Bytes of the request line with its line end.
    public var startLine: Int
    /// Bytes of the request line's line end: 2, or 1 for a bare line feed.
    public var lineEnd: Int
    /// Bytes of the header section with the empty line.
    public var headers: Int
    public var body: ObservedBody
    public var isComplete: Bool
    /// Nil in HTTP/1.
    public var http2: HTTP2Costs?

    public init(
        method: [UInt8], path: [UInt8], query: [UInt8]?, fields: HeaderFields, startLine: Int, headers: Int,
        body: ObservedBody, isComplete: Bool = true, lineEnd: Int = 2
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.startLine = startLine
        self.lineEnd = lineEnd
        self.headers = headers
        self.body = body
        self.isComplete = isComplete
    }

    /// Bytes on the wire: start line + headers + framing + body.
    public var message: Int { (http2?.head ?? startLine + headers) + body.transferred }
}

/// A final response as it was sent. One of HTTP/2 is told as HTTP/1.1 would spell it, with what it really cost in
/// `http2`.
public struct ObservedResponse: Sendable {
    public var status: Int
    /// Bytes of the status line without its line end.
    public var statusText: Int
    public var fields: HeaderFields
    /// Bytes of the status line with its line end.
    public var startLine: Int
    /// Bytes of the header section with the empty line, and of all interim responses before it.
    public var headers: Int
    /// Bytes of interim (1xx) responses, in HTTP/2 of their compressed fields; part of `headers`.
    public var interim: Int
    public var body: ObservedBody
    public var isComplete: Bool
    /// Nil in HTTP/1.
    public var http2: HTTP2Costs?
    /// The client took it for the answer, also where it is a redirection.
    public var isAnswer = false

    public init(
        status: Int, statusText: Int, fields: HeaderFields, startLine: Int, headers: Int, interim: Int = 0,
        body: ObservedBody, isComplete: Bool = true
    ) {
        self.status = status
        self.statusText = statusText
        self.fields = fields
        self.startLine = startLine
        self.headers = headers
        self.interim = interim
        self.body = body
        self.isComplete = isComplete
    }

    /// Bytes on the wire: start line + headers + framing + body.
    public var message: Int { (http2?.head ?? startLine + headers) + body.transferred }

    /// A redirection that a client follows (RFC 9110 §15.4).
    public var isRedirect: Bool {
        switch status {
        case 301, 302, 303, 307, 308: !isAnswer && fields.first(.location) != nil
        default: false
        }
    }
}

/// What an exchange cost below its messages, in one direction. Bytes of the IP layer.
public struct TransportBytes: Sendable, Equatable {
    public var tlsRecords = 0
    /// Headers of data packets: of TCP or UDP and IP, and of QUIC.
    public var tcpip = 0
    /// TLS handshake and protocol set-up inside the connection.
    public var tlsSetup = 0
    /// Handshake of TCP or QUIC, and teardown.
    public var handshake = 0
    /// Of `tlsSetup` the headers of packets that carried nothing else: all but these passed through the socket.
    public var setupHeaders = 0
    /// Of `handshake` what passed through the socket: TLS's close_notify.
    public var closingPayload = 0
    /// Bare acknowledgments and keep-alives.
    public var acknowledgments = 0
    public var retransmission = 0
    public var dns = 0
    /// Bytes after an upgrade or CONNECT.
    public var opaque = 0
    /// Inferred header bytes of packets that segmentation offload hid; in no sum.
    public var offloadHidden = 0

    public init() {}

    public var total: Int {
        tlsRecords + tcpip + tlsSetup + handshake + acknowledgments + retransmission + dns + opaque
    }

    /// The same bytes by cause: what a counter of messages lacks, and a counter of packets has.
    public var causes: CauseLedger {
        var causes = CauseLedger()
        causes[.tlsRecords] = tlsRecords
        causes[.tcpip] = tcpip
        causes[.handshake] = tlsSetup + handshake
        causes[.acknowledgments] = acknowledgments
        causes[.retransmission] = retransmission
        causes[.dns] = dns
        causes[.tunnel] = opaque
        return causes
    }
}

/// An exchange as an estimator may see it: messages and sums, never packets.
public struct ObservedExchange: Sendable {
    public enum Scheme: Sendable { case http, https }

    public var scheme: Scheme
    /// Lower case, without the port that the scheme implies.
    public var host: [UInt8]
    /// Nil where the request is not known.
    public var request: ObservedRequest?
    /// Nil without response.
    public var response: ObservedResponse?
    /// The request whose redirection led to this exchange, on the same client.
    public var redirectedFrom: ObservedRequest?
    public var upTransport = TransportBytes()
    public var downTransport = TransportBytes()

    public init(
        scheme: Scheme = .http, host: [UInt8], request: ObservedRequest?, response: ObservedResponse?,
        redirectedFrom: ObservedRequest? = nil
    ) {
        self.scheme = scheme
        self.host = host
        self.request = request
        self.response = response
        self.redirectedFrom = redirectedFrom
    }

    /// A hop of a redirection as a call of its own; nil of other exchanges.
    public var hopAlone: ObservedExchange? {
        guard redirectedFrom != nil || response?.isRedirect == true else { return nil }
        var hop = self
        hop.redirectedFrom = nil
        hop.response?.isAnswer = true
        return hop
    }

    /// Both messages came whole: what a client calls success, whatever the status.
    public var isFinished: Bool { request != nil && response?.isComplete == true }
}
