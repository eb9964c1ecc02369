import Testing
import WireTesting

@testable import WireCore

/// Whole connections, whose packets come in any order, in part, or with contradictions.
@Suite("QUIC: connections")
struct QUICConversationTests {
    private typealias Datagram = QUICPeers.Datagram

    /// A handshake, and calls one after the other.
    private func conversation(
        _ suite: TLSSuite = .aes128GCM13, idLengths: (Int, Int) = (8, 8), calls: Int = 3
    ) -> (peers: QUICPeers, datagrams: [Datagram]) {
        var peers = QUICPeers(suite, idLengths: idLengths)
        var datagrams = peers.handshake()
        for call in 0..<UInt64(calls) {
            let body = [UInt8](repeating: UInt8(65 + call), count: 900)
            let response = QUICWire.response(body)
            datagrams += [
                peers.datagram(.client, QUICWire.stream(4 * call, 0, QUICWire.request("/\(call)"), isFinal: true)),
                peers.datagram(.server, QUICWire.stream(4 * call, 0, Array(response[..<500]))),
                peers.datagram(.server, QUICWire.stream(4 * call, 500, Array(response[500...]), isFinal: true)),
                peers.datagram(.client, QUICWire.acknowledgment(1 + call)),
            ]
        }
        return (peers, datagrams)
    }

    private func messages(_ capture: AuditedCapture) -> [[Int]] {
        capture.exchanges.map { record in
            [record.stream ?? -1, record.costs.up.message, record.costs.down[.headers], record.costs.down[.body]]
        }
    }

    // MARK: The order of packets

    @Test(
        "whatever packet comes first, all are read", arguments: [TLSSuite.aes128GCM13, .aes256GCM13, .chaCha13])
    func anyFirst(suite: TLSSuite) {
        let (peers, datagrams) = conversation(suite)
        let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(whole.contradictions == [])
        #expect(whole.exchanges.map(\.costs.down[.body]) == [900, 900, 900])
        #expect(whole.exchanges.allSatisfy { $0.flags.isEmpty })
        for place in 1..<7 {
            var shuffled = datagrams
            let initial = shuffled.removeFirst()
            shuffled.insert(initial, at: place)
            let capture = audit(peers.frames(shuffled), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(messages(capture) == messages(whole), "the Initial behind \(place) datagrams")
            #expect(capture.connections.count == 1)
            #expect(capture.result.ledger.causes.up == whole.result.ledger.causes.up)
            for cause in Cause.allCases {
                #expect(
                    capture.result.ledger.causes.down[cause] == whole.result.ledger.causes.down[cause],
                    "the Initial behind \(place) datagrams: \(cause)")
            }
        }
    }

