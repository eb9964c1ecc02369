import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: HTTP/2 with missing parts")
struct HTTP2LossTests {
    @Test("a hole inside of DATA is its stream's alone")
    func holeInData() {
        let (talk, first) = interleavedStreams()
        var frames = talk.talk.talk.frames
        frames.remove(at: first + 2)
        let capture = audited(frames)
        #expect(capture.exchanges.map(\.flags) == [[.gap], [], []])
        #expect(capture.exchanges.map(\.unseenBytes) == [100, 0, 0])
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [491 + 91 - 100, 181 + 91, 5])
        #expect(capture.exchanges.map(\.decodedBody.down) == [nil, 272, 5])
        #expect(capture.exchanges.map(\.status) == [200, 200, 200])
        #expect(capture.exchanges.map { $0.costs.down[.opaque] } == [0, 0, 0])
    }

    @Test("a hole over a frame header: frames are found again")
    func holeOverHeader() {
        let (talk, first) = interleavedStreams()
        var frames = talk.talk.talk.frames
        // HEADERS and DATA of stream 1 end at 510: the sixth segment has the next header.
        frames.remove(at: first + 5)
        let capture = audited(frames)
        #expect(capture.exchanges.count == 3)
        #expect(capture.exchanges.map(\.path).count == 3)
        // Nothing of stream 5 is lost.
        #expect(capture.exchanges[2].status == 200 && capture.exchanges[2].flags == [])
        #expect(capture.exchanges[0].flags.contains(.gap) && capture.exchanges[1].flags.contains(.gap))
        #expect(capture.connections[0].counts.down.unseen == 100)
    }

    @Test("joined late: streams that are open, and later ones")
    func joinedLate() {
        var talk = HTTP2Talk()
        talk.exchange(1)
        talk.frames(.client, [.headers(3, talk.request("/late"), endStream: true)])
        talk.frames(.server, [.headers(3, talk.response()), .data(3, .filler(20))])
        let first = talk.talk.talk.frames.count
        talk.frames(.server, [.data(3, .filler(30)), .data(3, .filler(7), endStream: true)])
        talk.talk.acknowledge(.client)
        talk.exchange(5)
        talk.exchange(7)
        let capture = audited(Array(talk.talk.talk.frames[first...]))
        #expect(capture.exchanges.map(\.stream) == [3, 5, 7])
        #expect(capture.exchanges.map(\.status) == [nil, 200, 200])
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [37, 5, 5])
        #expect(capture.exchanges.map { $0.costs.down[.opaque] } == [0, 0, 0])
        #expect(capture.exchanges[0].flags.contains(.noStart) && capture.exchanges[0].flags.contains(.noRequest))
        #expect(capture.exchanges[1].path.map { String(decoding: $0, as: UTF8.self) } == "/5")
        #expect(capture.exchanges[1...].allSatisfy { !$0.flags.contains(.noStart) })
        #expect(capture.connections[0].client.port == 51_234)
    }

    @Test("joined late with fields that refer to what was missed")
    func joinedLateWithTable() {
        var talk = HTTP2Talk()
        talk.encoders = [HTTP2FieldEncoder(.indexing), HTTP2FieldEncoder(.indexing)]
        talk.exchange(1)
        let first = talk.talk.talk.frames.count
        talk.exchange(3)
        talk.exchange(5)
        let capture = audited(Array(talk.talk.talk.frames[first...]))
        #expect(capture.exchanges.map(\.stream) == [3, 5])
        #expect(capture.findings(.fieldsUnknown) > 0)
        #expect(capture.exchanges.map { $0.path.map { String(decoding: $0, as: UTF8.self) } } == ["/3", "/5"])
        #expect(capture.exchanges.map { $0.costs.down[.opaque] + $0.costs.up[.opaque] } == [0, 0])
    }

    @Test(
        "a hole in a record is its exchange's, the next record is opened",
        arguments: [TLSSuite.aes128GCM13, .aes128GCM12, .aes128CBC12])
    func holeInRecord(suite: TLSSuite) {
        var talk = LayeredConversation(suite)
        talk.seal(.client, LayeredConversation.request(0) + LayeredConversation.request(1))
        talk.sendRest(.client)
        let response = LayeredConversation.response(0, body: 1000)
        talk.seal(.server, Array(response[..<2]))
        talk.seal(.server, Array(response[2...]))
        talk.seal(.server, LayeredConversation.response(1))
        let first = talk.talk.frames.count
        let start = talk.streams[1].sent
        talk.sendRest(.server, cuts: [200, 300])
        talk.close()
        var frames = talk.talk.frames
        frames.remove(at: first + 1)
        let capture = audited(frames, keys: talk.peers?.keyLog ?? "")
        // Where the cipher does not tell how much is missing, it may have been an answer: the requests were pipelined.
        let next: RecordFlags = suite == .aes128GCM12 ? [] : .gap
        #expect(capture.exchanges.map(\.flags) == [[.gap], next], "\(start)")
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges[1].costs.down.message == 43)
        #expect(capture.connections[0].counts.down.unseen == 100)
    }
}
