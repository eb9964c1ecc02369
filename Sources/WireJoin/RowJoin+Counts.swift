/// What the numbers of rows and exchanges tell in a log that has neither times nor an order.
extension RowJoin {
    /// From fewer rows too little can be learned of how often rows are lost, doubled or of calls never sent.
    private static let leastCounted = 50
    private static let countRounds = 8
    /// Learning ends where a round makes the log less than this more likely.
    private static let leastGain = 0.001
    /// Steps that all groups together may take in one round.
    private static let countBudget = 4_000_000
    /// Of decided rows no more than one in a thousand is expected to be another's, and none is decided at worse odds than
    /// 20 to 1.
    private static let expectedShare = 0.001
    private static let mostDoubt = 0.05

    /// Decides the rows of a name all at once. A single row is as near to each exchange of its name; that others need those
    /// exchanges, and how many rows are of none, is not in that.
    mutating func decideByCounts(_ found: [Found]) -> [Found] {
        guard model.timing == .none, rows.count >= RowJoin.leastCounted else { return found }
        let groups = countedRows()
        let kinds = CountedKinds(groups.map(\.group))
        let outcomes = outcomes(of: kinds)
        var (decided, doubts) = (found, [Double](repeating: 1, count: found.count))
        for (rows, kind) in zip(groups, kinds.kinds) {
            if let outcome = outcomes[kind] { enter(outcome, rows, &decided, &doubts) }
        }
        RowJoin.decideDoubtful(doubts, &decided)
        return decided
    }

    /// By kind of group, what is likely by all suppositions together, each of which counts as much as it makes the log likely.
    private mutating func outcomes(of kinds: CountedKinds) -> [CountedGroup.Outcome?] {
        let readings = readings(of: kinds).sorted { $0.likelihood > $1.likelihood }
        var (outcomes, sum) = (readings[0].outcomes, 1.0)
        for reading in readings.dropFirst() {
            let weight = RowJoin.likelihood(Int64(1000 * min(50, readings[0].likelihood - reading.likelihood)))
            sum += weight
            for (kind, other) in reading.outcomes.enumerated() {
                if let other { outcomes[kind]?.mix(other, weight / sum) }
            }
        }
        return outcomes
    }

    /// What is likely of each kind of group by one supposition, and ln(likelihood) of all of it.
    private struct Reading {
        var likelihood: Double
        var rates: CountRates
        var outcomes: [CountedGroup.Outcome?]
    }

    /// By each supposition, with more and more halvings as long as the log gets likelier. All are of the same groups: those that
    /// have too many readings for the first one are left out of the others, too.
    private mutating func readings(of kinds: CountedKinds) -> [Reading] {
        var isOpen = [Bool](repeating: true, count: kinds.groups.count)
        return CountRates.starts(halvings: 0).indices.flatMap { place in
            var readings = [weigh(kinds, from: CountRates.starts(halvings: 0)[place], 0, &isOpen)]
            for halvings in 1..<(CountRates.mostHalvings + 1) {
                readings.append(weigh(kinds, from: CountRates.starts(halvings: halvings)[place], halvings, &isOpen))
                guard readings[halvings].likelihood > readings[halvings - 1].likelihood else { break }
            }
            return readings
        }
    }

    /// Learns from a supposition.
    ///
    /// - Parameter isOpen: by kind of group, whether it is weighed.
    private mutating func weigh(
        _ kinds: CountedKinds, from start: CountRates, _ halvings: Int, _ isOpen: inout [Bool]
    ) -> Reading {
        var reading = Reading(likelihood: -.infinity, rates: start, outcomes: [])
        for _ in 0..<RowJoin.countRounds {
            var (sums, budget) = (CountRates.Sums(), RowJoin.countBudget)
            var next = Reading(likelihood: reading.rates.logPrior, rates: reading.rates, outcomes: [])
            for (kind, group) in kinds.groups.enumerated() {
                var own = CountRates.Sums()
                let outcome = isOpen[kind] ? group.weigh(next.rates, &own, budget: &budget) : nil
                isOpen[kind] = outcome != nil
                next.outcomes.append(outcome)
                guard let outcome else { continue }
                sums.add(own, times: kinds.counts[kind])
                next.likelihood += outcome.likelihood * Double(kinds.counts[kind])
            }
            work.comparedPairs += RowJoin.countBudget - max(0, budget)
            next.rates = CountRates(sums, halvings: halvings)
            let gain = next.likelihood - reading.likelihood
            reading = next
            guard gain > RowJoin.leastGain else { break }
        }
        return reading
    }

    /// Rows that are less certain are decided, too, the most certain ones first, as long as hardly any decided row is expected
    /// to be another's. Rows that are as certain as each other are of one name: all of them, or none.
    ///
    /// - Parameter doubts: by row, the probability that its exchange is another's; 1 where nothing is known.
    static func decideDoubtful(_ doubts: [Double], _ found: inout [Found]) {
        let known = found.indices.filter { found[$0].call >= 0 && doubts[$0] <= RowJoin.mostDoubt }
        var expected = known.reduce(0.0) { $0 + (found[$1].isAmbiguous ? 0 : doubts[$1]) }
        let open = known.filter { found[$0].isAmbiguous }.sorted { (doubts[$0], $0) < (doubts[$1], $1) }
        var next = open[...]
        while let first = next.first {
            let alike = next.prefix { doubts[$0] == doubts[first] }
            expected += doubts[first] * Double(alike.count)
            guard expected <= RowJoin.expectedShare * Double(known.count) else { return }
            for place in alike { found[place].isAmbiguous = false }
            next = next[alike.endIndex...]
        }
    }

