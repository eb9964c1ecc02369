import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Copies that are renewed, of one user, still to come, or asked for in vain")
struct RenewedResponsesTests {
    private static let tagged = ["Cache-Control: max-age=60", "ETag: \"v1\""]
    private static let tag = "ETag: \"v1\""
    private static let asks = ["If-None-Match: \"v1\""]
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Mon, 07 Nov 1994 08:49:37 GMT"

    private static func get(_ time: Double, _ fields: [String] = tagged, asks: [String] = [], digest: UInt64 = 1)
        -> SampleCall
    {
        SampleCall(fields: fields, requestFields: asks, time: time, digest: digest)
    }

    private static func unchanged(_ time: Double, _ fields: [String], asks: [String] = asks) -> SampleCall {
        SampleCall(status: 304, fields: fields, requestFields: asks, time: time, body: 0, digest: nil)
    }

    /// A call of a user.
    private static func user(_ name: Int?, _ time: Double, _ control: String = "private, max-age=3600") -> SampleCall {
        let fields = ["Cache-Control: \(control)", tag]
        return get(time, fields, asks: name.map { ["Authorization: Bearer user\($0)"] } ?? [])
    }

    /// C: the call is needless. B: its body is, if the client asks. A: it is, though the client asked. -: nothing.
    private static let renewals: [(name: String, calls: [SampleCall], found: String)] = [
        ("a 304 makes a stale copy fresh", [get(0), unchanged(70, tagged), get(100), get(131)], "--CB"),
        ("without one it is not", [get(0), get(100)], "-B"),
        (
            "a 304 makes a fresh copy stale", [get(0), unchanged(10, ["Cache-Control: max-age=0", tag]), get(20)], "--B"
        ),
        ("a 304 that says nothing of it starts the old time anew", [get(0), unchanged(70, [tag]), get(100)], "--C"),
        ("a 304 that forbids copies", [get(0), unchanged(10, ["Cache-Control: no-store", tag]), get(20)], "---"),
        ("a 304 that forbids use", [get(0), unchanged(10, ["Cache-Control: no-cache", tag]), get(20)], "--B"),
        ("the Age of a 304", [get(0), unchanged(70, tagged + ["Age: 50"]), get(75), get(81)], "--CB"),
        (
            "the Expires of a 304",
            [
                get(0, [tag, "Date: Thu, 01 Jan 1970 00:00:00 GMT", "Expires: Thu, 01 Jan 1970 00:01:00 GMT"]),
                unchanged(70, [tag, "Date: Thu, 01 Jan 1970 00:01:10 GMT", "Expires: Thu, 01 Jan 1970 00:02:10 GMT"]),
                get(100), get(131),
            ], "--CB"
        ),
        (
            "the old Expires and the Date of a 304",
            [
                get(0, [tag, "Date: Thu, 01 Jan 1970 00:00:00 GMT", "Expires: Thu, 01 Jan 1970 00:01:00 GMT"]),
                unchanged(10, [tag, "Date: Thu, 01 Jan 1970 00:00:10 GMT"]), get(59), get(61),
            ], "--CB"
        ),
        ("a 304 that has not come yet", [get(0), unchanged(70, tagged), get(70.05), get(70.2)], "--B" + "C"),
        ("a 304 with a weak tag", [get(0), unchanged(70, ["ETag: W/\"v1\""]), get(100)], "--C"),
        ("a 304 without fields, to a request with the tag", [get(0), unchanged(70, []), get(100)], "--C"),
        (
            "the same with one of several tags",
            [get(0), unchanged(70, [], asks: ["If-None-Match: \"a, b\", W/\"v1\" ,\"c\""]), get(100)], "--C"
        ),
        (
            "with a tag that only has it in it",
            [get(0), unchanged(70, [], asks: ["If-None-Match: \"x\"v1\"\", \"v1\"x, \"v\""]), get(71)], "---"
        ),
        ("a 304 to an unknown request says nothing", [get(0), unchanged(1, [], asks: []), get(50), get(61)], "--CB"),
        (
            "a 304 of other content: that is what the client has",
            [get(0), unchanged(10, ["ETag: \"v2\""], asks: ["If-None-Match: \"v2\""]), get(20), get(21)], "---C"
        ),
        (
            "a 304 by date",
            [
                get(0, ["Cache-Control: max-age=60", "Last-Modified: \(date)"]),
                unchanged(70, ["Last-Modified: \(date)"], asks: ["If-Modified-Since: \(date)"]),
                get(100, ["Cache-Control: max-age=60", "Last-Modified: \(date)"]),
            ], "--C"
        ),
        (
            "a 304 by date of other content",
            [
                get(0, ["Cache-Control: max-age=60", "Last-Modified: \(date)"]),
                unchanged(10, ["Last-Modified: \(later)"], asks: ["If-Modified-Since: \(later)"]),
                get(20, ["Cache-Control: max-age=60", "Last-Modified: \(date)"]),
            ], "---"
        ),
        (
            "a 304 to a request that no cache may have a part in",
            [get(0), unchanged(70, tagged, asks: asks + ["Cache-Control: no-store"]), get(100)], "--B"
        ),
    ]

