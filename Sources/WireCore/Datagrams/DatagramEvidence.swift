/// What the bytes of a datagram prove about its protocol, and about who sent it.
struct DatagramEvidence {
    enum Sender { case client, server }

    var protocols: DatagramProtocols = []
    /// Nil where the bytes do not tell.
    var sender: Sender?

    /// - Parameters:
    ///   - payload: what was captured of it; the datagram has `length` bytes.
    ///   - known: what was proved between these two before.
    init(_ payload: RawSpan, length: Int, ports: (source: UInt16, destination: UInt16), known: DatagramProtocols) {
        guard payload.byteCount > 0 else { return }
        let isDNS = ports.source == 53 || ports.destination == 53
        if isDNS || ports.source == 5353 || ports.destination == 5353 {
            readDNS(payload, length, isDNS ? .dns : .multicastDNS)
        }
        if ports.source == 123 || ports.destination == 123 { readTime(payload, length) }
        guard protocols.isEmpty else { return }
        // The first byte tells apart what shares a port with media (RFC 7983 §7).
        switch payload.u8(0) {
        case 0...3: readSTUN(payload, length)
        case 20...26: readDTLS(payload, length)
        case 32...63 where known.contains(.dtls): protocols = .dtls
        case 64...79 where known.contains(.turn): readChannel(payload, length)
        case 128...191 where known.contains(.stun) && length >= 8: protocols = .rtp
        default: break
        }
    }

    // MARK: STUN and TURN

    /// A message of STUN: its type, its length, the magic cookie (RFC 8489 §5). Peers of ICE send each other requests, so it
    /// says nothing about who is the client.
    private mutating func readSTUN(_ payload: RawSpan, _ length: Int) {
        guard payload.byteCount >= 8, payload.be32(4) == 0x2112_A442, length >= 20,
            Int(payload.be16(2)) == length - 20, length % 4 == 0
        else { return }
        let type = payload.be16(0)
        protocols = .stun
        let method = type & 0x000F | (type & 0x00E0) >> 1 | (type & 0x3E00) >> 2
        // Allocate, Refresh, Send, Data, CreatePermission, ChannelBind (RFC 8656 §17).
        if [3, 4, 6, 7, 8, 9].contains(method) { protocols.insert(.turn) }
    }

    /// A message on a channel of TURN: its number, its length, up to three bytes of padding (RFC 8656 §12.4).
    private mutating func readChannel(_ payload: RawSpan, _ length: Int) {
        guard payload.byteCount >= 4 else { return }
        let rest = length - 4 - Int(payload.be16(2))
        if (0...3).contains(rest) { protocols = .turn }
    }

    // MARK: DTLS

    /// Records that fill the datagram: content type, version, epoch and number, length (RFC 6347 §4.1).
    private mutating func readDTLS(_ payload: RawSpan, _ length: Int) {
        var offset = 0
        while offset < length {
            guard payload.byteCount - offset >= 13 else {
                // Cut by the snap length behind a whole header.
                guard offset > 0, payload.byteCount < length else { return }
                break
            }
            let version = payload.be16(offset + 1)
            // DTLS 1.3 has records without a length behind others (RFC 9147 §4).
            if offset > 0, payload.u8(offset) & 0xE0 == 0x20 { break }
            guard (20...26).contains(payload.u8(offset)), version == 0xFEFF || version == 0xFEFD else { return }
            offset += 13 + Int(payload.be16(offset + 11))
        }
        guard offset <= length else { return }
        protocols = .dtls
        guard payload.byteCount >= 14, payload.u8(0) == 22, payload.be16(3) == 0 else { return }
        switch payload.u8(13) {
        case 1: sender = .client
        case 2, 3: sender = .server
        default: break
        }
    }

    // MARK: DNS and NTP

    /// A message whose sections fill it (RFC 1035 §4.1), as far as it was captured.
    private mutating func readDNS(_ payload: RawSpan, _ length: Int, _ kind: DatagramProtocols) {
        guard payload.byteCount >= 12, payload.be16(2) >> 11 & 0xF <= 6 else { return }
        let questions = Int(payload.be16(4))
        let records = Int(payload.be16(6)) + Int(payload.be16(8)) + Int(payload.be16(10))
        guard questions + records > 0 else { return }
        var offset = 12
        for item in 0..<questions + records {
            guard let end = DomainName.end(payload, offset) else {
                guard payload.byteCount < length, item > 0 else { return }
                break
            }
            offset = end + 4
            guard item >= questions else { continue }
            offset = end + 10
            if offset <= payload.byteCount { offset += Int(payload.be16(end + 8)) }
        }
        guard offset == length || (payload.byteCount < length && offset <= length) else { return }
        protocols = kind
        sender = payload.be16(2) & 0x8000 != 0 ? .server : .client
    }

    /// A packet of NTP's versions 1 to 4, with whole words behind its 48 bytes (RFC 5905 §7.3).
    private mutating func readTime(_ payload: RawSpan, _ length: Int) {
        guard length >= 48, length % 4 == 0, payload.byteCount >= 2 else { return }
        guard (1...4).contains(payload.u8(0) >> 3 & 7), (1...5).contains(payload.u8(0) & 7), payload.u8(1) <= 16 else {
            return
        }
        protocols = .ntp
        switch payload.u8(0) & 7 {
        case 3: sender = .client
        case 4: sender = .server
        default: break
        }
    }
}

/// A domain name as it stands in a message of DNS.
enum DomainName {
    /// Offset behind it; a compression pointer ends it (RFC 1035 §4.1.4). Nil where it is none, or is cut.
    static func end(_ bytes: RawSpan, _ start: Int) -> Int? {
        var offset = start
        while offset < bytes.byteCount {
            let length = Int(bytes.u8(offset))
            if length == 0 { return offset + 1 }
            if length >= 0xC0 { return offset + 2 <= bytes.byteCount ? offset + 2 : nil }
            guard length < 0x40 else { return nil }
            offset += 1 + length
        }
        return nil
    }
}
