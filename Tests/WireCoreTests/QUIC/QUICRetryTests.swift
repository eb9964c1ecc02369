import Testing
import WireTesting

@testable import WireCore

/// Retry packets: anybody can send one, and only a right tag makes it the server's.
@Suite("QUIC: Retry")
struct QUICRetryTests {
    private func calls(_ peers: inout QUICPeers) -> [QUICPeers.Datagram] {
        [
            peers.datagram(.client, QUICWire.stream(0, 0, QUICWire.request("/a"), isFinal: true)),
            peers.datagram(.server, QUICWire.stream(0, 0, QUICWire.response([1, 2, 3]), isFinal: true)),
        ]
    }

    @Test("the connection goes on behind a Retry with the right tag")
    func follows() {
        var peers = QUICPeers()
        var datagrams = [peers.initial(), peers.retry()]
        datagrams += peers.handshake()
        datagrams += calls(&peers)
        let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 1)
        #expect(capture.exchanges.map(\.status) == [200])
        #expect(capture.findings(.quicRetryWrong) == 0)
    }

    @Test("a Retry with a wrong tag changes nothing, and its bytes are booked")
    func refuses() {
        var peers = QUICPeers()
        var datagrams = [peers.retry(hasRightTag: false)]
        let retry = datagrams[0].bytes.count + 28
        let handshake = peers.handshake()
        datagrams = [handshake[0]] + datagrams + handshake[1...]
        datagrams += calls(&peers)
        let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
        let other = audit(peers.frames(datagrams.filter { $0.bytes.count + 28 != retry }), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.findings(.quicRetryWrong) == 1)
        #expect(capture.connections.count == 1)
        #expect(capture.exchanges.map(\.status) == [200])
        let booked = [capture, other].map { $0.connections.first?.costs.down[.setupQUIC] ?? 0 }
        #expect(booked[0] - booked[1] == retry)
    }

    @Test("another connection on the same ports is not taken for one that begins anew")
    func opensNoOther() {
        for hasRightTag in [true, false] {
            var peers = QUICPeers()
            let first = [peers.initial(), peers.retry(hasRightTag: hasRightTag)]
            var others = QUICPeers(seed: 2)
            let second = others.handshake()
            let capture = audit(peers.frames(first + second), keys: others.keyLog)
            #expect(capture.contradictions == [])
            #expect(capture.connections.count == (hasRightTag ? 1 : 2))
            #expect(capture.findings(.quicRetryWrong) == (hasRightTag ? 0 : 1))
        }
    }
}
