import Testing
import WireTesting

@testable import WireCore

/// Frames of extensions: those that are known are read, and an unknown one hides what follows it in its packet.
@Suite("QUIC: extension frames")
struct QUICExtensionTests {
    private static let known: [(name: String, bytes: [UInt8], kind: QUICFrame.Kind)] = [
        ("IMMEDIATE_ACK", [0x1F], .immediateAck),
        ("RESET_STREAM_AT", [0x24, 8, 7, 40, 20], .resetStreamAt),
        ("DATAGRAM with a length", [0x31, 3, 1, 2, 3], .datagram),
        ("ACK_FREQUENCY", [0x40, 0xAF, 1, 10, 0x44, 0x00, 2], .ackFrequency),
    ]

    private func frames(_ bytes: [UInt8]) -> (frames: [QUICFrame], reader: QUICFrameReader) {
        var reader = QUICFrameReader(count: bytes.count)
        var result: [QUICFrame] = []
        let span = unsafe bytes.span.bytes
        while let frame = reader.next(span) { result.append(frame) }
        return (result, reader)
    }

    @Test("known ones end where they should, and a cut one is malformed")
    func readsKnown() {
        for (name, bytes, kind) in Self.known {
            let (read, reader) = frames(bytes + [1])
            #expect(read.map(\.kind) == [kind, .ping], "\(name)")
            #expect(read.first.map { $0.header + $0.dataCount } == bytes.count, "\(name)")
            #expect(!reader.isMalformed && !reader.isUnknown, "\(name)")
            guard bytes.count > 1 else { continue }
            #expect(frames(Array(bytes.dropLast())).reader.isMalformed, "\(name)")
        }
        let (read, _) = frames([0x24, 8, 7, 40, 20])
        #expect(read.first?.stream == 8 && read.first?.errorCode == 7)
        #expect(read.first?.offset == 40 && read.first?.reliableSize == 20)
        // More than the whole stream cannot be delivered.
        #expect(frames([0x24, 8, 7, 20, 40]).reader.isMalformed)
    }

    @Test("an unknown one ends what is read, before its type", arguments: [[0x21], [0x40, 0xB0], [0x7F, 0xFF]])
    func stopsAtUnknown(type: [UInt8]) {
        let (read, reader) = frames([1, 1] + type + [1, 1])
        #expect(read.map(\.kind) == [.ping, .ping])
        #expect(reader.isUnknown && !reader.isMalformed && reader.offset == 2)
    }

    private func audited(_ inserted: [UInt8]) -> AuditedCapture {
        var peers = QUICPeers()
        var datagrams = peers.handshake()
        let response = QUICWire.response([UInt8](repeating: 7, count: 300))
        datagrams += [
            peers.datagram(.client, QUICWire.stream(0, 0, QUICWire.request("/a"), isFinal: true)),
            peers.datagram(.server, QUICWire.stream(0, 0, Array(response[..<100]))),
            peers.datagram(.server, inserted + QUICWire.stream(0, 100, Array(response[100...]), isFinal: true)),
            peers.datagram(.client, QUICWire.stream(4, 0, QUICWire.request("/b"), isFinal: true)),
            peers.datagram(.server, QUICWire.stream(4, 0, response, isFinal: true)),
        ]
        return audit(peers.frames(datagrams), keys: peers.keyLog)
    }

    @Test("what follows a known one is read")
    func readsBehindKnown() {
        for (name, bytes, kind) in Self.known where kind != .resetStreamAt {
            let capture = audited(bytes)
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map(\.costs.down[.body]) == [300, 300], "\(name)")
            #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty }, "\(name)")
            #expect(capture.findings(.quicFrameUnknown) + capture.findings(.quicFrameMalformed) == 0, "\(name)")
        }
    }

    @Test("what follows an unknown one is booked, and calls that it may be of are flagged")
    func flagsBehindUnknown() {
        let cases: [([UInt8], FindingCode)] = [
            ([0x21, 0xFF], .quicFrameUnknown), ([0x18, 1, 0, 0], .quicFrameMalformed),
        ]
        for (bytes, finding) in cases {
            let capture = audited(bytes)
            #expect(capture.contradictions == [])
            #expect(capture.findings(finding) == 1)
            #expect(capture.exchanges.map(\.target) == [Array("/a".utf8), Array("/b".utf8)])
            #expect(capture.exchanges.first?.flags.contains(.gap) == true)
            // That began later, and was read whole.
            #expect(capture.exchanges.last?.flags.isEmpty == true)
            #expect(capture.exchanges.last?.costs.down[.body] == 300)
            #expect(capture.connections.first?.flags.contains(.gap) == true)
        }
    }

    @Test("RESET_STREAM_AT ends a stream once what it promises was delivered")
    func resetsBehindReliable() {
        let response = QUICWire.response([UInt8](repeating: 7, count: 50))
        let size = UInt64(response.count)
        for (reliable, isCut) in [(size, false), (size - 30, true)] {
            var peers = QUICPeers()
            var datagrams = peers.handshake()
            let reset = [0x24, 0] + QUICWire.integer(0x10C) + QUICWire.integer(size) + QUICWire.integer(reliable)
            datagrams += [
                peers.datagram(.client, QUICWire.stream(0, 0, QUICWire.request("/a"), isFinal: true)),
                peers.datagram(.server, QUICWire.stream(0, 0, Array(response[..<10])) + reset),
                peers.datagram(.server, QUICWire.stream(0, 10, Array(response[10..<Int(reliable)]))),
            ]
            let capture = audit(peers.frames(datagrams), keys: peers.keyLog)
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map(\.costs.down.message) == [Int(reliable)])
            #expect(capture.exchanges.first?.status == 200)
            if isCut { #expect(capture.exchanges.first?.response?.complete == false) }
        }
    }
}
