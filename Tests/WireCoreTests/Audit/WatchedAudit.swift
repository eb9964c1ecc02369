import WireTesting

@testable import WireCore

/// What an audit gave out, as text, in the order in which it did.
struct AuditTranscript: Equatable {
    var records: [String] = []
    var rows: [String] = []
    var ledger = ""
    var counts: [String] = []

    /// Lines in which two differ, at most a few.
    func differences(_ other: AuditTranscript) -> [String] {
        let pairs = [(records, other.records), (rows, other.rows), ([ledger], [other.ledger]), (counts, other.counts)]
        return pairs.flatMap { mine, theirs in
            let unequal = zip(mine, theirs).filter { $0 != $1 }.prefix(2).map { "\($0)\n   instead of\n\($1)" }
            return unequal + (mine.count == theirs.count ? [] : ["\(mine.count) lines instead of \(theirs.count)"])
        }
    }
}

private final class TranscriptSink: AuditSink {
    var exchanges: [ExchangeRecord] = []
    var connections: [ConnectionRecord] = []
    var lines: [String] = []
    var transcribes = true

    func receive(_ record: ExchangeRecord) {
        exchanges.append(record)
        if transcribes { lines.append(String(describing: record)) }
    }

    func receive(_ record: ConnectionRecord) {
        connections.append(record)
        if transcribes { lines.append(String(describing: record)) }
    }
}

/// An audit that the test looks into while it goes on.
struct WatchedAudit {
    var frames: [CapturedFrame]
    var options = AuditOptions()
    var keys = ""
    /// Lost frames by the index of the frame that tells of them.
    var dropped: [Int: Int] = [:]
    /// Whether it is wanted as text, which takes long.
    var transcribes = true

    /// What stands between frames: called with the index of the next frame, last with the number of frames.
    typealias Between = (inout Auditor, Int) -> Void

    func run(_ between: Between = { _, _ in }) -> (transcript: AuditTranscript, capture: AuditedCapture) {
        let log = KeyLog()
        unsafe log.add(Array(keys.utf8).span.bytes)
        let sink = TranscriptSink()
        sink.transcribes = transcribes
        var auditor = Auditor(options: options, sink: sink, keys: log)
        let file = auditor.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
        for (index, frame) in frames.enumerated() {
            between(&auditor, index)
            let facts = frame.facts(number: index + 1, droppedBefore: dropped[index] ?? 0)
            unsafe auditor.consume(facts, frame.bytes.span.bytes, file: file)
        }
        between(&auditor, frames.count)
        let result = auditor.finish()
        let transcript = AuditTranscript(
            records: sink.lines,
            rows: result.apis.map { String(describing: $0) } + result.hosts.map { String(describing: $0) },
            ledger: String(describing: result.ledger),
            counts: ["\(result.connections) \(result.exchanges)"] + result.findings.map { String(describing: $0) })
        return (
            transcript,
            AuditedCapture(result, exchanges: sink.exchanges, connections: sink.connections, of: frames)
        )
    }

    /// Runs it with time going on between the frames, as it does while they are awaited, and with looks.
    func runLive(_ random: inout SeededRandom) -> (transcript: AuditTranscript, capture: AuditedCapture) {
        run { auditor, index in
            let previous = index > 0 ? frames[index - 1].time : frames.first?.time ?? 0
            let next = index < frames.count ? frames[index].time : previous &+ 100_000_000_000_000
            for _ in 0..<random.below(4) {
                switch random.below(4) {
                case 0: _ = auditor.snapshot(recent: random.below(5))
                case 1: auditor.advance(to: next)
                case 2: auditor.advance(to: next - Int64(random.below(5_000_000_000)))
                default:
                    let gap = max(next - previous, 1)
                    auditor.advance(to: min(previous + Int64(random.below(Int(gap))), next))
                }
            }
            if index == frames.count, random.oneIn(2) { auditor.advance(to: .max) }
            if random.oneIn(8) { auditor.resumeAwaited(at: next) }
        }
    }
}

/// Random captures: connections of several kinds among each other, with pauses between the packets, and damage.
struct RandomCapture {
    enum Clock: CaseIterable {
        /// Pauses from microseconds to hours.
        case pauses
        /// Never more than a few milliseconds.
        case busy
        /// Steps forward and back, small and large.
        case steps
    }

    private(set) var frames: [CapturedFrame] = []
    private(set) var options = AuditOptions()
    private(set) var keys = ""
    private(set) var dropped: [Int: Int] = [:]
    private var random: SeededRandom

    var audit: WatchedAudit { WatchedAudit(frames: frames, options: options, keys: keys, dropped: dropped) }

