import WireEstimates
import WireJoin
import WireLogs

/// Why exchanges have no row of a log. One is invisible to the SDK only if nothing else explains that: the log names its host,
/// no row that found no exchange may be its row, the log is no sample, and rows are not lost so often.
struct UnjoinedCalls {
    /// What a row knows of its call's name; -1 where it does not.
    private struct Names: Hashable {
        var host: Int32
        var path: Int32
        var method: Int32
    }

    /// Exchanges of one API of hosts that the log names, and how many of them have a row.
    private struct Count {
        var all = 0
        var joined = 0

        mutating func add(_ isJoined: Bool) {
            all += 1
            if isJoined { joined += 1 }
        }
    }

    /// Where all rows of an API may be lost with this probability, nothing shows that the SDK does not see it.
    private static let leastChance = 0.05
    /// So many calls at least are in a sample, and outside of it.
    private static let leastSample = 15
    /// A log with a larger share of the calls has lost rows.
    private static let largestSample = 0.6
    private static let timeParts = 8

    private let wires: [WireCall]
    private let apis: [Int32]
    /// Nil where some row does not name its host.
    private let hosts: Set<Int32>?
    /// Of rows that found no exchange, or none for certain.
    private var names = Set<Names>()
    private var counts: [Int32: Count] = [:]
    /// Rows are known to be missing.
    private let lacksRows: Bool
    /// Share of the exchanges that have no row, of APIs of which some have one.
    private let lost: Double
    /// Share of the calls that the log has, if it is a random part of each API and of all the time.
    private(set) var sampledShare: Double?

    init(_ log: SDKLog, _ matching: LogMatching, _ calls: KeptCalls, _ wires: [WireCall]) {
        self.wires = wires
        apis = calls.calls.map(\.apiName)
        let named = Set(log.rows.map(\.host))
        hosts = named.isEmpty || named.contains(-1) ? nil : named
        lacksRows = log.isIncomplete || log.rejectedRows > 0
        var openRows = 0
        for (row, fate) in zip(log.rows, matching.fates) where UnjoinedCalls.isOpen(fate, matching.clock) {
            names.insert(Names(host: row.host, path: row.path, method: row.method))
            openRows += 1
        }
        let hops = matching.redirects == .task ? Set(wires.map(\.redirectedFrom)) : []
        // In the order of time.
        var joinedCalls: [Bool] = []
        for (number, wire) in wires.enumerated()
        where hosts?.contains(wire.host) != false && !hops.contains(Int32(truncatingIfNeeded: number)) {
            let isJoined = matching.requestRows[number] >= 0 || matching.responseRows[number] >= 0
            joinedCalls.append(isJoined)
            counts[apis[number], default: Count()].add(isJoined)
        }
        let seen = counts.values.filter { $0.joined > 0 }
        let (all, joined) = seen.reduce((0, 0)) { ($0.0 + $1.all, $0.1 + $1.joined) }
        lost = all > 0 ? Double(all - joined) / Double(all) : 0
        if openRows * 10 <= log.rows.count { sampledShare = UnjoinedCalls.sampledShare(joinedCalls, counts) }
    }

    /// Calls are left out at random if each API, and each part of the time, has about the same share of them.
    private static func sampledShare(_ joinedCalls: [Bool], _ counts: [Int32: Count]) -> Double? {
        let (all, joined) = (joinedCalls.count, joinedCalls.count { $0 })
        guard joined >= leastSample, all - joined >= leastSample else { return nil }
        let share = Double(joined) / Double(all)
        guard share <= largestSample else { return nil }
        let parts = (0..<timeParts).map { part -> Count in
            joinedCalls[all * part / timeParts..<all * (part + 1) / timeParts].reduce(into: Count()) { $0.add($1) }
        }
        let isEven = isEven(Array(counts.values), share) && isEven(parts, share)
        return isEven ? share : nil
    }

    /// Whether counts differ from a share by no more than chance: the sum of squares has the mean of their number.
    private static func isEven(_ counts: [Count], _ share: Double) -> Bool {
        let squares = counts.filter { $0.all > 0 }.map { count -> Double in
            let expected = share * Double(count.all)
            return (Double(count.joined) - expected) * (Double(count.joined) - expected) / (expected * (1 - share))
        }
        let number = Double(squares.count)
        return squares.reduce(0, +) <= number + 4 * (2 * number).squareRoot()
    }

    /// A row may be of an exchange to which it was not joined. Of times by an unknown clock nothing follows.
    private static func isOpen(_ fate: LogMatching.Fate, _ clock: ClockFit) -> Bool {
        switch fate {
        case .ambiguous, .withoutExchange: true
        case .outsideCapture: clock.pairs == 0
        case .matched, .duplicate, .foreignHost: false
        }
    }

    /// Of an exchange without a row.
    func reason(_ number: Int) -> ErrorCause {
        if let hosts, !hosts.contains(wires[number].host) { return .foreignHost }
        if sampledShare != nil { return .notSampled }
        if mayHaveRow(wires[number]) { return .notJoined }
        let own = counts[apis[number]] ?? Count()
        let chance = (0..<min(own.all, 64)).reduce(1.0) { chance, _ in chance * lost }
        return own.joined > 0 || lacksRows || chance >= UnjoinedCalls.leastChance ? .rowMissing : .scope
    }

    private func mayHaveRow(_ wire: WireCall) -> Bool {
        if names.isEmpty { return false }
        return [wire.host, -1].contains { host in
            [wire.path, -1].contains { path in
                [wire.method, -1].contains { names.contains(Names(host: host, path: path, method: $0)) }
            }
        }
    }
}
