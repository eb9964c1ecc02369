import Foundation
import Testing
import WireRecords
import WireTesting

/// What needs no right to capture; `.ci/live-lab` has the rest.
@Suite("The program: live and interfaces")
struct LiveProcessTests {
    private static let wrong: [(arguments: [String], status: Int32, words: String)] = [
        (["live"], 64, "live needs -i IFACE"),
        (["live", "shop.pcap"], 64, "'wireaudit shop.pcap' audits a file"),
        (["live", "-i", "any", "-i", "eth0"], 64, "stands for all interfaces"),
        (["live", "-i", "no-such-interface"], 66, "no interface is named \"no-such-interface\""),
        (["live", "-i", "any", "-w", "x", "-o", "x"], 64, "would both go to 'x'"),
        (["interfaces", "any"], 64, "takes options only"),
    ]

    @Test("wrong words end with one line that says what to do, and with a status", arguments: wrong.indices)
    func wrongWords(index: Int) throws {
        let (arguments, status, words) = Self.wrong[index]
        let run = try WireAuditProcess.run(arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1 && run.output.isEmpty)
    }

    @Test("interfaces are listed, each with what may be done there, in both forms")
    func interfaces() throws {
        let run = try WireAuditProcess.run(["interfaces", "--format", "json"])
        #expect(run.status == 0, "\(run.errors)")
        let report = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(report["schema"] as? String == "wireaudit.interfaces/1")
        let list = try #require(report["interfaces"] as? [[String: Any]])
        let table = try WireAuditProcess.run(["interfaces"]).output
        for interface in list {
            let name = try #require(interface["name"] as? String)
            #expect(interface["may_capture"] is Bool)
            #expect(table.contains(name))
        }
        #expect(list.contains { $0["loopback"] as? Bool == true })
    }
}
