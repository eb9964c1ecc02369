import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: odd orders and places of layers")
struct TLSOddTests {
    private func audited(_ frames: [CapturedFrame], keys: String?) -> AuditedCapture {
        var options = AuditOptions()
        options.setup = .separate
        var isEmptyHanded = false
        let capture = audit(frames, options, keys: keys ?? "") { isEmptyHanded = $0.isEmptyHanded }
        #expect(isEmptyHanded)
        #expect(capture.contradictions == [])
        return capture
    }

    @Test("one direction of HTTP/2 alone", arguments: Dialogue.Side.allCases)
    func oneDirection(side: Dialogue.Side) {
        var talk = HTTP2Talk()
        talk.exchange(1)
        talk.exchange(3, body: 100)
        talk.talk.close()
        let frames = talk.talk.talk.frames.filter { ($0.bytes[29] == 1) == (side == .client) }
        let capture = audited(frames, keys: nil)
        #expect(capture.exchanges.map(\.stream) == [1, 3])
        if side == .client {
            #expect(capture.exchanges.map { $0.costs.up[.framing] } == [9, 9])
            #expect(capture.exchanges.allSatisfy { $0.flags.contains(.noResponse) })
        } else {
            #expect(capture.exchanges.map { $0.costs.down[.body] } == [5, 100])
            #expect(capture.exchanges.allSatisfy { $0.flags.contains(.noRequest) })
        }
    }

    @Test(
        "packets of the two directions that the capture swapped", arguments: [nil, TLSSuite.aes128GCM13, .aes128GCM12])
    func swapped(suite: TLSSuite?) {
        for hasFrames in [false, true] {
            var talk = HTTP2Talk(bare: LayeredConversation(suite, protocols: [hasFrames ? "h2" : "http/1.1"]))
            if hasFrames {
                talk.begin()
                talk.exchange(1)
            } else {
                talk.talk.exchange(0)
            }
            talk.talk.close()
            let frames = talk.talk.talk.frames
            // Hellos must come in their order.
            for index in (suite == nil ? 3 : 5)..<frames.count - 4 {
                var swapped = frames
                swapped.swapAt(index, index + 1)
                (swapped[index].time, swapped[index + 1].time) = (swapped[index + 1].time, swapped[index].time)
                let capture = audited(swapped, keys: talk.talk.peers?.keyLog)
                let name = "\(hasFrames) \(suite?.rawValue ?? "clear") \(index)"
                #expect(capture.exchanges.map(\.status) == [200], "\(name)")
                #expect(capture.exchanges.map(\.flags) == [[]], "\(name)")
            }
        }
    }

