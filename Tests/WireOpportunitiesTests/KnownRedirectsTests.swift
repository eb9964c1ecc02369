import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Redirects that a client could know")
struct KnownRedirectsTests {
    private static func call(
        _ status: Int, _ place: String, _ target: String = "/a", time: Double = 0, method: String = "GET",
        also more: String...
    ) -> SampleCall {
        SampleCall(
            method: method, target: target, status: status, fields: ["Location: \(place)"] + more, time: time, body: 0,
            digest: nil)
    }

    private static func content(_ target: String, time: Double, method: String = "GET") -> SampleCall {
        SampleCall(method: method, target: target, time: time, body: 9, digest: UInt64(max(time, 0) * 10))
    }

    private static let fresh = "Cache-Control: max-age=60"
    private static let cases: [(name: String, calls: [SampleCall], needless: [Int])] = [
        ("asked once", [call(301, "/b"), call(308, "/b", "/c", time: 1)], []),
        ("permanent", [call(301, "/b"), call(301, "/b", time: 1), call(301, "/b", time: 9e6)], [1, 2]),
        ("permanent, of the other kind", [call(308, "/b"), call(308, "/b", time: 1)], [1]),
        ("temporary", [call(302, "/b"), call(302, "/b", time: 1)], []),
        ("temporary and fresh", [call(302, "/b", also: fresh), call(302, "/b", time: 9, also: fresh)], [1]),
        ("temporary with Expires", [call(307, "/b", also: expires), call(307, "/b", time: 9, also: expires)], [1]),
        ("temporary and stale", [call(307, "/b", also: fresh), call(307, "/b", time: 61, also: fresh)], []),
        (
            "what is known does not become fresher",
            [
                call(302, "/b", also: fresh), call(302, "/b", time: 50, also: fresh),
                call(302, "/b", time: 70, also: fresh),
            ], [1]
        ),
        ("permanent for a time", [call(301, "/b", also: fresh), call(301, "/b", time: 61, also: fresh)], []),
        (
            "permanent, not to be used again",
            [call(301, "/b", also: "Cache-Control: no-cache, private"), call(301, "/b", time: 1)], []
        ),
        ("permanent, never fresh", [call(301, "/b", also: "Cache-Control: max-age=0"), call(301, "/b", time: 1)], []),
        (
            "permanent, to be asked for",
            [call(301, "/b", also: "Cache-Control: must-revalidate"), call(301, "/b", time: 1)], []
        ),
        ("not to be stored", [call(301, "/b", also: "Cache-Control: no-store"), call(301, "/b", time: 1)], []),
        ("to another place", [call(301, "/b?sig=1"), call(301, "/b?sig=2", time: 1)], []),
        (
            "to a place and back",
            [call(301, "/b"), call(301, "/c", time: 1), call(301, "/b", time: 2), call(301, "/b", time: 3)], [3]
        ),
        ("with a cookie", [call(301, "/b"), call(301, "/b", time: 1, also: "Set-Cookie: a=1")], []),
        ("see other", [call(303, "/b", also: fresh), call(303, "/b", time: 1, also: fresh)], []),
        ("not modified", [call(304, "/b"), call(304, "/b", time: 1)], []),
        ("before the first answer", [call(301, "/b"), call(301, "/b", time: 0.05), call(301, "/b", time: 0.2)], [2]),
        ("content in between", [call(301, "/b"), content("/a", time: 1), call(301, "/b", time: 2)], []),
        (
            "a change in between", [call(301, "/b"), content("/a", time: 1, method: "POST"), call(301, "/b", time: 2)],
            []
        ),
        ("of heads", [call(301, "/b", method: "HEAD"), call(301, "/b", time: 1, method: "HEAD")], [1]),
        ("of a head, then of content", [call(301, "/b", method: "HEAD"), call(301, "/b", time: 1)], []),
        ("of what changes", [call(308, "/b", method: "PUT"), call(308, "/b", time: 1, method: "PUT")], []),
        ("to itself", [call(301, "/a"), call(301, "/a", time: 1)], []),
        ("to itself by its URL", [call(301, url, also: fresh), call(301, url, time: 1, also: fresh)], []),
        ("to itself by way of dots", [call(301, "b/../x/.././a#top"), call(301, "b/../x/.././a#top", time: 1)], []),
        ("to its query", [call(301, "?b"), call(301, "?b", time: 1)], [1]),
        ("to another scheme", [call(301, httpsURL), call(301, httpsURL, time: 1)], [1]),
        ("to an app", [call(301, "app://a"), call(301, "app://a", time: 1)], []),
        ("to what nobody asked for", [call(301, "/n"), call(301, "/n", time: 1)], []),
        (
            "to another of the same kind",
            [call(301, "/%61"), call(301, "/%61", "/%61", time: 1), call(301, "/%61", time: 2)], []
        ),
        (
            "there and back with a cookie",
            [
                call(301, "/b"), call(302, "/a", "/b", time: 1, also: "Set-Cookie: a=1"), call(301, "/b", time: 2),
                call(200, "", time: 3),
            ], []
        ),
        (
            "round a loop",
            [
                call(301, "/b"), call(301, "/a", "/b", time: 1), call(301, "/b", time: 2),
                call(301, "/a", "/b", time: 3),
            ], []
        ),
        (
            "into a loop",
            [
                call(301, "/c", "/b", time: 0), call(301, "/b", "/c", time: 1), call(301, "/b", time: 2),
                call(301, "/b", time: 3),
            ], []
        ),
        (
            "by another to the end",
            [
                call(301, "/b"), call(301, "/c", "/b", time: 1), call(301, "/b", time: 2),
                call(301, "/c", "/b", time: 3),
            ],
            [2, 3]
        ),
    ]
    private static let expires = "Expires: Fri, 02 Jan 1970 00:00:00 GMT"
    private static let url = "HTTP://API.example.com:80/a"
    private static let httpsURL = "https://api.example.com/a"

