/// Tells which connections a client would not have needed, had it and the server kept each open for a while: one is
/// needless where, when its first call began, an earlier one of the same client to the same server and host was idle. On
/// HTTP/2 and HTTP/3 one that is busy will do.
///
/// This is all that reports know of reuse: the table of set-up, the opportunities and the page.
///
/// Connections are looked at in the order in which their use began. They end in another order, so that some wait. One that
/// ends later than that counts as needed. Open addressing, linear probing, at most three quarters full.
struct ConnectionPools {
    /// Longest time that an idle connection would have been kept, nanoseconds.
    static let mostIdle = Int64(SetupSummary.mostIdleSeconds) * 1_000_000_000

    /// A connection that was used.
    struct Member: Sendable {
        var use: ConnectionUse
        var client: IPAddress
        /// Place of the host's row.
        var host: Int
        var port: UInt16
        var isSecure: Bool
        var isQUIC: Bool
        /// Number in the audit, and place of its first packet.
        var number: Int
        var ordinal: Int
        /// Where a finding about it stands.
        var finding: FindingPlace
    }

    enum Verdict {
        case needed, needless
        /// Taken for needed: there was no room for its client and host.
        case beyondLimit
    }

    /// A client with a host. Its first connection stands here, more of them in `further`.
    private struct Slot {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var host: Int32 = 0
        var port: UInt16 = 0
        /// 0: the place is free.
        var marks: UInt16 = 0
        /// Until when the calls of its connection went on.
        var idleSince: Int64 = .min
        /// Place in `further`; below 0: none.
        var further: Int32 = -1

        init() {}

        /// HTTP/1, HTTP/2 and HTTP/3 connections, and those that were not read, do not stand in for each other.
        @inline(__always)
        init(_ member: borrowing Member) {
            (high, low) = (member.client.high, member.client.low)
            (host, port) = (Int32(truncatingIfNeeded: member.host), member.port)
            marks = 1 | (member.client.isVersion6 ? 2 : 0) | (member.isSecure ? 4 : 0) | (member.isQUIC ? 8 : 0)
            marks |= UInt16(member.use.kind.rawValue) << 4
        }
    }

    /// Connections of one client and host besides the first that are remembered at one time, so that each takes bounded
    /// time. With more, further ones stand in for none.
    private static let mostFurther = 255
    /// Connections that wait before the earlier half of them is looked at.
    private static let window = 1024

    /// Most pairs of client and host. Connections of further ones count as needed, so that nothing is said to be savable
    /// that may not be.
    private let limit: Int
    private let seed = UInt64.random(in: .min ... .max)
    private var slots = [Slot](repeating: Slot(), count: 512)
    private var count = 0
    private var further: [[Int64]] = []
    /// Those that are not judged, in the order of their use once `prepare` was called.
    private(set) var waiting: [Member] = []
    /// Beginning of the latest use that was looked at.
    private var seen = Int64.min

    init(limit: Int) { self.limit = limit }

    /// Takes a connection that has ended.
    mutating func add(_ member: Member) {
        // Growing by doubling would copy each one more than once.
        if waiting.isEmpty { waiting.reserveCapacity(ConnectionPools.window) }
        waiting.append(member)
    }

    /// It is time to judge some.
    var isFull: Bool { waiting.count >= ConnectionPools.window }

    /// Sorts those that wait. Returns how many of the first are to be judged next, one by one: the earlier half, or all.
    mutating func prepare(all: Bool) -> Int {
        waiting.sort { ($0.use.begin, $0.ordinal) < ($1.use.begin, $1.ordinal) }
        return all ? waiting.count : waiting.count / 2
    }

    /// The first ones are judged.
    mutating func removeFirst(_ count: Int) { waiting.removeFirst(count) }

    /// Judges one of those that wait; they must come in their order.
    mutating func judge(at number: Int) -> Verdict {
        let use = waiting[number].use
        let isLate = use.begin < seen
        seen = max(seen, use.begin)
        var slot = Slot(waiting[number])
        let place = place(of: slot)
        guard slots[place].marks != 0 else {
            guard count < limit else { return .beyondLimit }
            if !use.isSpent { slot.idleSince = use.end }
            insert(slot, at: place)
            return .needed
        }
        let isNeeded = isLate || !take(use, place)
        if isNeeded, !use.isSpent { keep(use.end, place) }
        return isNeeded ? .needed : .needless
    }

    /// Lets the connection that became idle last carry it; false where none could.
    private mutating func take(_ use: ConnectionUse, _ place: Int) -> Bool {
        // One that is spent needs a connection of its own: none is idle behind it.
        guard !use.isSpent else { return false }
        let isShared = use.kind == .multiplexed
        func fits(_ idleSince: Int64) -> Bool {
            guard idleSince != .min, isShared || idleSince <= use.begin else { return false }
            return use.begin.subtractingReportingOverflow(idleSince).partialValue <= ConnectionPools.mostIdle
        }
        var best: Int64?
        var position = -1
        if fits(slots[place].idleSince) { best = slots[place].idleSince }
        let list = Int(slots[place].further)
        if list >= 0 {
            for index in further[list].indices where fits(further[list][index]) && further[list][index] > best ?? .min {
                (best, position) = (further[list][index], index)
            }
        }
        guard let best else { return false }
        if position < 0 {
            slots[place].idleSince = max(best, use.end)
        } else {
            further[list][position] = max(best, use.end)
        }
        return true
    }

    /// Adds a connection that was needed, in the place of one that is idle too long if there is one.
    private mutating func keep(_ end: Int64, _ place: Int) {
        let oldest = seen.subtractingReportingOverflow(ConnectionPools.mostIdle)
        let limit = oldest.overflow ? Int64.min : oldest.partialValue
        guard slots[place].idleSince >= limit, slots[place].idleSince != .min else {
            slots[place].idleSince = end
            return
        }
        if slots[place].further < 0 {
            slots[place].further = Int32(truncatingIfNeeded: further.count)
            further.append([])
        }
        let list = Int(slots[place].further)
        further[list].removeAll { $0 < limit }
        if further[list].count < ConnectionPools.mostFurther { further[list].append(end) }
    }

    // MARK: The table

    /// Where a pair stands, or the free place for it.
    private func place(of pair: Slot) -> Int {
        var place = Int(truncatingIfNeeded: hash(pair)) & (slots.count - 1)
        while slots[place].marks != 0 {
            let slot = slots[place]
            if slot.host == pair.host, slot.low == pair.low, slot.high == pair.high, slot.port == pair.port,
                slot.marks == pair.marks
            {
                break
            }
            place = (place + 1) & (slots.count - 1)
        }
        return place
    }

    private mutating func insert(_ pair: Slot, at place: Int) {
        slots[place] = pair
        count += 1
        guard count * 4 > slots.count * 3 else { return }
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.marks != 0 { slots[self.place(of: slot)] = slot }
    }

    /// Nobody can choose addresses that meet without knowing the seed.
    private func hash(_ pair: Slot) -> UInt64 {
        func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
            let product = (hash ^ value).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
            return product.low ^ product.high
        }
        let rest = UInt64(UInt32(bitPattern: pair.host)) << 32 | UInt64(pair.port) << 16 | UInt64(pair.marks)
        return mix(mix(mix(seed, pair.low), pair.high), rest)
    }
}