    @Test("a field block that cannot be read loses its fields, not its frames")
    func brokenFieldBlock() {
        var talk = HTTP2Talk()
        talk.frames(.client, [.headers(1, [0x80, 0x82, 0x00], endStream: true)])
        talk.frames(.server, [.headers(1, talk.response(), endStream: true)])
        talk.exchange(3)
        let capture = talk.talk.check()
        #expect(capture.findings(.fieldBlockMalformed) == 1)
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map { $0.path.map { String(decoding: $0, as: UTF8.self) } } == [nil, "/3"])
        #expect(capture.exchanges[0].decodedHeaders.up == nil)
    }

    @Test("TLS in a tunnel through TLS is opaque")
    func tlsInTLS() {
        var talk = LayeredConversation(.aes128GCM13)
        talk.seal(
            .client,
            [
                KnownRun(Array("CONNECT b:443 HTTP/1.1\r\n".utf8), 0, .startLine),
                KnownRun(Array("Host: b:443\r\n\r\n".utf8), 0, .headers),
            ])
        talk.sendRest(.client)
        talk.seal(
            .server, [KnownRun(Array("HTTP/1.1 200 OK\r\n".utf8), 0, .startLine), KnownRun([13, 10], 0, .headers)])
        talk.sendRest(.server)
        var inner = TLSPeers(.chaCha13, seed: 7)
        for flight in inner.handshake() {
            talk.seal(flight.side, [KnownRun(flight.bytes, 0, .opaque)])
            talk.sendRest(flight.side)
        }
        let capture = talk.check()
        #expect(capture.exchanges.map(\.flags) == [[.tunnel]])
    }

    @Test("an upgrade to TLS on an HTTP/1.1 connection")
    func upgradeToTLS() {
        var talk = LayeredConversation()
        talk.write(
            .client,
            [
                KnownRun(Array("OPTIONS * HTTP/1.1\r\n".utf8), 0, .startLine),
                KnownRun(Array("Host: a\r\nUpgrade: TLS/1.2\r\nConnection: Upgrade\r\n\r\n".utf8), 0, .headers),
            ])
        talk.sendRest(.client)
        talk.write(
            .server,
            [
                KnownRun(Array("HTTP/1.1 101 Switching Protocols\r\n".utf8), 0, .startLine),
                KnownRun(Array("Upgrade: TLS/1.2, HTTP/1.1\r\nConnection: Upgrade\r\n\r\n".utf8), 0, .headers),
            ])
        talk.sendRest(.server)
        talk.beginTLS(.aes128GCM12)
        talk.exchange(1)
        let capture = talk.check()
        #expect(capture.exchanges.map(\.flags) == [[.upgraded], []])
        #expect(capture.exchanges.map(\.tlsVersion) == [nil, "TLS 1.2"])
    }

    @Test("a ClientHello in the SYN")
    func fastOpen() {
        var peers = TLSPeers(.aes128GCM13)
        let flights = peers.handshake()
        for length in [1, 4, 60, flights[0].bytes.count] {
            var talk = Dialogue()
            talk.data(.client, Array(flights[0].bytes[..<length]), at: 0) {
                $0.flags = .syn
                $0.sequence &-= 1
            }
            talk.syn(.server)
            if length < flights[0].bytes.count { talk.data(.client, Array(flights[0].bytes[length...])) }
            talk.data(.server, flights[1].bytes)
            talk.data(.client, flights[2].bytes)
            var more = peers
            talk.data(.client, more.seal(.client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
            talk.data(.server, more.seal(.server, Sample.response))
            let capture = audited(talk.frames, keys: peers.keyLog)
            #expect(capture.exchanges.map(\.status) == [200], "\(length)")
            #expect(capture.connections[0].costs.up[.setupTCP] == 40, "\(length)")
            #expect(capture.connections[0].costs.up[.opaque] == 0, "\(length)")
        }
    }

    @Test("segments behind a reset, whatever they begin", arguments: [nil, TLSSuite.aes128GCM13])
    func behindReset(suite: TLSSuite?) {
        for length in [1, 4, 7, 12, 60] {
            var talk = HTTP2Talk(suite)
            talk.exchange(1)
            talk.talk.talk.rst(.server)
            talk.talk.seal(.client, talk.runs([.headers(3, talk.request("/x"), endStream: true)]))
            let start = talk.talk.streams[0].sent
            talk.talk.send(.client, start..<start + min(length, talk.talk.streams[0].bytes.count - start))
            _ = audited(talk.talk.talk.frames, keys: talk.talk.peers?.keyLog)
        }
    }

    @Test("HTTP/2 in TLS with and without ALPN, whoever speaks first", arguments: [[], ["h2"]], [false, true])
    func speaksFirst(protocols: [String], isServerFirst: Bool) {
        for cut in [1, 3, 8, 9, 100] {
            var talk = HTTP2Talk(bare: LayeredConversation(.aes128GCM13, protocols: protocols))
            let preface = [KnownRun(HTTP2Frame.preface + HTTP2Frame.settings().bytes, KnownRun.connection, .setupHTTP)]
            let sides: [Dialogue.Side] = isServerFirst ? [.server, .client] : [.client, .server]
            for side in sides {
                let runs = side == .client ? preface : talk.runs([.settings(), .windowUpdate(0)])
                // Without ALPN the beginning must be whole to be known.
                talk.talk.sealCut(side, runs, each: protocols.isEmpty ? 100 : cut)
                talk.talk.sendRest(side, each: cut)
            }
            talk.exchange(1)
            let capture = talk.talk.check("\(cut)")
            #expect(capture.exchanges.map(\.stream) == [1])
        }
    }

    @Test("frames that come before the client's preface was seen")
    func serverFirstInClear() {
        for cut in 1...20 {
            var talk = HTTP2Talk(bare: LayeredConversation())
            talk.talk.write(.server, talk.runs([.settings(), .windowUpdate(0)]))
            talk.talk.sendRest(.server, cuts: [cut])
            talk.begin()
            talk.exchange(1)
            let capture = talk.talk.check("\(cut)")
            #expect(capture.exchanges.map(\.stream) == [1])
        }
    }
}