    /// Of the row and the exchange of an edge, but for how often exchanges have rows; nil where they cannot be a pair. No formula
    /// gives the figures of a row that tells of a failure.
    func countedCost(of edge: Int, at place: Int) -> Int32? {
        let call = Int(edgeCalls[edge])
        let row = log[Int(rows[place])]
        let lacking = isLackingRequest(call) ? RowJoin.lackingCost : 0
        return model.statusCost(row, calls[call]).map { $0 + (row.tellsFailure ? 0 : evidence[edge]) + lacking }
    }

    /// Rows and exchanges that share names, by their classes.
    private func countedRows() -> [CountedRows] {
        var sets = DisjointSets(calls.count)
        var placesOfClass: [Int32: [Int]] = [:]
        for place in rows.indices {
            placesOfClass[classes.numbers[Int(rows[place])], default: []].append(place)
            let edges = Int(starts[place])..<Int(starts[place + 1])
            for edge in edges.dropFirst() { sets.join(Int(edgeCalls[edge]), Int(edgeCalls[edges.lowerBound])) }
        }
        var groups: [Int: [[Int]]] = [:]
        for (_, places) in placesOfClass.sorted(by: { $0.key < $1.key }) {
            guard starts[places[0]] < starts[places[0] + 1] else { continue }
            groups[sets.root(Int(edgeCalls[Int(starts[places[0]])])), default: []].append(places)
        }
        return groups.sorted { $0.key < $1.key }.compactMap { CountedRows($0.value, self) }
    }

    private func enter(
        _ outcome: CountedGroup.Outcome, _ counted: CountedRows, _ found: inout [Found], _ doubts: inout [Double]
    ) {
        // By class, places of rows that have no exchange yet.
        var left = counted.answers.map { $0.map { $0 } }
        var failures = counted.failures
        var options: [Int: [(calls: [Int32], expected: Double)]] = [:]
        for (cluster, part) in zip(counted.clusters, outcome.parts) {
            for (calls, own) in zip(cluster.calls, part.verdicts) {
                var free = calls
                for (number, verdict) in own.enumerated() {
                    let isFailure = number == cluster.classes.count
                    let key = isFailure ? -1 : cluster.classes[number]
                    if verdict.expected > 0 { options[key, default: []].append((calls, verdict.expected)) }
                    let taken = isFailure ? takeFirst(verdict.count, &failures) : takeFirst(verdict.count, &left[key])
                    for place in taken {
                        doubts[place] = enter(verdict, free.removeFirst(), at: place, &found)
                    }
                }
                // Equal rows are as many calls as there are exchanges for them.
                for (number, verdict) in own.dropLast().enumerated() where verdict.count > 0 && !free.isEmpty {
                    let taken = takeFirst(
                        min(free.count, left[cluster.classes[number]].count), &left[cluster.classes[number]])
                    for place in taken {
                        doubts[place] = enter(verdict, free.removeFirst(), at: place, &found)
                    }
                }
            }
        }
        for (cluster, part) in zip(counted.clusters, outcome.parts) {
            for (key, share) in zip(cluster.classes, part.more) {
                for place in left[key] { enterNone(at: place, mayHaveOne: share, &found) }
            }
        }
        for place in failures { enterNone(at: place, mayHaveOne: outcome.moreFailures, &found) }
        setAlternatives(counted, options, &found)
    }

    private func takeFirst(_ count: Int, _ places: inout [Int]) -> [Int] {
        let taken = Array(places.prefix(count))
        places.removeFirst(taken.count)
        return taken
    }

    /// Returns the probability that the exchange is another row's.
    private func enter(
        _ verdict: CountedGroup.Verdict, _ call: Int32, at place: Int, _ found: inout [Found]
    ) -> Double {
        let (change, leave) = (RowJoin.odds(verdict.change), RowJoin.odds(verdict.leave))
        found[place].call = call
        found[place].isByFigures = false
        found[place].isAmbiguous = change < RowJoin.certainty || leave < RowJoin.leaveCertainty
        found[place].margin = min(RowJoin.certainty, max(0, change))
        return leave < RowJoin.leaveCertainty ? 1 : verdict.change
    }

    private func enterNone(at place: Int, mayHaveOne share: Double, _ found: inout [Found]) {
        found[place].call = -1
        found[place].isByFigures = false
        found[place].isAmbiguous = share >= RowJoin.likelyShare
        found[place].hasAlike = false
    }

    /// Odds against something, thousandths of a natural logarithm.
    private static func odds(_ share: Double) -> Int64 {
        share > 0 ? Int64(thousandths(((1 - min(share, 1)) / share).naturalLogarithm)) : 2_000_000
    }

    /// - Parameter options: by class of rows, the exchanges that it might have and how many of them are expected to have one.
    private func setAlternatives(
        _ counted: CountedRows, _ options: [Int: [(calls: [Int32], expected: Double)]], _ found: inout [Found]
    ) {
        let taken = Set((counted.answers.joined() + counted.failures).map { found[$0].call })
        let keyed = counted.answers.enumerated().map { ($0.offset, $0.element) } + [(-1, counted.failures)]
        for (key, places) in keyed {
            let own = (options[key] ?? []).sorted {
                $0.expected * Double($1.calls.count) > $1.expected * Double($0.calls.count)
            }
            let likely = own.flatMap(\.calls)
            for place in places {
                let call = found[place].call
                found[place].alternatives =
                    found[place].isAmbiguous
                    ? Array(likely.filter { $0 != call }.prefix(RowJoin.alternativeLimit)) : []
                found[place].hasAlike =
                    call >= 0 && !found[place].isAmbiguous
                    && own.contains { $0.calls.contains(call) && !taken.isSuperset(of: $0.calls) }
            }
        }
    }
}
