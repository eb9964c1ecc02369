import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Freshness of responses")
struct ResponseFreshnessTests {
    private static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT"
    private static let cases: [(fields: [String], seconds: Int, isStorable: Bool, hasValidator: Bool)] = [
        ([], 0, true, false), (["Cache-Control: max-age=60"], 60, true, false),
        (["cache-control: private, max-age=60"], 60, true, false), (["Cache-Control: MAX-AGE=\"60\""], 60, true, false),
        (["Cache-Control: private", "Cache-Control: max-age=60"], 60, true, false),
        (["Cache-Control: max-age=60", "Age: 20"], 60, true, false),
        (["Cache-Control: max-age=60", "Age: 90"], 60, true, false),
        (["Cache-Control: max-age=60, no-cache"], 0, true, false),
        (["Cache-Control: no-store, max-age=60"], 60, false, false),
        (["Cache-Control: max-age=x"], 0, true, false), (["Cache-Control: s-maxage=60"], 0, true, false),
        (["Cache-Control: max-age=99999999999"], Int(Int32.max), true, false),
        (["Vary: *", "Cache-Control: max-age=5"], 5, false, false),
        ([date, "Expires: Sun, 06 Nov 1994 08:50:37 GMT"], 60, true, false), ([date, "Expires: 0"], 0, true, false),
        ([date, "Expires: Sun, 06 Nov 1994 08:50:37 GMT", "Cache-Control: max-age=7"], 7, true, false),
        (["Expires: Sun, 06 Nov 1994 08:50:37 GMT"], 0, true, false), (["ETag: \"a\""], 0, true, true),
        (["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], 0, true, true),
    ]

    @Test("is what the response says (RFC 9111)", arguments: cases.indices)
    func freshness(index: Int) {
        let example = Self.cases[index]
        let freshness = ResponseFreshness(head("HTTP/1.1 200 OK", example.fields))
        #expect(freshness.seconds == example.seconds, "\(example.fields)")
        #expect(freshness.isStorable == example.isStorable, "\(example.fields)")
        #expect((freshness.validator != nil) == example.hasValidator, "\(example.fields)")
    }

    @Test("without Date, Expires counts from receipt (RFC 9110 §6.6.1)")
    func expiresWithoutDate() {
        let response = head("HTTP/1.1 200 OK", ["Expires: Sun, 06 Nov 1994 08:50:37 GMT"])
        #expect(ResponseFreshness(response, received: 784_111_777_500_000_000).seconds == 60)
        #expect(ResponseFreshness(response, received: 784_111_900_000_000_000).seconds == 0)
        let broken = head("HTTP/1.1 200 OK", ["Date: 0", "Expires: Sun, 06 Nov 1994 08:50:37 GMT"])
        #expect(ResponseFreshness(broken, received: 784_111_777_500_000_000).seconds == 0)
    }

    @Test(
        "what says nothing of freshness leaves caches to guess",
        arguments: [
            ([], true), (["Cache-Control: private"], true), (["ETag: \"a\""], true),
            (["Cache-Control: max-age=60"], false), (["Cache-Control: max-age=x"], false),
            (["Cache-Control: no-cache"], false), (["Cache-Control: must-revalidate"], false), (["Expires: 0"], false),
            (["Pragma: no-cache"], false),
        ] as [([String], Bool)])
    func silent(fields: [String], isSilent: Bool) {
        #expect(ResponseFreshness(head("HTTP/1.1 301 Moved", fields)).isSilent == isSilent)
    }

    @Test("age counts from the request, the Age field and the Date, whichever makes it older (RFC 9111 §4.2.3)")
    func born() {
        let requested: Int64 = 784_111_780_500_000_000
        let received = requested + 200_000_000
        let cases: [([String], Int64)] = [
            ([], requested), (["Age: 20"], requested - 20_000_000_000), ([Self.date], 784_111_777_000_000_000),
            ([Self.date, "Age: 2"], 784_111_777_000_000_000), ([Self.date, "Age: 9"], requested - 9_000_000_000),
            (["Date: Sun, 06 Nov 1994 08:59:37 GMT"], requested), (["Date: 0"], requested),
        ]
        for (fields, expected) in cases {
            let freshness = ResponseFreshness(head("HTTP/1.1 200 OK", fields + ["Cache-Control: max-age=60"]))
            #expect(freshness.born(requested: requested, received: received) == expected, "\(fields)")
        }
    }

    @Test("a conditional request costs its line")
    func condition() {
        #expect(
            ResponseFreshness(head("HTTP/1.1 200 OK", ["ETag: \"abc\""])).conditionBytes
                == "If-None-Match: \"abc\"\r\n".utf8.count)
    }

    @Test("dates of HTTP, and what is none")
    func dates() {
        let known = [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ]
        for (text, seconds) in known { #expect(HTTPDate(Array(text.utf8))?.seconds == seconds, "\(text)") }
        for text in [
            "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        ] {
            #expect(HTTPDate(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
