import Testing
import WireComparison
import WireCore

@testable import WireRecords
@testable import WireReport

@Suite("Comparison: what the verdict says and what it leaves to chance")
struct ComparisonVerdictTests {
    /// Calls of one API, each on a connection of its own, with bodies of these sizes.
    private struct Calls {
        var api: String
        var bodies: [Int]
        var headers = 100

        init(_ api: String, _ bodies: [Int], headers: Int = 100) {
            (self.api, self.bodies, self.headers) = ("GET a /\(api)", bodies, headers)
        }
    }

    private static let even = (0..<12).map { 1000 + $0 }

    /// A capture's side: a host with these calls, one with so many bytes of TLS that was not read, and UDP.
    private func side(_ rows: [Calls], unread: Int = 0, udp: Int = 0) -> ComparedSide {
        let (result, collector) = audit(rows, unread: unread, udp: udp)
        var side = ComparedSide()
        side.add(result, collector, includesAPI: { _ in true }, includesHost: { _ in true })
        return side
    }

    private func audit(_ rows: [Calls], unread: Int, udp: Int) -> (AuditResult, CostCollector) {
        let collector = CostCollector(CostMeasure(), limit: 100)
        var result = AuditResult()
        var host = HostSummary(host: "a")
        for row in rows {
            var summary = APISummary(api: row.api)
            for body in row.bodies {
                var call = ExchangeRecord.blank
                (call.api, call.connection) = (Array(row.api.utf8), host.exchanges)
                (call.exchange, call.time) = (host.exchanges, Int64(host.exchanges) * 1_000_003)
                call.costs.up[.headers] = row.headers
                call.costs.down[.body] = body
                collector.receive(call)
                summary.costs += call.costs
                summary.exchanges += 1
                host.exchanges += 1
            }
            host.costs += summary.costs
            result.apis.append(summary)
        }
        host.connections = host.exchanges
        result.hosts = [host]
        if unread > 0 {
            var summary = APISummary(api: "tls://b (encrypted)")
            summary.isEncrypted = true
            summary.costs.down[.opaque] = unread
            var hidden = HostSummary(host: "b")
            (hidden.connections, hidden.protocols, hidden.costs) = (1, .hidden, summary.costs)
            result.apis.append(summary)
            result.hosts.append(hidden)
        }
        if udp > 0 {
            var counts = Directions<DatagramCounts>()
            (counts.down.packets, counts.down.internet) = (1, udp)
            result.datagrams = [DatagramSummary(endpoint: "c:443", protocols: .dtls, counts: counts)]
        }
        return (result, collector)
    }

    @Test("an audit as JSON tells of which hosts nobody knows the calls, as the capture does")
    func readHosts() throws {
        let calls = [Calls("x", Self.even)]
        let (result, _) = audit(calls, unread: 4036, udp: 500)
        var read = ComparedSide()
        try read.add(
            audit: "a.json", Array(auditJSON(result, options: ReportOptions()).text.utf8), choices: ResultChoices(),
            includesAPI: { _ in true }, includesHost: { _ in true })
        let known = side(calls, unread: 4036, udp: 500)
        #expect(read.hosts.mapValues(\.knownCalls) == ["a": 12, "b": nil, "dtls://c:443": nil])
        #expect(read.hosts.mapValues(\.knownCalls) == known.hosts.mapValues(\.knownCalls))
        #expect(read.hosts.mapValues(\.knownConnections) == ["a": 12, "b": 1, "dtls://c:443": nil])
        #expect(read.hosts.mapValues(\.knownConnections) == known.hosts.mapValues(\.knownConnections))
        #expect(read.unreadWire(CostMeasure()) == 4036 && read.restWire(CostMeasure()) == 500)
        #expect(known.unreadWire(CostMeasure()) == 4036 && known.restWire(CostMeasure()) == 500)
    }

    private func compare(_ before: ComparedSide, _ after: ComparedSide, bound: Double? = nil) -> CostComparison {
        CostComparison(before, after, CostMeasure(), maximumGrowth: bound)
    }

