import Testing
import WireTesting

@testable import WireCore

/// Datagrams that the capture has several times, and such as were sent several times.
@Suite("QUIC: datagrams captured twice")
struct QUICCopyTests {
    private typealias Datagram = QUICPeers.Datagram

    private static let close: [UInt8] = [0x1D] + QUICWire.integer(0x100) + [0]

    /// Calls one after the other, and the client's close.
    private func conversation(calls: UInt64 = 8) -> (peers: QUICPeers, datagrams: [Datagram]) {
        var peers = QUICPeers()
        var datagrams = peers.handshake()
        for call in 0..<calls {
            let response = QUICWire.response([UInt8](repeating: UInt8(65 + call), count: 700))
            datagrams += [
                peers.datagram(.client, QUICWire.stream(4 * call, 0, QUICWire.request("/\(call)"), isFinal: true)),
                peers.datagram(.server, QUICWire.stream(4 * call, 0, response, isFinal: true)),
            ]
        }
        datagrams.append(peers.datagram(.client, Self.close))
        return (peers, datagrams)
    }

    @Test("a copy is in no figure of the calls, with keys and without", arguments: CaptureRepetition.all)
    func countsOnce(repetition: CaptureRepetition) {
        let (peers, datagrams) = conversation()
        let frames = peers.frames(datagrams)
        for keys in [peers.keyLog, ""] {
            let once = audit(frames, keys: keys)
            let all = audit(repetition.applied(to: frames), keys: keys)
            #expect(all.contradictions == [])
            #expect(all.result.ledger.causes.up == once.result.ledger.causes.up)
            #expect(all.result.ledger.causes.down == once.result.ledger.causes.down)
            #expect(all.result.ledger.layers.duplicate == repetition.delays.count * once.frameBytes)
            #expect(all.exchanges.map(\.costs) == once.exchanges.map(\.costs))
            #expect(all.findings(.repeatUnproved) == 0)
        }
    }

    @Test("an endpoint that closes sends its last packet again, and that counts", arguments: [true, false])
    func closesAgain(hasKeys: Bool) throws {
        let (peers, datagrams) = conversation()
        let frames = peers.frames(datagrams)
        var last = try #require(frames.last)
        let again = (1...5).map { count in
            var frame = last
            frame.time += Int64(count) * 20_000_000
            return frame
        }
        last.time += 1
        let capture = audit(frames + again, keys: hasKeys ? peers.keyLog : "")
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.layers.duplicate == 0)
        #expect(capture.connections.first?.counts.up.packets == datagrams.count { $0.side == .client } + 5)
        // Without keys nobody sees that it closes.
        #expect(capture.findings(.repeatUnproved) == (hasKeys ? 0 : 5))
    }

    @Test("a copy inside of a frame that was cut otherwise is known by its number")
    func knowsNumbers() {
        var (peers, datagrams) = conversation(calls: 2)
        let packets = (0..<3 as Range<UInt64>).map {
            peers.packet(.server, QUICWire.stream(40, 1180 * $0, [UInt8](repeating: 1, count: 1180)))
        }
        datagrams.insert(Datagram(.server, packets.flatMap(\.self)), at: datagrams.count - 1)
        let once = audit(peers.frames(datagrams), keys: peers.keyLog)
        let pieces = packets.map { Datagram(.server, $0) }
        let all = audit(peers.frames(datagrams + pieces), keys: peers.keyLog)
        #expect(all.contradictions == [])
        #expect(all.result.ledger.layers.duplicate == all.frameBytes - once.frameBytes)
        #expect(all.result.ledger.causes.down == once.result.ledger.causes.down)
    }
}

/// What short headers do not say: where they begin, where they end, which way they go.
@Suite("QUIC: short headers")
struct QUICShortHeaderTests {
    private typealias Datagram = QUICPeers.Datagram

    @Test("a packet behind others in its datagram is read without the fixed bit", arguments: [true, false])
    func readsGreased(hasFixedBit: Bool) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var peers = QUICPeers(seed: seed)
            peers.hasFixedBit = hasFixedBit
            var datagrams = peers.handshake()
            datagrams[2].bytes += peers.packet(.client, QUICWire.stream(0, 0, QUICWire.request("/a"), isFinal: true))
            datagrams.append(peers.datagram(.server, QUICWire.stream(0, 0, QUICWire.response([1]), isFinal: true)))
            let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map(\.target) == [Array("/a".utf8)], "seed \(seed)")
            #expect(capture.result.ledger.causes.up[.opaque] == 0)
            // Without the keys it is no padding either.
            let unread = audit(peers.frames(datagrams))
            #expect(unread.result.ledger.causes.up[.opaque] > 0)
        }
    }

    @Test("zeros behind the last packet fill the datagram up")
    func knowsPadding() {
        let peers = QUICPeers()
        var initial = peers.initial()
        initial.bytes += [UInt8](repeating: 0, count: 93)
        let capture = audit(peers.frames([initial]), keys: peers.keyLog)
        #expect(capture.result.ledger.causes.up[.opaque] == 0)
        #expect(capture.contradictions == [])
    }

    /// Sizes of the datagrams in one frame.
    static let sizes: [[Int]] = [
        [1199, 1199], [1200, 1200, 1200, 80], [1100, 1100, 700], [400, 400, 400, 400, 39], [60, 60, 60], [1452, 1452],
    ]

    @Test("a frame of several datagrams is cut where they end", arguments: sizes, [false, true])
    func cutsFrames(sizes: [Int], beginsLong: Bool) {
        var peers = QUICPeers()
        var datagrams = peers.handshake()
        datagrams.append(peers.datagram(.client, QUICWire.stream(0, 0, QUICWire.request("/a"), isFinal: true)))
        let body = [UInt8](repeating: 66, count: 9000)
        let response = QUICWire.response(body)
        var offset = 0
        var frame: [UInt8] = []
        // With a long header in front of it, the first packet is shorter than its datagram.
        if beginsLong, sizes[0] > 1000 { frame = datagrams.remove(at: 1).bytes }
        let isLong = !frame.isEmpty
        for (index, size) in sizes.enumerated() {
            let space = size - (index == 0 ? frame.count : 0) - 1 - 8 - 2 - 16 - 7
            let count = min(space, response.count - offset)
            let stream = QUICWire.stream(0, UInt64(offset), Array(response[offset..<offset + count]))
            frame += peers.packet(.server, stream + [UInt8](repeating: 0, count: space + 7 - stream.count))
            offset += count
        }
        #expect(frame.count == sizes.reduce(0, +))
        datagrams.insert(Datagram(.server, frame), at: isLong ? 1 : datagrams.count)
        let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.causes.down[.opaque] == 0)
        #expect(capture.exchanges.first?.costs.down.message == offset)
    }

    @Test("addresses tell the direction where both endpoints have the same connection ID, or send to a wrong one")
    func followsAddresses() {
        var right = QUICPeers()
        right.ids[0] = right.ids[1]
        var datagrams = right.handshake()
        datagrams += [
            right.datagram(.client, QUICWire.stream(0, 0, QUICWire.request("/a"), isFinal: true)),
            right.datagram(.server, QUICWire.stream(0, 0, QUICWire.response([1, 2]), isFinal: true)),
        ]
        let capture = audit(right.frames(datagrams), keys: right.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.target) == [Array("/a".utf8)])
        let counts = capture.connections.first?.counts
        #expect([counts?.up.packets, counts?.down.packets] == [3, 3])
    }
}
