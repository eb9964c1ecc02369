import WireCore

/// One TCP connection with one HTTP exchange: handshake, request, response, acknowledgments, both FINs.
public struct SampleConversation: Sendable {
    public var request = "GET /v1/items/42?src=app HTTP/1.1\r\nHost: api.example.com\r\n\r\n"
    /// Header fields of the response besides its length, each with its line end.
    public var responseFields = ""
    public var body = Array("hello".utf8)
    public var clientPort: UInt16 = 51_234

    public init() {}

    /// The packets in the order of capture, with Ethernet headers.
    public func packets() -> [PacketBuilder] {
        let response = Array("HTTP/1.1 200 OK\r\n\(responseFields)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        let (asked, answered) = (UInt32(request.utf8.count), UInt32(response.count))
        return [
            up(0, 0, .syn), down(0, 1, [.syn, .ack]), up(1, 1, .ack), up(1, 1, [.ack, .psh], Array(request.utf8)),
            down(1, 1 + asked, .ack), down(1, 1 + asked, [.ack, .psh], response), up(1 + asked, 1 + answered, .ack),
            up(1 + asked, 1 + answered, [.ack, .fin]), down(1 + answered, 2 + asked, [.ack, .fin]),
            up(2 + asked, 2 + answered, .ack),
        ]
    }

    /// The packets as a pcap file, a millisecond apart.
    public func pcap() -> [UInt8] {
        var file = PcapFileBuilder()
        for (index, packet) in packets().enumerated() {
            file.record(seconds: 1_795_168_800, fraction: UInt32(index) * 1000, packet.frame())
        }
        return file.bytes
    }

    private func up(_ sequence: UInt32, _ next: UInt32, _ flags: TCPFlags, _ payload: [UInt8] = []) -> PacketBuilder {
        var packet = PacketBuilder()
        packet.sourcePort = clientPort
        packet.sequence = 1000 + sequence
        packet.acknowledgment = flags.contains(.ack) ? 5000 + next : 0
        packet.flags = flags
        packet.payload = payload
        return packet
    }

    private func down(_ sequence: UInt32, _ next: UInt32, _ flags: TCPFlags, _ payload: [UInt8] = []) -> PacketBuilder {
        var packet = up(sequence, next, flags, payload)
        swap(&packet.source, &packet.destination)
        swap(&packet.sourcePort, &packet.destinationPort)
        packet.sequence = 5000 + sequence
        packet.acknowledgment = 1000 + next
        return packet
    }
}
