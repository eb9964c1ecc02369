import Testing
import WireTesting

@testable import WireCore

/// Writes both directions of an HTTP/2 connection, with the owner and cause of each byte.
struct HTTP2Script {
    var dialogue = KnownDialogue()
    var encoders = [HTTP2FieldEncoder(), HTTP2FieldEncoder()]
    /// Exchanges by stream, in the order of their beginning.
    private(set) var exchanges: [Int: Int] = [:]

    init() {
        dialogue.say(0, [KnownRun(HTTP2Frame.preface, KnownRun.connection, .setupHTTP)] + runs([.settings([(3, 100)])]))
        frames(1, [.settings(), .settingsAcknowledgement])
        frames(0, [.settingsAcknowledgement])
    }

    private mutating func runs(_ frames: [HTTP2Frame]) -> [KnownRun] {
        frames.flatMap { frame in
            if frame.stream != 0, frame.type == 1, exchanges[frame.stream] == nil {
                exchanges[frame.stream] = exchanges.count
            }
            let runs = frame.runs(exchanges[frame.stream] ?? KnownRun.connection)
            if let promised = frame.promised, exchanges[promised] == nil { exchanges[promised] = exchanges.count }
            return runs
        }
    }

    /// Frames in one packet.
    mutating func frames(_ direction: Direction, _ frames: [HTTP2Frame]) { dialogue.say(direction, runs(frames)) }

    /// A whole request without body.
    mutating func get(_ stream: Int) -> HTTP2Frame {
        .headers(stream, encoders[0].request("/\(stream)"), endStream: true)
    }

    mutating func answer(_ stream: Int, _ status: Int = 200, _ more: [(String, String)] = []) -> HTTP2Frame {
        .headers(stream, encoders[1].response(status, more))
    }
}

/// Connections of HTTP/2 with what they must come to.
struct HTTP2Dialogue: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var dialogue: KnownDialogue
    var statuses: [Int]
    var flags: [[String]]
    var bodies: [[Int?]]
    /// Bytes of a stream that was reset may lie in either of two packets' owners.
    private init(
        _ name: String, _ statuses: [Int], flags: [[String]]? = nil, bodies: [[Int?]],
        write: (inout HTTP2Script) -> Void
    ) {
        testDescription = name
        self.statuses = statuses
        self.flags = flags ?? statuses.map { _ in [] }
        self.bodies = bodies
        var script = HTTP2Script()
        write(&script)
        dialogue = script.dialogue
    }

    static let all: [HTTP2Dialogue] = [
        HTTP2Dialogue("one exchange after another", [200, 204], bodies: [[0, 5], [0, 0]]) { script in
            script.frames(0, [script.get(1)])
            script.frames(1, [script.answer(1), .data(1, .filler(5), endStream: true)])
            script.frames(0, [script.get(3), .windowUpdate(0)])
            script.frames(1, [.headers(3, script.encoders[1].response(204), endStream: true)])
        },
        HTTP2Dialogue("streams by turns in one packet", [200, 404], bodies: [[0, 12], [0, 6]]) { script in
            script.frames(0, [script.get(1), script.get(3)])
            script.frames(
                1,
                [
                    script.answer(1), script.answer(3, 404, [("server", "x")]), .data(1, .filler(10)),
                    .data(3, .filler(6)), .data(1, .filler(2), padding: 7), .data(3, [], endStream: true),
                    .data(1, [], endStream: true),
                ])
            script.frames(0, [.ping(), .windowUpdate(1)])
        },
        HTTP2Dialogue("a field block in several frames, priority and padding, trailers", [200], bodies: [[4, 3]]) {
            script in
            let block = script.encoders[0].request("/up", method: "POST", [("x-long", "0123456789")])
            script.frames(
                0,
                [
                    .headers(1, Array(block.prefix(7)), endHeaders: false, padding: 3, priority: true),
                    .continuation(1, Array(block.dropFirst(7).prefix(1)), endHeaders: false),
                    .continuation(1, Array(block.dropFirst(8))), .data(1, .filler(4)),
                    .headers(1, script.encoders[0].trailers([("sum", "1")]), endStream: true),
                ])
            script.frames(1, [script.answer(1), .data(1, .filler(3), endStream: true)])
        },
        HTTP2Dialogue("interim responses", [200], bodies: [[0, 1]]) { script in
            script.frames(0, [script.get(1)])
            script.frames(1, [script.answer(1, 103, [("link", "x")])])
            script.frames(1, [script.answer(1), .data(1, .filler(1), endStream: true)])
        },
        HTTP2Dialogue(
            "a stream that is reset has ended, the others go on", [200, 200], flags: [["aborted", "reset"], []],
            bodies: [[0, nil], [0, 9]]
        ) { script in
            script.frames(0, [script.get(1), script.get(3)])
            script.frames(1, [script.answer(1), .data(1, .filler(8)), script.answer(3)])
            script.frames(0, [.reset(1)])
            script.frames(1, [.data(3, .filler(9), endStream: true), .goAway(last: 3, text: "bye")])
        },
        HTTP2Dialogue(
            "a server that stops a request, which is there by its length, comes all the same, or does not",
            [200, 200, 200],
            flags: [[], [], ["aborted", "reset"]], bodies: [[4, 3], [6, 3], [nil, 3]]
        ) { script in
            let requests: [(Int, [(String, String)])] = [(1, [("content-length", "4")]), (3, []), (5, [])]
            for (stream, more) in requests {
                let block = script.encoders[0].request("/up", method: "POST", more)
                script.frames(0, [.headers(stream, block), .data(stream, .filler(4))])
                script.frames(
                    1, [script.answer(stream), .data(stream, .filler(3), endStream: true), .reset(stream, error: 0)])
            }
            script.frames(0, [.data(1, [], endStream: true), .data(3, .filler(2), endStream: true)])
        },
        HTTP2Dialogue(
            "a promised response is an exchange of its own; the promise is framing of the stream that carries it",
            [200, 200], flags: [[], ["pushed"]], bodies: [[0, 5], [0, 3]]
        ) { script in
            script.frames(0, [script.get(1)])
            let block = script.encoders[1].request("/style.css")
            script.frames(
                1, [.promise(1, 2, block, padding: 4), script.answer(1), .data(1, .filler(5), endStream: true)])
            script.frames(1, [script.answer(2), .data(2, .filler(3), endStream: true)])
        },
    ]
}
