/// How the end of a message's body is found (RFC 9112 §6.3).
public enum BodyFraming: UInt8, Sendable, CaseIterable {
    case none, contentLength, chunked, close, tunnel
    /// HTTP/2: DATA frames up to the one that ends the stream.
    case frames
    /// The header section is incomplete: how the body would have been framed is not known.
    case unknown

    public var name: String {
        switch self {
        case .none: "none"
        case .contentLength: "content-length"
        case .chunked: "chunked"
        case .close: "close"
        case .tunnel: "tunnel"
        case .frames: "frames"
        case .unknown: "unknown"
        }
    }
}

/// How a message's body is framed (RFC 9112 §6.3).
struct BodyLength: Sendable {
    var framing = BodyFraming.none
    /// For `contentLength`: bytes of the body.
    var length = 0
    /// The message breaks the rules of framing; what is done is what most recipients do.
    var isMalformed = false

    static func request(_ section: HeaderSection) -> BodyLength {
        var body = BodyLength()
        if section.hasTransferEncoding {
            // A request whose last coding is not chunked cannot be framed; servers refuse it (§6.3, rule 4).
            body.framing = section.endsInChunked ? .chunked : .none
            body.isMalformed = !section.endsInChunked || section.contentLength != nil
        } else if let length = section.contentLength {
            body.framing = .contentLength
            body.length = length
            body.isMalformed = section.contentLengthIsInvalid
        } else {
            body.isMalformed = section.contentLengthIsInvalid
        }
        return body
    }

    static func response(_ section: HeaderSection, status: Int, to method: MethodKind) -> BodyLength {
        if status == 101 || (method == .connect && (200..<300).contains(status)) {
            return BodyLength(framing: .tunnel)
        }
        if method == .head || (100..<200).contains(status) || status == 204 || status == 304 {
            return BodyLength()
        }
        var body = BodyLength()
        if section.hasTransferEncoding {
            body.framing = section.endsInChunked ? .chunked : .close
            body.isMalformed = section.contentLength != nil
        } else if let length = section.contentLength {
            body.framing = .contentLength
            body.length = length
            body.isMalformed = section.contentLengthIsInvalid
        } else {
            body.framing = .close
            body.isMalformed = section.contentLengthIsInvalid
        }
        return body
    }
}
