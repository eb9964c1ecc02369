import Foundation
import Testing
import WireCore
import WireRecords
import WireReport

@Suite("The report of a live capture")
struct LiveAuditTests {
    private func audit() -> AuditResult {
        var result = sampleAudit()
        var file = CaptureFileSummary(path: "en0, utun4", format: "live")
        file.linkTypes = [.ethernet, .raw]
        file.packets = 1234
        file.bytes = 1_060_000
        file.dropped = 12
        result.files = [file]
        result.interfaces = sampleInterfaces()
        return result
    }

    @Test("several interfaces have a line each, with what was lost there")
    func several() {
        let text = ReportDocument(audit(), options: ReportOptions()).text(TerminalStyle()).text
        #expect(
            text.contains(
                """
                en0, utun4 · live · Ethernet · raw IP
                en0 · Ethernet · 1,200 packets · 1,050,000 bytes · 12 lost
                utun4 · raw IP · 34 packets · 10,000 bytes
                1,234 packets · 1,060,000 bytes (1.06 MB)

                """))
        #expect(text.contains("! 12 packets lost by the capturing program; they are not counted\n"))
    }

    @Test("one interface needs no line of its own; one that ended says why")
    func one() {
        var result = audit()
        result.files[0].path = "utun4"
        result.interfaces.removeFirst()
        result.interfaces[0].fault = "the interface was removed"
        let text = ReportDocument(result, options: ReportOptions()).text(TerminalStyle()).text
        #expect(text.contains("\n\nutun4 · live · Ethernet · raw IP\n1,234 packets"))
        #expect(text.contains("! utun4: the interface was removed; what came before was audited\n"))
    }

    @Test("JSON tells each interface; of files there are none")
    func json() throws {
        let text = auditJSON(audit(), options: ReportOptions()).text
        #expect(
            text.contains(
                #""interfaces":[{"name":"en0","description":"Wi-Fi","link_type":"EN10MB","snapshot_length":262144,"#
                    + #""packets":1200,"bytes":1050000,"received":1210,"dropped_by_kernel":10,"#
                    + #""dropped_by_interface":2,"fault":null},{"name":"utun4","description":null,"#
                    + #""link_type":"RAW","snapshot_length":65535,"packets":34,"bytes":10000,"received":null,"#
                    + #""dropped_by_kernel":0,"dropped_by_interface":0,"fault":null}],"key_logs""#))
        let fields = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((fields["capture"] as? [String: Any])?.keys.contains("interfaces") == true)
        #expect(auditJSON(sampleAudit(), options: ReportOptions()).text.contains(#""interfaces":[]"#))
    }
}
