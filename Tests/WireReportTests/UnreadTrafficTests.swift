import Foundation
import Testing
import WireCore
import WireOpportunities

@testable import WireRecords
@testable import WireReport

@Suite("What was not read, in tables and on the page")
struct UnreadTrafficTests {
    /// A host of QUIC whose keys gave a part of its records and no call.
    private static var quic: HostSummary {
        var host = HostSummary(host: "quic.example.com")
        host.connections = 1
        (host.costs.up[.quic], host.costs.up[.opaque], host.costs.down[.opaque]) = (100, 400_000, 400_000)
        host.setup.tlsConnections = 1
        host.setup.partlyReadConnections = 1
        return host
    }

    /// Only that host, and no call.
    private static var unread: AuditResult {
        var result = sampleAudit()
        (result.apis, result.hosts, result.exchanges) = ([], [quic], 0)
        (result.connections, result.quicConnections) = (1, 1)
        result.ledger.causes = quic.costs
        result.findings = []
        return result
    }

    private func page(
        _ result: AuditResult, _ options: ReportOptions = ReportOptions(), found: Int = 0
    ) -> String {
        var report = OpportunityReport()
        report.computedTotal = found
        report.wire = result.ledger.layers.internet
        let additions = AuditAdditions(opportunities: report)
        let input = AuditPageInput(additions: additions, sample: SampleTraffic(calls: 0).sample())
        return auditHTML(result, options: options, input).text
    }

    private func tile(_ name: String, _ page: String) -> Substring? {
        page.split(separator: "<dt>\(name)</dt>").dropFirst().first?.prefix { $0 != "\n" }
    }

    @Test("what QUIC sent again is a dash without its keys, and a number with them")
    func sentAgain() throws {
        var result = Self.unread
        result.hosts[0].costs.down[.retransmission] = 2768
        result.hosts[0].protocols = .hiddenQUIC
        func resent(_ result: AuditResult) throws -> Substring {
            let text = ReportDocument(result, options: ReportOptions()).text(TerminalStyle(width: 120)).text
            let heads = try #require(text.split(separator: "\n").first { $0.hasPrefix("HOSTS BY WIRE BYTES") })
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("quic.example.com") })
            // The heading of the first column has four words.
            let place = try #require(heads.split(separator: " ").firstIndex(of: "resent"))
            return row.split(separator: " ")[place - 3]
        }
        #expect(try resent(result) == "—")
        #expect(tile("Sent again", page(result))?.contains("–") == true)
        result.hosts[0].setup.partlyReadConnections = 0
        result.hosts[0].protocols = []
        #expect(try resent(result) == "2,768")
        #expect(tile("Sent again", page(result))?.contains("–") == false)
        var api = APISummary(api: "https://quic.example.com (encrypted h3)")
        (api.costs, api.isEncrypted) = (Self.quic.costs, true)
        #expect(APIFigures(api, ReportOptions()).resentShare == nil)
        api.costs.up[.quic] = 0
        #expect(APIFigures(api, ReportOptions()).resentShare != nil)
    }

    @Test("of a host that was read in part the calls are a dash, and QUIC is its protocol")
    func partlyRead() throws {
        let text = ReportDocument(Self.unread, options: ReportOptions()).text(TerminalStyle(width: 120)).text
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("quic.example.com") })
        #expect(row.split(separator: " ").prefix(4) == ["quic.example.com", "QUIC", "1", "—"], "\(row)")
        let page = page(Self.unread)
        #expect(page.contains("quic.example.com <small>QUIC</small>"))
        #expect(page.contains("<td class=\"n\">1</td><td class=\"n\">1</td><td class=\"n\">–</td>"))
        // What TLS carried and was read whole, but is no HTTP, has no calls.
        var other = Self.quic
        other.setup.partlyReadConnections = 0
        #expect(!other.callsAreUnknown && Self.quic.callsAreUnknown)
        #expect(HostSummary(host: "a").shownProtocols.isEmpty)
    }

    @Test("the page says how much of TLS was decrypted in part")
    func decryptedInPart() {
        #expect(page(Self.unread).contains("1 of 1 connection uses TLS; 1 decrypted in part."))
        var result = Self.unread
        result.hosts[0].setup.tlsConnections = 3
        result.connections = 3
        #expect(page(result).contains("3 of 3 connections use TLS; 2 decrypted, 1 decrypted in part."))
    }

    @Test("where nothing, or little, could be looked at the share is a dash with the reason")
    func saving() {
        let dash = "<dd>– <small>no call could be looked at</small></dd></div>"
        #expect(tile("Need not be spent", page(Self.unread)) ?? "" == dash)
        var result = Self.unread
        result.exchanges = 3
        let share = "<dd>– <small>not known: 80.0 % could not be looked at</small></dd></div>"
        #expect(tile("Need not be spent", page(result)) ?? "" == share)
        #expect(page(result).contains("Nothing was found in what was read that need not have been spent."))
        let found = "<dd>– <small>400 B in what was read: 80.0 % could not be looked at</small></dd></div>"
        #expect(tile("Need not be spent", page(result, found: 400)) ?? "" == found)
        let sample = page(sampleAudit())
        #expect(tile("Need not be spent", sample)?.hasPrefix("<dd>0.0 % <small>0 B, without estimates") == true)
    }

    @Test("frames that nobody read are in the tile, in the lead, and may be encrypted")
    func frames() {
        var result = sampleAudit()
        #expect(tile("Not read", page(result))?.hasPrefix("<dd>5.0 % <small>50.0 kB</small>") == true)
        result.ledger.layers.nonIP += 3_000_000
        result.ledger.bytes += 3_000_000
        result.ledger.unreadFrames = 3_000_000
        let page = page(result)
        #expect(tile("Not read", page)?.hasPrefix("<dd>75.1 % <small>3.05 MB of all frames</small>") == true)
        #expect(page.contains("<strong>3.05 MB</strong>, 75.1 % of the bytes of all frames, were not read"), "\(page)")
        #expect(page.contains("can read the calls. What the other 3.05 MB are, which were not read, is not known."))
    }

    @Test("a choice that matches nothing is no verdict on the traffic")
    func selectsNothing() {
        var options = ReportOptions()
        options.selection = Selection(hosts: ["nosuch"])
        let page = page(sampleAudit(), options)
        #expect(page.components(separatedBy: "Nothing matches the selection.").count == 4)
        for text in ["Nothing was found", "No connection carried", "None found", "nobody can tell"] {
            #expect(!page.contains(text), "\(text)")
        }
    }
}
