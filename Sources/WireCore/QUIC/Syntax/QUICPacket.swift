/// A packet in a datagram, by its header (RFC 9000 §17). Ranges are places in the datagram.
struct QUICPacket: Sendable {
    var kind: QUICPacketKind
    /// Of a long header; 0 of a short one.
    var version: UInt32 = 0
    var range: Range<Int>
    var destination: Range<Int>
    var source: Range<Int>
    /// Of an Initial.
    var token: Range<Int>
    /// Where the protected packet number begins; -1 where there is none.
    var numberOffset = -1

    /// Reads the packet that begins at `start`.
    ///
    /// - Parameters:
    ///   - bytes: what was captured of the datagram.
    ///   - length: bytes of the whole datagram.
    ///   - shortIDLength: of a short header, how long its connection ID is; nothing in the packet tells.
    /// - Returns: nil where no packet begins there, or the captured bytes end in the part of the header that tells.
    init?(_ bytes: RawSpan, at start: Int, length: Int, shortIDLength: Int) {
        guard start >= 0, start < bytes.byteCount, start < length else { return nil }
        let first = bytes.u8(start)
        guard first & 0x80 != 0 else {
            let end = start + 1 + shortIDLength
            guard end <= length else { return nil }
            self.init(.short, start..<length, destination: start + 1..<end)
            numberOffset = end
            return
        }
        self.init(.unknown, start..<length, destination: start..<start)
        let end = min(bytes.byteCount, length)
        var offset = start + 7
        guard offset <= end else { return nil }
        version = bytes.be32(start + 1)
        let destinationLength = Int(bytes.u8(start + 5))
        guard start + 6 + destinationLength < end else { return nil }
        destination = start + 6..<start + 6 + destinationLength
        let sourceLength = Int(bytes.u8(destination.upperBound))
        offset = destination.upperBound + 1
        guard offset + sourceLength <= end else { return nil }
        source = offset..<offset + sourceLength
        offset += sourceLength
        token = offset..<offset
        if version == 0 {
            kind = .negotiation
            return
        }
        guard destinationLength <= QUICConnectionID.longest, sourceLength <= QUICConnectionID.longest else { return }
        guard let known = QUICVersion(version) else {
            readAsVersion1(bytes, first, offset, end, length)
            return
        }
        guard readRest(bytes, known.kind(first >> 4), from: offset, end: end, length: length) else { return nil }
    }

    private init(_ kind: QUICPacketKind, _ range: Range<Int>, destination: Range<Int>) {
        self.kind = kind
        self.range = range
        self.destination = destination
        source = destination.upperBound..<destination.upperBound
        token = source
    }

    /// Clients that try a version out may send an Initial of version 1 under another number: whether they do shows when
    /// it opens. Until then nothing is known of the packet.
    private mutating func readAsVersion1(
        _ bytes: RawSpan, _ first: UInt8, _ offset: Int, _ end: Int, _ length: Int
    ) {
        let whole = self
        let kind = QUICVersion.version1.kind(first >> 4)
        if kind != .initial || !readRest(bytes, kind, from: offset, end: end, length: length) { self = whole }
        self.kind = .unknown
    }

    /// What stands behind the connection IDs of a known version.
    private mutating func readRest(
        _ bytes: RawSpan, _ kind: QUICPacketKind, from start: Int, end: Int, length: Int
    ) -> Bool {
        self.kind = kind
        guard kind != .retry else { return true }
        var offset = start
        if kind == .initial {
            guard let count = bytes.varint(&offset, end: end), count <= UInt64(length - offset) else { return false }
            token = offset..<offset + Int(count)
            offset = token.upperBound
        }
        guard let count = bytes.varint(&offset, end: end), count <= UInt64(length - offset), count >= 4 else {
            return false
        }
        numberOffset = offset
        range = range.lowerBound..<offset + Int(count)
        return true
    }

    /// A long header that QUIC's own versions can have (RFC 9000 §17.2): of a version in use, or Version Negotiation.
    static func isLongHeader(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount >= 7, bytes.u8(0) & 0x80 != 0 else { return false }
        let version = bytes.be32(1)
        let isKnown = QUICVersion(version) != nil || version >> 8 == 0xFF_0000
        // Reserved versions, which force a negotiation (RFC 9000 §15).
        let isReserved = version & 0x0F0F_0F0F == 0x0A0A_0A0A && bytes.byteCount >= 1200
        let isNegotiation = version == 0 && bytes.byteCount >= 23 && bytes.byteCount % 4 == 3
        guard isKnown || isNegotiation || isReserved else { return false }
        return bytes.u8(5) <= UInt8(QUICConnectionID.longest)
    }
}
