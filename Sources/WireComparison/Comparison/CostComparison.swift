import WireAccuracy
import WireCore

/// What became larger or smaller between two sides.
public struct CostComparison: Sendable {
    public let before: ComparedSide
    public let after: ComparedSide
    public let measure: CostMeasure
    /// Wire bytes of a call may grow by so many percent; nil without a bound.
    public let maximumGrowth: Double?
    /// Single calls of both sides are known.
    public let knowsNoise: Bool
    /// Those that changed most first; then those that did not, by wire bytes.
    public private(set) var apis: [APIChange] = []
    /// By change of wire bytes, largest first.
    public private(set) var hosts: [HostChange] = []
    /// Wire bytes of a call at the same mix of calls on both sides; nil where no API is on both.
    public private(set) var total: CostChange?
    /// The same by kind; they add up to `total`.
    public private(set) var cells: [CellChange] = []
    /// Calls that `total` rests on.
    public private(set) var totalCalls = (before: 0, after: 0)
    /// The total grew by more than the bound.
    public private(set) var totalIsExceeded = false

    /// Fewer calls on a side are too few to tell chance from change.
    public static let fewestCalls = RunChange.fewestCalls

    public init(_ before: ComparedSide, _ after: ComparedSide, _ measure: CostMeasure, maximumGrowth: Double? = nil) {
        (self.before, self.after, self.measure) = (before, after, measure)
        self.maximumGrowth = maximumGrowth
        knowsNoise = before.knowsCalls && after.knowsCalls
        compareAPIs()
        compareHosts()
    }

    /// A percentage as a command line has it: `5`, `2.5%`. Nil for anything else.
    public static func percent(_ text: String) -> Double? {
        guard let amount = PolicyAmount(text), amount.unit != .bytes else { return nil }
        return amount.value
    }

    /// Why the bound could not be held against anything.
    public enum Obstacle: Sendable {
        /// No API and no host is what the user chose.
        case nothingChosen
        /// Of one side at least most calls may be in what was not read.
        case littleRead
        /// No API has calls on both sides.
        case nothingShared
        /// Growth cannot be told from chance.
        case tooFewCalls
    }

    /// Nil without a bound, and where something was held against it.
    public var obstacle: Obstacle? {
        guard maximumGrowth != nil else { return nil }
        if choosesNothing { return .nothingChosen }
        if isLittleRead { return .littleRead }
        guard let total else { return .nothingShared }
        return knowsNoise && total.isCertain == nil ? .tooFewCalls : nil
    }

    /// Calls that were not read have more of the wire bytes than a comparison of all calls may lack.
    public var isLittleRead: Bool {
        [before, after].contains { side in
            Double(side.unreadWire(measure)) * 100 > Double(side.wire(measure)) * (100 - ReadShare.least)
        }
    }

    /// There is a bound, and nothing that it could be held against.
    public var isUnjudged: Bool { obstacle != nil }

    /// No API and no host is what the user chose, on either side.
    public var choosesNothing: Bool {
        let isChoice = [before, after].contains { $0.rows.choosesHosts || $0.rows.choosesAPIs }
        return isChoice && before.isEmpty && after.isEmpty
    }

    /// Shares of calls and bytes from which on a verdict has them, percent.
    public static let notable = 5.0

    /// APIs with too few calls to tell chance from change that have a notable part of a side's wire bytes, and whose bytes per
    /// call differ by as much: no verdict on the others speaks for them.
    public var undecided: [APIChange] {
        apis.filter { change in
            guard change.verdict == .tooFewCalls, let percent = change.wire?.percent else { return false }
            return abs(percent) > CostComparison.notable && isNotable(change)
        }
    }

    private func isNotable(_ change: APIChange) -> Bool {
        [(change.before, before), (change.after, after)].contains { api, side in
            let share = Double(measure.wire((api ?? ComparedAPI()).costs)) * 100
            return share > Double(side.wire(measure)) * CostComparison.notable
        }
    }

    /// Those of them that grew by more than the bound: neither within it nor beyond it, so that nobody can say that the bound
    /// was kept.
    public var unjudgedGrowth: [APIChange] {
        guard let maximumGrowth else { return [] }
        return undecided.filter { ($0.wire?.percent ?? 0) > maximumGrowth }
    }

    /// Nothing exceeded the bound, and something may have.
    public var isUnjudgedInPart: Bool { !isUnjudged && !isExceeded && !unjudgedGrowth.isEmpty }

    public var exceeded: [APIChange] { apis.filter(\.isExceeded) }

    public var isExceeded: Bool { totalIsExceeded || !exceeded.isEmpty }

