import Testing
import WireTesting

@testable import WireCore

/// What is sent on an HTTP/2 connection behind the prefaces.
struct HTTP2Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var flags: [RecordFlags]
    var statuses: [Int?]
    var findings: [FindingCode]
    var write: @Sendable (inout HTTP2Talk) -> Void

    init(
        _ name: String, statuses: [Int?] = [200], flags: [RecordFlags]? = nil, findings: [FindingCode] = [],
        write: @escaping @Sendable (inout HTTP2Talk) -> Void
    ) {
        testDescription = name
        self.statuses = statuses
        self.flags = flags ?? statuses.map { _ in [] }
        self.findings = findings
        self.write = write
    }
}

@Suite("Audit: HTTP/2 streams")
struct HTTP2StreamTests {
    static let cases = [
        HTTP2Case("one exchange after another", statuses: [200, 200, 200]) { talk in
            talk.exchange(1)
            talk.exchange(3, body: 700)
            talk.exchange(5)
        },
        HTTP2Case("two streams by turns in one packet and record", statuses: [200, 200]) { talk in
            talk.frames(
                .client,
                [.headers(1, talk.request("/a"), endStream: true), .headers(3, talk.request("/bb"), endStream: true)])
            talk.frames(
                .server,
                [
                    .headers(1, talk.response()), .headers(3, talk.response(200, [("server", "x")])),
                    .data(1, .filler(100)), .data(3, .filler(31)), .data(1, .filler(7)), .data(3, .filler(90)),
                    .data(1, [], endStream: true), .data(3, .filler(1), endStream: true),
                ])
            talk.talk.acknowledge(.client)
        },
        HTTP2Case("a request with a body, trailers both ways") { talk in
            talk.frames(.client, [.headers(1, talk.request("/up", method: "POST"))])
            talk.frames(.client, [.data(1, .filler(300)), .data(1, .filler(20))])
            talk.frames(.client, [.headers(1, talk.encoders[0].trailers([("sum", "1")]), endStream: true)])
            talk.frames(.server, [.headers(1, talk.response()), .data(1, .filler(9))])
            talk.frames(.server, [.headers(1, talk.encoders[1].trailers([("grpc-status", "0")]), endStream: true)])
        },
        HTTP2Case("interim responses") { talk in
            talk.frames(
                .client, [.headers(1, talk.request("/", method: "POST")), .data(1, .filler(5), endStream: true)])
            talk.frames(.server, [.headers(1, talk.response(100)), .headers(1, talk.response(103, [("link", "x")]))])
            talk.frames(.server, [.headers(1, talk.response(), endStream: true)])
        },
        HTTP2Case("field blocks in many frames, padding and priority fields") { talk in
            let block = talk.request("/long", [("cookie", String(repeating: "c", count: 300))])
            talk.frames(
                .client,
                [
                    .headers(1, Array(block[..<10]), endStream: true, endHeaders: false, padding: 12, priority: true),
                    .continuation(1, Array(block[10..<11]), endHeaders: false), .continuation(1, [], endHeaders: false),
                    .continuation(1, Array(block[11...])),
                ])
            talk.frames(
                .server,
                [
                    .headers(1, talk.response(), padding: 0), .data(1, .filler(40), padding: 255),
                    .data(1, [], padding: 3), .data(1, .filler(2), endStream: true, padding: 0),
                ])
        },
        HTTP2Case("fields from the dynamic table", statuses: [200, 200, 200]) { talk in
            talk.encoders = [HTTP2FieldEncoder(.indexing), HTTP2FieldEncoder(.indexing)]
            for stream in [1, 3, 5] { talk.exchange(stream) }
        },
        HTTP2Case("control frames") { talk in
            talk.frames(.client, [.ping(), .windowUpdate(0), .settings([(4, 1 << 20)]), .priority(7)])
            talk.frames(.server, [.ping(acknowledges: true), .settingsAcknowledgement, .windowUpdate(0, 5)])
            talk.frames(
                .client,
                [
                    .headers(1, talk.request("/"), endStream: true), .priority(1), .priority(9), .windowUpdate(1),
                    .windowUpdate(0), .windowUpdate(11), HTTP2Frame(0x10, payload: [0, 0, 0, 1, 0x75]),
                ])
            talk.frames(.server, [HTTP2Frame(0xA, payload: [0, 1, 0x61, 0x62]), HTTP2Frame(0xC)])
            talk.frames(.server, [.headers(1, talk.response()), .data(1, .filler(3), endStream: true)])
            talk.frames(.server, [.goAway(last: 1, text: "bye")])
        },
        HTTP2Case("unknown frames on a stream, on none, and on the connection") { talk in
            talk.frames(.client, [HTTP2Frame(0x77, flags: 0xFF, stream: 1, payload: .filler(20))])
            talk.frames(
                .client,
                [.headers(1, talk.request("/"), endStream: true), HTTP2Frame(0xFE, stream: 1, payload: .filler(5))])
            talk.frames(.server, [HTTP2Frame(0xB, payload: .filler(1)), .headers(1, talk.response(), endStream: true)])
        },
        HTTP2Case("a pushed response", statuses: [200, 200], flags: [[], .pushed]) { talk in
            talk.frames(.client, [.headers(1, talk.request("/page"), endStream: true)])
            let block = talk.encoders[1].request("/style")
            talk.frames(.server, [.promise(1, 2, block, padding: 4), .headers(1, talk.response())])
            talk.frames(.server, [.headers(2, talk.response()), .data(2, .filler(50), endStream: true)])
            talk.frames(.server, [.data(1, .filler(10), endStream: true)])
            talk.frames(.client, [.windowUpdate(2)])
        },
        HTTP2Case("a push promised in two frames", statuses: [200, 200], flags: [[], .pushed]) { talk in
            talk.frames(.client, [.headers(1, talk.request("/page"), endStream: true)])
            let block = talk.encoders[1].request("/style")
            var rest = HTTP2Frame.continuation(1, Array(block[3...]))
            rest.fieldBytes = 0
            talk.frames(.server, [.promise(1, 2, Array(block[..<3]), endHeaders: false)])
            // The promise is whole with this frame only, but nothing comes between the two.
            talk.frames(.server, [rest, .headers(1, talk.response(), endStream: true)])
            talk.frames(.server, [.headers(2, talk.response()), .data(2, .filler(50), endStream: true)])
        },
        HTTP2Case(
            "a stream that is reset", statuses: [200, nil, 200],
            flags: [[.aborted, .reset], [.aborted, .reset, .noResponse], []]
        ) {
            talk in
            talk.frames(
                .client,
                [.headers(1, talk.request("/a"), endStream: true), .headers(3, talk.request("/b", method: "POST"))])
            talk.frames(.server, [.headers(1, talk.response()), .data(1, .filler(50)), .reset(3)])
            talk.frames(.client, [.reset(1), .headers(5, talk.request("/c"), endStream: true)])
            talk.frames(.server, [.data(1, .filler(30)), .headers(5, talk.response(), endStream: true)])
            talk.frames(.client, [.windowUpdate(1)])
        },
        HTTP2Case("frames on closed streams", statuses: [200, 200]) { talk in
            talk.exchange(1)
            talk.exchange(3)
            talk.frames(.client, [.windowUpdate(1), .priority(3), .reset(1)])
        },
        HTTP2Case("no answer", statuses: [nil], flags: [[.noResponse, .noEnd]]) { talk in
            talk.frames(.client, [.headers(1, talk.request("/"), endStream: true)])
        },
    ]

    @Test("costs each stream its frames", arguments: cases, [nil, TLSSuite.aes128GCM13, .aes128GCM12])
    func costs(example: HTTP2Case, suite: TLSSuite?) {
        var talk = HTTP2Talk(suite)
        example.write(&talk)
        let capture = talk.talk.check()
        #expect(capture.exchanges.map(\.status) == example.statuses)
        #expect(capture.exchanges.map(\.flags) == example.flags)
        #expect(capture.result.findings.map(\.code) == example.findings)
        #expect(capture.exchanges.allSatisfy { $0.stream.map { talk.exchanges[$0] } == $0.exchange })
        #expect(capture.connections.map(\.applicationProtocol) == [suite == nil ? "h2c" : "h2"])
    }
}
