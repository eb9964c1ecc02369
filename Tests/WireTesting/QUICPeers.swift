import WireCore

/// Both ends of a QUIC connection of version 1, whose packets a key log opens.
///
///     var peers = QUICPeers()
///     var datagrams = peers.handshake()
///     datagrams.append(peers.datagram(.client, QUICWire.stream(0, 0, request, isFinal: true)))
///     let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
public struct QUICPeers: Sendable {
    public struct Datagram: Sendable {
        public var side: Dialogue.Side
        public var bytes: [UInt8]

        public init(_ side: Dialogue.Side, _ bytes: [UInt8]) { (self.side, self.bytes) = (side, bytes) }
    }

    public private(set) var keyLog = ""
    public var clientPort: UInt16 = 40_000
    /// Short headers have the fixed bit; without it they are greased (RFC 9287).
    public var hasFixedBit = true
    /// Connection IDs that the sides chose for themselves.
    public var ids: [[UInt8]]
    /// What a stateless reset of the server ends with.
    public let resetToken: [UInt8]
    /// Where the client's Initials go, until the server has answered.
    private var firstID: [UInt8]
    private var token: [UInt8] = []
    private let messages: TLSPeers.Messages
    private let suite: TLSSuite
    private var sealers: [QUICSealer]
    private var numbers: [UInt64] = [0, 0]

    private static let salt: [UInt8] = [
        0x38, 0x76, 0x2C, 0xF7, 0xF5, 0x59, 0x34, 0xB3, 0x4D, 0x17, 0x9A, 0xE6, 0xA4, 0xC8, 0x0C, 0xAD, 0xCC, 0xBB,
        0x7F, 0x0A,
    ]

    /// Of Retry tags (RFC 9001 §5.8).
    private static let retryKey: [UInt8] = [
        0xBE, 0x0C, 0x69, 0x0B, 0x9F, 0x66, 0x57, 0x5A, 0x1D, 0x76, 0x6B, 0x54, 0xE3, 0x68, 0xC8, 0x4E,
    ]
    private static let retryNonce: [UInt8] = [
        0x46, 0x15, 0x99, 0xD3, 0x5D, 0x63, 0x2B, 0xF2, 0x23, 0x98, 0x25, 0xBB,
    ]

    /// - Parameters:
    ///   - idLengths: of the connection IDs of the client and of the server.
    ///   - innerRandom: see `TLSPeers`.
    public init(
        _ suite: TLSSuite = .aes128GCM13, protocols: [String] = ["h3"], idLengths: (Int, Int) = (8, 8),
        seed: UInt64 = 1, innerRandom: [UInt8]? = nil
    ) {
        var random = SeededRandom(seed: seed &+ 77)
        ids = [random.bytes(idLengths.0), random.bytes(idLengths.1)]
        firstID = random.bytes(8)
        resetToken = random.bytes(16)
        var tls = TLSPeers(suite, protocols: protocols, seed: seed)
        tls.certificateLength = 400
        tls.innerRandom = innerRandom
        messages = tls.messages13(parameters: [1, 1, 30, 2, 16] + resetToken)
        keyLog = tls.keyLog
        self.suite = suite
        sealers = messages.secrets[2...].map { QUICSealer(suite, secret: $0) }
    }

    // MARK: Packets

    /// The next packet of 1-RTT of a side, with these frames; `number` takes the place of its number.
    public mutating func packet(
        _ side: Dialogue.Side, _ frames: [UInt8], number: UInt64? = nil, numberLength: Int = 2
    ) -> [UInt8] {
        let own = number ?? numbers[side.rawValue]
        numbers[side.rawValue] = max(numbers[side.rawValue], own + 1)
        let sealer = sealers[side.rawValue]
        // A packet is long enough for the sample of header protection.
        let filled = frames + [UInt8](repeating: 0, count: max(0, 4 - frames.count))
        return sealer.seal(
            header: [(hasFixedBit ? 0x40 : 0) | sealer.phase << 2] + ids[side.other.rawValue], number: own,
            numberLength: numberLength,
            filled)
    }

    public mutating func datagram(_ side: Dialogue.Side, _ frames: [UInt8]) -> Datagram {
        Datagram(side, packet(side, frames))
    }

    /// The sides' next packets are under the next keys.
    public mutating func updateKeys() { for side in sealers.indices { sealers[side].update() } }

    /// A packet with a long header, of version 1.
    private func long(
        _ type: UInt8, _ sealer: QUICSealer, to destination: [UInt8], from source: [UInt8], token: [UInt8]?,
        number: UInt64, _ frames: [UInt8]
    ) -> [UInt8] {
        var header: [UInt8] = [0xC0 | type << 4, 0, 0, 0, 1]
        header += [UInt8(destination.count)] + destination + [UInt8(source.count)] + source
        if let token { header += QUICWire.integer(UInt64(token.count)) + token }
        header += QUICWire.integer(UInt64(2 + frames.count + 16), length: 2)
        return sealer.seal(header: header, number: number, numberLength: 2, frames)
    }

