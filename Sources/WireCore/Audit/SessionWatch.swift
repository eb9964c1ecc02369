/// Sees handshakes of TLS 1.2 and earlier go by, packet by packet, and enters the names that servers give to sessions.
///
/// Connections are followed in several threads, so none of them can tell the others what it read. This looks at each packet
/// alone, in the order of the capture: names in handshake records that a packet holds whole, from its first byte on. What
/// is split over packets stays unknown, and then a connection that resumes such a session is not read.
struct SessionWatch {
    /// The latest ClientHello of a connection.
    private struct Hello {
        var clientRandoms: [[UInt8]]
        var session: SessionName?
    }

    /// Most connections whose hellos are remembered; beyond that all are forgotten.
    private static let helloLimit = 16_384
    /// Most records of a packet that are looked at.
    private static let recordLimit = 8

    private var hellos: [UInt64: Hello] = [:]
    private let directory: SessionDirectory
    /// Connections are told apart by a hash, which nobody who does not know this can steer.
    private let seed = UInt64.random(in: .min ... .max)

    init(_ directory: SessionDirectory) { self.directory = directory }

    /// Whether a payload may hold handshake messages.
    @inline(__always)
    static func mayHoldHandshake(_ payload: RawSpan) -> Bool {
        payload.byteCount > RecordHeader.length + 4 && payload.u8(0) == RecordType.handshake && payload.u8(1) == 3
    }

    /// Takes the payload of a packet.
    mutating func look(_ payload: RawSpan, of key: ConnectionKey, at ordinal: Int) {
        var offset = 0
        for _ in 0..<SessionWatch.recordLimit {
            guard let header = RecordHeader(payload, at: offset) else { return }
            let end = offset + header.recordLength
            if header.contentType == RecordType.handshake {
                let captured = min(end, payload.byteCount)
                lookAtMessages(
                    payload.extracting(offset + RecordHeader.length..<captured), key.hash(seed: seed), at: ordinal)
            }
            guard end < payload.byteCount else { return }
            offset = end
        }
    }

    private mutating func lookAtMessages(_ record: RawSpan, _ connection: UInt64, at ordinal: Int) {
        var offset = 0
        while record.byteCount - offset >= 4 {
            let type = record.u8(offset)
            let length = Int(record.u8(offset + 1)) << 16 | Int(record.be16(offset + 2))
            let body = record.extracting(offset + 4..<min(offset + 4 + length, record.byteCount))
            // Extensions stand at the end of a hello, and most of it is in the packet.
            switch type {
            case HandshakeType.clientHello: take(ClientHello(body), connection, at: ordinal)
            case HandshakeType.serverHello: take(ServerHello(body), connection, at: ordinal)
            case HandshakeType.certificate: noteFullHandshake(connection)
            case HandshakeType.newSessionTicket where body.byteCount == length:
                take(ticket: body, connection, at: ordinal)
            default: break
            }
            offset += 4 + length
        }
    }

    private mutating func take(_ hello: ClientHello?, _ connection: UInt64, at ordinal: Int) {
        guard let hello else { return }
        var randoms = [hello.random]
        let session = unsafe SessionName(hello.sessionIdentifier.span.bytes)
        if let name = hello.ticket ?? session,
            let origin = directory.clientRandoms(of: name, at: ordinal).last, origin != hello.random
        {
            randoms.append(origin)
        }
        if hellos.count >= SessionWatch.helloLimit { hellos.removeAll() }
        hellos[connection] = Hello(clientRandoms: randoms, session: session)
    }

    /// A server that shows its certificate resumes nothing: what was offered is not what it goes on with.
    private mutating func noteFullHandshake(_ connection: UInt64) {
        guard var hello = hellos[connection], hello.clientRandoms.count > 1 else { return }
        hello.clientRandoms.removeLast()
        hellos[connection] = hello
    }

    private func take(_ hello: ServerHello?, _ connection: UInt64, at ordinal: Int) {
        guard let hello, hello.version < ProtocolVersion.tls13, let offered = hellos[connection],
            let name = unsafe SessionName(hello.sessionIdentifier.span.bytes), name != offered.session
        else { return }
        directory.add(name, clientRandoms: [offered.clientRandoms[0]], at: ordinal)
    }

    /// NewSessionTicket: lifetime (4), length of the ticket (2), ticket (RFC 5077 §3.3).
    private func take(ticket body: RawSpan, _ connection: UInt64, at ordinal: Int) {
        guard body.byteCount > 6, Int(body.be16(4)) == body.byteCount - 6, let offered = hellos[connection],
            let name = SessionName(body.extracting(6..<body.byteCount))
        else { return }
        directory.add(name, clientRandoms: offered.clientRandoms, at: ordinal)
    }
}