    private static let users: [(name: String, calls: [SampleCall], found: String)] = [
        ("private copies of twelve users", (0..<12).map { user($0, Double($0)) }, "------------"),
        ("of four in turn", (0..<12).map { user($0 % 4, Double($0)) }, "----CCCCCCCC"),
        ("of eight in turn", (0..<17).map { user($0 % 8, Double($0)) }, "--------CCCCCCCCC"),
        ("of nine, each of which drops the oldest", (0..<18).map { user($0 % 9, Double($0)) }, "------------------"),
        ("of one", (0..<3).map { user(1, Double($0)) }, "-CC"),
        ("of one whom no field names", (0..<3).map { user(nil, Double($0)) }, "-CC"),
        ("of one with and without a name", [user(nil, 0), user(1, 1), user(nil, 2), user(1, 3)], "--CC"),
        ("named users without a word about it", (0..<3).map { user($0, Double($0), "max-age=3600") }, "---"),
        ("named users, public", (0..<3).map { user($0, Double($0), "public, max-age=3600") }, "-CC"),
        ("named users, public and private", (0..<2).map { user($0, Double($0), "public, private") }, "--"),
        ("fields that are private", (0..<2).map { user($0, Double($0), "private=\"set-cookie\", max-age=9") }, "--"),
        ("what anybody got is for named users, too", [user(nil, 0, "max-age=60"), user(1, 1, "max-age=60")], "-C"),
        ("what a named user got is not for anybody", [user(1, 0, "max-age=60"), user(nil, 1, "max-age=60")], "--"),
        ("another user need not ask about it", [user(1, 0, "private"), user(2, 1, "private")], "--"),
        ("the same user need", [user(1, 0, "private"), user(2, 1, "private"), user(1, 2, "private")], "--B"),
        (
            "what one of them changes is no copy of the others",
            [
                user(1, 0), user(2, 1), SampleCall(method: "POST", time: 2, body: 10, digest: nil), user(1, 3),
                user(2, 4),
            ], "-----"
        ),
        (
            "an error of one of them leaves the other's copy",
            [user(1, 0), user(2, 1), failed(2, 2), user(1, 3), user(2, 4)], "---C-"
        ),
    ]

    private static func failed(_ name: Int, _ time: Double) -> SampleCall {
        var call = user(name, time)
        call.status = 401
        return call
    }

    /// A call that takes so long.
    private static func slow(_ time: Double, _ duration: Double, digest: UInt64 = 1) -> SampleCall {
        var call = get(time, ["Cache-Control: max-age=60"], digest: digest)
        call.duration = duration
        return call
    }

    private static let overlaps: [(name: String, calls: [SampleCall], found: String)] = [
        ("each begun before the one before has ended", (0..<8).map { slow(Double($0) * 4, 5) }, "--CCCCCC"),
        ("many at one time", (0..<30).map { slow(Double($0) * 0.1, 5) } + [slow(5.05, 1)], dashes(30) + "C"),
        (
            "a stream of them", (0..<60).map { slow(Double($0) * 0.1, 3.05) },
            dashes(31) + String(repeating: "C", count: 29)
        ),
        (
            "what began later and came first",
            [slow(0, 10), slow(1, 2, digest: 2), slow(4, 1, digest: 2), slow(11, 1), slow(12, 1, digest: 2)], "--CC-"
        ),
        (
            "newer content, as soon as it has come",
            [slow(0, 1), slow(2, 3, digest: 2), slow(3, 1), slow(6, 1), slow(8, 1), slow(9, 1, digest: 2)], "--C-C-"
        ),
    ]

    private static func dashes(_ count: Int) -> String { String(repeating: "-", count: count) }

