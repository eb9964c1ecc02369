import Testing

@testable import WireLogs

@Suite("Numbers, times and URLs of logs")
struct LogPartsTests {
    private static func number(_ text: String) -> DecimalNumber? { DecimalNumber(Array(text.utf8)[...]) }

    static let integers: [(String, Int?)] = [
        ("0", 0), ("-1", -1), ("+7", 7), (" 42 ", 42), ("12.0", 12), ("1e3", 1000), ("1.5e1", 15), ("1500e-2", 15),
        ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max), ("9223372036854775808", nil),
        ("1.5", nil), ("1e400", nil), ("0e999999999999", 0), ("1e-99999", nil), ("-0", 0), ("5.", 5), (".5", nil),
        ("100000000000000000000", nil), ("1e18", 1_000_000_000_000_000_000),
    ]

    @Test("whole numbers are exact, others are none", arguments: integers)
    func wholeNumbers(text: String, expected: Int?) throws {
        #expect(try #require(Self.number(text)).integer == expected)
    }

    @Test(
        "what is no number is none",
        arguments: ["", " ", "-", ".", "e5", "1e", "1e+", "12a", "0x10", "1,5", "NaN", "1 2", "--1"])
    func noNumbers(text: String) {
        #expect(Self.number(text) == nil)
    }

    @Test(
        "doubles are read as their shortest decimal numbers",
        arguments: [0.1, 1_795_269_818.6702852, 1e-7, 123456.789, 1e18, 5])
    func doubles(value: Double) throws {
        let number = try #require(DecimalNumber(value))
        #expect(number.scaled(by: 7) == Self.number("\(value)")?.scaled(by: 7))
    }

    /// Made anew for each use: what is kept for ever in such values looks like a leak to AddressSanitizer.
    static var times: [(LogValue, Int64, LogTime.Unit)] {
        [
            (.text(Array("1795269818.670285212".utf8)), 1_795_269_818_670_285_212, .seconds),
            (.number(DecimalNumber(1_795_269_818)), 1_795_269_818_000_000_000, .seconds),
            (.text(Array("1795269818670".utf8)), 1_795_269_818_670_000_000, .milliseconds),
            (.text(Array("1795269818670.25".utf8)), 1_795_269_818_670_250_000, .milliseconds),
            (.number(DecimalNumber(1_795_269_818_670_285)), 1_795_269_818_670_285_000, .microseconds),
            (.number(DecimalNumber(1_795_269_818_670_285_200)), 1_795_269_818_670_285_200, .nanoseconds),
            (.text(Array("816962618.5".utf8)), 1_795_269_818_500_000_000, .reference),
            (.number(DecimalNumber(12_345)), 12_345_000_000_000, .seconds),
            (.text(Array("2026-11-21T13:43:38.5Z".utf8)), 1_795_268_618_500_000_000, .calendar),
            (.text(Array("2026-11-21 13:43:38 +0000".utf8)), 1_795_268_618_000_000_000, .calendar),
            (.text(Array("2026-11-21 21:43:38 GMT+8".utf8)), 1_795_268_618_000_000_000, .calendar),
            (.text(Array("2026-11-21 21:43:38 GMT+08:00".utf8)), 1_795_268_618_000_000_000, .calendar),
            (.text(Array("2026-11-21T08:13:38.123456789-05:30".utf8)), 1_795_268_618_123_456_789, .calendar),
            (.text(Array("2026/11/21 05:43:38 PST".utf8)), 1_795_268_618_000_000_000, .calendar),
            (.text(Array("2026-11-21 13:43:38".utf8)), 1_795_268_618_000_000_000, .calendar),
            (.text(Array("2024-02-29 00:00:00 UTC".utf8)), 1_709_164_800_000_000_000, .calendar),
        ]
    }

    @Test("times of every form are the same instants", arguments: times)
    func instants(value: LogValue, expected: Int64, unit: LogTime.Unit) throws {
        let time = try LogTime(value)
        #expect(time.time == expected)
        #expect(time.unit == unit)
    }

    @Test(
        "what is no time is none",
        arguments: [
            "", "0", "-5", "soon", "2026-13-01 00:00:00", "2026-11-21", "2026-11-21 25:61:00",
            "2026-11-21 10:00:00 UTC x", "2026-02-29 00:00:00Z", "2026-02-30T00:00:00Z", "2026-04-31 00:00:00Z",
            "2100-02-29 00:00:00Z",
            "99999999999999999999", "9999-01-01 00:00:00",
        ])
    func noTimes(text: String) {
        #expect(throws: LogTime.Failure.self) { _ = try LogTime(.text(Array(text.utf8))) }
    }

    static let urls: [(String, String)] = [
        ("http://API.Example.com/a/b?x=1#frag", "http api.example.com 0 /a/b?x=1"),
        ("https://example.com", "https example.com 0 /"), ("https://example.com?q", "https example.com 0 /?q"),
        ("http://u:p@h:8080/x", "http h 8080 /x"), ("http://[::1]:80/", "http [::1] 80 /"),
        ("ws://h/é ü", "ws h 0 /%C3%A9%20%C3%BC"), ("http://h/%e4?a%20b", "http h 0 /%e4?a%20b"),
        ("http://h:99999/", "http h 0 /"), ("http://h/a\"{b}|^`c", "http h 0 /a%22%7Bb%7D%7C%5E%60c"),
        ("http://h?", "http h 0 /?"), ("http://a b/x", "http a%20b 0 /x"), (" http://h/ ", "http h 0 /"),
    ]

    @Test("URLs are taken apart", arguments: urls)
    func partsOfURLs(text: String, expected: String) throws {
        let url = try #require(LogURL(Array(text.utf8)))
        #expect("\(url.scheme.display) \(url.host.display) \(url.port) \(url.target.display)" == expected)
    }

    @Test(
        "texts without host are no URLs",
        arguments: ["", "/path", "h/path", "://h", "http://", "http:///x", "data:text/plain,x"])
    func noURLs(text: String) {
        #expect(LogURL(Array(text.utf8)) == nil)
    }

    @Test("hosts lose ports, and addresses get their brackets")
    func hosts() {
        func host(_ text: String) -> String {
            let (name, port) = LogURL.hostAndPort(Array(text.utf8))
            return "\(name.display) \(port)"
        }
        #expect(host("Api.Lab.TEST:8080") == "api.lab.test 8080")
        #expect(host("fe80::1") == "[fe80::1] 0")
        #expect(host("[fe80::1]:443") == "[fe80::1] 443")
        #expect(host("h:x") == "h:x 0")
    }

    @Test("console lines give their times in every usual form")
    func consoleTimes() {
        func times(_ lines: [String]) -> [Int64?] {
            var clock = LogLineClock()
            return lines.map { clock.time(Array($0.utf8)) }
        }
        #expect(times(["2026-11-21 13:43:38.123456+0000 0x1 Default"]) == [1_795_268_618_123_456_000])
        #expect(times(["2026-11-21 21:43:38.123456+0800 App[1:2] Task"]) == [1_795_268_618_123_456_000])
        #expect(times(["2026-11-21 13:43:38.123 Df App"]) == [1_795_268_618_123_000_000])
        #expect(times(["Task <x>", ""]) == [nil, nil])
        let syslog = times(["Nov 21 13:43:38 phone App", "Nov  2 13:43:39.5 phone App", "Nov 21 13:43:39 phone App"])
        #expect(syslog[2].flatMap { after in syslog[0].map { after - $0 } } == 1_000_000_000)
        #expect(syslog[1] != nil)
        // Console's own copies have no date; midnight passes between the second and the third.
        let copied = times(["default\t23:59:58.5+0200\tApp", "info\t23:59:59+0200\tApp", "default\t00:00:01+0200\tApp"])
        #expect(copied[1].flatMap { after in copied[0].map { after - $0 } } == 500_000_000)
        #expect(copied[2].flatMap { after in copied[1].map { after - $0 } } == 2_000_000_000)
    }
}
