/// A STREAM or RESET_STREAM frame of a packet (draft-ietf-quic-qlog-quic-events, `packet_sent` and `packet_received`).
struct QLogStreamFrame {
    let stream: Int
    /// Of the stream's bytes that it carries; nil where the log does not tell.
    let bytes: Range<Int>?
    let isLast: Bool
    let isReset: Bool

    /// Reads the object that has begun; nil where it is another frame, or one of a stream that carries no request.
    init?(_ reader: inout JSONReader) throws(JSONError) {
        var (type, stream, offset): (LogValue, LogValue, LogValue) = (.absent, .absent, .absent)
        var (length, fin): (LogValue, LogValue) = (.absent, .absent)
        while try reader.advance() == .key {
            switch reader.text {
            case Name.type: type = try reader.readValue()
            case Name.stream: stream = try reader.readValue()
            case Name.offset: offset = try reader.readValue()
            case Name.length: length = try reader.readValue()
            case Name.fin: fin = try reader.readValue()
            case Name.raw where try reader.enterObject():
                while try reader.advance() == .key {
                    if reader.text == Name.payloadLength, length == .absent {
                        length = try reader.readValue()
                    } else {
                        try reader.skipValue()
                    }
                }
            case Name.raw: break
            default: try reader.skipValue()
            }
        }
        // Requests are on streams that the client opens in both directions (RFC 9000 §2.1).
        guard let number = stream.number?.integer, number >= 0, number.isMultiple(of: 4), let name = type.text,
            name == Name.streamType || Name.resetTypes.contains(name)
        else { return nil }
        self.stream = number
        isReset = name != Name.streamType
        isLast = fin == .boolean(true)
        bytes = QLogStreamFrame.range(offset, length)
    }

    private static func range(_ offset: LogValue, _ length: LogValue) -> Range<Int>? {
        guard let start = offset.number?.integer, let count = length.number?.integer,
            0...LogBuilder.sizeLimit ~= start, 0...LogBuilder.sizeLimit ~= count
        else { return nil }
        return start..<start + count
    }

    private enum Name {
        static let type = Array("frame_type".utf8)
        static let stream = Array("stream_id".utf8)
        static let offset = Array("offset".utf8)
        static let length = Array("length".utf8)
        static let payloadLength = Array("payload_length".utf8)
        static let raw = Array("raw".utf8)
        static let fin = Array("fin".utf8)
        static let streamType = Array("stream".utf8)
        static let resetTypes = ["reset_stream", "reset_stream_at"].map { Array($0.utf8) }
    }
}

/// What packets tell of the end of a stream in one direction.
struct QLogStreamEnd {
    /// Ranges that are kept apart; a stream with more gaps counts as not whole.
    private static let rangeLimit = 64

    /// Of all frames so far, in order and without contact.
    private var ranges: [Range<Int>] = []
    /// Some frame does not say which bytes it carries.
    private var hasUnknownBytes = false
    private var hasEnd = false
    private var wasReset = false
    /// Bytes of the stream; nil where no frame with the end says so.
    private(set) var size: Int?

    /// The end was reached with all bytes before it, and the stream was not reset before.
    var isWhole: Bool {
        guard hasEnd, !wasReset else { return false }
        guard !hasUnknownBytes, let size else { return true }
        return size == 0 || ranges == [0..<size]
    }

    mutating func add(_ frame: QLogStreamFrame) {
        if frame.isReset {
            // A reset behind the last byte takes nothing back.
            if !isWhole { wasReset = true }
            return
        }
        if frame.isLast {
            hasEnd = true
            size = frame.bytes?.upperBound
        }
        guard let bytes = frame.bytes else {
            hasUnknownBytes = true
            return
        }
        if !bytes.isEmpty { insert(bytes) }
    }

    private mutating func insert(_ bytes: Range<Int>) {
        if let last = ranges.last, last.upperBound == bytes.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<bytes.upperBound
            return
        }
        let first = ranges.firstIndex { $0.upperBound >= bytes.lowerBound } ?? ranges.count
        let end = ranges[first...].firstIndex { $0.lowerBound > bytes.upperBound } ?? ranges.count
        var joined = bytes
        if first < end {
            joined =
                min(
                    bytes.lowerBound, ranges[first].lowerBound)..<max(
                    bytes.upperBound, ranges[end - 1].upperBound)
        }
        guard first < end || ranges.count < QLogStreamEnd.rangeLimit else { return }
        ranges.replaceSubrange(first..<end, with: [joined])
    }
}
