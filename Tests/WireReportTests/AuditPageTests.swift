import Foundation
import Testing
import WireCore
import WireOpportunities
import WireTesting

@testable import WireRecords
@testable import WireReport

@Suite("The audit page")
struct AuditPageTests {
    @Test("the policy names the hashes of its style sheet and its script, and allows nothing else")
    func allowed() {
        let (named, expected) = policy(of: SampleTraffic().page)
        #expect(named == expected)
    }

    @Test("script and style sheet load nothing, evaluate nothing and write no markup")
    func tameScript() {
        let own = HTMLTags(SampleTraffic().page).rawTexts.joined()
        for word in wildWords { #expect(!own.contains(word), "\(word)") }
        #expect(own.matches(of: /https?:\/\/[a-z0-9.\/]*/).map(\.output) == ["http://www.w3.org/2000/svg"])
    }

    @Test("the verdict and what it rests on come first, then opportunities, ledger, APIs, hosts, connections")
    func order() throws {
        let page = SampleTraffic().page
        let places = try [
            "class=\"lead\"", "What the figures rest on", "What costs most?", "id=\"opportunities\"",
            "id=\"ledger\"",
            "id=\"apis\"", "id=\"hosts\"", "id=\"connections\"", "id=\"fields\"", "id=\"method\"",
        ].map { try #require(page.range(of: $0), "\($0)").lowerBound }
        #expect(places == places.sorted())
        for text in [
            "651 connections for 651 calls: no reuse; 213 kB",
            "Applied together, the computed ones save <strong>12.3 kB",
            "No connection uses TLS", "x-field",
        ] {
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test("every element is closed in its order, names are unique, references point at something")
    func wellFormed() {
        let empty = AuditPageInput(
            additions: AuditAdditions(), sample: SampleTraffic(calls: 0).sample())
        for html in [
            SampleTraffic().page, auditHTML(AuditResult(), options: ReportOptions(), empty).text,
            auditHTML(sampleAudit(), options: ReportOptions(), empty).text,
        ] {
            let tags = HTMLTags(html)
            #expect(tags.problems.isEmpty, "\(tags.problems)")
            #expect(Set(tags.identifiers).count == tags.identifiers.count)
            #expect(tags.references.subtracting(tags.identifiers).isEmpty)
            #expect(tags.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "style" && $0 != "src" })
        }
    }

    private static let calm = HTMLTags(page("calm"))

    /// A page with the text wherever a capture's or a user's text can stand.
    private static func page(_ text: String) -> String {
        var traffic = SampleTraffic(text: text)
        traffic.options.filter = text
        var audit = traffic.audit
        audit.files[0].path = text
        return auditHTML(audit, options: traffic.options, traffic.input).text
    }

    @Test("hostile texts become no tag, no attribute, no code, and the data stays strict JSON", arguments: hostileTexts)
    func hostile(text: String) throws {
        let html = Self.page(text)
        let tags = HTMLTags(html)
        #expect(tags.problems.isEmpty, "\(tags.problems)")
        #expect(tags.attributes.subtracting(Self.calm.attributes).isEmpty)
        #expect(Set(tags.names).subtracting(Self.calm.names).isEmpty)
        #expect(tags.count(of: "script") == 2 && tags.count(of: "style") == 1)
        #expect(html.unicodeScalars.allSatisfy { ($0.value >= 0x20 || $0 == "\n") && $0.value != 0x202E })
        let data = try StrictJSON.parse(tags.data)
        #expect(data["apis"]?.array.count == 4 && data["hosts"]?.array.count == 4)
        #expect(!tags.data.contains("<") && !tags.data.contains("&"))
    }

    @Test("the data holds every byte of every API and call")
    func data() throws {
        let traffic = SampleTraffic()
        let data = try StrictJSON.parse(HTMLTags(traffic.page).data)
        let apis = numberRows(data["apiRows"]?.string ?? "")
        let rows = traffic.audit.apis
        #expect(apis.count == rows.count)
        for (name, numbers) in zip(data["apis"]?.array ?? [], apis) {
            let row = try #require(rows.first { $0.api == name.string })
            #expect(numbers[0] == row.exchanges && numbers[1] == 1 && causes(numbers, at: 2) == row.costs)
        }
        let calls = numberRows(data["callRows"]?.string ?? "")
        #expect(calls.count == traffic.calls)
        for (number, numbers) in calls.enumerated() {
            #expect(causes(numbers, at: 8) == traffic.exchange(number).costs)
            #expect(numbers[0] == number / 10 && numbers[3] == 200 && Array(numbers[5...7]) == [1000, 21_000, 45_000])
        }
        let connections = numberRows(data["connectionRows"]?.string ?? "")
        #expect(connections.map { $0[7] } == [10, 10, 10, 10] && connections.allSatisfy { $0[6] == 30_000 })
    }

    @Test("a sample holds the largest calls and counts all, whatever order they come in")
    func sample() {
        var traffic = SampleTraffic(calls: 500)
        traffic.limits = (calls: 20, connections: 5)
        let wire = { (costs: Directions<CostVector>) in costs.up.internet + costs.down.internet }
        let largest = (0..<500).map { (wire(traffic.exchange($0).costs), -$0) }.sorted(by: >).prefix(20).map { -$0.1 }
        for reversed in [false, true] {
            let sample = traffic.sample(reversed: reversed)
            let (shown, all) = sample.finishedCalls()
            #expect(all == 500 && shown.map { $0.connection * 10 + $0.number } == largest.sorted())
            let connections = sample.finishedConnections()
            #expect(connections.all == 50 && connections.shown.count == 5)
            #expect(connections.shown.allSatisfy { $0.firstCall == $0.time + 30_000_000 })
        }
        let page = traffic.page
        #expect(page.contains("20 of 500 calls are shown one by one"))
        #expect(page.contains("5 of 50 connections have a row"))
    }

    @Test("bytes over time are never lost, in bins that do not depend on the order")
    func overTime() {
        var random = SeededRandom(seed: 7)
        let times = (0..<2000).map { _ in Int64(random.next() % 90_000_000_000) - 30_000_000_000 }
        var series: [[Int]] = []
        for order in [times, times.reversed(), times.sorted()] {
            var bins = BytesOverTime()
            var groups = CostGroups()
            groups[.messages] = 3
            for time in order { bins.add(groups, at: time) }
            #expect(bins.series.bins.count <= BytesOverTime.most)
            series.append(bins.series.bins.map(\.total) + [Int(bins.series.start), Int(bins.width)])
            #expect(bins.series.bins.reduce(0) { $0 + $1.total } == 6000)
        }
        #expect(series[0] == series[1] && series[0] == series[2])
    }

    @Test("100,000 calls are a page below 5 MB")
    func large() {
        let html = SampleTraffic(calls: 100_000, apis: 6000).page
        #expect(html.utf8.count < 5_000_000, "\(html.utf8.count) bytes")
        #expect(html.contains("1,000 more APIs"))
        #expect(html.contains("20,000 of 100,000 calls are shown one by one"))
    }

    @Test("the same audit gives the same bytes")
    func repeatable() { #expect(SampleTraffic().page == SampleTraffic().page) }

    @Test("writes pages for .ci/html-check where WIREAUDIT_HTML_FOLDER says so", .enabled(if: pagesFolder != nil))
    func writePages() throws {
        let folder = try #require(pagesFolder)
        let pages = [
            ("sample", SampleTraffic(calls: 400)), ("100000", SampleTraffic(calls: 100_000, apis: 6000)),
            ("empty", SampleTraffic(calls: 0)), ("hostile", SampleTraffic(calls: 60, text: hostileTexts.joined())),
        ]
        for (name, traffic) in pages {
            try traffic.page.write(toFile: "\(folder)/audit-\(name).html", atomically: true, encoding: .utf8)
        }
    }

    // MARK: Data

    private func causes(_ numbers: [Int], at start: Int) -> Directions<CostVector> {
        var costs = Directions<CostVector>()
        var at = start
        for isUp in [true, false] {
            let count = numbers[at]
            for pair in 0..<count {
                let cause = Cause.allCases[numbers[at + 1 + 2 * pair]]
                if isUp {
                    costs.up[cause] = numbers[at + 2 + 2 * pair]
                } else {
                    costs.down[cause] = numbers[at + 2 + 2 * pair]
                }
            }
            at += 1 + 2 * count
        }
        return costs
    }
}

private let pagesFolder = ProcessInfo.processInfo.environment["WIREAUDIT_HTML_FOLDER"]
