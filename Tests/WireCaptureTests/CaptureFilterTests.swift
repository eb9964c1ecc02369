import Testing
import WireCapture
import WireCore
import WireTesting

@Suite("Filter")
struct CaptureFilterTests {
    /// Ethernet with an IPv4 header for TCP and these ports.
    private static func tcp(_ source: UInt8, _ destination: UInt8, linkHeader: [UInt8]) -> [UInt8] {
        linkHeader + [0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]
            + [0, source, 0, destination] + [UInt8](repeating: 0, count: 8) + [0x50, 0, 0, 0, 0, 0, 0, 0]
    }

    private static let ethernet: [UInt8] = [UInt8](repeating: 2, count: 12) + [8, 0]

    @Test("frames that do not match are counted as left out and nowhere else")
    func leavesOut() throws {
        var file = PcapngFileBuilder()
        file.section()
        file.interface(linkType: 1)
        file.interface(linkType: 101)
        for _ in 0..<3 { file.enhancedPacket(interface: 0, Self.tcp(80, 99, linkHeader: Self.ethernet)) }
        file.enhancedPacket(interface: 0, Self.tcp(81, 99, linkHeader: Self.ethernet))
        file.enhancedPacket(interface: 1, Self.tcp(80, 99, linkHeader: []))
        file.enhancedPacket(interface: 1, Self.tcp(82, 99, linkHeader: []))
        file.enhancedPacket(interface: 1, [])
        let folder = try TemporaryFolder()
        let path = try folder.write("file", file.bytes)
        let summary = try #require(try CaptureAudit(paths: [path], filter: "tcp port 80").run().files.first)
        #expect(summary.packets == 4)
        #expect(summary.filtered == 3)
        #expect(summary.bytes == 3 * 54 + 40)
        #expect(summary.linkTypes == [.ethernet, .raw])
        let all = try #require(try CaptureAudit(paths: [path]).run().files.first)
        #expect(all.packets == 7)
        #expect(all.filtered == 0)
    }

    @Test("an expression that does not compile is told at once", arguments: [[], [1]])
    func wrongExpression(times: [UInt32]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("file", pcap(times: times))
        let error = #expect(throws: CaptureError.self) { try CaptureAudit(paths: [path], filter: "tpc port 80").run() }
        guard case .filter("tpc port 80", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("syntax error"), "\(reason)")
        #expect(error?.message.contains("pcap-filter(7)") == true)
    }

    @Test("an expression that one link type of the file cannot have names that type")
    func unsupportedLinkType() throws {
        var file = PcapngFileBuilder()
        file.section()
        file.interface(linkType: 105)
        file.interface(linkType: 1)
        file.enhancedPacket(interface: 0, [UInt8](repeating: 0, count: 40))
        file.enhancedPacket(interface: 1, [UInt8](repeating: 0, count: 60))
        let folder = try TemporaryFolder()
        let path = try folder.write("file", file.bytes)
        let error = #expect(throws: CaptureError.self) {
            try CaptureAudit(paths: [path], filter: "wlan type mgt").run()
        }
        guard case .filter(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("EN10MB"), "\(reason)")
    }
}