    /// Both sides are the same in every row.
    public var isIdentical: Bool {
        !choosesNothing
            && apis.allSatisfy { $0.before?.calls == $0.after?.calls && $0.before?.costs == $0.after?.costs }
            && hosts.allSatisfy { $0.before?.costs == $0.after?.costs }
    }

    private mutating func compareAPIs() {
        let names = Set(before.apis.keys).union(after.apis.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let shared = names.filter { (before.apis[$0]?.calls ?? 0) > 0 && (after.apis[$0]?.calls ?? 0) > 0 }
        var judge = NoiseJudge(measure, apis: shared.count)
        // What is common to all APIs is known when all were looked at.
        let parts = Dictionary(
            uniqueKeysWithValues: shared.map { name in
                let (old, new) = (before.apis[name] ?? ComparedAPI(), after.apis[name] ?? ComparedAPI())
                return (name, MixPart(before: old, after: new, spread: knowsNoise ? judge.spread(old, new) : nil))
            })
        for name in names {
            var change = APIChange(api: name, verdict: .unchanged, before: before.apis[name], after: after.apis[name])
            if let part = parts[name] {
                let (wire, cells) = judge.compare(part.before, part.after, part.spread)
                (change.wire, change.cells) = (wire, cells)
            }
            judgeAPI(&change)
            apis.append(change)
        }
        mix(shared.compactMap { parts[$0] }, judge)
        apis = apis.sorted { left, right in
            let weights = (weight(left), weight(right))
            if weights.0 != weights.1 { return weights.0 > weights.1 }
            let sizes = (size(left), size(right))
            return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : left.api.utf8.lexicographicallyPrecedes(right.api.utf8)
        }
    }

    private func judgeAPI(_ change: inout APIChange) {
        guard let old = change.before else {
            change.verdict = .new
            return
        }
        guard let new = change.after else {
            change.verdict = .vanished
            return
        }
        guard let wire = change.wire else {
            change.verdict = old.isEncrypted || new.isEncrypted ? .encrypted : .tooFewCalls
            return
        }
        if knowsNoise, wire.isCertain == nil {
            change.verdict = .tooFewCalls
            return
        }
        let certain = change.certainChange
        if certain != 0, (certain > 0) == (wire.change > 0), wire.isCertain != false {
            change.verdict = certain > 0 ? .larger : .smaller
        } else if !change.causes.isEmpty {
            change.verdict = .shifted
        }
        guard let maximumGrowth, wire.before > 0 else { return }
        // What grew for certain is no growth of a call that costs no more.
        change.isExceeded = wire.change > 0 && certain / wire.before * 100 > maximumGrowth
    }

    /// Bytes by which the change moved the later side.
    private func weight(_ change: APIChange) -> Double {
        switch change.verdict {
        case .larger, .smaller, .shifted: abs(change.certainChange) * Double(change.after?.calls ?? 0) + 1e-9
        default: 0
        }
    }

    private func size(_ change: APIChange) -> Int {
        max(measure.wire(change.before?.costs ?? .init()), measure.wire(change.after?.costs ?? .init()))
    }

    /// All calls together, as if both sides had made the same number of calls to each API.
    private mutating func mix(_ parts: [MixPart], _ judge: NoiseJudge) {
        var judged = parts
        if knowsNoise {
            let enough = parts.filter { $0.spread != nil }
            if !enough.isEmpty { judged = enough }
        }
        guard !judged.isEmpty else { return }
        let (wire, mixed) = judge.mix(judged)
        (total, cells) = (wire, mixed)
        totalCalls = judged.reduce((0, 0)) { ($0.0 &+ $1.before.calls, $0.1 &+ $1.after.calls) }
        guard let maximumGrowth, let total, total.isCertain == (knowsNoise ? true : nil) else { return }
        totalIsExceeded = (total.percent ?? 0) > maximumGrowth
    }

    private mutating func compareHosts() {
        let names = Set(before.hosts.keys).union(after.hosts.keys)
        hosts = names.map { HostChange(host: $0, before: before.hosts[$0], after: after.hosts[$0]) }
        func change(_ host: HostChange) -> Int {
            let (old, new) = (
                measure.wire(host.before?.costs ?? .init()), measure.wire(host.after?.costs ?? .init())
            )
            return Int(clamping: (new &- old).magnitude)
        }
        hosts = hosts.sorted { left, right in
            let changes = (change(left), change(right))
            return changes.0 != changes.1
                ? changes.0 > changes.1 : left.host.utf8.lexicographicallyPrecedes(right.host.utf8)
        }
    }
}
