/// A frame of a packet (RFC 9000 §19), with its size: `header + data.count`.
struct QUICFrame: Sendable {
    enum Kind: UInt8, Sendable {
        case padding, ping, ack, resetStream, stopSending, crypto, newToken, stream, maxData, maxStreamData
        case maxStreams, dataBlocked, streamDataBlocked, streamsBlocked, newConnectionID, retireConnectionID
        case pathChallenge, pathResponse, close, handshakeDone, datagram, resetStreamAt, ackFrequency, immediateAck
        /// Of an extension that is not known here: where it ends cannot be told.
        case unknown
    }

    var kind: Kind
    /// Bytes that are no data: all of the frame, but of STREAM, CRYPTO and DATAGRAM frames.
    var header = 0
    /// Data of a STREAM, CRYPTO or DATAGRAM frame; elsewhere what the frame's own reader needs: of an ACK its ranges, of
    /// NEW_CONNECTION_ID the connection ID.
    var content = 0..<0
    /// Of STREAM and of the frames that speak of one stream.
    var stream: UInt64 = 0
    /// Of STREAM and CRYPTO data: where it begins. Of RESET_STREAM: the final size. Of ACK: the largest number. Of
    /// NEW_CONNECTION_ID and RETIRE_CONNECTION_ID: the ID's number.
    var offset: UInt64 = 0
    /// The stream's last.
    var isFinal = false
    /// Of RESET_STREAM, RESET_STREAM_AT, STOP_SENDING and CONNECTION_CLOSE.
    var errorCode: UInt64 = 0
    /// Of RESET_STREAM_AT: bytes of the stream that are delivered all the same.
    var reliableSize: UInt64 = 0
    /// Of an ACK: ranges behind the first.
    var rangeCount: UInt64 = 0

    /// Bytes of data.
    var dataCount: Int {
        switch kind {
        case .stream, .crypto, .datagram: content.count
        default: 0
        }
    }
}

extension QUICFrame {
    /// Packet numbers that an ACK frame acknowledges, the highest range first (RFC 9000 §19.3.1).
    func forEachAcknowledged(_ bytes: RawSpan, _ body: (Range<UInt64>) -> Void) {
        var place = content.lowerBound
        var high = offset
        for index in 0...min(rangeCount, UInt64(content.count)) where place < content.upperBound {
            if index > 0 {
                guard let gap = bytes.varint(&place, end: content.upperBound), high >= gap + 2 else { return }
                high -= gap + 2
            }
            guard let length = bytes.varint(&place, end: content.upperBound), length <= high else { return }
            body(high - length..<high + 1)
            high -= length
        }
    }
}

/// Cuts the content of an opened packet into frames.
struct QUICFrameReader {
    private(set) var offset = 0
    private let end: Int
    /// What stands at `offset` is no frame that can be read.
    private(set) var isMalformed = false
    /// What stands at `offset` is a frame of a type that is not known here: where it ends cannot be told.
    private(set) var isUnknown = false

    init(count: Int) { end = count }

    /// The next frame; nil at the end, and where none can be read.
    mutating func next(_ bytes: RawSpan) -> QUICFrame? {
        guard offset < end, !isMalformed, !isUnknown else { return nil }
        let start = offset
        guard let type = bytes.varint(&offset, end: end), var frame = read(bytes, type) else {
            offset = start
            isMalformed = true
            return nil
        }
        guard frame.kind != .unknown else {
            offset = start
            isUnknown = true
            return nil
        }
        frame.header = offset - start - frame.dataCount
        return frame
    }

    private mutating func read(_ bytes: RawSpan, _ type: UInt64) -> QUICFrame? {
        switch type {
        case 0x00: return padding(bytes)
        case 0x01: return QUICFrame(kind: .ping)
        case 0x02, 0x03: return acknowledgment(bytes, hasCounts: type == 3)
        case 0x04: return stream(bytes, .resetStream, hasError: true, hasSize: true)
        case 0x05: return stream(bytes, .stopSending, hasError: true, hasSize: false)
        case 0x06: return crypto(bytes)
        case 0x07: return data(bytes, .newToken)
        case 0x08...0x0F: return streamData(bytes, UInt8(type))
        case 0x10: return numbers(bytes, .maxData, 1)
        case 0x11: return stream(bytes, .maxStreamData, hasError: false, hasSize: true)
        case 0x12, 0x13: return numbers(bytes, .maxStreams, 1)
        case 0x14: return numbers(bytes, .dataBlocked, 1)
        case 0x15: return stream(bytes, .streamDataBlocked, hasError: false, hasSize: true)
        case 0x16, 0x17: return numbers(bytes, .streamsBlocked, 1)
        case 0x18: return newConnectionID(bytes)
        case 0x19: return retireConnectionID(bytes)
        case 0x1A: return fixed(.pathChallenge, 8)
        case 0x1B: return fixed(.pathResponse, 8)
        case 0x1C, 0x1D: return close(bytes, isTransport: type == 0x1C)
        case 0x1E: return QUICFrame(kind: .handshakeDone)
        default: return readExtension(bytes, type)
        }
    }

    /// Frames of extensions: RFC 9221, draft-ietf-quic-ack-frequency, draft-ietf-quic-reliable-stream-reset.
    private mutating func readExtension(_ bytes: RawSpan, _ type: UInt64) -> QUICFrame? {
        switch type {
        case 0x1F: return QUICFrame(kind: .immediateAck)
        case 0x24: return resetStreamAt(bytes)
        case 0x30, 0x31: return datagram(bytes, hasLength: type == 0x31)
        case 0xAF: return numbers(bytes, .ackFrequency, 4)
        default: return QUICFrame(kind: .unknown)
        }
    }

