/// Whether bytes are HTTP/2.
enum HTTP2Probe: Sendable, Equatable {
    case no
    /// They may be; more of them are needed to tell.
    case maybe
    case yes

    /// What a client sends first (RFC 9113 §3.4).
    static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    static let prefaceLength = 24

    /// Whether a client's connection preface begins at `offset`, or its beginning ends the run.
    static func probePreface(_ bytes: RawSpan, at offset: Int) -> HTTP2Probe {
        guard bytes.byteCount - offset < prefaceLength else {
            return bytes.hasBytes(preface, at: offset) ? .yes : .no
        }
        return bytes.hasBeginning(of: preface, at: offset) ? .maybe : .no
    }

    /// Whether frames begin at `offset`.
    ///
    /// With `isFirst` they are the first of a server: SETTINGS of the connection that acknowledge nothing (§3.4).
    /// Otherwise any frames of a connection joined late, of which more is asked: two believable headers, the second
    /// right behind the first frame, or one frame that ends with the run.
    static func probeFrames(_ bytes: RawSpan, at offset: Int, isFirst: Bool) -> HTTP2Probe {
        isFirst ? probeFirstSettings(bytes, offset) : probeChain(bytes, offset)
    }

    private static func probeFirstSettings(_ bytes: RawSpan, _ offset: Int) -> HTTP2Probe {
        let available = bytes.byteCount - offset
        guard available < FrameHeader.length else {
            let header = FrameHeader(bytes, at: offset)
            let isSettings = header.type == FrameType.settings && header.flags == 0
            return isSettings && header.isBelievable ? .yes : .no
        }
        // Length below 2¹⁶, type, no flags, stream 0.
        for index in 0..<max(0, available) {
            let byte = bytes.u8(offset + index)
            switch index {
            case 1, 2: continue
            case 3: guard byte == FrameType.settings else { return .no }
            default: guard byte == 0 else { return .no }
            }
        }
        return .maybe
    }

    private static func probeChain(_ bytes: RawSpan, _ offset: Int) -> HTTP2Probe {
        var position = offset
        var frames = 0
        while bytes.byteCount - position >= FrameHeader.length {
            let header = FrameHeader(bytes, at: position)
            guard header.isBelievable else { return .no }
            frames += 1
            position += FrameHeader.length + header.payloadLength
            // Every header that lies in the run must be one, up to a number that leaves no doubt.
            if frames == 8 || position == bytes.byteCount { return .yes }
        }
        return frames >= 2 ? .yes : .maybe
    }
}
