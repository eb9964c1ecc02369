import Foundation
import Testing
import WireCore

@testable import WireRecords
@testable import WireReport

@Suite("UDP by endpoint in reports")
struct DatagramRowTests {
    /// The sample with its 5,000 bytes of DNS by server, and 3,000 of media.
    private var sample: AuditResult {
        var result = sampleAudit()
        var media = Directions<DatagramCounts>()
        (media.up.packets, media.up.internet, media.up.payload) = (10, 3000, 2720)
        var names = Directions<DatagramCounts>()
        (names.up.packets, names.up.internet, names.up.payload) = (20, 1000, 440)
        (names.down.packets, names.down.internet, names.down.payload) = (21, 4000, 3412)
        result.datagrams = [
            DatagramSummary(endpoint: "192.0.2.53:53", protocols: .dns, counts: names),
            DatagramSummary(endpoint: "turn.example.com:3478", protocols: [.rtp, .turn], counts: media),
            DatagramSummary(endpoint: nil),
        ]
        result.ledger.other.udp = 3000
        result.ledger.datagrams = 8000
        result.ledger.layers.payload += 3000
        result.ledger.bytes += 3000
        return result
    }

    private func lines(_ width: Int, _ result: AuditResult) -> [String] {
        ReportDocument(result, options: ReportOptions()).text(TerminalStyle(width: width)).text
            .split(separator: "\n").map(String.init)
    }

    @Test("a terminal has them among the hosts, with dashes for what UDP does not have")
    func terminal() throws {
        #expect(sample.ledger.contradictions == [])
        let narrow = lines(80, sample)
        #expect(narrow.contains { $0.hasSuffix("3 APIs · 2 hosts · 3 UDP endpoints") })
        let rows = narrow.drop { !$0.hasPrefix("HOSTS BY WIRE BYTES") }
        let media = try #require(rows.first { $0.hasPrefix("rtp://turn.example.com:3478") })
        #expect(media.split(separator: " ").dropFirst() == ["—", "—", "3,000", "—"])
        let dns = try #require(rows.first { $0.hasPrefix("dns://192.0.2.53:53") })
        #expect(dns.split(separator: " ").dropFirst() == ["—", "—", "5,000", "—"])
        #expect(rows.contains { $0.hasPrefix("udp://(other endpoints)") })
        let wide = try #require(lines(160, sample).first { $0.hasPrefix("rtp://") })
        #expect(wide.contains("RTP, TURN"))
    }

    @Test("what the figures rest on names the protocols that nobody read")
    func trust() {
        let reason = "3.00 kB of other UDP (RTP and TURN) are counted, but not read."
        #expect(AuditTrust(sample).reasons.contains(reason))
    }

    @Test("JSON has their packets, and null for rows of connections")
    func json() throws {
        let text = auditJSON(sample, options: ReportOptions()).text
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let hosts = try #require(object["hosts"] as? [[String: Any]])
        let dns = try #require(hosts.first { $0["host"] as? String == "dns://192.0.2.53:53" })
        #expect(dns["protocols"] as? [String] == ["DNS"])
        #expect(dns["datagrams"] as? [String: Int] == ["up": 20, "down": 21])
        #expect((dns["down"] as? [String: Any])?["wire"] as? Int == 4000)
        #expect((dns["down"] as? [String: Any])?["opaque"] as? Int == 3412)
        let host = try #require(hosts.first { $0["host"] as? String == "api.example.com" })
        #expect(host["datagrams"] is NSNull)
    }

    @Test("rows that do not add up to the ledger are said with both numbers")
    func contradiction() {
        var result = sample
        result.ledger.datagrams -= 1
        #expect(!result.ledger.balanced)
        #expect(result.ledger.contradictions == ["rows of UDP sum to 7999 bytes, the ledger has 8000"])
    }

    @Test("a choice of hosts chooses among them")
    func selection() {
        var options = ReportOptions()
        options.selection = Selection(hosts: ["turn"])
        #expect(hostRows(sample, options).map(\.host) == ["rtp://turn.example.com:3478"])
    }
}