    private mutating func padding(_ bytes: RawSpan) -> QUICFrame {
        // Mostly there are hundreds.
        while end - offset >= 8, bytes.le64(offset) == 0 { offset += 8 }
        while offset < end, bytes.u8(offset) == 0 { offset += 1 }
        return QUICFrame(kind: .padding)
    }

    private mutating func numbers(_ bytes: RawSpan, _ kind: QUICFrame.Kind, _ count: Int) -> QUICFrame? {
        for _ in 0..<count where bytes.varint(&offset, end: end) == nil { return nil }
        return QUICFrame(kind: kind)
    }

    private mutating func fixed(_ kind: QUICFrame.Kind, _ count: Int) -> QUICFrame? {
        guard end - offset >= count else { return nil }
        offset += count
        return QUICFrame(kind: kind)
    }

    /// RFC 9000 §19.3. The ranges behind the first are left in `content`.
    private mutating func acknowledgment(_ bytes: RawSpan, hasCounts: Bool) -> QUICFrame? {
        var frame = QUICFrame(kind: .ack)
        guard let largest = bytes.varint(&offset, end: end), bytes.varint(&offset, end: end) != nil,
            let count = bytes.varint(&offset, end: end)
        else { return nil }
        (frame.offset, frame.rangeCount) = (largest, count)
        let start = offset
        guard bytes.varint(&offset, end: end) != nil else { return nil }
        for _ in 0..<min(count, UInt64(end)) {
            guard bytes.varint(&offset, end: end) != nil, bytes.varint(&offset, end: end) != nil else { return nil }
        }
        frame.content = start..<offset
        if hasCounts, numbers(bytes, .ack, 3) == nil { return nil }
        return frame
    }

    private mutating func stream(
        _ bytes: RawSpan, _ kind: QUICFrame.Kind, hasError: Bool, hasSize: Bool
    ) -> QUICFrame? {
        var frame = QUICFrame(kind: kind)
        guard let stream = bytes.varint(&offset, end: end) else { return nil }
        frame.stream = stream
        if hasError {
            guard let code = bytes.varint(&offset, end: end) else { return nil }
            frame.errorCode = code
        }
        if hasSize {
            guard let size = bytes.varint(&offset, end: end) else { return nil }
            frame.offset = size
        }
        return frame
    }

    private mutating func crypto(_ bytes: RawSpan) -> QUICFrame? {
        guard let position = bytes.varint(&offset, end: end), var frame = data(bytes, .crypto) else { return nil }
        frame.offset = position
        return frame
    }

    /// A length, and so many bytes.
    private mutating func data(_ bytes: RawSpan, _ kind: QUICFrame.Kind) -> QUICFrame? {
        guard let count = bytes.varint(&offset, end: end), count <= UInt64(end - offset) else { return nil }
        let content = offset..<offset + Int(count)
        offset = content.upperBound
        return QUICFrame(kind: kind, content: content)
    }

    private mutating func streamData(_ bytes: RawSpan, _ type: UInt8) -> QUICFrame? {
        guard let stream = bytes.varint(&offset, end: end) else { return nil }
        var position: UInt64 = 0
        if type & 0x04 != 0 {
            guard let value = bytes.varint(&offset, end: end) else { return nil }
            position = value
        }
        var frame = QUICFrame(kind: .stream)
        if type & 0x02 != 0 {
            guard let whole = data(bytes, .stream) else { return nil }
            frame = whole
        } else {
            frame.content = offset..<end
            offset = end
        }
        (frame.stream, frame.offset, frame.isFinal) = (stream, position, type & 0x01 != 0)
        // No stream is longer (RFC 9000 §4.5).
        return position + UInt64(frame.content.count) < 1 << 62 ? frame : nil
    }

    private mutating func datagram(_ bytes: RawSpan, hasLength: Bool) -> QUICFrame? {
        if hasLength { return data(bytes, .datagram) }
        let content = offset..<end
        offset = end
        return QUICFrame(kind: .datagram, content: content)
    }

    /// RESET_STREAM with the length of what is still delivered behind the final size.
    private mutating func resetStreamAt(_ bytes: RawSpan) -> QUICFrame? {
        guard var frame = stream(bytes, .resetStreamAt, hasError: true, hasSize: true),
            let reliable = bytes.varint(&offset, end: end), reliable <= frame.offset
        else { return nil }
        frame.reliableSize = reliable
        return frame
    }

    private mutating func retireConnectionID(_ bytes: RawSpan) -> QUICFrame? {
        guard let sequence = bytes.varint(&offset, end: end) else { return nil }
        return QUICFrame(kind: .retireConnectionID, offset: sequence)
    }

    /// RFC 9000 §19.15. `content` is the connection ID with the reset token behind it.
    private mutating func newConnectionID(_ bytes: RawSpan) -> QUICFrame? {
        guard let sequence = bytes.varint(&offset, end: end), numbers(bytes, .newConnectionID, 1) != nil, offset < end
        else { return nil }
        let count = Int(bytes.u8(offset))
        guard (1...QUICConnectionID.longest).contains(count), end - offset >= 1 + count + 16 else { return nil }
        let content = offset + 1..<offset + 1 + count
        offset = content.upperBound + 16
        return QUICFrame(kind: .newConnectionID, content: content, offset: sequence)
    }

    private mutating func close(_ bytes: RawSpan, isTransport: Bool) -> QUICFrame? {
        guard let code = bytes.varint(&offset, end: end) else { return nil }
        if isTransport, bytes.varint(&offset, end: end) == nil { return nil }
        guard data(bytes, .newToken) != nil else { return nil }
        return QUICFrame(kind: .close, errorCode: code)
    }
}