    /// The client's first datagram.
    public func initial() -> Datagram {
        let sealer = QUICSealer(initial: firstID, isClient: true, salt: Self.salt)
        var frames = QUICWire.crypto(0, messages.clientHello)
        frames += [UInt8](repeating: 0, count: max(0, 1150 - frames.count))
        return Datagram(
            .client, long(0, sealer, to: firstID, from: ids[0], token: token, number: 0, frames))
    }

    /// The handshake, a datagram each: the client's Initial, the server's answer, the client's Finished, HANDSHAKE_DONE.
    public mutating func handshake() -> [Datagram] {
        let server = QUICSealer(initial: firstID, isClient: false, salt: Self.salt)
        let secrets = messages.secrets
        var answer = long(
            0, server, to: ids[0], from: ids[1], token: [], number: 0,
            QUICWire.acknowledgment(0) + QUICWire.crypto(0, messages.serverHello))
        answer += long(
            2, QUICSealer(suite, secret: secrets[1]), to: ids[0], from: ids[1], token: nil, number: 0,
            QUICWire.crypto(0, messages.encrypted))
        let finish = long(
            2, QUICSealer(suite, secret: secrets[0]), to: ids[1], from: ids[0], token: nil, number: 0,
            QUICWire.acknowledgment(0) + QUICWire.crypto(0, messages.finished))
        return [initial(), Datagram(.server, answer), Datagram(.client, finish), datagram(.server, [0x1E])]
    }

    /// The server's Retry to the client's Initial (RFC 9000 §17.2.5), which the client follows from now on; with a wrong tag
    /// it does not.
    public mutating func retry(hasRightTag: Bool = true) -> Datagram {
        let source: [UInt8] = [0xF0, 0x67, 0xA5, 0x50, 0x2A, 0x42, 0x62, 0xB5]
        let content: [UInt8] = [0xF0, 0, 0, 0, 1, UInt8(ids[0].count)] + ids[0] + [8] + source + Array("token".utf8)
        var tag = TLSCrypto.encrypt(
            "AES-128-GCM", key: QUICPeers.retryKey, nonce: QUICPeers.retryNonce,
            authenticated: [UInt8(firstID.count)] + firstID + content, [])
        if hasRightTag { (firstID, token) = (source, Array("token".utf8)) } else { tag[0] ^= 1 }
        return Datagram(.server, content + tag)
    }

    /// A stateless reset of the server (RFC 9000 §10.3).
    public func reset() -> Datagram {
        Datagram(.server, [0x41] + [UInt8](repeating: 0x5A, count: 30) + resetToken)
    }

    // MARK: Frames of a capture

    /// Each datagram in a frame of its own, a millisecond apart.
    public func frames(_ datagrams: [Datagram], from start: Int64 = 1_000_000_000) -> [CapturedFrame] {
        datagrams.enumerated().map { index, datagram in
            var packet = PacketBuilder()
            packet.transport = .udp
            (packet.sourcePort, packet.destinationPort) = (clientPort, 443)
            if datagram.side == .server {
                swap(&packet.source, &packet.destination)
                swap(&packet.sourcePort, &packet.destinationPort)
            }
            packet.payload = datagram.bytes
            return CapturedFrame(time: start + Int64(index) * 1_000_000, packet)
        }
    }
}

/// Integers and frames of QUIC and of HTTP/3 as a sender writes them.
public enum QUICWire {
    /// RFC 9000 §16.
    public static func integer(_ value: UInt64, length: Int? = nil) -> [UInt8] {
        let least = value < 64 ? 1 : value < 16_384 ? 2 : value < 1 << 30 ? 4 : 8
        let length = length ?? least
        var bytes = (0..<length).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (length - 1 - $0))) }
        bytes[0] |= UInt8(length.trailingZeroBitCount << 6)
        return bytes
    }

    /// STREAM with its length.
    public static func stream(_ id: UInt64, _ offset: UInt64, _ data: [UInt8], isFinal: Bool = false) -> [UInt8] {
        [isFinal ? 0x0F : 0x0E] + integer(id) + integer(offset) + integer(UInt64(data.count)) + data
    }

    public static func crypto(_ offset: UInt64, _ data: [UInt8]) -> [UInt8] {
        [6] + integer(offset) + integer(UInt64(data.count)) + data
    }

    /// ACK of all numbers from 0.
    public static func acknowledgment(_ largest: UInt64) -> [UInt8] {
        [2] + integer(largest) + [0, 0] + integer(largest)
    }

    /// A frame of HTTP/3.
    public static func frame(_ type: UInt64, _ payload: [UInt8]) -> [UInt8] {
        integer(type) + integer(UInt64(payload.count)) + payload
    }

    /// HEADERS of a message, with a section that refers to no table.
    public static func headers(_ fields: [(String, String)]) -> [UInt8] {
        frame(1, QPACKEncoder(capacity: 0).encode(stream: 0, fields).section)
    }

    public static func request(_ path: String) -> [UInt8] {
        headers([(":method", "GET"), (":scheme", "https"), (":authority", "api.example.com"), (":path", path)])
    }

    public static func response(_ body: [UInt8]) -> [UInt8] {
        headers([(":status", "200"), ("content-length", "\(body.count)")]) + frame(0, body)
    }
}
