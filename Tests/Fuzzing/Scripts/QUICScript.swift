import WireCore
import WireTesting

/// Turns an input into datagrams of a QUIC connection whose keys are known, or not.
///
///     byte        | bits 0–1: suite | bit 2: no key log | bit 3: not HTTP/3 | bits 4–5: lengths of connection IDs |
///     byte        | how many datagrams of the handshake the capture lacks, where below 5
///     then steps: | bits 0–3: step | bit 4: side | bit 5: before the datagram in front | bit 6: not in the capture |
struct QUICScript {
    private(set) var datagrams: [QUICPeers.Datagram] = []
    private(set) var keys: [UInt8] = []

    private var choices: Choices
    private var peers: QUICPeers

    private static let stepLimit = 120
    private static let lengths = [(8, 8), (0, 8), (20, 0), (4, 20)]

    var frames: [CapturedFrame] { peers.frames(datagrams, from: 1_700_000_000_000_000_000) }

    init(_ input: [UInt8]) {
        choices = Choices(input)
        let shape = choices.byte()
        let suite: TLSSuite = [.aes128GCM13, .aes256GCM13, .chaCha13, .aes128GCM13][shape & 3]
        peers = QUICPeers(
            suite, protocols: shape & 8 == 0 ? ["h3"] : ["doq"], idLengths: Self.lengths[shape >> 4 & 3])
        if shape & 4 == 0 { keys = Array(peers.keyLog.utf8) }
        let missing = choices.byte()
        datagrams = Array(peers.handshake().dropFirst(missing < 5 ? missing : 0))
        var steps = 0
        while !choices.isEmpty, steps < Self.stepLimit {
            step()
            steps += 1
        }
    }

    private mutating func step() {
        let code = choices.byte()
        let side: Dialogue.Side = code & 16 == 0 ? .client : .server
        let bytes = datagram(code & 15, side)
        guard code & 64 == 0, !bytes.isEmpty, bytes.count < 60_000 else { return }
        let place = code & 32 == 0 ? datagrams.count : max(datagrams.count - 1, 0)
        datagrams.insert(QUICPeers.Datagram(side, bytes), at: place)
    }

    /// What the step sends.
    private mutating func datagram(_ step: Int, _ side: Dialogue.Side) -> [UInt8] {
        switch step {
        case 0: return peers.packet(side, message(side))
        case 1: return peers.packet(side, choices.bytes(choices.byte()))
        case 2: return peers.packet(side, stream())
        case 3: return peers.packet(side, QUICWire.acknowledgment(UInt64(choices.byte())))
        case 4: return peers.packet(side, QUICWire.crypto(UInt64(choices.byte()), choices.bytes(choices.byte())))
        case 5: return peers.packet(side, control(side))
        case 6: return damaged(peers.packet(side, message(side)))
        case 7: return Array(peers.packet(side, message(side)).prefix(choices.byte()))
        case 8: return again()
        case 9: return choices.bytes(choices.word() % 1500)
        case 10:
            peers.updateKeys()
            return peers.packet(side, [1])
        case 11: return choices.byte() & 1 == 0 ? peers.reset().bytes : peers.initial().bytes
        case 12: return again() + peers.packet(side, stream())
        case 13: return peers.packet(side, issued())
        case 14:
            let number = UInt64(choices.word())
            return peers.packet(side, message(side), number: number, numberLength: 1 + choices.below(4))
        default: return offloaded(side)
        }
    }

    /// A request or its response, or one of their halves.
    private mutating func message(_ side: Dialogue.Side) -> [UInt8] {
        let id = UInt64(choices.byte()) * 4
        let shape = choices.byte()
        let data = side == .client ? QUICWire.request("/\(shape)") : QUICWire.response(choices.bytes(shape))
        let middle = data.count / 2
        switch shape & 3 {
        case 0: return QUICWire.stream(id, 0, Array(data[..<middle]))
        case 1: return QUICWire.stream(id, UInt64(middle), Array(data[middle...]), isFinal: true)
        default: return QUICWire.stream(id, 0, data, isFinal: shape & 3 == 3)
        }
    }

    private mutating func stream() -> [UInt8] {
        let id = choices.byte()
        let offset = choices.byte()
        // Some of them are far away.
        let place = offset < 250 ? UInt64(offset) : 1 << UInt64(offset - 194) - 1
        return QUICWire.stream(
            UInt64(id & 127), place, choices.bytes(choices.byte()), isFinal: id & 128 != 0)
    }

    /// A unidirectional stream of HTTP/3: its type, then what the input says.
    private mutating func control(_ side: Dialogue.Side) -> [UInt8] {
        let type = choices.byte()
        let id = UInt64(side == .client ? 2 : 3) + 4 * UInt64(type >> 4)
        let kind: [UInt8] = [UInt8(type & 7)]
        let settings = type & 7 == 0 ? QUICWire.frame(4, [1] + QUICWire.integer(4096)) : []
        return QUICWire.stream(id, 0, kind + settings + choices.bytes(choices.byte()))
    }

    /// NEW_CONNECTION_ID, RESET_STREAM or STOP_SENDING.
    private mutating func issued() -> [UInt8] {
        let number = UInt64(choices.byte())
        switch choices.below(3) {
        case 0:
            let id = choices.bytes(1 + choices.below(20))
            return [0x18] + QUICWire.integer(number) + [0, UInt8(id.count)] + id + [UInt8](repeating: 7, count: 16)
        case 1:
            return [4] + QUICWire.integer(number) + QUICWire.integer(0x10C) + QUICWire.integer(UInt64(choices.byte()))
        default: return [5] + QUICWire.integer(number) + QUICWire.integer(0x10C)
        }
    }

    private mutating func damaged(_ packet: [UInt8]) -> [UInt8] {
        var packet = packet
        packet[choices.byte() % packet.count] ^= UInt8(choices.byte())
        return packet
    }

    /// Something that was sent before.
    private mutating func again() -> [UInt8] {
        datagrams.isEmpty ? [] : datagrams[choices.byte() % datagrams.count].bytes
    }

    /// Datagrams of one length in one frame, which the network card would have cut.
    private mutating func offloaded(_ side: Dialogue.Side) -> [UInt8] {
        let length = 1200 + choices.byte()
        let id = UInt64(choices.byte()) * 4
        return (0..<1 + choices.below(5)).flatMap { part -> [UInt8] in
            let frame = QUICWire.stream(id, UInt64(part) * 900, [UInt8](repeating: 0x61, count: 900))
            let overhead = 1 + peers.ids[side.other.rawValue].count + 2 + 16
            return peers.packet(side, frame + [UInt8](repeating: 0, count: length - overhead - frame.count))
        }
    }
}
