/// Fields as the lines of an HTTP/1.1 header section. The values of several Cookie fields make one line, where the
/// first of them stood (RFC 9113 §8.2.3).
struct FieldLines: Sendable {
    private var bytes: [UInt8] = []
    private var cookies: [UInt8] = []
    private var cookieOffset: Int?

    /// Bytes kept.
    var count: Int { bytes.count + cookies.count }

    /// Adds a field if its line fits into `room`; returns whether it did. Bytes that would end the line or the section
    /// become spaces: what was one field stays one.
    mutating func append(_ name: RawSpan, _ value: RawSpan, isCookie: Bool, room: Int) -> Bool {
        guard name.byteCount + value.byteCount + 4 <= room else { return false }
        if isCookie, cookieOffset != nil {
            cookies += [0x3B, 0x20]
            FieldLines.append(value, to: &cookies)
        } else if isCookie {
            cookieOffset = bytes.count
            FieldLines.append(name, to: &cookies)
            cookies += [0x3A, 0x20]
            FieldLines.append(value, to: &cookies)
        } else {
            FieldLines.append(name, to: &bytes)
            bytes += [0x3A, 0x20]
            FieldLines.append(value, to: &bytes)
            bytes += [0x0D, 0x0A]
        }
        return true
    }

    /// Appends all lines, without the empty one.
    func append(to head: inout [UInt8]) {
        guard let cookieOffset else {
            head += bytes
            return
        }
        head += bytes[..<cookieOffset]
        head += cookies
        head += [0x0D, 0x0A]
        head += bytes[cookieOffset...]
    }

    /// The byte, or a space for one that cannot stand in a line.
    static func onOneLine(_ byte: UInt8) -> UInt8 { byte == 0x00 || byte == 0x0A || byte == 0x0D ? 0x20 : byte }

    private static func append(_ text: RawSpan, to target: inout [UInt8]) {
        let start = target.count
        text.append(0..<text.byteCount, to: &target)
        for index in start..<target.count { target[index] = onOneLine(target[index]) }
    }
}

/// The texts that were kept.
extension FieldSection {
    var method: [UInt8]? { methodRange.map { Array(text[$0]) } }
    var path: [UInt8]? { pathRange.map { Array(text[$0]) } }
    var authority: [UInt8]? { authorityRange.map { Array(text[$0]) } }
    var scheme: [UInt8]? { schemeRange.map { Array(text[$0]) } }
    var protocolName: [UInt8]? { protocolRange.map { Array(text[$0]) } }
    var host: [UInt8]? { hostRange.map { Array(text[$0]) } }

    var contentLength: Int? { framing.contentLength }
    var contentLengthIsInvalid: Bool { framing.contentLengthIsInvalid }
    var codings: CodingList { framing.codings }
    var hasContentEncoding: Bool { framing.hasContentEncoding }
    var isLiterallyGzip: Bool { framing.isLiterallyGzip }

    /// The same message as HTTP/1.1 would spell it, with "HTTP/2" for its version: `GET /path HTTP/2`, or `HTTP/2 200`,
    /// :authority as the first field unless there is Host, then the other fields. Its header section has `decodedSize`
    /// bytes.
    ///
    /// Nil when the section was not told to keep text, when not all of it was kept or known, or when the pseudo-fields
    /// of the start line are missing.
    func head(isRequest: Bool) -> MessageHead? {
        guard let lines, !isCut, !hasUnknownFields, let startLine = startLine(isRequest: isRequest) else { return nil }
        var head = startLine
        if hostRange == nil, let authorityRange {
            head += "host: ".utf8
            head += FieldSection.onOneLine(text[authorityRange])
            head += [0x0D, 0x0A]
        }
        lines.append(to: &head)
        head += [0x0D, 0x0A]
        return MessageHead(bytes: head, startLine: startLine.count)
    }

    private func startLine(isRequest: Bool) -> [UInt8]? {
        guard isRequest else { return status.map { Array("HTTP/2 \($0)\r\n".utf8) } }
        guard let methodRange, let target = pathRange ?? authorityRange else { return nil }
        var line = FieldSection.onOneLine(text[methodRange])
        line.append(0x20)
        line += FieldSection.onOneLine(text[target])
        line += " HTTP/2\r\n".utf8
        return line
    }

    private static func onOneLine(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map(FieldLines.onOneLine)
    }
}
