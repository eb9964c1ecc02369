import Foundation
import Testing
import WireTesting

@Suite("The program: what an audit rests on, below its balance")
struct TrustSentenceProcessTests {
    private static let captures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures")

    private static let golden: [(name: String, hasKeys: Bool, words: String)] = [
        ("one-exchange", false, "nothing is known to be missing or was left unread ✓"),
        ("tls13", true, "nothing is known to be missing or was left unread ✓"),
        ("tls-nokey", false, "nothing is known to be missing; 61.7 % of the IP bytes could not be read: they are"),
        ("late-tls", true, Self.late), ("late-tls", false, Self.late + "; "),
    ]
    private static let late =
        "5 connections may have begun before the capture: what they carried before is in no figure"

    private func words(_ arguments: [String]) throws -> String {
        let run = try WireAuditProcess.run(arguments)
        #expect(run.status == 0, "\(run.errors)")
        return run.output.replacing(/\s+/, with: " ")
    }

    @Test("of golden captures", arguments: golden.indices)
    func sentences(index: Int) throws {
        let (name, hasKeys, expected) = Self.golden[index]
        let folder = Self.captures.appending(path: name).path
        let options = hasKeys ? ["--keys", folder + "/keys.log"] : []
        let found = try words(options + [folder + "/capture.pcap"])
        #expect(found.contains("balanced to the byte; " + expected), "\(found)")
        #expect(found.contains("✓") == expected.contains("✓"))
    }

    @Test("a connection of which packets are missing at the beginning is no comfort", arguments: 0...7)
    func beginning(missing: Int) throws {
        let folder = try TemporaryFolder()
        var file = PcapFileBuilder()
        for (place, packet) in SampleConversation().packets().enumerated().dropFirst(missing) {
            file.record(seconds: 1_795_168_800, fraction: UInt32(place) * 1000, packet.frame())
        }
        let capture = try folder.write("a.pcap", file.bytes)
        // With the server's SYN the beginning is known.
        let isLate = missing > 1
        let found = try words([capture])
        #expect(found.contains("✓") != isLate, "\(found)")
        #expect(found.contains("1 connection may have begun before the capture") == isLate, "\(found)")
        let page = try words(["--format", "html", capture])
        #expect(page.contains("nothing is known to be missing") != isLate)
        let partial = try WireAuditProcess.run(["--format", "partial", capture]).output
        let part = try folder.write("a.part", Array(partial.utf8))
        #expect(try words(["merge", part]).contains("1 connection may have begun before the capture") == isLate)
    }
}
