import Testing
import WireTesting

@testable import WireCore

/// Connections of HTTP/3 with what they must come to.
struct HTTP3Dialogue: Sendable, CustomTestStringConvertible {
    var testDescription: String
    private let write: @Sendable (inout HTTP3Script) -> Void
    /// Of each exchange: method and target, status, costs up and down, flags.
    var exchanges: [[String]]
    var connection: [String]
    var findings: [FindingCode: Int] = [:]

    var script: HTTP3Script {
        var script = HTTP3Script()
        write(&script)
        return script
    }

    /// What the SETTINGS of both control streams take: the type of the stream, header and payload of the frame.
    private static let control = "setup.http 9"

    private init(
        _ name: String, _ exchanges: [[String]], connection: [String] = [control, control],
        findings: [FindingCode: Int] = [:], _ write: @escaping @Sendable (inout HTTP3Script) -> Void
    ) {
        testDescription = name
        self.exchanges = exchanges
        self.connection = connection
        self.findings = findings
        self.write = write
    }

    /// Bytes of a section of `HTTP3Script.request`.
    private static func size(_ fields: [(String, String)]) -> Int { HTTP3Wire.section(fields).count }
    private static let get = size(HTTP3Script.request("/0"))
    private static let ok = size([(":status", "200")])

    static let all = [simple, trailers, controlFrames, pushes, tunnels, resets, malformed]

    private static let simple = HTTP3Dialogue(
        "a request, its answer with a body, and a reserved frame in front",
        [["GET /0", "200", "headers \(get) framing 2", "headers \(ok) framing 10 body 70", ""]]
    ) { script in
        script.get(0)
        script.send(HTTP3Wire.frame(0x21 + 0x1F, [1, 2]), 0, 1)
        script.answer(0, body: 70)
    }

    private static let trailers = HTTP3Dialogue(
        "two requests at once, an interim answer, a body in two frames, trailers",
        [
            [
                "POST /0", "200", "headers \(size(HTTP3Script.request("/0", method: "POST"))) framing 6 body 5",
                answered, "",
            ],
            ["GET /4", "304", "headers \(get) framing 2", "headers \(ok) framing 2", ""],
        ]
    ) { script in
        script.headers(HTTP3Script.request("/0", method: "POST"), 0, 0)
        script.get(4)
        script.headers([(":status", "100")], 0, 1)
        script.answer(4, 304, [])
        script.data([1, 2], 0, 0)
        script.data([3, 4, 5], 0, 0)
        script.add(.finish, 0, 0)
        script.headers([(":status", "200")], 0, 1)
        script.data([9, 9, 9], 0, 1)
        script.headers([("grade", "a")], 0, 1)
        script.add(.finish, 0, 1)
    }

    private static let controlFrames = HTTP3Dialogue(
        "the control streams say all that they may; a stream of a reserved type and QPACK's streams",
        [["GET /0", "200", "headers \(get) framing 2", "headers \(ok) framing 2", ""]],
        connection: ["setup.http 34", "setup.http 13"]
    ) { script in
        script.send(HTTP3Wire.frame(HTTP3FrameType.maxPushID, [7]), 2, 0)
        script.send(HTTP3Wire.frame(HTTP3FrameType.cancelPush, [5]), 2, 0)
        script.send(HTTP3Wire.frame(0xF0700, [0] + Array("u=1, i".utf8)), 2, 0)
        script.send(HTTP3Wire.frame(HTTP3FrameType.goAway, [0]), 3, 1)
        script.send([2], 6, 0)
        script.send([3], 7, 1)
        script.send(HTTP3Wire.integer(0x21 + 0x1F * 30) + [1, 2, 3, 4], 10, 0)
        script.get(0)
        script.answer(0)
    }

    private static let pushes = HTTP3Dialogue(
        "a push is promised and comes, another came before its promise, a third is cancelled",
        [
            ["GET /0", "200", "headers \(get) framing 2", "headers \(ok) framing \(2 + 3 * (3 + get))", ""],
            ["GET /a", "200", "", "headers \(ok) framing 6 body 4", "pushed"],
            ["GET /b", "200", "", "headers \(ok) framing 4", "pushed"],
            ["GET /c", "0", "", "", "no-response aborted reset pushed"],
        ], connection: ["setup.http 9", "setup.http 12"]
    ) { script in
        script.get(0)
        script.send(HTTP3Wire.frame(5, [0] + HTTP3Wire.section(HTTP3Script.request("/a"))), 0, 1)
        script.send([1, 0] + HTTP3Wire.frame(1, HTTP3Wire.section([(":status", "200")])), 15, 1)
        script.data([1, 2, 3, 4], 15, 1)
        script.add(.finish, 15, 1)
        script.send([1, 1] + HTTP3Wire.frame(1, HTTP3Wire.section([(":status", "200")])), 19, 1)
        script.add(.finish, 19, 1)
        script.send(HTTP3Wire.frame(5, [1] + HTTP3Wire.section(HTTP3Script.request("/b"))), 0, 1)
        script.send(HTTP3Wire.frame(5, [2] + HTTP3Wire.section(HTTP3Script.request("/c"))), 0, 1)
        script.send(HTTP3Wire.frame(HTTP3FrameType.cancelPush, [2]), 3, 1)
        script.answer(0)
    }

