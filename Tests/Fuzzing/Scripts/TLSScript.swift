import WireCore
import WireTesting

/// Turns an input into a TLS connection whose keys are known, or partly, or not.
///
///     byte        | version and suite, or none |
///     byte        | bit 0: HTTP/2 | bit 1: early data | bit 2: keys come from the input | bits 3–6: lines left out |
///     then steps: | bits 0–3: step | bit 4: side | bit 5: not in the capture |
struct TLSScript {
    private(set) var streams = StreamScript()
    private(set) var keys: [UInt8] = []

    private var choices: Choices
    private var peers: TLSPeers?
    private var latest = 0

    private static let stepLimit = 200

    init(_ input: [UInt8]) {
        choices = Choices(input)
        streams.port = 443
        begin()
        var steps = 0
        while !choices.isEmpty, steps < Self.stepLimit {
            step()
            steps += 1
        }
    }

    private mutating func begin() {
        let suite = choices.byte()
        let shape = choices.byte()
        streams.ending = StreamScript.Ending.allCases[suite >> 6 % 3]
        if shape & 4 != 0 { keys = choices.bytes(choices.word()) }
        // None: the connection begins with what the steps write.
        guard suite & 15 < TLSSuite.allCases.count else { return }
        var peers = TLSPeers(
            TLSSuite.allCases[suite & 15], protocols: shape & 1 == 0 ? ["http/1.1"] : ["h2", "http/1.1"])
        peers.certificateLength = 60
        let flights =
            shape & 2 != 0 && peers.suite.isTLS13
            ? peers.earlyHandshake(HTTPTemplates.bytes(choices.byte())) : peers.handshake()
        for flight in flights { streams.write(flight.side, flight.bytes) }
        if shape & 4 == 0 {
            let lines = peers.keyLog.split(separator: "\n").enumerated().filter {
                shape >> (3 + $0.offset % 4) & 1 == 0
            }
            keys = Array(lines.map { $0.element + "\n" }.joined().utf8)
        }
        self.peers = peers
    }

    private mutating func step() {
        let code = choices.byte()
        let side: Dialogue.Side = code & 16 == 0 ? .client : .server
        let bytes = record(code & 15, side)
        streams.write(side, bytes, isLost: code & 32 != 0)
    }

    /// What the step sends.
    private mutating func record(_ step: Int, _ side: Dialogue.Side) -> [UInt8] {
        switch step {
        case 0: return seal(side, choices.bytes(choices.byte()))
        case 1: return seal(side, HTTPTemplates.bytes(choices.byte()))
        case 2:
            let type = UInt8(choices.byte())
            let padding = choices.byte() % 15
            return seal(side, choices.bytes(choices.byte()), type, padding: padding)
        case 3: return peers?.suite.isTLS13 == true ? peers?.keyUpdate(side) ?? [] : []
        case 4: return peers?.ticket(choices.byte()) ?? []
        case 5: return peers?.closeNotify(side) ?? []
        case 6: return peers?.fatalAlert(side) ?? []
        case 7: return TLSPeers.clear(UInt8(choices.byte()), choices.bytes(choices.byte()))
        case 8: return choices.bytes(choices.byte())
        case 9: return choices.bytes(choices.word())
        case 10: return damaged(seal(side, HTTPTemplates.bytes(choices.byte())))
        case 11: return cut(seal(side, HTTPTemplates.bytes(choices.byte())))
        case 12: return seal(side, choices.bytes(choices.byte()), 22)
        case 13: return seal(side, [UInt8](repeating: 0x61, count: choices.word() % 16_000))
        case 14: return seal(side, HTTPTemplates.bytes(choices.byte()) + HTTPTemplates.bytes(choices.byte()))
        default: return again()
        }
    }

    private mutating func seal(
        _ side: Dialogue.Side, _ content: [UInt8], _ type: UInt8 = 23, padding: Int = 0
    ) -> [UInt8] {
        peers?.seal(side, content, type: type, padding: padding) ?? TLSPeers.clear(type, content)
    }

    private mutating func damaged(_ record: [UInt8]) -> [UInt8] {
        var record = record
        guard !record.isEmpty else { return [] }
        record[choices.byte() % record.count] ^= UInt8(choices.byte())
        return record
    }

    private mutating func cut(_ record: [UInt8]) -> [UInt8] {
        Array(record.prefix(choices.byte()))
    }

    /// Something that was sent before.
    private mutating func again() -> [UInt8] {
        guard !streams.writes.isEmpty else { return [] }
        return streams.writes[choices.byte() % streams.writes.count].bytes
    }
}
