import Testing
import WireCore
import WireTesting

/// UDP that is no QUIC connection stands by endpoint, and is named by what its bytes prove.
@Suite("Audit: UDP by endpoint")
struct DatagramEndpointTests {
    private func frame(_ payload: [UInt8], from source: UInt16 = 50_000, to destination: UInt16) -> CapturedFrame {
        var packet = PacketBuilder()
        packet.transport = .udp
        packet.sourcePort = source
        packet.destinationPort = destination
        packet.payload = payload
        return CapturedFrame(time: 0, packet)
    }

    private static func stun(_ type: UInt16, length: Int = 8) -> [UInt8] {
        [UInt8](be16: type) + [UInt8](be16: UInt16(length)) + [0x21, 0x12, 0xA4, 0x42]
            + [UInt8](repeating: 7, count: 12 + length)
    }

    private static func dtls(_ type: UInt8 = 22, message: UInt8 = 1, claims: Int = 40, holds: Int = 40) -> [UInt8] {
        [type, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0] + [UInt8](be16: UInt16(claims)) + [message]
            + [UInt8](repeating: 0, count: holds - 1)
    }

    private static let rtp = [0x80, 0x60] + [UInt8](repeating: 1, count: 170)
    private static let time = [0x23, 0] + [UInt8](repeating: 1, count: 46)
    private static let question: [UInt8] =
        [0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 28, 0, 1]

    @Test(
        "bytes name a protocol, a port alone does not",
        arguments: [
            (443, [dtls()], "dtls", ["DTLS"]), (443, [dtls(claims: 41)], "udp", ["UDP"]),
            (443, [dtls(), [0x2C] + [UInt8](repeating: 9, count: 30)], "dtls", ["DTLS"]),
            (443, [dtls(19)], "udp", ["UDP"]), (3478, [stun(1)], "stun", ["STUN"]),
            (3478, [stun(3)], "turn", ["TURN", "STUN"]), (3478, [stun(1, length: 9)], "udp", ["UDP"]),
            (3478, [stun(1) + [0, 0, 0, 0]], "udp", ["UDP"]), (3478, [rtp], "udp", ["UDP"]),
            (3478, [stun(1), rtp], "rtp", ["RTP", "STUN"]),
            (3478, [stun(1), dtls(), rtp], "rtp", ["RTP", "DTLS", "STUN"]), (53, [question], "dns", ["DNS"]),
            (53, [question + [0]], "udp", ["UDP"]), (53, [[1, 2, 3]], "udp", ["UDP"]),
            (5353, [question], "mdns", ["mDNS"]), (5355, [question], "udp", ["UDP"]), (123, [time], "ntp", ["NTP"]),
            (123, [[UInt8](repeating: 0, count: 48)], "udp", ["UDP"]), (1234, [time], "udp", ["UDP"]),
        ] as [(UInt16, [[UInt8]], String, [String])])
    func names(port: UInt16, payloads: [[UInt8]], scheme: String, protocols: [String]) throws {
        let capture = audit(payloads.map { frame($0, to: port) })
        #expect(capture.contradictions == [])
        let row = try #require(capture.result.datagrams.first)
        #expect(capture.result.datagrams.count == 1)
        #expect(row.name == "\(scheme)://\(row.endpoint ?? "")" && row.name.hasSuffix(":\(port)"))
        #expect(row.protocols.names == protocols)
        #expect(row.counts.up.packets == payloads.count && row.counts.down.packets == 0)
        #expect(row.counts.up.internet == payloads.reduce(0) { $0 + 28 + $1.count })
    }

    @Test(
        "the server is who the bytes say, else the side with the port of a service, else who is spoken to",
        arguments: [
            (6000, 443, dtls(message: 2), 6000), (50_000, 443, [1], 443), (443, 50_000, [1], 443),
            (40_000, 50_000, [1], 50_000), (3478, 60_000, [1], 3478),
        ] as [(UInt16, UInt16, [UInt8], Int)])
    func findsServer(source: UInt16, destination: UInt16, payload: [UInt8], server: Int) {
        let capture = audit([frame(payload, from: source, to: destination)])
        #expect(capture.result.datagrams.map { $0.name.hasSuffix(":\(server)") } == [true])
        #expect(capture.result.datagrams.first?.counts.up.packets == (server == Int(destination) ? 1 : 0))
    }

    @Test("endpoints beyond the limit share a row, and that is said")
    func limitsEndpoints() {
        var options = AuditOptions()
        options.datagramEndpointLimit = 2
        let capture = audit((1...4).map { frame([1], to: UInt16($0)) }, options)
        #expect(capture.contradictions == [])
        #expect(capture.findings(.datagramLimit) == 2)
        #expect(capture.result.datagrams.map(\.name).last == "udp://(other endpoints)")
        #expect(capture.result.datagrams.map(\.counts.up.packets) == [1, 1, 2])
    }

    @Test("flows beyond the limit are forgotten, and stay in their rows")
    func limitsFlows() {
        var options = AuditOptions()
        options.datagramFlowLimit = 1
        let capture = audit([1, 2, 1].map { frame([1], to: $0) }, options)
        #expect(capture.contradictions == [])
        #expect(capture.findings(.datagramLimit) == 2)
        #expect(capture.result.datagrams.map(\.counts.up.packets) == [2, 1])
    }

    @Test("any cut of a datagram is survived")
    func survivesCuts() {
        for payload in [Self.stun(3), Self.dtls(), Self.question, Self.time, Self.rtp] {
            for port: UInt16 in [53, 123, 443] {
                for count in 0...payload.count {
                    #expect(audit([frame(Array(payload.prefix(count)), to: port)]).contradictions == [])
                    var cut = frame(payload, to: port)
                    cut.originalLength = cut.bytes.count
                    cut.bytes.removeLast(count)
                    #expect(audit([cut]).contradictions == [])
                }
            }
        }
    }
}