    private static let conditions: [(name: String, calls: [SampleCall], found: String)] = [
        ("a server that sends all though it was asked", [get(0, [tag]), get(1, [tag], asks: asks)], "-A"),
        ("a weak tag", [get(0, ["ETag: W/\"v1\""]), get(1, ["ETag: W/\"v1\""], asks: asks)], "-A"),
        ("one of several", [get(0, [tag]), get(1, [tag], asks: ["If-None-Match: \"v0\", \"v1\""])], "-A"),
        ("a client that asks for other content", [get(0, [tag]), get(1, [tag], asks: ["If-None-Match: \"v\""])], "--"),
        ("a client that asks whether there is any", [get(0, [tag]), get(1, [tag], asks: ["If-None-Match: *"])], "--"),
        ("content that changed", [get(0, [tag]), get(1, ["ETag: \"v2\""], asks: asks, digest: 2)], "--"),
        ("a tag that changed", [get(0, [tag]), get(1, ["ETag: \"v2\""], asks: asks)], "--"),
        ("a copy that is fresh", [get(0), get(1, asks: asks)], "-C"),
        (
            "a client that asks by date",
            [modified(0), modified(1, asks: ["If-Modified-Since: \(date)"])], "-A"
        ),
        ("by another date", [modified(0), modified(1, asks: ["If-Modified-Since: \(later)"])], "--"),
        (
            "by date and another tag, which decides",
            [modified(0), modified(1, asks: ["If-Modified-Since: \(date)", "If-None-Match: \"v\""])], "--"
        ),
        (
            "by date, of content with a tag",
            [modified(0, also: tag), modified(1, asks: ["If-Modified-Since: \(date)"], also: tag)], "-A"
        ),
    ]

    private static func modified(_ time: Double, asks: [String] = [], also more: String...) -> SampleCall {
        get(time, ["Last-Modified: \(date)"] + more, asks: asks)
    }

    @Test("a 304 tells the freshness of the copy anew (RFC 9111 §4.3.4)", arguments: renewals.indices)
    func renewed(index: Int) {
        let example = Self.renewals[index]
        #expect(cacheFindings(example.calls) == example.found, "\(example.name)")
    }

    @Test("another user's copy is none (RFC 9111 §3.5)", arguments: users.indices)
    func owned(index: Int) {
        let example = Self.users[index]
        #expect(cacheFindings(example.calls) == example.found, "\(example.name)")
    }

    @Test("a copy is of use from its end until a newer one has come", arguments: overlaps.indices)
    func overlapping(index: Int) {
        let example = Self.overlaps[index]
        #expect(cacheFindings(example.calls) == example.found, "\(example.name)")
    }

    @Test("what the client asked for, and the server sent in full", arguments: conditions.indices)
    func asked(index: Int) {
        let example = Self.conditions[index]
        #expect(cacheFindings(example.calls) == example.found, "\(example.name)")
    }

    @Test("a body that came in spite of the condition is saved whole")
    func ignored() {
        let calls = [Self.get(0, [Self.tag]), Self.get(1, [Self.tag], asks: Self.asks)]
        let finder = OpportunityFinder(window: 16)
        for call in calls { finder.receive(call.record) }
        let found = finder.finish(AuditResult())
        #expect(found.opportunities.first { $0.kind == .noRevalidation }?.bytes == 1000)
        #expect(found.computedTotal == 1000)
    }

    @Test("as many calls are spared as a cache spares whose fetches overlap", arguments: 1...20 as ClosedRange<UInt64>)
    func realCache(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let maxAge = 5 + random.below(30)
        var time = 0.0
        var calls: [SampleCall] = []
        var fetched: [(born: Double, since: Double)] = []
        var expected = ""
        for _ in 0..<200 {
            time += 0.2 + Double(random.below(6_000)) / 1000
            let call = Self.slow(time, 0.0005 + Double(random.below(4_000)) / 1000)
            var asked = call
            asked.fields = ["Cache-Control: max-age=\(maxAge)"]
            calls.append(asked)
            let copy = fetched.filter { $0.since <= time }.max { $0.since < $1.since }
            if let copy, time < copy.born + Double(maxAge) {
                expected += "C"
            } else {
                fetched.append((time, time + call.duration))
                expected += "-"
            }
        }
        // A stale copy without validator is none to ask about.
        #expect(String(cacheFindings(calls).map { $0 == "V" ? "-" : $0 }) == expected)
    }
}