    /// The report in every format, without line breaks.
    private func reports(_ comparison: CostComparison) -> [String] {
        [
            ReportDocument(comparison, top: 20).text(TerminalStyle(width: 2000)).text,
            ReportDocument(comparison, top: 20).markdown().text.replacing("`", with: ""),
            ReportDocument(comparison, top: 20).html().text.replacing("<span class=\"host\">", with: "")
                .replacing("<span class=\"path\">", with: "").replacing("<span class=\"method\">", with: "")
                .replacing("<span class=\"api\">", with: "").replacing("</span>", with: ""),
        ]
    }

    private func json(_ comparison: CostComparison) -> String {
        comparisonJSON(comparison, options: ReportOptions()).text
    }

    @Test("of captures only certain growth exceeds the bound; where nothing is certain nothing was judged")
    func fewCalls() throws {
        let few = compare(side([Calls("x", [1000, 1001])]), side([Calls("x", [9000, 9001])]), bound: 5)
        #expect(!few.isExceeded && few.isUnjudged && few.obstacle == .tooFewCalls)
        for report in reports(few) { #expect(report.contains("Not judged: too few calls on each side"), "\(report)") }
        #expect(json(few).contains(#""exceeded":null,"total_exceeded":null"#))
        #expect(json(few).contains(#""main_cause":null,"exceeded":null"#))
        // Another API with enough calls is judged, and so is the total by it alone.
        let calls = Calls("y", Self.even)
        let some = compare(
            side([Calls("x", [1000, 1001]), calls]), side([Calls("x", [9000, 9001]), calls]), bound: 5)
        #expect(!some.isExceeded && !some.isUnjudged && some.total?.change == 0)
        #expect(json(some).contains(#""exceeded":null,"total_exceeded":false"#))
        // One that is a small part of the traffic is left out, and said.
        let many = Calls("y", (0..<400).map { 1000 + $0 % 12 })
        let small = compare(
            side([Calls("x", [1000, 1001]), many]), side([Calls("x", [3000, 3001]), many]), bound: 5)
        #expect(!small.isExceeded && !small.isUnjudged && !small.isUnjudgedInPart)
        for report in reports(small) { #expect(report.contains("1 API with too few calls is not judged.")) }
        #expect(json(small).contains(#""exceeded":false,"total_exceeded":false"#))
    }

    @Test("an API with too few calls that is a notable part of a side is named, and its growth is not passed over")
    func undecided() {
        let calls = Calls("y", Self.even)
        let (before, after) = (side([Calls("x", [1000, 1002]), calls]), side([Calls("x", [9000, 9002]), calls]))
        let sentence =
            "1 API with too few calls to judge differs: GET a /x (1,101 B per call before, 9,101 B after)."
        let grown = compare(before, after, bound: 5)
        #expect(grown.isUnjudgedInPart && !grown.isExceeded)
        for report in reports(grown) {
            #expect(report.contains("Of APIs with enough calls no change beyond chance") && report.contains(sentence))
            #expect(report.contains("Not judged in part: with too few calls to tell growth from chance, 1 API grew"))
            #expect(report.contains("Nothing else grew beyond chance by more than 5 % per call."), "\(report)")
        }
        // What became smaller exceeds no bound; without a bound the verdict names it all the same.
        let shrunk = compare(after, before, bound: 5)
        #expect(!shrunk.isUnjudgedInPart && json(shrunk).contains("GET a /x (9,101 B per call before, 1,101 B after)"))
        for report in reports(shrunk) { #expect(report.contains("Within the bound")) }
        #expect(json(compare(before, after)).contains(sentence))
        // What certainly grew elsewhere is beyond the bound all the same.
        let more = side([Calls("x", [9000, 9002]), Calls("y", Self.even, headers: 400)])
        let exceeded = compare(before, more, bound: 5)
        #expect(exceeded.isExceeded && !exceeded.isUnjudgedInPart)
        #expect(!json(compare(before, side([Calls("x", [1000, 1010]), calls]))).contains("too few calls to judge"))
    }

    @Test("causes that changed within the chance of their sum make no API larger; a part of a change is called a part")
    func partsOfChanges() throws {
        let noisy = (0..<12).map { 1000 + 300 * $0 }
        let comparison = compare(
            side([Calls("noisy", noisy), Calls("even", Self.even)]),
            side([
                Calls("noisy", (0..<12).map { 1000 + 300 * ((5 * $0) % 12) }, headers: 140),
                Calls("even", Self.even),
            ]))
        #expect(comparison.apis.map(\.verdict) == [.shifted, .unchanged])
        for report in reports(comparison) {
            let verdict = "but single causes of 1 API changed: GET a /noisy +40 B of headers up."
            #expect(report.contains(verdict), "\(report)")
            #expect(report.contains("1 changed in single causes only") && !report.contains("larger"))
            #expect(report.contains("headers up +40 B (the sum is within chance)"))
        }
        let after = side([Calls("x", Self.even.map { $0 + 60 }, headers: 190)])
        let two = compare(side([Calls("x", Self.even)]), after)
        for report in reports(two) { #expect(report.contains("GET a /x +150 B, of them +90 B of headers up.")) }
        #expect(json(two).contains(#""main_cause":"+90 B of headers up""#))
    }

    @Test("calls of TLS that was not read are unknown, not none, and a doubt", arguments: [false, true])
    func unreadCalls(hasCalls: Bool) {
        let calls = hasCalls ? [Calls("x", Self.even)] : []
        let comparison = compare(side(calls, unread: 4036), side(calls, unread: 20_180))
        let text = json(comparison)
        #expect(text.contains(hasCalls ? #""calls":12,"wire""# : #""calls":null,"wire""#), "\(text)")
        #expect(text.contains(#""doubts":["tls-unread"]"#) && text.contains(#"{"connections":1,"calls":null"#))
        for report in reports(comparison) {
            #expect(report.contains("before: TLS or QUIC was not read; after: TLS or QUIC was not read"), "\(report)")
            #expect(report.contains("calls not known, 4.04 kB") != hasCalls && !report.contains("0 calls"))
        }
        #expect(json(compare(side(calls), side(calls))).contains(#""doubts":[]"#))
    }

    @Test("every format lists the APIs with too few calls and what they cost")
    func fewCallsAreListed() {
        let few = compare(side([Calls("x", [1000, 1002])]), side([Calls("x", [9000, 9002])]))
        let reports = reports(few)
        #expect(reports[0].contains("TOO FEW CALLS TO TELL"))
        #expect(reports[1].contains("| GET a /x | 2/2 | 1,101 | 9,101 | +8,000 |"), "\(reports[1])")
        #expect(reports[2].contains("<h2 id=\"few-h\">Too few calls to tell</h2>\n<details>"))
        #expect(reports[2].contains("<td class=\"n\">2/2</td><td class=\"n\">1,101</td>"), "\(reports[2])")
    }

    @Test("bytes whose calls nobody knows are in the verdicts where they differ, and their calls are a dash")
    func unreadTraffic() {
        let calls = [Calls("x", Self.even)]
        let sentence = "Traffic whose calls are not known: 4.04 kB before, 20.2 kB after; it is not judged."
        let grown = compare(side(calls, unread: 4036), side(calls, unread: 20_180), bound: 5)
        for report in reports(grown) {
            #expect(report.split(separator: sentence, omittingEmptySubsequences: false).count == 2, "\(report)")
            #expect(report.contains("too little of the traffic was read"), "\(report)")
            #expect(report.contains("—/—") && !report.contains("0/0"), "\(report)")
        }
        #expect(json(grown).contains(sentence))
        let same = compare(side(calls, unread: 4036), side([Calls("x", Self.even, headers: 101)], unread: 4036))
        #expect(!json(same).contains("not known:"))
    }

    @Test("bytes of no call are in the verdicts where they are a notable part of a side")
    func restOfTraffic() {
        let calls = [Calls("x", Self.even)]
        let grown = compare(side(calls), side(calls, udp: 50_000), bound: 5)
        for report in reports(grown) {
            let sentence = "Traffic of no call: 0 bytes before, 50.0 kB after; it is not judged."
            #expect(report.split(separator: sentence, omittingEmptySubsequences: false).count == 3, "\(report)")
            #expect(report.contains("dtls://c:443") && !report.contains("0/0") && !report.contains("—/0"))
        }
        #expect(!json(compare(side(calls), side(calls, udp: 100))).contains("Traffic of no call"))
    }

    @Test("new and vanished APIs that are a notable part of a side are named in the verdict, and numbers of calls")
    func mixOfCalls() {
        let old = Calls("x", Self.even)
        let (before, after) = (side([old]), side([old, Calls("huge", [800_000, 33_000])]))
        for report in reports(compare(before, after)) {
            let new = "1 new API makes up 98.4 % of the wire bytes after: GET a /huge (833 kB)."
            #expect(report.contains(new + " Calls: 12 before, 14 after."), "\(report)")
        }
        for report in reports(compare(after, before)) {
            #expect(report.contains("1 vanished API made up 98.4 % of the wire bytes before: GET a /huge (833 kB)."))
        }
        let small = json(compare(before, side([old, Calls("small", [100])])))
        #expect(!small.contains("new API") && small.contains("Calls: 12 before, 13 after."))
        let many = (0..<30).map { 1000 + $0 % 12 }
        let near = json(compare(side([Calls("x", many)]), side([Calls("x", many + [1000])])))
        #expect(!near.contains("Calls: "))
        let several = json(compare(side([]), side(["a", "b", "c", "d"].map { Calls($0, Self.even) })))
        #expect(several.contains("(13.3 kB), GET a /b (13.3 kB) and 2 others."), "\(several)")
    }

    @Test("the verdict names and the page colours what changed beyond chance")
    func certainty() throws {
        let noisy = (0..<12).map { 1000 + 300 * $0 }
        let before = side([Calls("noisy", noisy), Calls("even", Self.even)])
        let after = side([
            Calls("noisy", (0..<12).map { 1000 + 300 * ((5 * $0) % 12) }, headers: 700),
            Calls("even", Self.even, headers: 400),
        ])
        let comparison = compare(before, after)
        let rows = Dictionary(uniqueKeysWithValues: comparison.apis.map { ($0.api, $0.wire) })
        #expect(rows["GET a /noisy"]??.isCertain == false && rows["GET a /even"]??.isCertain == true)
        let page = ReportDocument(comparison, top: nil).html().text
        #expect(page.contains("<td class=\"n\"><span class=\"high\">+300</span></td>"))
        #expect(page.contains("<td class=\"n\">+600</td>") && !page.contains("<span class=\"high\">+600</span></td>\n"))
        let verdict = try #require(json(comparison).firstMatch(of: /"verdict":"([^"]*)"/)).1
        #expect(verdict.contains("GET a /even +300 B") && !verdict.contains("noisy"), "\(verdict)")
    }

    @Test("a choice that fits no row is said, and is no equality", arguments: [nil, 5.0])
    func nothingChosen(bound: Double?) {
        let empty = ComparedSide(ComparedRows(choosesHosts: true))
        let comparison = compare(empty, empty, bound: bound)
        for report in reports(comparison) {
            #expect(report.contains("No API or host matches the selection."), "\(report)")
            #expect(!report.contains("No change"))
        }
        #expect(json(comparison).contains(#""identical":false"#))
        #expect(comparison.obstacle == (bound == nil ? nil : .nothingChosen))
    }

    @Test("with chosen APIs the figures of a side are theirs, and there are no rows of hosts")
    func chosenAPIs() {
        var side = ComparedSide(ComparedRows(choosesAPIs: true))
        var result = AuditResult()
        var (row, host) = (APISummary(api: "GET a /x"), HostSummary(host: "a"))
        (row.exchanges, host.exchanges) = (2, 10)
        row.costs.down[.body] = 2000
        host.costs.down[.body] = 90_000
        (result.apis, result.hosts) = ([row], [host])
        side.add(
            result, CostCollector(CostMeasure(), limit: 1), includesAPI: { _ in true }, includesHost: { _ in true })
        #expect(side.wire(CostMeasure()) == 2000 && side.hosts.isEmpty && side.restWire(CostMeasure()) == 0)
        for report in reports(compare(side, side)) { #expect(report.contains("2 calls, 2.00 kB on the wire")) }
    }
}
