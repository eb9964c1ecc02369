import Testing
import WireCore
import WireOpportunities

@testable import WireRecords
@testable import WireReport

@Suite("Reuse in the terminal report")
struct HostReuseTests {
    /// Used connections, calls, unread ones, needed ones, bytes.
    typealias Figures = (used: Int, calls: Int, unread: Int, needed: Int, saving: Int)

    private static let cases: [(hosts: [Figures], line: String)] = [
        ([(1, 9, 0, 1, 0)], "reuse: 1 connection for 9 calls at h0.test: reused"),
        ([(1, 1, 0, 1, 0)], "reuse: 1 connection for 1 call at h0.test: used once"),
        ([(1, 0, 1, 1, 0)], "reuse: 1 connection whose calls were not read at h0.test: no other was opened"),
        ([(2, 23, 0, 2, 0)], "reuse: 2 connections for 23 calls at h0.test: every connection was needed"),
        ([(1, 11, 0, 1, 0), (1, 12, 0, 1, 0)], "reuse: 2 connections for 23 calls: one to each host"),
        (
            [(651, 651, 0, 1, 213_000)],
            "reuse: 651 connections for 651 calls at h0.test: no reuse; saving 213,000 bytes"
        ),
        (
            [(9, 40, 0, 2, 900)],
            "reuse: 9 connections for 40 calls at h0.test: 2 would have been enough; saving 900 bytes"
        ),
        (
            [(1, 9, 0, 1, 0), (5, 5, 0, 1, 4000), (3, 9, 0, 2, 100)],
            "reuse: 9 connections for 23 calls; 4 would have been enough; most at h1.test: 5 connections for 5 calls, no "
                + "reuse; saving 4,100 bytes"
        ),
        ([(4, 0, 4, 4, 0)], "reuse: 4 connections whose calls were not read at h0.test: every connection was needed"),
        (
            [(4, 0, 4, 1, 900)],
            "reuse: 4 connections whose calls were not read at h0.test: 1 would have been enough; saving 900 bytes"
        ),
    ]

    private func result(_ hosts: [Figures]) -> AuditResult {
        var result = AuditResult()
        for (number, figures) in hosts.enumerated() {
            var host = HostSummary(host: "h\(number).test")
            host.connections = figures.used
            (host.setup.usedConnections, host.setup.exchanges) = (figures.used, figures.calls)
            host.exchanges = figures.calls
            (host.setup.unreadConnections, host.setup.neededConnections) = (figures.unread, figures.needed)
            host.setup.reuseSaving = figures.saving
            host.setup.setupBytes = 120 * figures.used
            result.hosts.append(host)
            result.connections += figures.used
        }
        return result
    }

    @Test("one sentence says whether connections were used again", arguments: cases.indices)
    func sentence(index: Int) {
        let example = Self.cases[index]
        #expect(reuseInWords(result(example.hosts), ReportOptions()).plain == example.line)
    }

    @Test("calls of a host's connections that went to others are not called its own")
    func others() {
        var one = result([(1, 3, 0, 1, 0)])
        one.hosts[0].exchanges = 2
        #expect(
            reuseInWords(one, ReportOptions()).plain
                == "reuse: 1 connection for 3 calls at h0.test and other hosts: reused")
        var two = result([(1, 9, 0, 1, 0), (5, 5, 0, 1, 4000)])
        two.hosts[1].exchanges = 1
        #expect(
            reuseInWords(two, ReportOptions()).plain.contains("most at h1.test and other hosts: 5 connections for 5"))
    }

    @Test(
        "it stands under the table of set-up, of the selected hosts, with the sum of its column",
        arguments: [40, 80, 140])
    func place(width: Int) {
        let audit = result([(5, 5, 0, 1, 4000), (3, 9, 0, 2, 100)])
        let style = TerminalStyle(width: width, unicode: true, color: false)
        var options = ReportOptions()
        options.selection = Selection(hosts: ["h1.test"])
        func words(_ options: ReportOptions) -> String {
            let lines = ReportDocument(audit, options: options).text(style).text.split(separator: "\n")
            for line in lines { #expect(displayWidth(String(line)) <= width) }
            return lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        }
        #expect(words(ReportOptions()).contains("reuse: 8 connections for 14 calls; 3 would have been enough; most at"))
        #expect(words(options).contains("reuse: 3 connections for 9 calls at h1.test: 2 would have been enough"))
        #expect(reuseInWords(sampleAudit(), ReportOptions()).isEmpty)
    }

    @Test("the end says that opportunities can be looked for, where nobody asked and the program can")
    func hint() {
        let style = TerminalStyle(width: 80, unicode: true, color: false)
        func text(_ additions: AuditAdditions) -> String {
            ReportDocument(sampleAudit(), options: ReportOptions(), additions).text(style).text
        }
        var additions = AuditAdditions()
        #expect(!text(additions).contains("--opportunities"))
        additions.canHaveOpportunities = true
        #expect(text(additions).contains("--opportunities: which bytes need not have been spent, and what to do\n"))
        #expect(text(additions).contains("accuracy --sdk-log LOG: how far the byte counts of an SDK"))
        additions.opportunities = OpportunityReport()
        #expect(!text(additions).contains("--opportunities"))
        var empty = AuditAdditions()
        empty.canHaveOpportunities = true
        #expect(
            !ReportDocument(AuditResult(), options: ReportOptions(), empty).text(style).text.contains("--opportunities")
        )
    }
}