    /// Where the redirects lead, the client got an answer before.
    private static func withAnswers() -> KnownRedirects {
        var redirects = KnownRedirects()
        for target in ["/b", "/c", "/b?sig=1", "/b?sig=2", "/a?b"] {
            _ = redirects.take(content(target, time: -1).record)
        }
        var secure = content("/a", time: -1).record
        secure.tlsVersion = "TLS 1.3"
        _ = redirects.take(secure)
        return redirects
    }

    @Test(
        "a call is needless where the same client had got the same redirect, and may remember it",
        arguments: cases.indices)
    func needless(index: Int) {
        let example = Self.cases[index]
        var redirects = Self.withAnswers()
        let found = example.calls.indices.filter { redirects.take(example.calls[$0].record) }
        #expect(found == example.needless, "\(example.name)")
    }

    @Test("a client that asks anew, or another one, is told anew")
    func others() {
        var other = Self.call(301, "/b", time: 1).record
        other.client = Endpoint(address: IPAddress(version4: 0x0A00_0009), port: 1)
        var asking = Self.call(301, "/b", time: 2)
        asking.requestFields = ["Cache-Control: no-cache"]
        var redirects = Self.withAnswers()
        let found = [Self.call(301, "/b").record, other, asking.record, Self.call(301, "/b", time: 3).record]
            .map { redirects.take($0) }
        #expect(found == [false, false, false, true])
    }

    @Test("what it saves is the whole call")
    func saving() {
        let finder = OpportunityFinder(window: 16)
        let calls = [Self.call(301, "/b"), Self.call(301, "/b", time: 1)]
        finder.receive(Self.content("/b", time: -1).record)
        for call in calls { finder.receive(call.record) }
        let found = finder.finish(AuditResult())
        #expect(found.opportunities.first { $0.kind == .redirect }?.bytes == calls[1].wire)
        #expect(found.computedTotal == calls[1].wire)
    }
}
