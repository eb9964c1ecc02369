/// Whether bytes begin a TLS stream.
enum TLSProbe {
    case no
    /// They may; more of them are needed.
    case maybe
    case yes

    /// No implementation takes a longer hello.
    private static let helloLimit = 1 << 17
    /// A record that stands alone must be this long to be believed: no shorter one carries data under any AEAD of
    /// TLS 1.2 or 1.3.
    private static let loneLength = 24

    /// Judges the bytes from `offset` to the end of a run: a hello, an alert or, where a stream may be joined in its
    /// middle, a chain of records. `isExpected`: the other direction carries records, so one header is enough.
    static func probe(
        _ bytes: RawSpan, at offset: Int, isMidstream: Bool, isExpected: Bool = false
    ) -> TLSProbe {
        guard offset >= 0, offset < bytes.byteCount else { return .maybe }
        if bytes.u8(offset) & 0x80 != 0 { return version2Hello(bytes, offset) }
        guard RecordHeader.couldBegin(bytes, at: offset) else { return .no }
        let begun = beginning(bytes, offset)
        guard isMidstream, begun == .no else { return begun }
        return chain(bytes, offset, isExpected: isExpected)
    }

    /// A stream that begins here. The bytes could begin a record.
    private static func beginning(_ bytes: RawSpan, _ offset: Int) -> TLSProbe {
        let type = bytes.u8(offset)
        guard type == RecordType.handshake || type == RecordType.alert else { return .no }
        guard let header = RecordHeader(bytes, at: offset) else { return .maybe }
        let content = offset + RecordHeader.length
        let end = min(bytes.byteCount, content + header.fragmentLength)
        if type == RecordType.alert {
            guard header.fragmentLength == 2 else { return .no }
            guard content < end else { return .maybe }
            return bytes.u8(content) == 1 || bytes.u8(content) == 2 ? .yes : .no
        }
        return hello(bytes, content, end, header.fragmentLength)
    }

    /// The first message of a handshake record, whose content goes from `content` to `end` as far as it is there.
    private static func hello(_ bytes: RawSpan, _ content: Int, _ end: Int, _ fragmentLength: Int) -> TLSProbe {
        guard content < end else { return .maybe }
        let type = bytes.u8(content)
        guard type == HandshakeType.clientHello || type == HandshakeType.serverHello else { return .no }
        // A record may hold less than the message's header; then this is all there is to see.
        let visible = min(fragmentLength, HandshakeStream.headerLength + 2)
        guard end - content >= visible else { return .maybe }
        guard visible >= HandshakeStream.headerLength else { return .yes }
        let length = Int(bytes.be32(content) & 0xFF_FFFF)
        guard length >= 35, length <= helloLimit else { return .no }
        // Nothing may follow a ClientHello in its record.
        if type == HandshakeType.clientHello, fragmentLength > HandshakeStream.headerLength + length { return .no }
        guard visible == HandshakeStream.headerLength + 2 else { return .yes }
        let major = bytes.u8(content + HandshakeStream.headerLength)
        return major == 3 || major == 0x7F ? .yes : .no
    }

    private static func version2Hello(_ bytes: RawSpan, _ offset: Int) -> TLSProbe {
        let count = bytes.byteCount - offset
        if count >= Version2HelloLengths.header {
            return Version2HelloLengths(bytes, at: offset) == nil ? .no : .yes
        }
        if count >= 3, bytes.u8(offset + 2) != HandshakeType.clientHello { return .no }
        if count >= 4, bytes.u8(offset + 3) != 3 { return .no }
        if count >= 5, bytes.u8(offset + 4) > 4 { return .no }
        return .maybe
    }

    /// A record in the middle of a stream, and the header of the next one. The bytes could begin a record.
    private static func chain(_ bytes: RawSpan, _ offset: Int, isExpected: Bool) -> TLSProbe {
        guard let header = RecordHeader(bytes, at: offset) else {
            return bytes.u8(offset) == RecordType.heartbeat ? .no : .maybe
        }
        guard isPlausible(header) else { return .no }
        let next = offset + header.recordLength
        if let following = RecordHeader(bytes, at: next) { return isPlausible(following) ? .yes : .no }
        if next == bytes.byteCount, header.fragmentLength >= loneLength { return .yes }
        let isWhole = next < bytes.byteCount
        if isWhole, !RecordHeader.couldBegin(bytes, at: next) { return .no }
        let isLikely = header.version == ProtocolVersion.tls12 && header.fragmentLength >= loneLength
        return isLikely || isExpected ? .yes : .maybe
    }

    private static func isPlausible(_ header: RecordHeader) -> Bool {
        header.contentType <= RecordType.applicationData
            && (ProtocolVersion.tls10...ProtocolVersion.tls12).contains(header.version)
    }
}