    init(seed: UInt64, clock: Clock = .pauses) {
        random = SeededRandom(seed: seed)
        var talks: [[CapturedFrame]] = []
        for number in 0..<1 + random.below(3) {
            let weather = RandomConversation.Weather(
                loss: random.element([0, 0, 10]), repetition: 25, overlap: 25, shuffles: random.oneIn(2))
            let model = RandomConversation(
                seed: random.next(), port: UInt16(40_000 + number), weather: weather)
            talks.append(ended(model.talk))
        }
        if random.oneIn(2) {
            let model = RandomLayers(seed: random.next())
            keys = model.talk.peers?.keyLog ?? ""
            talks.append(ended(model.talk.talk))
        }
        if random.oneIn(3) { talks.append(garbage()) }
        mix(talks)
        if random.oneIn(3) { damage() }
        setTimes(clock)
        for index in frames.indices where random.oneIn(60) { dropped[index] = 1 + random.below(5) }
        chooseOptions()
    }

    /// The same packets with an end of another kind, or none, and with late packets behind it.
    private mutating func ended(_ talk: Dialogue) -> [CapturedFrame] {
        var talk = talk
        var frames = talk.frames
        switch random.below(6) {
        case 0: frames.removeLast(min(frames.count, random.below(6)))
        case 1:
            talk.rst(random.element(Dialogue.Side.allCases))
            frames.insert(talk.frames[talk.frames.count - 1], at: random.below(frames.count + 1))
        case 2: for _ in 0..<random.below(5) { frames.append(random.element(frames)) }
        case 3:
            talk.data(.client, Sample.request)
            talk.data(.server, Sample.response)
            talk.close()
            frames = talk.frames
        default: break
        }
        return frames
    }

    private mutating func garbage() -> [CapturedFrame] {
        var talk = Dialogue(clientPort: 45_000)
        if random.oneIn(2) { talk.handshake() }
        for _ in 0..<random.below(12) {
            talk.data(random.element(Dialogue.Side.allCases), random.bytes(random.below(200)))
        }
        return talk.frames
    }

    private mutating func mix(_ talks: [[CapturedFrame]]) {
        var rests = talks.map { $0[...] }.filter { !$0.isEmpty }
        while !rests.isEmpty {
            let index = random.below(rests.count)
            for _ in 0..<1 + random.below(6) {
                if let frame = rests[index].popFirst() { frames.append(frame) }
            }
            if rests[index].isEmpty { rests.remove(at: index) }
        }
    }

    private mutating func damage() {
        for index in frames.indices.reversed() {
            switch random.below(40) {
            case 0: frames.remove(at: index)
            case 1: frames.insert(frames[index], at: index)
            case 2 where index > 0: frames.swapAt(index, index - 1)
            case 3 where frames[index].bytes.count > 80:
                frames[index].originalLength = frames[index].bytes.count
                frames[index].bytes.removeLast(random.below(frames[index].bytes.count - 60))
            default: break
            }
        }
    }

    private mutating func setTimes(_ clock: Clock) {
        var time: Int64 = 1_700_000_000_000_000_000
        for index in frames.indices {
            switch clock {
            case .busy: time += Int64(random.below(3_000_000))
            case .pauses: time += pause()
            case .steps: time += random.oneIn(3) ? step() : pause()
            }
            frames[index].time = time
        }
    }

    private mutating func pause() -> Int64 {
        switch random.below(30) {
        case 0: Int64(random.below(3_000_000_000))
        case 1: random.oneIn(4) ? Int64(random.below(90_000_000_000)) : 250_000_000
        case 2: random.oneIn(8) ? Int64(random.below(10_000_000_000_000)) : 2_000_000_000
        default: Int64(random.below(50_000_000))
        }
    }

    private mutating func step() -> Int64 {
        let size = random.element([1_000_000, 1_000_000_000, 12_000_000_000, 4_000_000_000_000, 1 << 58])
        let step = Int64(random.below(size))
        return random.oneIn(2) ? step : -step
    }

    private mutating func chooseOptions() {
        options.setup = random.element(SetupPolicy.allCases)
        if random.oneIn(4) { options.connectionLimit = 1 + random.below(3) }
        if random.oneIn(4) { options.lingerCountLimit = random.below(3) }
        if random.oneIn(3) { options.idleLimit = Int64(random.below(60_000_000_000)) }
        if random.oneIn(3) { options.lingerLimit = Int64(random.below(10_000_000_000)) }
        if random.oneIn(6) { options.apiLimit = 1 + random.below(4) }
        if random.oneIn(3) { options.heldBytesLimit = random.below(2000) }
    }
}
