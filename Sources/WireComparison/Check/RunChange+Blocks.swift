import WireStatistics

/// Of runs that are one session: calls of one time are alike, so chance is measured by how blocks of time differ.
struct BlockResiduals: Equatable {
    /// By how much the calls of each block move the run's mean; nil of blocks without a call.
    private var values: [Double?]

    /// Nil of a run whose calls are not known by time.
    init?(_ blocks: [TimeBlock], _ sum: (TimeBlock) -> Double, per calls: KeyPath<TimeBlock, Int>) {
        let count = blocks.reduce(0) { $0 + Double($1[keyPath: calls]) }
        guard count > 0 else { return nil }
        let mean = blocks.reduce(0) { $0 + sum($1) } / count
        values = Array(repeating: nil, count: TimeBlock.count)
        for block in blocks where block[keyPath: calls] > 0 && values.indices.contains(block.block) {
            values[block.block] = (sum(block) - Double(block[keyPath: calls]) * mean) / count
        }
    }

    /// Of the mean of several APIs by weight: what one block does to all of them adds up.
    init?(mean parts: [(share: Double, residuals: BlockResiduals?)]) {
        let parts = parts.compactMap { part in part.residuals.map { $0.scaled(by: part.share) } }
        guard let first = parts.first else { return nil }
        values = parts.dropFirst().reduce(first.values) { sums, part in
            zip(sums, part.values).map { sum, value in value.map { $0 + (sum ?? 0) } ?? sum }
        }
    }

    func scaled(by factor: Double) -> BlockResiduals {
        var scaled = self
        scaled.values = values.map { $0.map { $0 * factor } }
        return scaled
    }

    fileprivate var freedom: Double { Double(values.count { $0 != nil } - 1) }

    /// Squared standard error of the mean, if blocks were drawn anew.
    fileprivate var variance: Double {
        guard freedom > 0 else { return 0 }
        return values.reduce(0) { $0 + ($1 ?? 0) * ($1 ?? 0) } * (freedom + 1) / freedom
    }
}

extension RunChange {
    struct Blocks: Equatable {
        var now: BlockResiduals?
        var before: BlockResiduals?

        func scaled(by factor: Double) -> Blocks {
            Blocks(now: now?.scaled(by: factor), before: before?.scaled(by: factor))
        }
    }

    /// A squared standard error of the change with its degrees of freedom.
    typealias Chance = (variance: Double, freedom: Double)

    /// What blocks of time leave open. The calls of a run that is not known by time are as much alike as those of the other.
    private var chanceOfBlocks: Chance? {
        let known = [blocks.now, blocks.before].compactMap { $0 }
        let freedom = known.reduce(0) { $0 + $1.freedom }
        guard freedom > 0 else { return nil }
        let variance = known.reduce(0) { $0 + $1.variance }
        guard known.count == 1 else { return (variance, freedom) }
        let (own, other) = blocks.now == nil ? (callsBefore, callsNow) : (callsNow, callsBefore)
        return (variance * (1 + Double(own) / Double(max(other, 1))), freedom)
    }

    /// That of calls that are independent of each other; and that of blocks, where they differ more than such calls would. As in
    /// preliminary tests of significance (Bancroft), a chance of one in four is enough for that.
    var chances: [Chance] {
        let independent = (variance, freedom)
        guard let blocks = chanceOfBlocks, blocks.variance > variance * RunChange.quartile(freedom: blocks.freedom)
        else {
            return [independent]
        }
        // With one degree of freedom the limit is without bound: nothing can be judged. So it is with two.
        return [independent, (blocks.variance, max(2, blocks.freedom))]
    }

    /// The upper quartile of a variance over its expectation (Wilson and Hilferty's approximation of χ²).
    private static func quartile(freedom: Double) -> Double {
        let ninth = 2 / (9 * freedom)
        let root = 1 - ninth + 0.6745 * ninth.squareRoot()
        return root * root * root
    }
}
