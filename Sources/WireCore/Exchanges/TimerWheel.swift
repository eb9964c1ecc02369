/// Things to be looked at when their time has come, in steps of a quarter of a second of capture time.
///
/// Steps lie at whole multiples of their length since the epoch. So what is done, and between which packets, depends on
/// the packets' times alone: an audit of packets as they arrive does the same as that of their file later.
struct TimerWheel {
    struct Entry {
        /// The connection: its place in the store, and its number, which tells later users of the place apart.
        var place: Int32
        var number: Int
        /// The exchange that may have settled; `.connection` for a connection that was closed.
        var owner: Owner
        /// When it was asked for first, by the wheel: nanoseconds.
        var since = Int64.max
    }

    /// How long after its last byte an exchange stays, and a closed connection stays as it is: late retransmissions
    /// belong to them. Nanoseconds.
    static let lateSegmentWindow: Int64 = 2_000_000_000
    /// How long an exchange that is not over is left alone at least: nanoseconds.
    private static let patience: Int64 = 500_000_000
    /// Nanoseconds.
    static let step: Int64 = 250_000_000
    private static let bucketCount = 16
    /// How far times may go back before the clock is taken to have been set: nanoseconds.
    private static let tolerance: Int64 = 10_000_000_000

    private var buckets = [[Entry]](repeating: [], count: bucketCount)
    private var nearCount = 0
    /// What is due when the wheel has turned more than once, in the order of a binary heap.
    private var later: [(step: Int64, order: Int, entry: Entry)] = []
    private var nextOrder = 0
    /// The step that was done last; nil before the first time was heard of.
    private var current: Int64?
    /// Packets in a row, nearly, that lie far behind.
    private var lateCount = 0

    /// A packet of this time or later is in another step than the packets before.
    private(set) var nextTime = Int64.min
    /// Packets before this are far behind.
    private(set) var earliestTime = Int64.min

    var count: Int { nearCount + later.count }

    /// Asks for a look at the first step behind `time`.
    mutating func add(_ entry: Entry, at time: Int64) {
        let now = current ?? Self.number(of: time)
        var entry = entry
        entry.since = min(entry.since, now * Self.step)
        let due = max(Self.number(of: time), now) + 1
        if due < now + Int64(Self.bucketCount) {
            buckets[Self.bucket(due)].append(entry)
            nearCount += 1
        } else {
            addLater(entry, due)
        }
    }

    /// Takes note of the time of a packet.
    mutating func note(_ time: Int64) {
        let step = Self.number(of: time)
        nextTime = (step + 1) * Self.step
        earliestTime = step * Self.step - Self.tolerance
    }

    /// Goes to the next step with something to do that `time` has come to: what is due then, and the time of the step.
    mutating func turn(to time: Int64) -> (entries: [Entry], time: Int64)? {
        let target = Self.number(of: time)
        guard let last = current else {
            current = target
            return nil
        }
        guard last < target else { return nil }
        var step = nearCount > 0 ? last + 1 : target
        if let first = later.first { step = min(step, first.step) }
        current = step
        var entries: [Entry] = []
        swap(&entries, &buckets[Self.bucket(step)])
        nearCount -= entries.count
        while let first = later.first, first.step <= step { entries.append(takeFirstLater()) }
        return (entries, step * Self.step)
    }

    /// Takes note of a packet far behind. When there were enough of them the clock was set back: the wheel goes on from
    /// there, and what is in it is due a little later. Returns whether it does.
    mutating func fallBack(to time: Int64) -> Bool {
        lateCount += 1
        // Moving everything for each of many packets whose times jump to and fro would take long.
        guard lateCount > count / 16 else { return false }
        lateCount = 0
        let entries = buckets.flatMap { $0 } + later.sorted { ($0.step, $0.order) < ($1.step, $1.order) }.map(\.entry)
        buckets = [[Entry]](repeating: [], count: Self.bucketCount)
        nearCount = 0
        later = []
        current = Self.number(of: time)
        for entry in entries { add(entry, at: time + TimerWheel.lateSegmentWindow) }
        return true
    }

    /// When to look again at what was quiet since `last`: the longer that is, the later, so that what waits for long costs
    /// little. Where the clock was set back it is counted from the first look on.
    static func nextLook(_ now: Int64, last: Int64, since: Int64) -> Int64 {
        now + max(patience, (now - (last <= now ? last : since)) / 4)
    }

    private static func bucket(_ step: Int64) -> Int {
        Int(truncatingIfNeeded: step) & (bucketCount - 1)
    }

    /// When the step began that a time is in.
    static func startOfStep(_ time: Int64) -> Int64 { number(of: time) * step }

    private static func number(of time: Int64) -> Int64 {
        let (quotient, remainder) = time.quotientAndRemainder(dividingBy: step)
        return remainder < 0 ? quotient - 1 : quotient
    }

    // MARK: The heap

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (later[one].step, later[one].order) < (later[other].step, later[other].order)
    }

    private mutating func addLater(_ entry: Entry, _ step: Int64) {
        later.append((step, nextOrder, entry))
        nextOrder += 1
        var place = later.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            later.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func takeFirstLater() -> Entry {
        later.swapAt(0, later.count - 1)
        let first = later.removeLast()
        var place = 0
        while 2 * place + 1 < later.count {
            var child = 2 * place + 1
            if child + 1 < later.count, isBefore(child + 1, child) { child += 1 }
            guard isBefore(child, place) else { break }
            later.swapAt(place, child)
            place = child
        }
        return first.entry
    }
}
