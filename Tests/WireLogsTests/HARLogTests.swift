import Testing

@testable import WireLogs

@Suite("HAR")
struct HARLogTests {
    private static func log(_ entries: String..., creator: String = "WebInspector") throws -> SDKLog {
        try LogSamples.read(
            #"{"log":{"version":"1.2","creator":{"name":"\#(creator)","version":"1"},"entries":["#
                + entries.joined(separator: ",") + "]}}")
    }

    private static func entry(
        _ members: String = "", request: String = #""headersSize":291,"bodySize":28"#,
        response: String = #""headersSize":202,"bodySize":66,"content":{"size":2000,"text":"[{}]\"x"}"#,
        url: String = "http://Api.test/a?b=c#d", status: Int = 200
    ) -> String {
        """
        {"startedDateTime":"2026-11-21T14:03:38.671Z","time":12.5,\(members)
        "request":{"method":"POST","url":"\(url)","headers":[{"name":"url","value":"x"}],\(request)},
        "response":{"status":\(status),"headers":[],\(response)},"cache":{}}
        """
    }

    private static let start = "exchange POST api.test /a?b=c 200 1795269818671000000 1795269818683500000"

    @Test(
        "HAR has no unknown times: where both phases behind sending are 0 the end is unknown",
        arguments: [
            ("12.5", "0", "0", "-"), ("12.5", "-1", "-1", "-"), ("0", "12.5", "0", "1795269818683500000"),
            ("12", "0", "0.5", "1795269818683500000"), ("0", "0", "0", "1795269818683500000"),
        ])
    func unknownEnds(send: String, wait: String, receive: String, end: String) throws {
        let log = try Self.log(
            Self.entry(#""timings":{"send":\#(send),"wait":\#(wait),"receive":\#(receive)},"#), creator: "x")
        #expect(log.line(0).hasPrefix("exchange POST api.test /a?b=c 200 1795269818671000000 \(end) up"))
    }

    static let sizes: [(String, String, String, [String])] = [
        (
            #""headersSize":291,"bodySize":28"#, #""headersSize":202,"bodySize":66,"content":{"size":2000}"#,
            "up -/291/28/319/- down -/202/66/268/2000", []
        ),
        (
            #""headersSize":-1,"bodySize":0"#, #""headersSize":-1,"bodySize":-1,"content":{"size":-1}"#,
            "up -/-/0/-/- down -/-/-/-/-", []
        ),
        (
            #""headersSize":1"#, #""headersSize":null"#, "up -/1/-/-/- down -/-/-/-/-",
            ["response.headersSize is empty 1 @1"]
        ),
        // Chrome: the transferred bytes are the better total.
        (
            #""headersSize":291,"bodySize":28"#, #""headersSize":202,"bodySize":77,"_transferSize":279"#,
            "up -/291/28/319/- down -/202/77/279/-", []
        ),
        (
            #""headersSize":291,"bodySize":28"#, #""headersSize":-1,"bodySize":-1,"_transferSize":140"#,
            "up -/291/28/319/- down -/-/-/140/-", []
        ),
        (
            #""headersSize":291,"bodySize":28"#, #""headersSize":202,"bodySize":279,"_transferSize":279"#,
            "up -/291/28/319/- down -/202/279/279/-", ["headersSize and bodySize are more than _transferSize 1 @1"]
        ),
        (
            #""headersSize":291,"bodySize":28"#, #""headersSize":202,"bodySize":78,"_transferSize":279"#,
            "up -/291/28/319/- down -/202/78/279/-", []
        ),
        (
            #""headersSize":291,"bodySize":28"#, #""headersSize":202,"bodySize":66,"_transferSize":-1"#,
            "up -/291/28/319/- down -/202/66/268/-", []
        ),
        (
            #""headersSize":291,"bodySize":-7"#, #""headersSize":202,"bodySize":-2"#, "up -/291/-/-/- down -/202/-/-/-",
            ["request.bodySize is negative 1 @1", "response.bodySize is negative 1 @1"]
        ),
        (
            #""headersSize":"291","bodySize":{}"#, #""headersSize":202.5,"bodySize":1e99"#,
            "up -/291/-/-/- down -/-/-/-/-",
            [
                "request.bodySize is not a number 1 @1", "response.headersSize is not a whole number 1 @1",
                "response.bodySize is implausibly large 1 @1",
            ]
        ),
    ]

    @Test("sizes are taken as HAR means them", arguments: sizes)
    func statements(request: String, response: String, bytes: String, problems: [String]) throws {
        let log = try Self.log(Self.entry(request: request, response: response))
        #expect(log.lines == ["\(Self.start) \(bytes)"])
        #expect(log.complaints == problems)
        #expect(log.format == .har && log.pathForm == .encodedWithQuery)
        #expect(log.timeResolution == 1_000_000)
    }

    @Test("the time before the request was sent is taken off")
    func timings() throws {
        let log = try Self.log(
            Self.entry(#""timings":{"blocked":1.25,"dns":-1,"connect":3,"ssl":2,"send":0,"wait":5,"receive":1},"#),
            Self.entry(#""timings":{"blocked":1e9,"dns":1e300,"connect":-1e300},"#))
        #expect(log.rows.map(\.time) == [1_795_269_818_675_250_000, 1_795_269_818_671_000_000])
        #expect(log.rows.map(\.end) == [1_795_269_818_683_500_000, 1_795_269_818_683_500_000])
    }

    static let cached: [(String, String, Int, Bool)] = [
        (#""_fromCache":"memory","#, #""headersSize":10,"bodySize":0,"_transferSize":0"#, 200, false),
        (#""_fromCache":"disk","#, #""headersSize":10,"bodySize":0,"_transferSize":99"#, 200, false),
        (#""_fromCache":null,"#, #""headersSize":10,"bodySize":0,"_transferSize":99"#, 200, true),
        ("", #""headersSize":10,"bodySize":0,"_transferSize":0"#, 200, false),
        // A revalidation crosses the wire.
        ("", #""headersSize":10,"bodySize":0,"_transferSize":120"#, 304, true),
        ("", #""headersSize":10,"bodySize":0,"_transferSize":0"#, 304, true),
        ("", #""headersSize":10,"bodySize":0"#, 304, true),
        // A writer that does not know the transferred size.
        ("", #""headersSize":10,"bodySize":50,"_transferSize":0"#, 200, true),
        // A request that failed.
        ("", #""headersSize":-1,"bodySize":-1,"_transferSize":0"#, 0, true),
    ]

    @Test("entries answered from the cache are no exchanges", arguments: cached)
    func cache(members: String, response: String, status: Int, isRow: Bool) throws {
        let log = try Self.log(Self.entry(members, response: response, status: status), Self.entry())
        #expect(log.rows.map(\.number) == (isRow ? [1, 2] : [2]))
        #expect(log.complaints == (isRow ? [] : ["entries answered from the cache are not on the wire 1 @1"]))
        #expect(log.rejectedRows == 0)
    }

    @Test(
        "what no other writer than its own means by the cache is an exchange",
        arguments: [
            // Firefox: transferred bytes of zero, or an entry of its cache.
            ("Firefox", #""headersSize":10,"bodySize":0"#, 200, "", []),
            ("Firefox", #""headersSize":10,"bodySize":-1"#, 200, #""afterRequest":null"#, []),
            ("Firefox", #""headersSize":10,"bodySize":-1"#, 200, "", ["-/10/-/-/-"]),
            ("Firefox", #""headersSize":-1,"bodySize":-1"#, 0, "", ["-/-/-/-/-"]),
            ("Firefox", #""headersSize":10,"bodySize":0"#, 304, "", ["-/10/-/-/-"]),
            ("Firefox", #""headersSize":10,"bodySize":90"#, 304, "", ["-/10/80/90/-"]),
            ("x", #""headersSize":10,"bodySize":0,"_transferSize":0"#, 200, #""afterRequest":null"#, ["-/10/0/10/-"]),
        ] as [(String, String, Int, String, [String])])
    func otherCaches(creator: String, response: String, status: Int, cache: String, bytes: [String]) throws {
        let entry = Self.entry(response: response, status: status).replacing(
            #""cache":{}"#, with: #""cache":{\#(cache)}"#)
        let other = Self.entry(response: #""headersSize":1,"bodySize":2"#)
        let log = try Self.log(entry, other, creator: creator)
        #expect(log.rows.dropLast().map(\.down.text) == bytes)
        #expect(
            log.complaints == (bytes.isEmpty ? ["entries answered from the cache are not on the wire 1 @1"] : []))
    }

    @Test("other schemes are no exchanges, and an entry without URL is rejected")
    func schemes() throws {
        let log = try Self.log(
            Self.entry(url: "data:text/plain,x"), Self.entry(url: "blob:http://a/b"), Self.entry(url: "wss://a.test/s"),
            Self.entry(url: ""), "7", "[{}]", Self.entry(url: "/relative"))
        #expect(log.rows.map(\.number) == [3])
        #expect(log.rejectedRows == 4)
        #expect(
            log.complaints == [
                "entries with schemes other than http and https are not on the wire 2 @1", "an entry has no URL 1 @4",
                "an entry is not a JSON object 2 @5", "request.url is not a URL with a host 1 @7",
                "an entry has no URL with a host 1 @7",
            ])
    }

    private static func log(of writer: String, _ members: String, creatorFirst: Bool) throws -> SDKLog {
        let creator = #""creator":{"name":"\#(writer)","version":"1"}"#
        let entries = #""entries":[\#(entry(#""connection":"51000","#, response: members))]"#
        return try LogSamples.read(
            "{\"log\":{\([creatorFirst ? creator : entries, creatorFirst ? entries : creator].joined(separator: ","))}}"
        )
    }

    @Test(
        "sizes mean what their writer means, wherever it is named",
        arguments: [
            ("Firefox", #""headersSize":202,"bodySize":268"#, "-/202/66/268/-", 0),
            ("Firefox", #""headersSize":-1,"bodySize":268"#, "-/-/-/268/-", 0),
            ("Firefox", #""headersSize":202,"bodySize":-1"#, "-/202/-/-/-", 0),
            ("Firefox", #""headersSize":202,"bodySize":7"#, "-/202/-/7/-", 0),
            ("WebInspector", #""headersSize":202,"bodySize":77,"_transferSize":279"#, "-/202/77/279/-", 0),
            ("WebKit Web Inspector", #""headersSize":39,"bodySize":77"#, "-/39/77/116/-", 0),
            ("Proxyman", #""headersSize":202,"bodySize":66"#, "-/202/66/268/-", 51000),
            // What the member means only Chrome says.
            ("Proxyman", #""headersSize":202,"bodySize":66,"_transferSize":279"#, "-/202/66/268/-", 51000),
            ("Proxyman", #""headersSize":-1,"bodySize":66,"_transferSize":279"#, "-/-/66/-/-", 51000),
            ("Firefox", #""headersSize":202,"bodySize":268,"_transferSize":279"#, "-/202/66/268/-", 0),
            ("WebKit Web Inspector", #""headersSize":39,"bodySize":77,"_transferSize":279"#, "-/39/77/116/-", 0),
            ("Charles Proxy", #""headersSize":202,"bodySize":66"#, "-/202/66/268/-", 51000),
        ], [true, false])
    func writers(sample: (writer: String, members: String, bytes: String, port: UInt16), creatorFirst: Bool) throws {
        let log = try Self.log(of: sample.writer, sample.members, creatorFirst: creatorFirst)
        #expect(log.rows.map(\.down.text) == [sample.bytes] && log.rows.map(\.clientPort) == [sample.port])
        #expect(log.writer == HARWriter(Array(sample.writer.utf8)) && log.problems.isEmpty)
    }

    @Test("connection is the client's port, unless some of them can be none")
    func connections() throws {
        func ports(_ connections: [String]) throws -> [UInt16] {
            let entries = connections.map { Self.entry("\"connection\":\($0),") }.joined(separator: ",")
            return try Self.log(entries, creator: "x").rows.map(\.clientPort)
        }
        #expect(try ports([#""52345""#, "52346", #""80""#, #""x""#, "null"]) == [52345, 52346, 0, 0, 0])
        #expect(try ports([#""52345""#, #""17""#]) == [0, 0])
        #expect(try ports([#""52345""#, #""1234567""#]) == [0, 0])
    }

    @Test("pages, other members, a byte order mark, absurd times and repeated lists are no trouble")
    func oddities() throws {
        let text = """
            \u{FEFF}{"x":{"entries":[1]},"log":{"pages":[{"startedDateTime":"x","entries":[{}]}],
            "entries":[\(Self.entry())],
            "comment":"y","entries":[{"request":{"url":"http://b/","method":null},"response":[],
            "startedDateTime":"soon","time":-1},
            {"startedDateTime":"2026-11-21T14:03:38.671Z","time":1e15,"request":{"url":"http://c/"},
            "response":null}]},"z":[]}
            """
        let log = try LogSamples.read(text)
        #expect(
            log.lines == [
                "\(Self.start) up -/291/28/319/- down -/202/66/268/2000",
                "exchange - b / 0 - - up -/-/-/-/- down -/-/-/-/-",
                "exchange - c / 0 1795269818671000000 - up -/-/-/-/- down -/-/-/-/-",
            ])
        #expect(log.complaints == ["startedDateTime is not a time 1 @2", "time is implausibly large 1 @3"])
    }

    @Test("what was read before damage stays, and the damage is said")
    func damage() throws {
        let whole = #"{"log":{"entries":["# + Self.entry() + "," + Self.entry() + "]}}"
        let cut = try LogSamples.read(String(whole.dropLast(40)))
        #expect(cut.rows.count == 1)
        #expect(
            cut.complaints == ["the JSON ends too early at byte \(whole.utf8.count - 40); the rest is not read 1"])
        let garbage = try LogSamples.read(whole + "x")
        #expect(garbage.rows.count == 2)
        #expect(garbage.complaints.count == 1)
    }

    @Test("bodies of any size are passed over")
    func largeBodies() throws {
        let body = String(repeating: "x\\u00e9", count: 300_000)
        let log = try Self.log(
            Self.entry(response: #""headersSize":1,"bodySize":2,"content":{"text":"\#(body)","size":9}"#))
        #expect(log.rows.map(\.down.text) == ["-/1/2/3/9"])
    }

    @Test("of a URL without end no more is kept than servers take")
    func longURL() throws {
        let log = try Self.log(Self.entry(url: "http://a.test/" + String(repeating: "x", count: 1 << 20)))
        #expect(log.texts.texts.allSatisfy { $0.count <= LogBuilder.textLimit })
        #expect(log.complaints == ["request.url is too long and was cut 1 @1"])
    }
}