    private static let tunnels = HTTP3Dialogue(
        "a tunnel; a WebTransport session with streams of both endpoints",
        [
            [
                "CONNECT proxied:443", "200", "headers 43 framing 4 opaque 5", "headers \(ok) framing 4 opaque 9",
                "tunnel",
            ],
            [
                "CONNECT /4", "200", "headers \(webTransport.count) framing 3 opaque 15",
                "headers \(ok) framing 2 opaque 16", "upgraded",
            ],
        ]
    ) { script in
        script.headers([(":method", "CONNECT"), (":authority", "proxied:443")], 0, 0)
        script.headers([(":status", "200")], 0, 1)
        script.data([1, 2, 3, 4, 5], 0, 0)
        script.data([1, 2, 3, 4, 5, 6, 7, 8, 9], 0, 1)
        script.add(.finish, 0, 0)
        script.add(.finish, 0, 1)
        script.send(HTTP3Wire.frame(1, webTransport), 4, 0)
        script.headers([(":status", "200")], 4, 1)
        script.send(HTTP3Wire.integer(0x41) + [4] + [1, 2], 8, 0)
        script.send([5, 6, 7], 8, 1)
        script.send(HTTP3Wire.integer(0x41) + [4] + [1, 2, 3, 4], 9, 1)
        script.send([1, 1, 1], 9, 0)
        script.send(HTTP3Wire.integer(0x54) + [4] + [1, 2, 3, 4], 14, 0)
        script.send(HTTP3Wire.integer(0x54) + [4] + [1, 2, 3], 11, 1)
        script.add(.finish, 4, 0)
        script.add(.finish, 4, 1)
    }

    private static let resets = HTTP3Dialogue(
        "the client gives an answer up; the server ends an upload without error",
        [
            ["GET /0", "200", "headers \(get) framing 2", "headers \(ok) framing 5 body 10", "aborted reset"],
            ["GET /4", "200", "headers \(get) framing 4 body 3", "headers \(ok) framing 2", "aborted reset"],
        ]
    ) { script in
        script.headers(HTTP3Script.request("/0"), 0, 0)
        script.add(.finish, 0, 0)
        script.headers([(":status", "200")], 0, 1)
        script.send([0, 0x40, 100] + [UInt8](repeating: 1, count: 10), 0, 1)
        script.add(.stop, 0, 0)
        script.add(.reset(0x10C), 0, 1)
        script.headers(HTTP3Script.request("/4"), 4, 0)
        script.send([0, 50, 1, 2, 3], 4, 0)
        script.answer(4)
        script.add(.stop, 4, 1)
        script.add(.reset(0x100), 4, 0)
    }

    private static let malformed = HTTP3Dialogue(
        "frames where they must not be, ends inside of frames, data without a head, wrong lengths",
        [
            ["GET /0", "0", "headers \(get) framing 4", "framing 2 body 3", "no-response malformed"],
            [
                "GET /4", "200", "headers \(get) framing 2",
                "headers \(size([(":status", "200"), ("content-length", "9")])) framing 4 body 3", "malformed",
            ],
            ["GET /8", "200", "headers \(get) framing 2", "headers \(ok) framing 4 body 3", "malformed"],
        ], connection: ["setup.http 12", "setup.http 9"],
        findings: [.http3FrameMalformed: 3, .http3MessageMalformed: 2]
    ) { script in
        script.headers(HTTP3Script.request("/0"), 0, 0)
        script.send(HTTP3Wire.frame(HTTP3FrameType.goAway, []), 0, 0)
        script.add(.finish, 0, 0)
        script.data([1, 2, 3], 0, 1)
        script.add(.finish, 0, 1)
        script.get(4)
        script.answer(4, body: 3, [("content-length", "9")])
        script.get(8)
        script.headers([(":status", "200")], 8, 1)
        script.send([0, 5, 1, 2, 3], 8, 1)
        script.add(.finish, 8, 1)
        script.send(HTTP3Wire.frame(1, [0]), 2, 0)
    }

    private static let answered =
        "headers \(2 * ok + size([("grade", "a")])) framing 8 body 3"
    private static let webTransport = HTTP3Wire.section([
        (":method", "CONNECT"), (":scheme", "https"), (":authority", "host.test"), (":path", "/4"),
        (":protocol", "webtransport"),
    ])
}
