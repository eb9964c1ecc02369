/// Tells which connections a client would not have needed, had it and the server kept each open for a while: one is
/// needless where, whenever a call of it began, an earlier one of the same client to the same server and host was idle, and
/// stayed so until the call was over. On HTTP/2 and HTTP/3 one that is busy will do.
///
/// This is all that reports know of reuse: the table of set-up, the opportunities and the page.
///
/// Connections are looked at in the order in which their use began. They end in another order, so that some wait. One that
/// ends later than they wait cannot be judged, and counts as needed. Open addressing, linear probing, at most three quarters
/// full.
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

    enum Verdict: Equatable {
        case needed, needless
        /// Taken for needed, because of this limit.
        case undecided(FindingCode)
    }

    /// A client with a host. Its first connection stands here, more of them in `further`.
    private struct Slot: Hashable {
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

        static func == (left: Slot, right: Slot) -> Bool {
            left.host == right.host && left.low == right.low && left.high == right.high && left.port == right.port
                && left.marks == right.marks
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(high)
            hasher.combine(low)
            hasher.combine(host)
            hasher.combine(port)
            hasher.combine(marks)
        }

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

    /// Most pairs of client and host. Connections of further ones count as needed, so that nothing is said to be savable
    /// that may not be.
    private let limit: Int
    /// Connections that wait before the earlier half of them is looked at.
    private let window: Int
    private let seed = UInt64.random(in: .min ... .max)
    private var slots = [Slot](repeating: Slot(), count: 512)
    private var count = 0
    private var further: [KeptConnections] = []
    /// When calls went on on those that wait, where they had pauses, by the places of their first packets.
    private var times: [Int: [CallTime]] = [:]
    /// Keys of encrypted hellos, by client and host: also of those that wait.
    private var helloKeys: [Slot: HelloKeys] = [:]
    /// Those that are not judged, in the order of their use once `prepare` was called.
    private(set) var waiting: [Member] = []
    /// Beginning of the latest use that was looked at.
    private var seen = Int64.min

    init(limit: Int, window: Int) { (self.limit, self.window) = (limit, max(window, 2)) }

    /// Takes a connection that has ended.
    @inline(__always)
    mutating func add(_ member: Member) {
        // Growing by doubling would copy each one more than once.
        if waiting.isEmpty { waiting.reserveCapacity(min(window, 1024)) }
        if member.use.helloKey != 0 { noteHelloKey(member) }
        waiting.append(member)
    }

    @inline(never)
    private mutating func noteHelloKey(_ member: Member) {
        let pair = Slot(member)
        guard helloKeys[pair] != nil || helloKeys.count < limit else { return }
        helloKeys[pair, default: HelloKeys()].add(member.use.helloKey)
    }

    /// Each hello may name another host, which nobody can see, where the server has a key for them.
    private func mayBeOtherHost(_ use: ConnectionUse, _ pair: Slot) -> Bool {
        use.helloKey != 0 && helloKeys[pair]?.isServers != false
    }

    /// Takes when calls went on, where there were pauses, of a connection that was just taken. Of another nothing is noted.
    mutating func add(_ calls: CallTimes, ofLatest ordinal: Int) {
        guard waiting.last?.ordinal == ordinal, !calls.list.isEmpty else { return }
        times[ordinal] = calls.list
    }

    /// It is time to judge some, before another is taken.
    var isFull: Bool { waiting.count >= window }

    /// Sorts those that wait. Returns how many of the first are to be judged next, one by one: the earlier half, or all.
    mutating func prepare(all: Bool) -> Int {
        waiting.sort { ($0.use.begin, $0.ordinal) < ($1.use.begin, $1.ordinal) }
        return all ? waiting.count : waiting.count / 2
    }

    /// The first ones are judged.
    mutating func removeFirst(_ count: Int) {
        if !times.isEmpty { for member in waiting[..<count] { times[member.ordinal] = nil } }
        waiting.removeFirst(count)
    }

    /// Judges one of those that wait; they must come in their order.
    mutating func judge(at number: Int) -> Verdict {
        let use = waiting[number].use
        let isLate = use.begin < seen
        seen = max(seen, use.begin)
        var slot = Slot(waiting[number])
        let place = place(of: slot)
        let calls = times.isEmpty ? nil : times[waiting[number].ordinal]
        guard slots[place].marks != 0 else {
            guard count < limit else { return .undecided(.hostClientLimit) }
            if let calls {
                slot.further = Int32(truncatingIfNeeded: further.count)
                further.append(KeptConnections(kept: [KeptConnection(calls)]))
            } else if !use.isSpent {
                slot.idleSince = use.end
            }
            insert(slot, at: place)
            return .needed
        }
        if calls != nil || slots[place].further >= 0 && !further[Int(slots[place].further)].kept.isEmpty {
            return judge(use, calls ?? [CallTime(begin: use.begin, end: use.end)], isLate: isLate, place)
        }
        if !isLate, !mayBeOtherHost(use, slots[place]), take(use, place) { return .needless }
        let isKept = use.isSpent || keep(use.end, place)
        return isKept && !isLate ? .needed : .undecided(.reuseLimit)
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
            for (index, end) in further[list].ends.enumerated() where fits(end) && end > best ?? .min {
                (best, position) = (end, index)
            }
        }
        guard let best else { return false }
        if position < 0 {
            slots[place].idleSince = max(best, use.end)
        } else {
            further[list].ends[position] = max(best, use.end)
        }
        return true
    }

    /// Adds a connection that was needed, in the place of one that is idle too long if there is one. False where there is no
    /// room for it.
    private mutating func keep(_ end: Int64, _ place: Int) -> Bool {
        let oldest = seen.subtractingReportingOverflow(ConnectionPools.mostIdle)
        let limit = oldest.overflow ? Int64.min : oldest.partialValue
        guard slots[place].idleSince >= limit, slots[place].idleSince != .min else {
            slots[place].idleSince = end
            return true
        }
        let list = list(place)
        further[list].ends.removeAll { $0 < limit }
        guard further[list].ends.count < ConnectionPools.mostFurther else { return false }
        further[list].ends.append(end)
        return true
    }

    /// Where the connections besides the first stand.
    private mutating func list(_ place: Int) -> Int {
        if slots[place].further < 0 {
            slots[place].further = Int32(truncatingIfNeeded: further.count)
            further.append(KeptConnections())
        }
        return Int(slots[place].further)
    }

    // MARK: Pauses

    /// Judges a connection of a client and host of which one had pauses between its calls.
    private mutating func judge(_ use: ConnectionUse, _ calls: [CallTime], isLate: Bool, _ place: Int) -> Verdict {
        let list = list(place)
        // A connection without pauses is busy until its end.
        let ends = further[list].ends + [slots[place].idleSince].filter { $0 != .min }
        further[list].kept += ends.map { KeptConnection([CallTime(begin: .min, end: $0)]) }
        (further[list].ends, slots[place].idleSince) = ([], .min)
        let oldest = seen.subtractingReportingOverflow(ConnectionPools.mostIdle)
        further[list].kept.removeAll { !oldest.overflow && $0.end < oldest.partialValue }
        guard !use.isSpent else { return .needed }
        for index in further[list].kept.indices { further[list].kept[index].forget(before: seen) }
        if !isLate, further[list].take(calls) { return .needless }
        guard further[list].kept.count <= ConnectionPools.mostFurther else { return .undecided(.reuseLimit) }
        further[list].kept.append(KeptConnection(calls))
        return isLate ? .undecided(.reuseLimit) : .needed
    }

    // MARK: The table

    /// Where a pair stands, or the free place for it.
    private func place(of pair: Slot) -> Int {
        var place = Int(truncatingIfNeeded: hash(pair)) & (slots.count - 1)
        while slots[place].marks != 0, slots[place] != pair { place = (place + 1) & (slots.count - 1) }
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
