import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: content of HTTP/2 streams")
struct HTTP2ContentTests {
    private func audited(_ talk: HTTP2Talk, _ frames: [CapturedFrame]? = nil) -> AuditedCapture {
        var options = AuditOptions()
        options.decodesBodies = true
        options.keepsHeads = true
        options.reorderingWindow = 1000
        var isEmptyHanded = false
        let capture = audit(frames ?? talk.talk.talk.frames, options, keys: talk.talk.peers?.keyLog ?? "") {
            isEmptyHanded = $0.isEmptyHanded
        }
        #expect(isEmptyHanded)
        #expect(capture.contradictions == [])
        return capture
    }

    private static let text = [UInt8]((0..<3000).map { UInt8($0 % 251) })

    /// Two compressed bodies by turns, in frames of some bytes.
    private func write(_ suite: TLSSuite?) -> (talk: HTTP2Talk, sizes: [Int]) {
        var talk = HTTP2Talk(suite)
        talk.frames(
            .client,
            [.headers(1, talk.request("/a"), endStream: true), .headers(3, talk.request("/b"), endStream: true)])
        let bodies = [CompressedFileBuilder.gzip(Self.text), CompressedFileBuilder.zstd(Array(Self.text[..<1500]))]
        talk.frames(
            .server,
            [
                .headers(1, talk.response(200, [("content-encoding", "gzip")])),
                .headers(3, talk.response(200, [("content-encoding", "zstd")])),
            ])
        for start in stride(from: 0, to: bodies[0].count, by: 97) {
            for (index, body) in bodies.enumerated() where start < body.count {
                let end = min(start + 97, body.count)
                let frame = HTTP2Frame.data(
                    2 * index + 1, Array(body[start..<end]), endStream: end == body.count, padding: 3)
                talk.frames(.server, [frame])
            }
        }
        talk.talk.close()
        return (talk, bodies.map(\.count))
    }

    @Test("bodies by turns are decoded each by itself", arguments: [nil, TLSSuite.aes256GCM13, .aes256CBC12])
    func decodes(suite: TLSSuite?) {
        let (talk, sizes) = write(suite)
        let capture = audited(talk)
        #expect(capture.exchanges.map(\.decodedBody.down) == [3000, 1500])
        #expect(capture.exchanges.map { $0.costs.down[.body] } == sizes)
        #expect(capture.exchanges.map { $0.response?.isCoded } == [true, true])
    }

    @Test("a hole in one body leaves the other")
    func holeInBody() {
        let (talk, _) = write(nil)
        var frames = talk.talk.talk.frames
        let index = frames.indices.filter { frames[$0].bytes.count == 54 + 9 + 1 + 97 + 3 }[6]
        frames[index].originalLength = frames[index].bytes.count
        frames[index].bytes.removeLast(50)
        let capture = audited(talk, frames)
        #expect(capture.exchanges.filter { $0.decodedBody.down == nil }.count == 1)
        #expect(capture.exchanges.filter { $0.flags == [.snapped] }.count == 1)
        #expect(capture.exchanges.filter { $0.flags == [] }.count == 1)
    }

    @Test("heads are those of HTTP/1.1, and their sizes agree", arguments: [HTTP2FieldEncoder.Form.literal, .indexing])
    func heads(form: HTTP2FieldEncoder.Form) throws {
        var talk = HTTP2Talk(.aes128GCM13)
        talk.encoders = [HTTP2FieldEncoder(form), HTTP2FieldEncoder(form)]
        for stream in [1, 3] {
            let block = talk.request(
                "/x?y=1", host: "api.example.com", [("accept", "*/*"), ("cookie", "a=1"), ("cookie", "b=2")])
            talk.frames(.client, [.headers(stream, block, endStream: true)])
            talk.frames(.server, [.headers(stream, talk.response(204, [("server", "s")]), endStream: true)])
        }
        let capture = audited(talk)
        let request = "host: api.example.com\r\naccept: */*\r\ncookie: a=1; b=2\r\n\r\n"
        let response = "server: s\r\n\r\n"
        #expect(capture.exchanges.map(\.decodedHeaders.up) == [request.utf8.count, request.utf8.count])
        #expect(capture.exchanges.map(\.decodedHeaders.down) == [response.utf8.count, response.utf8.count])
        for exchange in capture.exchanges {
            let head = try #require(exchange.requestHead)
            #expect(head.bytes.count - head.startLine == request.utf8.count)
            #expect(String(decoding: head.bytes, as: UTF8.self).lowercased().hasPrefix("get /x?y=1 http/"))
            let answer = try #require(exchange.responseHead)
            #expect(answer.bytes.count - answer.startLine == response.utf8.count)
            #expect(exchange.query == Array("y=1".utf8))
            #expect(String(decoding: exchange.api, as: UTF8.self) == "GET api.example.com /x")
        }
    }

    @Test("a Content-Length that is not the body's length makes a message malformed")
    func contentLength() {
        var talk = HTTP2Talk()
        for (stream, length) in [(1, 10), (3, 11)] {
            talk.frames(.client, [.headers(stream, talk.request("/"), endStream: true)])
            let block = talk.response(200, [("content-length", "\(length)")])
            talk.frames(.server, [.headers(stream, block), .data(stream, .filler(10), endStream: true)])
        }
        talk.frames(.client, [.headers(5, talk.request("/", method: "HEAD"), endStream: true)])
        talk.frames(.server, [.headers(5, talk.response(200, [("content-length", "99")]), endStream: true)])
        let capture = talk.talk.check()
        #expect(capture.exchanges.map(\.flags) == [[], [.malformed], []])
    }

    @Test("times are those of the packets that hold the bytes")
    func times() {
        var talk = HTTP2Talk(.aes128GCM13)
        let start = talk.talk.talk.time
        let step = talk.talk.talk.interval
        talk.frames(.client, [.headers(1, talk.request("/", method: "POST"))])
        talk.frames(.client, [.data(1, .filler(3), endStream: true)])
        talk.frames(.server, [.headers(1, talk.response())])
        talk.frames(.server, [.data(1, .filler(3))])
        talk.frames(.server, [.data(1, .filler(3), endStream: true)])
        let capture = talk.talk.check()
        #expect(capture.exchanges.map(\.time) == [start])
        #expect(capture.exchanges.map(\.timeToFirstByte) == [step])
        #expect(capture.exchanges.map(\.duration) == [4 * step])
        #expect(capture.exchanges.map(\.responseEnd) == [start + 4 * step])
    }
}
