import Testing
import WireTesting

@testable import WireCore

/// By which connection IDs, or addresses, packets find their connection.
@Suite("QUIC: connection IDs")
struct QUICConnectionIDTests {
    private typealias Datagram = QUICPeers.Datagram

    private func calls(_ peers: inout QUICPeers, from first: UInt64 = 0, _ count: UInt64 = 2) -> [Datagram] {
        (first..<first + count).flatMap { call in
            [
                peers.datagram(.client, QUICWire.stream(4 * call, 0, QUICWire.request("/\(call)"), isFinal: true)),
                peers.datagram(
                    .server, QUICWire.stream(4 * call, 0, QUICWire.response([UInt8(call)]), isFinal: true)),
            ]
        }
    }

    /// Two connections of three calls each, a datagram of each in turn.
    private func alternating(_ one: inout QUICPeers, _ other: inout QUICPeers) -> AuditedCapture {
        let first = one.handshake() + calls(&one, from: 0, 3)
        let second = other.handshake() + calls(&other, from: 0, 3)
        let frames = zip(one.frames(first), other.frames(second)).flatMap { [$0, $1] }
        return audit(frames, keys: one.keyLog + other.keyLog)
    }

    private func newID(_ sequence: UInt64) -> [UInt8] {
        let id = (0..<8).map { UInt8(truncatingIfNeeded: (sequence &* 0x9E37_79B9_7F4A_7C15) >> (8 * $0)) }
        return [0x18] + QUICWire.integer(sequence) + [0, 8] + id + [UInt8](repeating: UInt8(sequence & 0xFF), count: 16)
    }

    @Test("IDs without end are forgotten, and say so unless they were retired", arguments: [false, true])
    func limitsIDs(isRetired: Bool) {
        var peers = QUICPeers()
        var datagrams = peers.handshake()
        datagrams += calls(&peers)
        for sequence in 1..<600 as Range<UInt64> {
            datagrams.append(peers.datagram(.server, newID(sequence)))
            guard isRetired else { continue }
            datagrams.append(peers.datagram(.client, [0x19] + QUICWire.integer(sequence)))
        }
        datagrams += calls(&peers, from: 2)
        let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 1)
        #expect(capture.exchanges.map(\.status) == [200, 200, 200, 200])
        #expect((capture.findings(.quicIDLimit) > 0) == !isRetired)
    }

    @Test("an ID that was given out is found from other addresses as long as it is remembered")
    func followsNewID() {
        for count in [1, 100, 400] as [UInt64] {
            var peers = QUICPeers()
            var datagrams = peers.handshake()
            datagrams += calls(&peers)
            for sequence in 1...count { datagrams.append(peers.datagram(.server, newID(sequence))) }
            var frames = peers.frames(datagrams)
            // The client moves to another port, and uses the latest ID.
            peers.clientPort = 50_000
            peers.ids[1] = Array(newID(count)[(newID(count).count - 24)...].prefix(8))
            frames += peers.frames(calls(&peers, from: 2), from: 5_000_000_000)
            let capture = audit(frames, keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(capture.connections.count == 1, "\(count) IDs")
            #expect(capture.exchanges.map(\.status) == [200, 200, 200, 200], "\(count) IDs")
        }
    }

    @Test("an ID that two connections use leads each packet to the connection of its addresses")
    func sharedID() {
        var one = QUICPeers()
        var other = QUICPeers(seed: 2)
        other.clientPort = 40_001
        other.ids = one.ids
        let capture = alternating(&one, &other)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 2)
        #expect(capture.connections.allSatisfy { $0.costs.up[.opaque] + $0.costs.down[.opaque] == 0 })
        #expect(capture.exchanges.map(\.status) == [200, 200, 200, 200, 200, 200])
        #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
    }

    @Test("packets without an ID belong to the connection of their addresses", arguments: [(0, 8), (8, 0), (0, 0)])
    func withoutID(lengths: (Int, Int)) {
        var one = QUICPeers(idLengths: lengths)
        var other = QUICPeers(idLengths: lengths, seed: 2)
        other.clientPort = 40_001
        let capture = alternating(&one, &other)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 2)
        #expect(capture.exchanges.count == 6 && capture.exchanges.allSatisfy { $0.status == 200 && $0.flags.isEmpty })
    }
}