    @Test(
        "packets that nobody can read cost the same without keys as beside keys of others",
        arguments: [(8, 8), (0, 8), (8, 0), (0, 0), (20, 12)])
    func unreadable(idLengths: (Int, Int)) {
        let (peers, datagrams) = conversation(idLengths: idLengths, calls: 6)
        var shuffled = datagrams
        var random = SeededRandom(seed: 41)
        for place in 8..<shuffled.count - 2 where random.oneIn(3) { shuffled.swapAt(place, place + 1) }
        for order in [datagrams, shuffled] {
            let frames = peers.frames(order)
            let without = audit(frames, keys: "")
            let beside = audit(frames, keys: QUICPeers(seed: 99).keyLog)
            #expect(without.contradictions == [] && beside.contradictions == [])
            #expect(without.connections.count == 1 && beside.connections.count == 1)
            for (one, other) in [
                (without.result.ledger.causes.up, beside.result.ledger.causes.up),
                (without.result.ledger.causes.down, beside.result.ledger.causes.down),
            ] {
                for cause in Cause.allCases { #expect(one[cause] == other[cause], "\(idLengths): \(cause)") }
                #expect(one.link == other.link)
                #expect(one[.opaque] > 0)
            }
        }
    }

    @Test("packets wait for keys that come later, and no longer than they may")
    func waitsForKeys() {
        let (peers, datagrams) = conversation()
        let frames = peers.frames(datagrams)
        for patience in [10_000_000_000, 1_000_000] as [Int64] {
            let log = KeyLog()
            log.wasGiven = true
            log.mayGrow = true
            var options = AuditOptions()
            options.keyPatience = patience
            let sink = ListSink()
            var auditor = Auditor(options: options, sink: sink, keys: log)
            let file = auditor.addFile(CaptureFileSummary(path: "live", format: "pcap"))
            for (index, frame) in frames.enumerated() {
                if index == 10 {
                    let awaited = auditor.awaitsKeys
                    #expect(awaited == (patience > 1_000_000))
                    unsafe log.add(Array(peers.keyLog.utf8).span.bytes)
                    auditor.resumeAwaited(at: frame.time)
                    let isAwaited = auditor.awaitsKeys
                    #expect(!isAwaited)
                }
                unsafe auditor.consume(frame.facts(number: index + 1), frame.bytes.span.bytes, file: file)
            }
            let capture = AuditedCapture(
                auditor.finish(), exchanges: sink.exchanges, connections: sink.connections, of: frames)
            #expect(capture.contradictions == [])
            if patience > 1_000_000 {
                #expect(messages(capture) == messages(audit(frames, keys: peers.keyLog)))
            } else {
                #expect(capture.exchanges.contains { !$0.flags.isEmpty } || capture.exchanges.count < 3)
                #expect(capture.connections[0].costs.up[.opaque] > 0)
            }
        }
    }

    @Test("what waits is limited")
    func limitsWaiting() {
        let (peers, datagrams) = conversation(calls: 30)
        var options = AuditOptions()
        options.totalRecordBytesLimit = 16 * 4000
        let capture = audit(peers.frames(Array(datagrams.dropFirst())), options, keys: peers.keyLog)
        #expect(capture.contradictions == [])
        // The same, where no key opens anything.
        let other = QUICPeers(seed: 5).keyLog
        let blind = audit(peers.frames(Array(datagrams.dropFirst())), options, keys: other)
        #expect(blind.contradictions == [])
        #expect(blind.findings(.recordLimit) == 1)
        #expect(blind.exchanges.isEmpty)
    }

    // MARK: Connections without a beginning

    @Test(
        "a connection that began before the capture is found by its packets",
        arguments: [(8, 8), (0, 8), (0, 20), (4, 0), (20, 5)])
    func joinsLate(lengths: (Int, Int)) {
        for suite in [TLSSuite.aes128GCM13, .aes256GCM13, .chaCha13] {
            let (peers, datagrams) = conversation(suite, idLengths: lengths, calls: 5)
            let whole = audit(peers.frames(datagrams), keys: peers.keyLog)
            let keys = (2..<9).map { QUICPeers(suite, seed: $0).keyLog }.joined() + peers.keyLog
            for missing in 4..<9 {
                let capture = audit(peers.frames(Array(datagrams[missing...])), keys: keys)
                #expect(capture.contradictions == [])
                #expect(capture.connections.count == 1)
                #expect(capture.connections.first?.flags.contains(.noStart) == true)
                #expect(capture.connections.first?.client.port == 40_000)
                #expect(capture.result.ledger.other.udp == 0)
                #expect(messages(capture).suffix(3) == messages(whole).suffix(3), "\(suite), \(missing) missing")
                for record in capture.exchanges where record.flags.isDisjoint(with: [.noStart, .gap]) {
                    #expect(messages(whole).contains { $0[0] == record.stream && $0[3] == record.costs.down[.body] })
                }
            }
        }
    }

    @Test("keys that were updated before the capture began, and high packet numbers, are found")
    func joinsAfterUpdates() {
        var peers = QUICPeers()
        _ = peers.handshake()
        for _ in 0..<3 { peers.updateKeys() }
        var datagrams: [Datagram] = []
        for (call, number) in zip([40, 44, 48] as [UInt64], [70_000, 70_005, 70_006] as [UInt64]) {
            for (side, data) in [
                (Dialogue.Side.client, QUICWire.request("/late")), (.server, QUICWire.response([1, 2, 3])),
            ] {
                let frames = QUICWire.stream(call, 0, data, isFinal: true)
                datagrams.append(Datagram(side, peers.packet(side, frames, number: number)))
            }
        }
        let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200, 200, 200])
        #expect(capture.exchanges.map(\.stream) == [40, 44, 48])
    }

    @Test("without its keys it is other UDP, and what is tried is limited")
    func searchIsLimited() {
        let (peers, datagrams) = conversation(calls: 5)
        let frames = peers.frames(Array(datagrams[4...]))
        let other = (2..<9).map { QUICPeers(seed: $0).keyLog }.joined()
        let blind = audit(frames, keys: other)
        #expect(blind.contradictions == [])
        #expect(blind.connections.isEmpty && blind.result.ledger.other.udp > 0)
        #expect(blind.findings(.quicSearchLimit) == 0)
        for path in [\AuditOptions.quicTrialLimit, \.quicSearchLimit] {
            var options = AuditOptions()
            options[keyPath: path] = 40
            let limited = audit(frames, options, keys: other)
            #expect(limited.contradictions == [])
            #expect(limited.findings(.quicSearchLimit) > 0)
            #expect(limited.connections.isEmpty)
        }
    }

    @Test("one that begins with the server's answer is found by its handshake")
    func joinsInHandshake() {
        let (peers, datagrams) = conversation(calls: 5)
        let capture = audit(peers.frames(Array(datagrams.dropFirst())), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.costs.down[.body]) == [900, 900, 900, 900, 900])
        #expect(capture.connections.first?.flags.contains(.noStart) == true)
        #expect(capture.connections.first?.client.port == 40_000)
    }

    // MARK: Contradictions

    @Test("the first content of a stream counts, and other content is told")
    func firstContentCounts() {
        for (second, expected) in [("/b", 1), ("/a", 0)] {
            var peers = QUICPeers()
            var datagrams = peers.handshake()
            let first = QUICWire.request("/a")
            let again = QUICWire.request(second)
            #expect(first.count == again.count)
            datagrams.append(peers.datagram(.client, QUICWire.stream(0, 0, first)))
            datagrams.append(peers.datagram(.client, QUICWire.stream(0, 0, again, isFinal: true)))
            let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(capture.findings(.inconsistentRetransmission) == expected)
            #expect(capture.exchanges.first?.target == Array("/a".utf8))
            #expect(capture.exchanges.first?.costs.up[.retransmission] ?? 0 >= again.count)
        }
    }

    @Test("content that waits for earlier bytes is compared too, and so is the end")
    func comparesWaiting() {
        var peers = QUICPeers()
        var datagrams = peers.handshake()
        datagrams += [
            peers.datagram(.client, QUICWire.stream(0, 10, [1, 2, 3, 4])),
            peers.datagram(.client, QUICWire.stream(0, 12, [3, 5])),
            peers.datagram(.client, QUICWire.stream(4, 0, QUICWire.request("/a"), isFinal: true)),
            peers.datagram(.client, QUICWire.stream(4, 0, [1], isFinal: true)),
        ]
        let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.findings(.inconsistentRetransmission) > 0)
        #expect(capture.findings(.endContradiction) == 1)
    }

    @Test("a stateless reset ends with the token of the transport parameters, and ends the connection")
    func statelessReset() {
        let (peers, datagrams) = conversation()
        let capture = audit(peers.frames(datagrams + [peers.reset()]), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.connections.first?.costs.down[.teardown] == 28 + 31 + 16)
        #expect(capture.connections.first?.close == .closed)
        // Without the token it is a packet that does not open.
        var last = peers.reset()
        last.bytes[last.bytes.count - 1] ^= 1
        let other = audit(peers.frames(datagrams + [last]), keys: peers.keyLog)
        #expect(other.connections.first?.costs.down[.teardown] == 0)
        #expect(other.connections.first?.costs.down[.opaque] == 28 + 31 + 16)
    }

    @Test("the name in an Initial is a claim until the server answers")
    func unconfirmed() {
        var peers = QUICPeers()
        let handshake = peers.handshake()
        let spoofed = audit(peers.frames([handshake[0]]), keys: peers.keyLog)
        #expect(spoofed.findings(.quicUnconfirmed) == 1)
        #expect(spoofed.connections.first?.serverName == nil)
        let hosts = spoofed.result.hosts.map { "\($0.host)" }
        #expect(hosts.allSatisfy { $0 != "api.example.com" })
        let answered = audit(peers.frames(Array(handshake[..<2])), keys: "")
        #expect(answered.findings(.quicUnconfirmed) == 0)
        #expect(answered.connections.first?.serverName == Array("api.example.com".utf8))
    }
}

private final class ListSink: AuditSink {
    var exchanges: [ExchangeRecord] = []
    var connections: [ConnectionRecord] = []

    func receive(_ record: ExchangeRecord) { exchanges.append(record) }
    func receive(_ record: ConnectionRecord) { connections.append(record) }
}
