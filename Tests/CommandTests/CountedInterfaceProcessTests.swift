import Foundation
import Testing
import WireCore
import WireTesting

/// `--at` chooses at which side of an address translation connections count.
@Suite("The program: interfaces of a translation")
struct CountedInterfaceProcessTests {
    private static let routed = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/snat-any/capture.pcap").path

    private func audit(_ arguments: [String]) throws -> (report: [String: Any], errors: String) {
        let run = try WireAuditProcess.run(["--format", "json"] + arguments)
        #expect(run.status == 0, "\(run.errors)")
        let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return (try #require(report as? [String: Any]), run.errors)
    }

    private func places(_ report: [String: Any]) throws -> [[String: Any]] {
        try #require(report["counted_at"] as? [[String: Any]])
    }

    @Test("by number, with any number of threads; the ledger balances", arguments: [nil, "2", "3"], ["1", "3"])
    func number(choice: String?, jobs: String) throws {
        let report = try audit((choice.map { ["--at", $0] } ?? []) + ["--jobs", jobs, Self.routed]).report
        let place = try #require(try places(report).first)
        #expect(place["interface"] as? Int == choice.flatMap { Int($0) } ?? 3)
        #expect(place["connections"] as? Int == 3)
        let ledger = try #require(report["ledger"] as? [String: Any])
        #expect(ledger["balanced"] as? Bool == true)
        #expect((ledger["layers"] as? [String: Int])?["duplicate"] == 8304)
        #expect((report["options"] as? [String: Any])?["at"] as? String == choice)
    }

    @Test("by the name in the file: IPv4 inside of the phone, IPv6 on the air")
    func name() throws {
        var file = PcapngFileBuilder()
        file.section()
        file.interface(linkType: 101, options: [(2, Array("v4-rmnet0".utf8))])
        file.interface(linkType: 101, options: [(2, Array("rmnet0".utf8))])
        let inside = talk { _ in }
        let outside = talk {
            $0.source = IPAddress(high: 0x2001_0DB8_0000_0001, low: 4, isVersion6: true)
            $0.destination = IPAddress(high: 0x2001_0DB8_0000_0064, low: 0xC633_640A, isVersion6: true)
        }
        for (index, pair) in zip(inside, outside).enumerated() {
            for (interface, frame) in [pair.0, pair.1].enumerated() {
                let packet = Array(frame.bytes[14...])
                file.enhancedPacket(interface: UInt32(interface), time: UInt64(index * 1000 + interface * 50), packet)
            }
        }
        let folder = try TemporaryFolder()
        let path = try folder.write("clat.pcapng", file.bytes)
        var wire: [String: Int] = [:]
        for choice in ["rmnet0", "v4-rmnet0"] {
            let report = try audit(["--at", choice, path]).report
            #expect(try places(report).first?["name"] as? String == choice)
            let hosts = try #require(report["hosts"] as? [[String: Any]])
            #expect(hosts.count == 1)
            wire[choice] = hosts.reduce(0) { $0 + ($1["wire"] as? Int ?? 0) }
        }
        #expect(wire["rmnet0"] == (wire["v4-rmnet0"] ?? 0) + 20 * inside.count)
    }

    private func talk(_ change: (inout PacketBuilder) -> Void) -> [CapturedFrame] {
        var talk = Dialogue()
        change(&talk.template)
        talk.handshake()
        talk.data(.client, "GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n")
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        talk.close()
        return talk.frames
    }

    @Test(
        "an interface that the capture does not have is a usage error, with those that it has; a part of many is warned of"
    )
    func unknown() throws {
        for command in [[], ["exchanges"], ["accuracy", "--estimators", "hertz"]] {
            let run = try WireAuditProcess.run(command + ["--at", "wlan9", Self.routed])
            #expect(run.status == 64 && run.errors.contains("--at 'wlan9' is no interface of the capture; it has "))
            #expect(run.errors.contains("2 and 3") || run.errors.contains("3 and 2"), "\(run.errors)")
        }
        let part = try WireAuditProcess.run(["--format", "partial", "--at", "wlan9", Self.routed])
        #expect(part.status == 0 && part.errors.contains("warning: --at 'wlan9' is no interface of the capture"))
    }
}
