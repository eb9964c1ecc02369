import WireTesting

/// Lets the connections of a shape speak at the same time, and writes what passes.
struct TrafficWriter: ~Copyable {
    private let shape: TrafficShape
    private let limits: TrafficLimits
    private let messages: MessageWriter
    private var random: SeededRandom
    private var file: PacketFile
    private var truth = TrafficTruth()
    private var connections: [TrafficConnection] = []
    private var queue = TimeQueue()

    init(_ shape: TrafficShape, _ limits: TrafficLimits, path: String) throws {
        self.shape = shape
        self.limits = limits
        random = SeededRandom(seed: limits.seed)
        messages = MessageWriter(shape, &random)
        file = try PacketFile(path: path)
    }

    /// Writes everything and tells what it was.
    mutating func run() throws -> TrafficTruth {
        for slot in 0..<(limits.open ?? shape.open) where mayOpen {
            connections.append(connection(at: Int64(random.fraction() * 20e6)))
            queue.add(connections[slot].nextTime ?? 0, slot)
        }
        while let (time, slot) = queue.first {
            let packet = connections[slot].takeNext()
            try file.write(packet, of: &connections[slot])
            if let next = connections[slot].nextTime ?? plan(slot, after: time) {
                queue.replaceFirst(next)
            } else {
                queue.removeFirst()
            }
        }
        try file.finish()
        truth.fileBytes = file.bytes
        truth.packets = file.packets
        truth.frameBytes = file.frameBytes
        return truth
    }

    private var isFull: Bool { file.bytes >= limits.bytes || file.packets >= limits.packets }

    private var mayOpen: Bool { !isFull && truth.connections < limits.connections }

    private mutating func connection(at time: Int64) -> TrafficConnection {
        let exchanges = limits.exchanges ?? shape.meanExchanges.map { random.geometric(mean: $0) } ?? 1
        let number = truth.connections
        truth.connections += 1
        return TrafficConnection(
            number: number, at: time, exchanges: exchanges, keepsOpen: limits.keepsOpen, &random)
    }

    /// When the slot speaks next: its connection, or one that takes its place; nil when nobody does.
    private mutating func plan(_ slot: Int, after time: Int64) -> Int64? {
        let isMore = connections[slot].planMore(
            messages, think: limits.think(shape), mayExchange: !isFull, &truth, &random)
        if isMore { return connections[slot].nextTime }
        guard mayOpen else { return nil }
        connections[slot] = connection(at: time + 1000 + Int64(random.below(2_000_000)))
        return connections[slot].nextTime
    }
}

/// Slots by the time when they are due, the earliest first (a binary heap).
struct TimeQueue {
    private var entries: [(time: Int64, slot: Int)] = []

    var first: (time: Int64, slot: Int)? { entries.first }

    mutating func add(_ time: Int64, _ slot: Int) {
        entries.append((time, slot))
        var place = entries.count - 1
        while place > 0, isBefore(entries[place], entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func replaceFirst(_ time: Int64) {
        entries[0].time = time
        sink()
    }

    mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        if !entries.isEmpty { sink() }
    }

    private mutating func sink() {
        let entry = entries[0]
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, isBefore(entries[child + 1], entries[child]) { child += 1 }
            guard isBefore(entries[child], entry) else { break }
            entries[place] = entries[child]
            place = child
        }
        entries[place] = entry
    }

    private func isBefore(_ left: (time: Int64, slot: Int), _ right: (time: Int64, slot: Int)) -> Bool {
        left.time < right.time || left.time == right.time && left.slot < right.slot
    }
}
