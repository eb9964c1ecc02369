import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: limits of hosts, names, fragments, QUIC and key logs")
struct TableLimitTests {
    /// Audits frames without and with a limit: only with it the finding comes, as often as said.
    private func check(
        _ frames: [CapturedFrame], _ finding: FindingCode, _ count: Int, keys: String = "",
        _ set: (inout AuditOptions) -> Void
    ) -> (whole: AuditedCapture, limited: AuditedCapture) {
        let whole = audit(frames, keys: keys)
        let limited = audit(frames, .with(set), keys: keys)
        #expect(whole.contradictions == [] && limited.contradictions == [])
        #expect(whole.findings(finding) == 0)
        #expect(limited.findings(finding) == count)
        return (whole, limited)
    }

    private static func datagram(_ time: Int64, _ port: UInt16, _ payload: [UInt8], isDown: Bool = false)
        -> CapturedFrame
    {
        var packet = PacketBuilder()
        packet.transport = .udp
        packet.sourcePort = 40_000
        packet.destinationPort = port
        if isDown {
            swap(&packet.source, &packet.destination)
            swap(&packet.sourcePort, &packet.destinationPort)
        }
        packet.payload = payload
        return CapturedFrame(time: 1_000_000_000 + time, packet)
    }

    @Test("hosts beyond the limit share a row, and no cost is lost")
    func hosts() {
        var talk = Dialogue()
        talk.handshake()
        for index in 0..<10 {
            talk.data(.client, "GET / HTTP/1.1\r\nHost: host\(index).example\r\n\r\n")
            talk.data(.server, Sample.response)
        }
        let (_, limited) = check(talk.frames, .hostLimit, 7) { $0.hostLimit = 3 }
        #expect(limited.result.hosts.map(\.exchanges) == [1, 1, 1, 7])
        #expect(limited.result.hosts.last?.host == "(other hosts)")
        #expect(limited.result.apis.count == 10)
    }

    @Test("connections of hosts and clients beyond the limit count as needed")
    func hostClients() {
        var frames: [CapturedFrame] = []
        for round in 0..<2 {
            for index in 0..<4 {
                var talk = Dialogue(clientPort: UInt16(40_000 + 10 * round + index))
                talk.template.source = IPAddress(version4: 0x0A00_0001 + UInt32(index))
                talk.time += Int64(round * 4 + index) * 1_000_000_000
                talk.handshake()
                talk.exchange()
                talk.close()
                frames += talk.frames
            }
        }
        let (whole, limited) = check(frames, .hostClientLimit, 4) { $0.hostClientLimit = 2 }
        let saving = whole.result.hosts.reduce(0) { $0 + $1.setup.reuseSaving }
        #expect(saving > 0)
        #expect(limited.result.hosts.reduce(0) { $0 + $1.setup.reuseSaving } == saving / 2)
    }

    @Test("names and look-ups beyond the limit are forgotten, and that is told")
    func names() {
        var frames: [CapturedFrame] = []
        for index in 0..<6 as Range<UInt8> {
            let time = Int64(index) * 1_000_000
            frames.append(Self.datagram(time, 53, DNSBytes.query("n\(index).test", identifier: index)))
            let answer = DNSBytes.answer("n\(index).test", identifier: index, [[93, 184, 216, index]])
            frames.append(Self.datagram(time + 1000, 53, answer, isDown: true))
        }
        _ = check(frames, .nameLimit, 1) { $0.nameLimit = 4 }
        _ = check(frames, .lookupLimit, 1) { $0.lookupLimit = 4 }
    }

    @Test("fragments that wait too many or too long are told apart")
    func fragments() {
        func frames(every interval: Int64) -> [CapturedFrame] {
            (0..<10).map { index in
                var packet = PacketBuilder()
                packet.identification = UInt16(index + 1)
                packet.transport = .other(17)
                packet.payload = [UInt8](repeating: 0x61, count: 800)
                packet.moreFragments = true
                return CapturedFrame(time: 1_000_000_000 + Int64(index) * interval, packet)
            }
        }
        let few = check(frames(every: 1000), .fragmentLimit, 6) { $0.fragmentLimit = 4 }
        #expect(few.whole.findings(.fragmentsIncomplete) == 10 && few.limited.findings(.fragmentsIncomplete) == 4)
        let small = check(frames(every: 1000), .fragmentLimit, 8) { $0.fragmentBytesLimit = 3000 }
        #expect(small.limited.result.ledger.other == small.whole.result.ledger.other)
        let old = audit(frames(every: 600_000_000), .with { $0.fragmentPatience = 1_000_000_000 })
        #expect(old.contradictions == [])
        #expect(old.findings(.fragmentLimit) == 0 && old.findings(.fragmentsIncomplete) == 10)
    }

    @Test("QUIC flows beyond the limit are forgotten: what has no long header is other UDP then")
    func quicFlows() {
        var frames: [CapturedFrame] = []
        for port in 1...4 as ClosedRange<UInt16> {
            let long: [UInt8] = [0xC3, 0, 0, 0, 1, 8] + [UInt8](repeating: 0, count: 30)
            frames.append(Self.datagram(Int64(port) * 1000, 4430 + port, long))
        }
        let short: [UInt8] = [0x43] + [UInt8](repeating: 0, count: 30)
        frames.append(Self.datagram(9000, 4431, short))
        let (whole, limited) = check(frames, .quicFlowLimit, 1) { $0.quicFlowLimit = 3 }
        #expect(whole.result.ledger.other.udp == 0)
        #expect(limited.result.ledger.other.udp == 20 + 8 + 31)
    }

    @Test("what of a key log is not kept or cannot be read is told with its number")
    func keyLog() {
        let secret = String(repeating: "ab", count: 48)
        let lines = (0..<9).map { "CLIENT_RANDOM \(String(repeating: "0\($0)", count: 32)) \(secret)\n" }
        let log = KeyLog(lineLimit: 5)
        let text = Array((lines.joined() + "CLIENT_RANDOM broken\n").utf8)
        unsafe log.add(text.span.bytes)
        var auditor = Auditor(keys: log)
        let result = auditor.finish()
        #expect(result.findings.map(\.code) == [.keyLogMalformed, .keyLogLimit])
        #expect(result.findings.map(\.count) == [1, 4])
        #expect(result.findings.allSatisfy { $0.packet == 0 && $0.file.isEmpty })
    }
}
