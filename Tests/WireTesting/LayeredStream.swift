import WireCore

/// Bytes of one owner and cause.
public struct KnownRun: Sendable {
    /// Owners that are no exchange.
    public static let connection = -1
    public static let handshake = -2

    public var bytes: [UInt8]
    /// Number of the exchange, or one of the above.
    public var owner: Int
    public var cause: Cause

    public init(_ bytes: [UInt8], _ owner: Int, _ cause: Cause) {
        self.bytes = bytes
        self.owner = owner
        self.cause = cause
    }
}

/// One direction of a connection, byte by byte: whose each byte is and why it is there, as whoever wrote it knows.
public struct LayeredStream: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// Who pays when the byte's packet is shared out, acknowledged, or sent again.
    public private(set) var owners: [Int] = []
    /// What bytes of records cost beside content, by owner; each byte of the others has its own cause.
    public private(set) var posted = KnownCosts()
    public private(set) var isSeen: [Bool] = []
    /// Up to here every byte was in a segment.
    public private(set) var seenUpTo = 0
    /// How far the other side acknowledged it.
    public var acknowledged = 0
    /// What is behind this was not sent yet.
    public var sent = 0

    public init() {}

    /// A segment holds these bytes. Returns the owners of those that none held before, and of the others.
    mutating func see(_ range: Range<Int>) -> (new: [Int], old: [Int]) {
        var found: (new: [Int], old: [Int]) = ([], [])
        for position in range {
            if isSeen[position] { found.old.append(owners[position]) } else { found.new.append(owners[position]) }
            isSeen[position] = true
        }
        while seenUpTo < isSeen.count, isSeen[seenUpTo] { seenUpTo += 1 }
        return found
    }

    /// Bytes of one cause and owner.
    public mutating func write(_ run: KnownRun) {
        append(run.bytes, run.owner)
        posted.add(run.owner, run.cause, run.bytes.count)
    }

    public mutating func write(_ runs: [KnownRun]) {
        for run in runs { write(run) }
    }

    /// A record that holds these runs; its overhead is shared among their owners (ByteLedger.md §5.2).
    public mutating func write(record: [UInt8], lead: Int, _ content: [KnownRun]) {
        let runs = content.filter { !$0.bytes.isEmpty }
        let length = runs.reduce(0) { $0 + $1.bytes.count }
        let first = runs.first?.owner ?? KnownRun.connection
        let last = runs.last?.owner ?? KnownRun.connection
        var position = lead
        append(Array(record[..<lead]), first)
        for run in runs {
            append(Array(record[position..<position + run.bytes.count]), run.owner)
            posted.add(run.owner, run.cause, run.bytes.count)
            position += run.bytes.count
        }
        append(Array(record[position...]), last)
        guard length > 0 else {
            posted.add(KnownRun.connection, .tlsRecords, record.count)
            return
        }
        let counts = KnownCosts.count(runs.flatMap { [Int](repeating: $0.owner, count: $0.bytes.count) })
        for (owner, part) in KnownCosts.share(record.count - length, counts) { posted.add(owner, .tlsRecords, part) }
    }

    private mutating func append(_ more: [UInt8], _ owner: Int) {
        bytes += more
        owners += [Int](repeating: owner, count: more.count)
        isSeen += [Bool](repeating: false, count: more.count)
    }
}

/// Bytes by owner and cause, worked out slowly.
public struct KnownCosts: Sendable, Equatable {
    public var lines: [Int: [String: Int]] = [:]

    public init() {}

    public mutating func add(_ owner: Int, _ cause: Cause, _ count: Int) {
        guard count > 0 else { return }
        lines[max(owner, KnownRun.connection), default: [:]][cause.name, default: 0] += count
    }

    public static func += (left: inout KnownCosts, right: KnownCosts) {
        for (owner, causes) in right.lines {
            for (cause, count) in causes { left.lines[owner, default: [:]][cause, default: 0] += count }
        }
    }

    public subscript(owner: Int) -> [String: Int] { lines[owner] ?? [:] }

    /// How often each owner stands in the list, in the order of first appearance.
    public static func count(_ owners: [Int]) -> [(owner: Int, count: Int)] {
        var list: [(owner: Int, count: Int)] = []
        for owner in owners.map({ max($0, KnownRun.connection) }) {
            if let index = list.firstIndex(where: { $0.owner == owner }) {
                list[index].count += 1
            } else {
                list.append((owner, 1))
            }
        }
        return list
    }

    /// Whole parts by largest remainder, one byte at a time; the earlier owner first on ties.
    public static func share(_ amount: Int, _ list: [(owner: Int, count: Int)]) -> [(owner: Int, part: Int)] {
        let total = list.reduce(0) { $0 + $1.count }
        var parts = list.map { (owner: $0.owner, part: amount * $0.count / total, rest: amount * $0.count % total) }
        for _ in 0..<amount - parts.reduce(0, { $0 + $1.part }) {
            var best = 0
            for index in parts.indices where parts[index].rest > parts[best].rest { best = index }
            parts[best].part += 1
            parts[best].rest = -1
        }
        return parts.map { ($0.owner, $0.part) }
    }
}
