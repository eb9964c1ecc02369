import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Responses that a cache would have kept")
struct StoredResponsesTests {
    private static let fresh = ["Cache-Control: max-age=60"]
    private static let tagged = ["Cache-Control: max-age=60", "ETag: \"v1\""]

    private static func get(_ time: Double, _ fields: [String] = fresh, asks: [String] = []) -> SampleCall {
        SampleCall(fields: fields, requestFields: asks, time: time)
    }

    private static func change(_ method: String, _ time: Double, status: Int = 200, target: String = "/a") -> SampleCall
    {
        SampleCall(method: method, target: target, status: status, time: time, body: 10, digest: nil)
    }

    /// C: the call is needless. B: its body is, if the client asks. A: it is, though the client asked. V: it would be, with a
    /// validator. -: nothing.
    private static let cases: [(name: String, calls: [SampleCall], found: String)] = [
        ("a copy is no fresher for a call that it answers", (0..<6).map { get(Double($0) * 31) }, "-CVCVC"),
        ("the same with a validator", (0..<6).map { get(Double($0) * 31, tagged) }, "-CBCBC"),
        ("a copy that is as old as it may be is not fresh", (0..<4).map { get(Double($0) * 60, tagged) }, "-BBB"),
        (
            "a request of a user who reloads",
            [get(0, tagged), get(0.5, tagged, asks: ["Cache-Control: max-age=0"])], "-B"
        ),
        ("a POST changes what is there", [get(0), change("POST", 1), get(2), get(3)], "--" + "-C"),
        (
            "PUT, DELETE and unknown methods do",
            [
                get(0), change("PUT", 1), get(2), change("DELETE", 3), get(4),
                change("MKCOL", 5), get(6),
            ], "-------"
        ),
        ("a POST that failed does not", [get(0), change("POST", 1, status: 403), get(2)], "--C"),
        ("a POST to another URL does not", [get(0), change("POST", 1, target: "/b"), get(2)], "--C"),
        ("asking for options does not", [get(0), change("OPTIONS", 1), get(2)], "--C"),
        (
            "a request that wants the server's answer",
            [
                get(0, tagged), get(1, tagged, asks: ["Cache-Control: no-cache"]),
                get(2, tagged, asks: ["Pragma: no-cache"]),
            ],
            "-BB"
        ),
        ("the same without a validator", [get(0), get(1, asks: ["Cache-Control: no-cache"])], "-V"),
        ("a request that no cache may have a part in", [get(0), get(1, asks: ["Cache-Control: no-store"])], "--"),
        (
            "a request that takes copies of ten seconds",
            [
                get(0, tagged), get(5, tagged, asks: ["Cache-Control: max-age=10"]),
                get(20, tagged, asks: ["Cache-Control: max-age=10"]),
            ], "-CB"
        ),
        (
            "a request that wants half a minute left",
            [
                get(0, tagged), get(20, tagged, asks: ["Cache-Control: min-fresh=30"]),
                get(40, tagged, asks: ["Cache-Control: min-fresh=30"]),
            ], "-CB"
        ),
        (
            "the age that a copy has when it comes",
            [get(0, tagged + ["Age: 50"]), get(5, tagged + ["Age: 50"], asks: ["Cache-Control: max-age=52"])], "-B"
        ),
        ("equal content under another tag", [get(0, ["ETag: \"v1\""]), get(1, ["ETag: \"v2\""])], "--"),
        ("equal content that lost its tag", [get(0, ["ETag: \"v1\""]), get(1, [])], "--"),
        ("a weak tag", [get(0, ["ETag: W/\"v1\""]), get(1, ["ETag: W/\"v1\""])], "-B"),
        ("no validator", [get(0, []), get(1, [])], "-V"),
        (
            "a date for a validator",
            [
                get(0, ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]),
                get(1, ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]),
            ], "-B"
        ),
    ]

    @Test("what a cache would have spared (RFC 9111)", arguments: cases.indices)
    func verdicts(index: Int) {
        let example = Self.cases[index]
        #expect(cacheFindings(example.calls) == example.found, "\(example.name)")
    }

    @Test("a change whose answer was not read whole is one all the same")
    func unreadChange() {
        var stored = StoredResponses()
        var change = Self.change("POST", 1).record
        (change.responseHead, change.response, change.status) = (nil, nil, nil)
        #expect(stored.take(Self.get(0).record) == .nothing)
        #expect(stored.take(change) == .nothing)
        #expect(stored.take(Self.get(2).record) == .nothing)
    }

    @Test("as many calls are spared as a cache spares", arguments: 1...20 as ClosedRange<UInt64>)
    func realCache(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let maxAge = 1 + random.below(60)
        var (time, fetches, freshUntil) = (0.0, 0, -1.0)
        var calls: [SampleCall] = []
        for _ in 0..<200 {
            time += 0.2 + Double(random.below(40_000)) / 1000
            var call = Self.get(time, ["Cache-Control: max-age=\(maxAge)"])
            call.duration = 0.1005
            calls.append(call)
            guard time >= freshUntil else { continue }
            fetches += 1
            freshUntil = time + Double(maxAge)
        }
        #expect(cacheFindings(calls).count { $0 == "C" } == 200 - fetches)
    }

    @Test("calls that the report is not about change what is there all the same")
    func filtered() {
        let calls = [Self.get(0), Self.change("POST", 1), Self.get(2)]
        let finder = OpportunityFinder(window: 16, includes: { $0.method == Array("GET".utf8) })
        for call in calls { finder.receive(call.record) }
        let found = finder.finish(AuditResult())
        #expect(!found.opportunities.contains { $0.kind == .freshRepeat } && found.computedTotal == 0)
    }
}
