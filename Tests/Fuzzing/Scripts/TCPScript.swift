import WireCore
import WireTesting

/// Turns an input into packets: three connections whose sides send, repeat, overlap, lose and contradict themselves.
///
///     byte        | bits 0–3: step | bit 4: side | bits 5–6: connection | bit 7: shape |
///     then what the step asks for
struct TCPScript {
    private(set) var frames: [CapturedFrame] = []
    private(set) var options = AuditOptions()

    private var choices: Choices
    private var talks: [Dialogue]
    /// What each side of each connection has to say, by place.
    private var content: [[[UInt8]]] = Array(repeating: [[], []], count: 3)
    private var time: Int64 = 1_700_000_000_000_000_000

    private static let frameLimit = 300
    private static let contentLimit = 60_000

    init(_ input: [UInt8]) {
        choices = Choices(input)
        talks = (0..<3).map { Dialogue(clientPort: UInt16(40_000 + $0)) }
        setUp()
        while !choices.isEmpty, frames.count < Self.frameLimit { step() }
    }

    private mutating func setUp() {
        let limits = choices.byte()
        options.setup = SetupPolicy.allCases[limits % 3]
        options.decodesBodies = limits & 0x80 != 0
        if limits & 4 != 0 { options.heldBytesLimit = 16 * choices.byte() }
        if limits & 8 != 0 { options.connectionLimit = 1 + choices.byte() % 3 }
        if limits & 16 != 0 { options.lingerCountLimit = choices.byte() % 3 }
        if limits & 32 != 0 { options.idleLimit = 1_000_000 << Int64(choices.below(24)) }
        if limits & 64 != 0 { options.headerSectionLimit = 8 * choices.byte() }
        // Sequence numbers pass their largest value in some connections.
        let start = choices.byte()
        for index in talks.indices where start >> index & 1 != 0 {
            talks[index].initialSequence = [0xFFFF_FFC0, 0xFFFF_FFFE]
        }
        if start & 8 != 0 { talks[1].template.source = IPAddress(high: 1, low: 2, isVersion6: true) }
        if start & 8 != 0 { talks[1].template.destination = IPAddress(high: 1, low: 3, isVersion6: true) }
        if start & 16 != 0 { talks[2].template.vlanTags = [5] }
        if start & 32 != 0 { talks[2].template.destinationPort = 443 }
        if start & 64 != 0 { talks[0].handshake() }
        if start & 128 != 0 { talks[1].handshake() }
        for index in talks.indices { collect(index) }
    }

    private mutating func step() {
        let code = choices.byte()
        let side: Dialogue.Side = code & 16 == 0 ? .client : .server
        let index = (code >> 5 & 3) % talks.count
        let shaped = code & 128 != 0
        talks[index].time = time
        switch code & 15 {
        case 0: talks[index].syn(side, acknowledges: side == .server)
        case 1: talks[index].ack(side, upTo: shaped ? choices.word() : nil, window: UInt16(choices.byte()) << 8)
        case 2: send(index, side, choices.byte(), at: talks[index].sent[side.rawValue])
        case 3: send(index, side, choices.word(), at: talks[index].sent[side.rawValue])
        case 4: send(index, side, choices.byte(), at: talks[index].sent[side.rawValue] - choices.byte())
        case 5: send(index, side, choices.byte(), at: talks[index].sent[side.rawValue] + choices.word())
        case 6: add(HTTPTemplates.bytes(choices.byte()), index, side)
        case 7: add(choices.bytes(choices.byte()), index, side)
        case 8: talks[index].fin(side, acknowledging: shaped ? choices.byte() : nil)
        case 9: talks[index].rst(side, shaped ? "reset" : "")
        case 10: pass(choices.byte())
        case 11: repeatFrame(shaped)
        case 12: snap(choices.byte())
        case 13: contradict(index, side)
        case 14: probe(index, side, shaped)
        default: disturb(index, side, choices.byte())
        }
        time += 500_000
        collect(index)
    }

    // MARK: Steps

    private mutating func add(_ bytes: [UInt8], _ index: Int, _ side: Dialogue.Side) {
        guard content[index][side.rawValue].count < Self.contentLimit else { return }
        content[index][side.rawValue] += bytes
    }

    /// Bytes of the side's content; behind its end the side says the letter x.
    private mutating func send(
        _ index: Int, _ side: Dialogue.Side, _ count: Int, at position: Int, _ change: (UInt8) -> UInt8 = { $0 }
    ) {
        let all = content[index][side.rawValue]
        let count = min(max(1, count), 40_000)
        let payload = (position..<position + count).map { place in
            change(all.indices.contains(place) ? all[place] : 0x78)
        }
        talks[index].data(side, payload, at: position)
    }

    /// Time goes on, or back, by nanoseconds to centuries.
    private mutating func pass(_ amount: Int) {
        let step = Int64(1) << Int64(amount % 60)
        time = amount & 0x80 == 0 ? time &+ step : time &- step
    }

    private mutating func repeatFrame(_ onOtherInterface: Bool) {
        guard !frames.isEmpty else { return }
        var frame = frames[max(0, frames.count - 1 - choices.byte())]
        frame.time = time
        if onOtherInterface { frame.interface = 1 }
        frames.append(frame)
    }

    private mutating func snap(_ removed: Int) {
        guard let last = frames.last, last.originalLength == nil else { return }
        frames[frames.count - 1].originalLength = last.bytes.count
        frames[frames.count - 1].bytes.removeLast(min(removed, last.bytes.count))
    }

    /// Sends bytes again that are not what they were.
    private mutating func contradict(_ index: Int, _ side: Dialogue.Side) {
        let position = talks[index].sent[side.rawValue] - choices.byte()
        let key = UInt8(choices.byte())
        send(index, side, choices.byte(), at: position) { $0 ^ key }
    }

    private mutating func probe(_ index: Int, _ side: Dialogue.Side, _ isEmpty: Bool) {
        let position = talks[index].sent[side.rawValue] - 1
        talks[index].send(side, .ack, at: position, isEmpty ? [] : [0x78])
    }

    private mutating func disturb(_ index: Int, _ side: Dialogue.Side, _ kind: Int) {
        switch kind & 7 {
        case 0:
            guard let last = frames.last, !last.bytes.isEmpty else { return }
            let place = choices.word() % last.bytes.count
            frames[frames.count - 1].bytes[place] ^= UInt8(choices.byte())
        case 1: talks[index].lose(side, choices.word())
        case 2:
            // The same ports again, from other sequence numbers.
            var next = Dialogue(clientPort: talks[index].template.sourcePort)
            next.template = talks[index].template
            next.initialSequence = [UInt32(choices.word()) << 16, UInt32(choices.word())]
            talks[index] = next
            content[index] = [[], []]
        case 3: if frames.count > 1 { frames.swapAt(frames.count - 1, max(0, frames.count - 2 - choices.byte())) }
        case 4: talks[index].template.options = [.maximumSegmentSize(UInt16(choices.word()))]
        case 5: talks[index].template.hasValidChecksums.toggle()
        case 6: talks[index].handshake()
        default: talks[index].close()
        }
    }

    /// Takes over what a connection sent.
    private mutating func collect(_ index: Int) {
        for var frame in talks[index].frames {
            frame.time = time
            frames.append(frame)
        }
        talks[index].frames = []
    }
}
