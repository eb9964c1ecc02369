/// Groups, each kind of which is weighed once.
struct CountedKinds {
    private(set) var groups: [CountedGroup] = []
    private(set) var counts: [Int] = []
    /// By group as given, its kind.
    private(set) var kinds: [Int] = []

    init(_ all: [CountedGroup]) {
        var known: [CountedGroup: Int] = [:]
        for group in all {
            let kind = known[group] ?? groups.count
            if kind == groups.count {
                known[group] = kind
                groups.append(group)
                counts.append(0)
            }
            counts[kind] += 1
            kinds.append(kind)
        }
    }
}

/// The rows and exchanges of a `CountedGroup`.
struct CountedRows {
    struct Cluster {
        /// By class of the cluster: its number among the classes of answers.
        var classes: [Int] = []
        /// By exchanges that are alike.
        var calls: [[Int32]] = []
    }

    /// By class of answers, places of its rows.
    let answers: [[Int]]
    let failures: [Int]
    private(set) var clusters: [Cluster] = []
    private(set) var group: CountedGroup

    /// Pairs so much less likely than the likeliest one of a row do not matter: e^6. Where a class has more rows than
    /// exchanges, and nothing shows that some are copies, e^10.
    private static let pruning: Int32 = 5999
    private static let surplusPruning: Int32 = 10_000
    private static let rowLimit = 64

    private struct Likeness: Hashable {
        var likeness: Int32
        var outcome: FailureRates.Outcome
        var failureCost: Int32?
        var costs: [Int: Int32]
    }

    /// Nil where there are several classes of rows of failures, or too many rows.
    ///
    /// - Parameter rowClasses: places of rows, by class.
    init?(_ rowClasses: [[Int]], _ join: RowJoin) {
        let failing = rowClasses.filter { join.tellsFailure(at: $0[0]) }
        answers = rowClasses.filter { !join.tellsFailure(at: $0[0]) }
        guard failing.count <= 1 else { return nil }
        failures = failing.first ?? []
        guard failures.count <= CountedRows.rowLimit, answers.allSatisfy({ $0.count <= CountedRows.rowLimit }) else {
            return nil
        }
        let failureCosts = failing.first.map { CountedRows.costs(at: $0[0], join) } ?? [:]
        var costs: [Int32: [Int: Int32]] = failureCosts.mapValues { _ in [:] }
        for (number, places) in answers.enumerated() {
            for (call, cost) in CountedRows.fitting(places, join) { costs[call, default: [:]][number] = cost }
        }
        group = CountedGroup(clusters: [], failures: failures.count)
        setClusters(costs, failureCosts, join)
        guard group.clusters.allSatisfy({ $0.exchanges.allSatisfy { $0.count <= CountedRows.rowLimit } }) else {
            return nil
        }
    }

    private static func costs(at place: Int, _ join: RowJoin) -> [Int32: Int32] {
        var costs: [Int32: Int32] = [:]
        for edge in Int(join.starts[place])..<Int(join.starts[place + 1]) {
            if let cost = join.countedCost(of: edge, at: place) { costs[join.edgeCalls[edge]] = cost }
        }
        return costs
    }

    /// Exchanges that rows of a class fit.
    private static func fitting(_ places: [Int], _ join: RowJoin) -> [Int32: Int32] {
        let all = costs(at: places[0], join)
        let least = all.values.min() ?? 0
        let near = all.filter { $0.value <= least + pruning }
        if near.count >= places.count || join.model.repeated != nil { return near }
        return all.filter { $0.value <= least + surplusPruning }
    }

    /// - Parameter costs: by exchange and class of answers.
    private mutating func setClusters(
        _ costs: [Int32: [Int: Int32]], _ failureCosts: [Int32: Int32], _ join: RowJoin
    ) {
        var sets = DisjointSets(answers.count)
        for own in costs.values {
            guard let first = own.keys.first else { continue }
            for other in own.keys { sets.join(first, other) }
        }
        // Exchanges that are alike, by cluster; those that no answer fits are clusters of their own.
        var alike: [Int: [Likeness: [Int32]]] = [:]
        for (call, own) in costs {
            let exchange = join.calls[Int(call)]
            let likeness = Likeness(
                likeness: exchange.likeness(for: join.kind) ?? -2 - call, outcome: exchange.outcome,
                failureCost: failureCosts[call], costs: own)
            let cluster = own.keys.first.map { sets.root($0) } ?? -1 - Int(call)
            alike[cluster, default: [:]][likeness, default: []].append(call)
        }
        for (root, kinds) in alike.sorted(by: { $0.key < $1.key }) {
            let classes = root < 0 ? [] : answers.indices.filter { sets.root($0) == root }
            let exchanges = kinds.map { (likeness: $0.key, calls: $0.value.sorted()) }.sorted {
                $0.calls[0] < $1.calls[0]
            }
            clusters.append(Cluster(classes: classes, calls: exchanges.map(\.calls)))
            group.clusters.append(
                CountedGroup.Cluster(
                    rows: classes.map { answers[$0].count },
                    exchanges: exchanges.map { item in
                        CountedGroup.Exchanges(
                            count: item.calls.count, outcome: item.likeness.outcome,
                            failureFit: item.likeness.failureCost.map { CountedRows.fit($0) } ?? 0,
                            fits: classes.map { item.likeness.costs[$0].map { CountedRows.fit($0) } ?? 0 })
                    }))
        }
    }

    private static func fit(_ cost: Int32) -> Double { RowJoin.likelihood(Int64(cost)) }
}
