import WireAccuracy
import WireStatistics

/// How many calls a run may lack, judged by how many both runs lack together.
struct LostCalls: Equatable {
    /// Calls of a run, and those of them that were not recorded.
    struct Run: Equatable {
        var calls: Int
        var lost: Int

        init(_ coverage: Coverage) {
            // A baseline is a file: whatever it says, sums must not overflow.
            calls = max(0, min(coverage.calls, 1 << 53))
            lost = max(0, min(calls, calls &- coverage.recordedCalls))
        }

        init(calls: Int, lost: Int) {
            self.calls = max(0, min(calls, 1 << 53))
            self.lost = max(0, min(lost, self.calls))
        }

        var complement: Run { Run(calls: calls, lost: calls - lost) }
    }

    /// One element for each API.
    var now: [Run]
    var before: [Run]

    var callsNow: Int { now.reduce(0) { $0 &+ $1.calls } }
    var callsBefore: Int { before.reduce(0) { $0 &+ $1.calls } }
    var lostNow: Int { now.reduce(0) { $0 &+ $1.lost } }
    /// The same with the others counted.
    var complement: LostCalls { LostCalls(now: now.map(\.complement), before: before.map(\.complement)) }
    /// There is something to compare: else no chance is spent on it.
    var isComparable: Bool { callsNow > 0 && callsBefore > 0 && lostNow + before.reduce(0) { $0 &+ $1.lost } > 0 }

    /// Lost calls of this run that the earlier one leads to expect.
    var expected: Double {
        zip(now, before).reduce(0) { sum, pair in
            let all = pair.0.calls &+ pair.1.calls
            return all == 0 ? sum : sum + Double(pair.0.calls) * Double(pair.0.lost &+ pair.1.lost) / Double(all)
        }
    }

    /// The most lost calls of this run that chance makes at least this often.
    func allowed(oneTail probability: Double) -> Int {
        if now.count == 1, before.count == 1 { return exact(probability) }
        // Mantel and Haenszel: the hypergeometric distributions of the APIs added up, about normal.
        let variance = zip(now, before).reduce(0.0) { sum, pair in
            let all = Double(pair.0.calls &+ pair.1.calls)
            guard all > 1 else { return sum }
            let lost = Double(pair.0.lost &+ pair.1.lost)
            return sum + Double(pair.0.calls) * Double(pair.1.calls) * lost * (all - lost) / (all * all * (all - 1))
        }
        let limit = StudentT.limit(bothTails: 2 * probability, freedom: .infinity)
        return Int((expected + limit * variance.squareRoot() + 0.5).rounded(.down))
    }

    /// Fisher's exact test: given how many both runs lack, the ones of this run follow a hypergeometric distribution.
    private func exact(_ probability: Double) -> Int {
        let lost = now[0].lost &+ before[0].lost
        let (low, high) = (max(0, lost &- before[0].calls), min(lost, now[0].calls))
        guard low < high else { return high }
        let kept = Double(before[0].calls - lost)
        var weights = [1.0]
        for count in low..<high {
            let chosen = Double(count)
            let factor =
                (Double(lost) - chosen) * (Double(now[0].calls) - chosen) / ((chosen + 1) * (kept + chosen + 1))
            let next = weights[weights.count - 1] * factor
            // What is so small beside the largest is nothing; sums of what is kept stay finite.
            if next > 1e200 { for index in weights.indices { weights[index] *= 1e-200 } }
            weights.append(next > 1e200 ? next * 1e-200 : next)
        }
        let whole = weights.reduce(0, +)
        var tail = 0.0
        var allowed = high
        while allowed > low, tail + weights[allowed - low] <= probability * whole {
            tail += weights[allowed - low]
            allowed -= 1
        }
        return allowed
    }
}
