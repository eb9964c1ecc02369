import Testing
import WireTesting

@testable import WireCore

/// Packets that the capture shows before those which explain them.
@Suite("QUIC: packets out of order")
struct QUICReorderTests {
    private typealias Datagram = QUICPeers.Datagram

    /// Calls one after the other: request, two datagrams of the response, an ACK of both.
    private func conversation(
        idLengths: (Int, Int) = (8, 8), calls: UInt64 = 3
    ) -> (peers: QUICPeers, datagrams: [Datagram]) {
        var peers = QUICPeers(idLengths: idLengths)
        var datagrams = peers.handshake()
        for call in 0..<calls {
            let response = QUICWire.response([UInt8](repeating: UInt8(65 + call), count: 900))
            datagrams += [
                peers.datagram(.client, QUICWire.stream(4 * call, 0, QUICWire.request("/\(call)"), isFinal: true)),
                peers.datagram(.server, QUICWire.stream(4 * call, 0, Array(response[..<500]))),
                peers.datagram(.server, QUICWire.stream(4 * call, 500, Array(response[500...]), isFinal: true)),
                peers.datagram(.client, QUICWire.acknowledgment(2 + 2 * call)),
            ]
        }
        return (peers, datagrams)
    }

    private func costs(_ capture: AuditedCapture) -> [[Int]] {
        capture.exchanges.map { record in
            [record.stream ?? -1, record.costs.up[.ack], record.costs.up[.tcpip], record.costs.down.message]
        }
    }

    @Test("an ACK that comes before what it acknowledges is charged to it", arguments: 1...2)
    func acknowledgesLater(places: Int) {
        let (peers, datagrams) = conversation()
        let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(whole.contradictions == [])
        #expect(costs(whole).allSatisfy { $0[1] > 0 } && whole.exchanges.count == 3)
        for call in 0..<3 {
            var moved = datagrams
            let place = 4 + 4 * call + 3
            moved.insert(moved.remove(at: place), at: place - places)
            let capture = audit(peers.frames(moved), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(costs(capture) == costs(whole), "call \(call)")
            #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
            #expect(capture.connections.first?.flags == whole.connections.first?.flags)
        }
    }

    @Test("one direction before the other, as capture points with different clocks have it, changes no cost")
    func clocksApart() {
        var peers = QUICPeers()
        var datagrams = peers.handshake()
        for call in 0..<6 as Range<UInt64> {
            let response = QUICWire.response([UInt8](repeating: UInt8(65 + call), count: 900))
            datagrams += [
                peers.datagram(.client, QUICWire.stream(4 * call, 0, QUICWire.request("/\(call)"), isFinal: true)),
                peers.datagram(.server, QUICWire.acknowledgment(2 * call)),
                peers.datagram(.server, QUICWire.stream(4 * call, 0, Array(response[..<500]))),
                peers.datagram(.server, QUICWire.stream(4 * call, 500, Array(response[500...]), isFinal: true)),
                peers.datagram(.client, QUICWire.acknowledgment(3 + 3 * call)),
            ]
        }
        let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
        let acknowledgments = whole.exchanges.map { $0.costs.down[.ack] }
        #expect(acknowledgments.count == 6 && acknowledgments.allSatisfy { $0 > 0 })
        for side in [Dialogue.Side.server, .client] {
            let order = datagrams.filter { $0.side == side } + datagrams.filter { $0.side != side }
            let capture = audit(peers.frames(order), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(costs(capture) == costs(whole), "\(side) first")
            #expect(capture.exchanges.map { $0.costs.down[.ack] } == acknowledgments, "\(side) first")
            #expect(capture.connections.map(\.flags) == whole.connections.map(\.flags))
            #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
        }
    }

    @Test("an ACK of nothing new follows the one before, which may wait")
    func followsWaiting() {
        var (peers, datagrams) = conversation(calls: 1)
        datagrams.append(peers.datagram(.client, QUICWire.acknowledgment(2)))
        let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
        // Both ACKs before the response.
        let moved = Array(datagrams[..<5]) + datagrams[7...] + datagrams[5..<7]
        let capture = audit(peers.frames(moved), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(costs(capture) == costs(whole) && costs(whole)[0][1] > 60)
    }

    @Test("an ACK of a packet that never comes stays with the connection, which is flagged")
    func acknowledgesMissing() {
        let (peers, datagrams) = conversation(calls: 1)
        let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
        let capture = audit(peers.frames(datagrams.filter { $0.bytes != datagrams[6].bytes }), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.first?.costs.up[.ack] == 0)
        #expect(capture.connections.first?.costs.up[.ack] == whole.connections.first?.costs.up[.ack])
        #expect(capture.connections.first?.flags.contains(.gap) == true)
        #expect(whole.connections.first?.flags.contains(.gap) == false)
    }

    @Test("how many ACKs wait is limited")
    func limitsWaiting() {
        var (peers, datagrams) = conversation(calls: 1)
        for number in 0..<300 as Range<UInt64> {
            datagrams.append(peers.datagram(.client, QUICWire.acknowledgment(1000 + 2 * number)))
        }
        let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.connections.first?.flags.contains(.gap) == true)
    }

    @Test("packets before the first long header are the connection's", arguments: [(8, 8), (0, 8), (4, 20)])
    func beforeInitial(lengths: (Int, Int)) {
        let (peers, datagrams) = conversation(idLengths: lengths)
        let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
        for early in [[4], [5], [4, 5], [3, 4]] {
            var moved = early.map { datagrams[$0] }
            moved += datagrams.indices.filter { !early.contains($0) }.map { datagrams[$0] }
            let capture = audit(peers.frames(moved), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(capture.connections.count == 1, "\(early)")
            #expect(capture.result.ledger.other.udp == 0 && capture.result.ledger.other.quic == 0)
            #expect(costs(capture) == costs(whole), "\(early)")
            #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
        }
    }

    @Test("a client's packets before the server's first are read, whatever the length of the server's connection ID")
    func beforeAnswer() {
        for length in [0, 1, 8, 20] {
            let (peers, datagrams) = conversation(idLengths: (8, length))
            let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
            // Initial, Finished, a request; then the server's answer and the rest.
            let order = [0, 2, 4, 1, 3] + Array(5..<datagrams.count)
            let capture = audit(peers.frames(order.map { datagrams[$0] }), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(costs(capture) == costs(whole), "ID of \(length) bytes")
            #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
        }
    }

    @Test("packets of another connection on these addresses before are not")
    func ofAnother() {
        var others = QUICPeers(seed: 3)
        _ = others.handshake()
        let before = [others.datagram(.client, QUICWire.stream(0, 0, QUICWire.request("/x"), isFinal: true))]
        let (peers, datagrams) = conversation()
        let capture = audit(peers.frames(before + datagrams), keys: peers.keyLog + others.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 1 && capture.connections[0].costs.up[.opaque] == 0)
        #expect(capture.result.ledger.other.udp > 0)
        #expect(capture.exchanges.count == 3)
    }
}
