import Testing
import WireTesting

@testable import WireCore

/// A key log may have the secret of a session under its first connection only.
@Suite("Audit: sessions of TLS 1.2 that are resumed")
struct TLSSessionTests {
    private static func name(_ kind: String, _ number: UInt8) -> TLSSession.Name {
        let bytes = [UInt8](repeating: number, count: kind == "identifier" ? 32 : 180)
        return kind == "identifier" ? .identifier(bytes) : .ticket(bytes)
    }

    /// A connection with one call. Its frames have the times in which it was written.
    private static func connection(
        _ number: Int, resuming session: TLSSession? = nil, granting name: TLSSession.Name? = nil, segment: Int? = nil
    ) -> (frames: [CapturedFrame], peers: TLSPeers) {
        var talk = Dialogue(clientPort: UInt16(50_000 + number))
        talk.time += Int64(number) * 100_000_000
        var peers = TLSPeers(.aes128GCM12, seed: UInt64(number + 1))
        peers.resumed = session
        peers.granted = name
        talk.handshake()
        for flight in peers.handshake() {
            let bytes = flight.bytes
            let size = segment ?? bytes.count
            for start in stride(from: 0, to: bytes.count, by: size) {
                talk.data(flight.side, Array(bytes[start..<min(start + size, bytes.count)]))
            }
        }
        talk.data(.client, peers.seal(.client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n"))
        talk.data(.server, peers.seal(.server, "HTTP/1.1 204 No Content\r\n\r\n"))
        talk.close()
        return (talk.frames, peers)
    }

    private static func targets(_ capture: AuditedCapture) -> [String] {
        capture.exchanges.map { String(decoding: $0.target ?? [], as: UTF8.self) }
    }

    @Test("are opened by the first connection's line, over several renewals", arguments: ["identifier", "ticket"])
    func resumed(kind: String) {
        let first = Self.connection(0, granting: Self.name(kind, 1))
        var frames = first.frames
        var session = first.peers.session
        for number in 1..<6 {
            // A ticket is renewed each time, an identifier stays.
            let next = kind == "ticket" ? Self.name(kind, UInt8(number + 1)) : nil
            let later = Self.connection(number, resuming: session, granting: next)
            frames += later.frames
            if let renewed = later.peers.session { session = renewed }
        }
        let capture = audit(frames, keys: first.peers.keyLog)
        #expect(Self.targets(capture) == (0..<6).map { "/\($0)" })
        let resumption = kind == "ticket" ? TLSResumption.ticket : .sessionIdentifier
        #expect(
            capture.connections.map { $0.tls?.resumption } == [nil] + [TLSResumption?](repeating: resumption, count: 5))
        #expect(capture.connections.allSatisfy { $0.tls?.isDecrypted == true && $0.tls?.blindness == nil })
        #expect(capture.contradictions == [])
    }

    @Test("are opened by lines that name the session, in both of its connections", arguments: [32, 8])
    func namedBySession(length: Int) {
        let name = TLSSession.Name.identifier((0..<UInt8(length)).map { $0 &+ 200 })
        let first = Self.connection(0, granting: name)
        let second = Self.connection(1, resuming: first.peers.session)
        func hex(_ bytes: [UInt8]) -> String {
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        guard case .identifier(let identifier) = name else { return }
        let master = hex(first.peers.session?.master ?? [])
        let capture = audit(
            first.frames + second.frames, keys: "RSA Session-ID:\(hex(identifier)) Master-Key:\(master)\n")
        #expect(Self.targets(capture) == ["/0", "/1"])
        #expect(capture.connections.allSatisfy { $0.tls?.isDecrypted == true && $0.tls?.blindness == nil })
        #expect(capture.findings(.keyLogMalformed) == 0 && capture.contradictions == [])
        let other = audit(
            first.frames, keys: "RSA Session-ID:\(hex(identifier.reversed())) Master-Key:\(master)\n")
        #expect(other.connections.allSatisfy { $0.tls?.blindness == .keyMissing })
    }

    @Test("are counted only where the name of the session was not seen", arguments: ["split", "later", "other"])
    func unseen(reason: String) {
        let ticket = Self.name("ticket", 1)
        let first = Self.connection(0, granting: ticket, segment: reason == "split" ? 100 : nil)
        let session = TLSSession(
            name: reason == "other" ? Self.name("ticket", 9) : ticket, master: first.peers.session?.master ?? [])
        let second = Self.connection(1, resuming: session)
        let frames = reason == "later" ? second.frames + first.frames : first.frames + second.frames
        let capture = audit(frames, keys: first.peers.keyLog)
        #expect(Self.targets(capture) == ["/0"])
        #expect(capture.connections.compactMap { $0.tls?.blindness } == [.keyMissing])
    }

    @Test("each full handshake begins a session of its own")
    func separate() {
        let first = Self.connection(0, granting: Self.name("ticket", 1))
        let second = Self.connection(1, granting: Self.name("ticket", 2))
        let third = Self.connection(2, resuming: second.peers.session)
        let keys = first.peers.keyLog + second.peers.keyLog
        let capture = audit(first.frames + second.frames + third.frames, keys: keys)
        #expect(Self.targets(capture) == ["/0", "/1", "/2"])
    }

    @Test("a name is known from the frame behind the one that brought it, and the first connection counts")
    func directory() throws {
        let directory = SessionDirectory(limit: 2)
        let names = try [1, 2, 3].map { try #require(Self.digest([$0, $0])) }
        directory.add(names[0], clientRandoms: [[1]], at: 11)
        directory.add(names[0], clientRandoms: [[2]], at: 21)
        directory.add(names[1], clientRandoms: [[3], [1]], at: 31)
        #expect([9, 11, 13, 99].map { directory.clientRandoms(of: names[0], at: $0) } == [[], [], [[1]], [[1]]])
        #expect(directory.clientRandoms(of: names[1], at: 33) == [[3], [1]])
        // Full: all are forgotten, but not for those who ask from further in front.
        directory.add(names[2], clientRandoms: [[4]], at: 41)
        #expect(directory.clientRandoms(of: names[0], at: 39) == [[1]])
        #expect(directory.clientRandoms(of: names[0], at: 43) == [])
        #expect(directory.clientRandoms(of: names[2], at: 43) == [[4]])
        #expect(Self.digest([]) == nil)
    }

    private static func digest(_ bytes: [UInt8]) -> SessionName? { unsafe SessionName(bytes.span.bytes) }
}
