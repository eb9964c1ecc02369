import WireCore
import WireTesting

/// The packets of one TCP connection, written as a dialogue.
struct Dialogue {
    private(set) var packets: [PacketBuilder] = []
    private var upSequence: UInt32 = 1_000_000
    private var downSequence: UInt32 = 5_000_000
    private let segmentSize = 1448
    private let serverPort: UInt16

    /// The handshake.
    init(serverPort: UInt16) {
        self.serverPort = serverPort
        add(up: true, .syn)
        upSequence += 1
        add(up: false, [.syn, .ack])
        downSequence += 1
        add(up: true, .ack)
    }

    /// Both FINs.
    mutating func close() {
        add(up: true, [.ack, .fin])
        upSequence += 1
        add(up: false, [.ack, .fin])
        downSequence += 1
        add(up: true, .ack)
    }

    /// Segments of full size, every second one acknowledged.
    mutating func send(up: Bool, _ bytes: [UInt8]) {
        var count = 0
        for start in stride(from: 0, to: bytes.count, by: segmentSize) {
            let payload = Array(bytes[start..<min(start + segmentSize, bytes.count)])
            add(up: up, [.ack, .psh], payload)
            if up { upSequence += UInt32(payload.count) } else { downSequence += UInt32(payload.count) }
            count += 1
            if count % 2 == 0 { add(up: !up, .ack) }
        }
        if count % 2 == 1 { add(up: !up, .ack) }
    }

    private mutating func add(up: Bool, _ flags: TCPFlags, _ payload: [UInt8] = []) {
        var packet = PacketBuilder()
        packet.destinationPort = serverPort
        if !up {
            swap(&packet.source, &packet.destination)
            swap(&packet.sourcePort, &packet.destinationPort)
        }
        packet.sequence = up ? upSequence : downSequence
        packet.acknowledgment = !flags.contains(.ack) ? 0 : up ? downSequence : upSequence
        packet.flags = flags
        packet.options = [.noOperation, .noOperation, .timestamps(value: 1, echo: 1)]
        packet.payload = payload
        packets.append(packet)
    }

    /// Of every 25 packets with payload one comes late, as behind a loss before the capture point, and one comes
    /// twice, as behind a loss after it.
    mutating func disturb() {
        var disturbed: [PacketBuilder] = []
        var later: [(due: Int, packet: PacketBuilder)] = []
        var count = 0
        for packet in packets {
            while let first = later.first, first.due <= disturbed.count {
                disturbed.append(first.packet)
                later.removeFirst()
            }
            if !packet.payload.isEmpty { count += 1 }
            switch packet.payload.isEmpty ? 0 : count % 25 {
            case 10: later.append((disturbed.count + 12, packet))
            case 20:
                disturbed.append(packet)
                later.append((disturbed.count + 8, packet))
            default: disturbed.append(packet)
            }
        }
        packets = disturbed + later.map(\.packet)
    }
}
