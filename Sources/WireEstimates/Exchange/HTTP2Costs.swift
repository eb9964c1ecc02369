/// What a message of HTTP/2 (RFC 9113 §4) or HTTP/3 (RFC 9114 §7) cost beside its body, bytes.
///
/// The compressed size of a field depends on what the connection carried before it, so nothing here can be computed from
/// the text of a message.
public struct HTTP2Costs: Sendable, Equatable {
    /// Bytes before the payload of every frame of HTTP/2 (RFC 9113 §4.1).
    public static let frameHeader = 9

    /// Compressed field blocks (field sections of HTTP/3), with those of interim responses and of trailers.
    public var fieldBlocks: Int
    /// Headers of the frames that carried them: HEADERS and CONTINUATION.
    public var headerFrames: Int
    /// Headers of DATA frames.
    public var dataFrames: Int
    /// Other framing: padding, priorities, the stream's WINDOW_UPDATE and RST_STREAM; frames of other types.
    public var otherFraming: Int

    public init(fieldBlocks: Int, headerFrames: Int, dataFrames: Int, otherFraming: Int = 0) {
        self.fieldBlocks = fieldBlocks
        self.headerFrames = headerFrames
        self.dataFrames = dataFrames
        self.otherFraming = otherFraming
    }

    /// Costs of a message with such frames.
    ///
    /// - Parameters:
    ///   - framing: all framing bytes; what frame headers do not make up is other framing.
    ///   - headerFrames: headers of HEADERS and CONTINUATION frames.
    ///   - dataFrames: headers of DATA frames.
    public init(fieldBlocks: Int, framing: Int, headerFrames: Int, dataFrames: Int) {
        self.fieldBlocks = fieldBlocks
        // Numbers that contradict the bytes must not make the sum wrong.
        let headers = min(max(headerFrames, 0), framing)
        let data = min(max(dataFrames, 0), framing - headers)
        self.headerFrames = headers
        self.dataFrames = data
        otherFraming = framing - headers - data
    }

    /// All bytes of frames that are neither fields nor body.
    public var framing: Int { headerFrames + dataFrames + otherFraming }

    /// Everything but the body: it stands where start line and header section stand in HTTP/1.
    public var head: Int { fieldBlocks + framing }
}

extension ObservedRequest {
    /// A request of HTTP/2, told as HTTP/1.1 would spell it: a request line, and the fields that are no pseudo-header
    /// fields, with `:authority` as Host.
    public init(
        method: [UInt8], path: [UInt8], query: [UInt8]?, fields: HeaderFields, body: ObservedBody,
        isComplete: Bool = true, http2: HTTP2Costs
    ) {
        let target = path.count + (query.map { $0.count + 1 } ?? 0)
        self.init(
            method: method, path: path, query: query, fields: fields,
            startLine: method.count + target + "  HTTP/1.1\r\n".utf8.count, headers: fields.sectionLength, body: body,
            isComplete: isComplete)
        self.http2 = http2
    }
}

extension ObservedResponse {
    /// A response of HTTP/2, told as HTTP/1.1 would spell it: a status line with the usual reason phrase, which is not
    /// on the wire, and the fields that are no pseudo-header fields.
    ///
    /// - Parameter interim: bytes of the compressed fields of interim responses; part of `http2`.
    public init(
        status: Int, fields: HeaderFields, interim: Int = 0, body: ObservedBody, isComplete: Bool = true,
        http2: HTTP2Costs
    ) {
        let text = "HTTP/1.1 000 ".utf8.count + reasonPhrase(of: status).utf8.count
        self.init(
            status: status, statusText: text, fields: fields, startLine: text + 2,
            headers: fields.sectionLength + interim, interim: interim, body: body, isComplete: isComplete)
        self.http2 = http2
    }
}

extension HeaderFields {
    /// Bytes of the section that these fields make in HTTP/1.1, with the empty line.
    fileprivate var sectionLength: Int { fields.reduce(2) { $0 + $1.wireLength } }
}
