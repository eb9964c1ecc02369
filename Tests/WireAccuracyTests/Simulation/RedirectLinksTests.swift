import Testing
import WireCore
import WireEstimates
import WireTesting

@testable import WireAccuracy
@testable import WireLogs

@Suite("Redirections and the requests that follow them")
struct RedirectLinksTests {
    private static let second: Int64 = 1_000_000_000

    /// One exchange of a connection of its own; times are those of its request.
    private struct Call {
        var port: UInt16
        var time: Int64
        var path: String
        var location: String?
        var query = ""
    }

    /// Records of calls; those of one port go over one connection.
    private static func records(_ calls: [Call]) -> [ExchangeRecord] {
        var talks: [UInt16: Dialogue] = [:]
        for call in calls {
            var talk =
                talks[call.port]
                ?? {
                    var talk = Dialogue(clientPort: call.port)
                    talk.time = call.time - 100_000_000
                    talk.handshake()
                    return talk
                }()
            talk.time = call.time
            talk.data(
                .client, "GET \(call.path)\(call.query) HTTP/1.1\r\nHost: api.test\r\nX-Port: \(call.port)\r\n\r\n")
            if let location = call.location {
                talk.data(.server, "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
            } else {
                talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
            }
            talks[call.port] = talk
        }
        var options = AuditOptions()
        options.keepsHeads = true
        let frames = talks.values.flatMap(\.frames).sorted { $0.time < $1.time }
        return audit(frames, options).exchanges.sorted { $0.time < $1.time }
    }

    /// By call, the place of the call whose redirection it follows; -1 for none.
    private static func origins(_ calls: [Call]) -> [Int] {
        let records = records(calls)
        var observer = ExchangeObserver()
        return records.map { record in
            _ = observer.observe(record)
            guard let origin = observer.redirect.origin else { return -1 }
            return records.firstIndex { ExchangePlace($0) == origin.place } ?? -2
        }
    }

    private static func at(_ seconds: Double) -> Int64 { 1_795_000_000_000_000_000 + Int64(seconds * 1e9) }

    @Test("equal redirections that are under way at once have each a request of their own")
    func parallel() {
        let starts = (0..<3).map { Call(port: 41_000 + $0, time: Self.at(Double($0) / 10), path: "/a", location: "/b") }
        let ends = (0..<3).map { Call(port: 42_000 + $0, time: Self.at(1 + Double($0) / 10), path: "/b") }
        let more = Call(port: 43_000, time: Self.at(2), path: "/b")
        // The oldest redirection is followed first; what is asked for once more follows none.
        #expect(Self.origins(starts + ends + [more]) == [-1, -1, -1, 0, 1, 2, -1])
    }

    @Test("the redirection of the same connection goes before an older one of another")
    func sameConnection() {
        let starts = (0..<3).map { Call(port: 41_000 + $0, time: Self.at(Double($0) / 10), path: "/a", location: "/b") }
        let ends = [2, 1, 0].enumerated().map {
            Call(port: 41_000 + $0.element, time: Self.at(1 + Double($0.offset) / 10), path: "/b")
        }
        #expect(Self.origins(starts + ends) == [-1, -1, -1, 2, 1, 0])
    }

    @Test("a request that comes later than a minute follows nothing", arguments: [(59.0, 0), (61.0, -1)])
    func patience(seconds: Double, origin: Int) {
        let calls = [
            Call(port: 41_000, time: Self.at(0), path: "/a", location: "/b"),
            Call(port: 41_001, time: Self.at(seconds), path: "/b"),
        ]
        #expect(Self.origins(calls) == [-1, origin])
    }

    @Test("a request before the end of the redirection follows nothing")
    func tooEarly() {
        let calls = [
            Call(port: 41_000, time: Self.at(0), path: "/a", location: "/b"),
            // The redirection comes a millisecond after its request.
            Call(port: 41_001, time: Self.at(0.0005), path: "/b"),
            Call(port: 41_002, time: Self.at(0.5), path: "/b"),
        ]
        #expect(Self.origins(calls) == [-1, -1, 0])
    }

    static let locations: [(String, path: String, query: String, follows: Bool)] = [
        ("/b", "/b", "", true), ("/b?x=1", "/b", "?x=1", true), ("/b?x=1", "/b", "", false),
        ("/b#part", "/b", "", true), ("http://api.test/b", "/b", "", true), ("http://API.test:80/b", "/b", "", true),
        ("http://other.test/b", "/b", "", false), ("//api.test/b", "/b", "", true), ("c", "/v1/c", "", true),
        ("http://api.test", "/", "", true),
    ]

    @Test("where a redirection leads is read as a client reads it", arguments: locations)
    func location(location: String, path: String, query: String, follows: Bool) {
        let calls = [
            Call(port: 41_000, time: Self.at(0), path: "/v1/a", location: location),
            Call(port: 41_000, time: Self.at(1), path: path, query: query),
        ]
        #expect(Self.origins(calls) == [-1, follows ? 0 : -1])
    }

    @Test("a chain links each hop to the one before, in what matching sees too")
    func chain() throws {
        let calls = [
            Call(port: 41_000, time: Self.at(0), path: "/a", location: "/b"),
            Call(port: 41_000, time: Self.at(1), path: "/b", location: "/c"),
            Call(port: 41_001, time: Self.at(2), path: "/c"),
        ]
        #expect(Self.origins(calls) == [-1, 0, 1])
        var observer = ExchangeObserver()
        var kept = KeptCalls(headLimit: 10)
        for record in Self.records(calls) {
            _ = observer.observe(record)
            kept.append(
                record, api: 0, isWhole: true, isSelected: true, keepsHead: true, redirect: observer.redirect)
        }
        let wires = kept.wireCalls(for: SDKLog(path: "", format: .har, pathForm: .encoded))
        #expect(wires.map(\.redirectedFrom) == [-1, 0, 1])
    }

    /// By call, the place of the call that may have followed its redirection instead; -1 for none.
    private static func rivals(_ calls: [Call]) -> [Int32] {
        var observer = ExchangeObserver()
        var kept = KeptCalls(headLimit: 10)
        for record in records(calls) {
            _ = observer.observe(record)
            kept.append(
                record, api: 0, isWhole: true, isSelected: true, keepsHead: true, redirect: observer.redirect)
        }
        return kept.wireCalls(for: SDKLog(path: "", format: .har, pathForm: .encoded)).map(\.redirectRival)
    }

    @Test(
        "a second request for the target that comes at once may be the one that followed",
        arguments: [(0.011, 1), (0.4, 1), (0.99, 1), (1.1, -1), (30, -1)])
    func rival(behind: Double, rival: Int32) {
        let calls = [
            Call(port: 41_000, time: Self.at(0), path: "/a", location: "/b"),
            Call(port: 41_001, time: Self.at(0.002), path: "/b"),
            Call(port: 41_002, time: Self.at(0.002 + behind), path: "/b"),
        ]
        #expect(Self.origins(calls) == [-1, 0, -1])
        #expect(Self.rivals(calls) == [-1, -1, rival])
    }

    @Test("of two redirections to one target that wait at once either may be followed first")
    func rivalsBothRedirected() {
        let calls = [
            Call(port: 41_000, time: Self.at(0), path: "/a", location: "/c"),
            Call(port: 41_001, time: Self.at(0.1), path: "/b", location: "/c"),
            Call(port: 41_002, time: Self.at(0.2), path: "/c"),
            Call(port: 41_003, time: Self.at(0.3), path: "/c"),
            Call(port: 41_001, time: Self.at(5), path: "/b", location: "/c"),
            Call(port: 41_003, time: Self.at(5.1), path: "/c"),
        ]
        #expect(Self.origins(calls) == [-1, -1, 0, 1, -1, 4])
        #expect(Self.rivals(calls) == [-1, -1, -1, 2, -1, -1])
    }

    @Test(
        "a redirection that comes just after another one was followed may have been followed by a later request",
        arguments: [(0.3, 2), (1.5, -1)])
    func rivalsInTurn(gap: Double, rival: Int32) {
        let calls = [
            Call(port: 41_000, time: Self.at(0), path: "/a", location: "/c"),
            Call(port: 41_001, time: Self.at(gap), path: "/b", location: "/c"),
            Call(port: 41_000, time: Self.at(0.01), path: "/c"),
            Call(port: 41_001, time: Self.at(gap + 0.01), path: "/c"),
        ].sorted { $0.time < $1.time }
        let places = Self.rivals(calls)
        #expect(places == [-1, -1, -1, rival < 0 ? -1 : 1])
    }

    @Test("a target that is redirected to again and again keeps its newest redirections")
    func repeatedTarget() {
        let calls = (0..<1100).flatMap { index in
            [
                Call(port: 41_000, time: Self.at(Double(index)), path: "/a", location: "/b"),
                Call(port: 41_000, time: Self.at(Double(index) + 0.5), path: "/b"),
            ]
        }
        let origins = Self.origins(calls)
        #expect(calls.indices.allSatisfy { origins[$0] == ($0.isMultiple(of: 2) ? -1 : $0 - 1) })
    }
}
