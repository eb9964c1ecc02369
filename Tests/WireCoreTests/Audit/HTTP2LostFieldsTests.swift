import Testing
import WireTesting

@testable import WireCore

/// What a call's figures depend on is known, or they are not told; what may lack a frame is flagged.
@Suite("Audit: HTTP/2 fields and frames among lost packets")
struct HTTP2LostFieldsTests {
    private static let gzip = [("content-encoding", "gzip")]

    /// A talk whose encoders refer to earlier blocks where they can.
    private static func talk() -> HTTP2Talk {
        var talk = HTTP2Talk()
        talk.encoders = [HTTP2FieldEncoder(.indexing), HTTP2FieldEncoder(.indexing)]
        return talk
    }

    private static func exchange(
        _ talk: inout HTTP2Talk, _ stream: Int, status: Int = 200, _ fields: [(String, String)] = [], body: Int = 9
    ) {
        talk.frames(.client, [.headers(stream, talk.request("/\(stream)"), endStream: true)])
        talk.frames(
            .server, [.headers(stream, talk.response(status, fields)), .data(stream, .filler(body), endStream: true)])
        talk.talk.acknowledge(.client)
    }

    @Test("a content coding may stand in a field that is not known: the decoded size is not told")
    func codingUnknown() {
        var talk = Self.talk()
        let first = talk.talk.talk.frames.count
        for stream in [1, 3, 5, 7] { Self.exchange(&talk, stream, Self.gzip) }
        talk.talk.close()
        var frames = talk.talk.talk.frames
        frames.remove(at: first + 1)
        let capture = audited(frames)
        #expect(capture.exchanges.map(\.decodedBody.down) == [nil, nil, nil, nil])
        #expect(capture.exchanges.map { $0.response?.isCoded } == [nil, true, true, true])
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [0, 9, 9, 9])
        #expect(capture.exchanges.map(\.decodedBody.up) == [0, 0, 0, 0])
        #expect(capture.exchanges[0].flags.isSuperset(of: [.gap, .noResponse]))
        // No packet of the later calls is missing, and what is told of them is true.
        withKnownIssue("the call behind the lost one is flagged as well") {
            #expect(capture.exchanges.map(\.flags) == [[.gap, .noResponse], [], [], []])
        }
    }

    @Test("the host in a field that is not known: the server's name stands for it, with a flag")
    func hostUnknown() {
        var talk = Self.talk()
        let first = talk.talk.talk.frames.count
        for stream in [1, 3, 5] { Self.exchange(&talk, stream) }
        talk.talk.close()
        var frames = talk.talk.talk.frames
        frames.remove(at: first)
        let capture = audited(frames)
        let later = capture.exchanges.filter { $0.stream != 1 }
        #expect(later.map { $0.path.map { String(decoding: $0, as: UTF8.self) } } == ["/3", "/5"])
        #expect(later.allSatisfy { $0.host != Array("a".utf8) && $0.flags == .gap })
    }

    @Test("a status in a field that is not known may be that of an interim response")
    func statusUnknown() {
        var talk = Self.talk()
        let first = talk.talk.talk.frames.count
        for stream in [1, 3] { Self.exchange(&talk, stream, status: 201) }
        Self.exchange(&talk, 5)
        talk.talk.close()
        var frames = talk.talk.talk.frames
        frames.remove(at: first + 1)
        let capture = audited(frames)
        #expect(capture.exchanges.map(\.status) == [nil, nil, 200])
        #expect(capture.exchanges.map(\.flags.isEmpty) == [false, false, true])
        #expect(capture.exchanges[1].flags == .gap)
    }

    @Test("a lost WINDOW_UPDATE or RST_STREAM: each stream that it may be of is flagged", arguments: [true, false])
    func lostControlFrame(goesOn: Bool) {
        var talk = HTTP2Talk()
        Self.exchange(&talk, 1)
        talk.frames(.client, [.headers(3, talk.request("/3"), endStream: true)])
        talk.frames(.server, [.headers(3, talk.response()), .data(3, .filler(900))])
        let lost = talk.talk.talk.frames.count
        talk.frames(.client, [.windowUpdate(3)])
        talk.frames(.server, [.data(3, .filler(100), endStream: true)])
        talk.talk.acknowledge(.client)
        if goesOn { Self.exchange(&talk, 5) }
        talk.talk.close()
        let whole = audited(talk.talk.talk.frames)
        var frames = talk.talk.talk.frames
        frames.remove(at: lost)
        let capture = audited(frames)
        #expect(whole.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(whole.exchanges[1].costs.up[.framing] == capture.exchanges[1].costs.up[.framing] + 13)
        let expected: [RecordFlags] = goesOn ? [[], .gap, []] : [[], .gap]
        #expect(capture.exchanges.map(\.flags) == expected)
        #expect(capture.exchanges[1].decodedBody.down == 1000)
    }

    @Test(
        "a WINDOW_UPDATE that came after TCP's acknowledgment is lost: a stream that was not credited is flagged",
        arguments: [RecordFlags.gap, .snapped])
    func lostLateCredit(flag: RecordFlags) {
        var talk = HTTP2Talk()
        Self.exchange(&talk, 1, body: 900)
        talk.frames(.client, [.windowUpdate(1, 900)])
        Self.exchange(&talk, 3, body: 900)
        talk.talk.talk.time += 30_000_000
        let lost = talk.talk.talk.frames.count
        talk.frames(.client, [.windowUpdate(3, 900)])
        Self.exchange(&talk, 5)
        talk.talk.close()
        var frames = talk.talk.talk.frames
        frames[lost].originalLength = frames[lost].bytes.count
        if flag == .gap { frames.remove(at: lost) } else { frames[lost].bytes.removeLast(13) }
        let capture = audited(frames)
        #expect(capture.exchanges.map { $0.costs.up[.framing] } == [22, 9, 9])
        #expect(capture.exchanges.map(\.flags) == [[], flag, []])
    }

    @Test("a lost request is no doubt about streams that were over before")
    func closedBefore() {
        var talk = HTTP2Talk()
        for stream in [1, 3] { Self.exchange(&talk, stream) }
        let lost = talk.talk.talk.frames.count
        for stream in [5, 7] { Self.exchange(&talk, stream) }
        talk.talk.close()
        var frames = talk.talk.talk.frames
        frames.remove(at: lost)
        let flagged = audited(frames).exchanges.filter { !$0.flags.isEmpty }
        #expect(flagged.map(\.stream) == [5])
    }

    @Test("a call is given out while bytes of its connection are known to be missing")
    func givenOutEarly() {
        var talk = HTTP2Talk()
        // The first call stays until the connection's end.
        Self.exchange(&talk, 1)
        talk.frames(.client, [.headers(3, talk.request("/3"), endStream: true)])
        talk.frames(.server, [.headers(3, talk.response()), .data(3, .filler(900))])
        let lost = talk.talk.talk.frames.count
        talk.frames(.client, [.windowUpdate(3)])
        talk.frames(.server, [.data(3, .filler(100), endStream: true)])
        talk.talk.acknowledge(.client)
        talk.talk.talk.time += 3_600_000_000_000
        talk.frames(.server, [.ping()])
        talk.talk.talk.time += 3_600_000_000_000
        talk.frames(.server, [.ping()])
        var frames = talk.talk.talk.frames
        frames.remove(at: lost)
        let capture = audited(frames)
        #expect(capture.exchanges[1].flags.contains(.gap))
    }
}
