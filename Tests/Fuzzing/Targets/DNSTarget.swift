import WireTesting

@testable import WireCore

/// DNS messages, and the connections that use what they say.
///
/// Input: messages, each behind a byte with its direction and a word with its length.
enum DNSTarget: FuzzTarget {
    static let name = "dns"
    static let longestInput = 8192
    static let memory = Bound(fixed: 160 << 20, perByte: 500)
    static let work = Bound(fixed: 400 << 20, perByte: 30_000)

    private struct Message {
        var isQuery: Bool
        var resolver: UInt32
        var port: UInt16
        var bytes: [UInt8]
    }

    static func run(_ input: [UInt8]) {
        var choices = Choices(input)
        var messages: [Message] = []
        while !choices.isEmpty, messages.count < 100 {
            let shape = choices.byte()
            let bytes = choices.bytes(choices.word() % 1400)
            messages.append(
                Message(
                    isQuery: shape & 1 == 0, resolver: 0x0A00_0035 + UInt32(shape >> 6),
                    port: UInt16(30_000 + shape >> 3 & 7), bytes: bytes))
        }
        var cuts = Cuts(input)
        var addresses: [IPAddress] = []
        for message in messages { addresses += read(message.bytes, &cuts) }
        let whole = audit(messages, addresses, fragmentsAt: nil)
        let inFragments = audit(messages, addresses, fragmentsAt: 8 * (1 + cuts.below(20)))
        demandEqualLists(
            whole.connections.map(\.serverName), inFragments.connections.map(\.serverName), "names from fragments")
        demand(whole.result.hosts.count == inFragments.result.hosts.count, "hosts from fragments")
    }

    /// Reads a message whole and cut short, and gives the addresses in it.
    private static func read(_ bytes: [UInt8], _ cuts: inout Cuts) -> [IPAddress] {
        let message = unsafe DNSMessage(bytes.span.bytes)
        for _ in 0..<4 {
            let cut = cuts.below(bytes.count + 1)
            guard let part = unsafe DNSMessage(bytes.span.bytes.extracting(0..<cut)) else { continue }
            demand(message != nil, "a message cut short can be read, the whole one not")
            demand(part.name == message?.name, "a message cut short has another name")
            demand(message?.addresses.starts(with: part.addresses) == true, "a message cut short has other addresses")
        }
        guard let message else { return [] }
        demand(message.name.count <= 255, "a name of \(message.name.count) bytes")
        demand(message.addresses.count <= 64, "\(message.addresses.count) addresses")
        return message.addresses
    }

    private static func audit(
        _ messages: [Message], _ addresses: [IPAddress], fragmentsAt length: Int?
    ) -> AuditedCapture {
        var frames: [CapturedFrame] = []
        var time: Int64 = 1_700_000_000_000_000_000
        for (index, message) in messages.enumerated() {
            time += 1_000_000
            var packet = PacketBuilder()
            packet.transport = .udp
            packet.source = IPAddress(version4: 0x0A00_0001)
            packet.destination = IPAddress(version4: message.resolver)
            packet.sourcePort = message.port
            packet.destinationPort = 53
            if !message.isQuery {
                swap(&packet.source, &packet.destination)
                swap(&packet.sourcePort, &packet.destinationPort)
            }
            packet.identification = UInt16(index + 1)
            packet.payload = message.bytes
            for fragment in fragments(of: packet, length) {
                frames.append(CapturedFrame(time: time, bytes: fragment))
            }
        }
        for (index, address) in addresses.prefix(100).enumerated() {
            time += 1_000_000
            var packet = PacketBuilder()
            packet.flags = .syn
            packet.sourcePort = UInt16(40_000 + index)
            packet.destination = address
            if address.isVersion6 { packet.source = IPAddress(high: 1, low: 1, isVersion6: true) }
            frames.append(CapturedFrame(time: time, packet))
        }
        let capture = ProbedAudit(frames: frames).run()
        capture.demandBalance(length == nil ? "whole" : "in fragments")
        return capture
    }

    private static func fragments(of packet: PacketBuilder, _ length: Int?) -> [[UInt8]] {
        guard let length else { return [packet.frame()] }
        let datagram = packet.transportBytes()
        return stride(from: 0, to: datagram.count, by: length).map { start in
            var fragment = packet
            fragment.transport = .other(17)
            fragment.payload = Array(datagram[start..<min(start + length, datagram.count)])
            fragment.fragmentOffset = start
            fragment.moreFragments = start + length < datagram.count
            return fragment.frame()
        }
    }
}
