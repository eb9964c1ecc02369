/// Draws from groups with replacement, all draws at once: at each node it is drawn how many go left, down to the
/// groups. Nodes split near the middle of their counts, so that frequent groups are reached early.
struct MultinomialTree {
    private struct Node {
        /// To go left.
        var chance = Chance(bits: 0)
        /// The left child is the following node; 0: a leaf.
        var right: Int32 = 0
        var deviation = 0.0
    }

    private var nodes: [Node] = []

    /// There must be at least one group.
    init(_ groups: [(deviation: Double, count: Int)]) {
        nodes.reserveCapacity(2 * groups.count)
        build(groups[...])
    }

    /// Sum of the deviations of so many draws.
    func sum(draws: Int, _ random: inout RandomWords) -> Double { sum(node: 0, draws: draws, &random) }

    private func sum(node index: Int, draws: Int, _ random: inout RandomWords) -> Double {
        let node = nodes[index]
        guard node.right > 0 else { return Double(draws) * node.deviation }
        let left = random.successes(among: draws, node.chance)
        let leftSum = left == 0 ? 0 : sum(node: index + 1, draws: left, &random)
        return draws == left ? leftSum : leftSum + sum(node: Int(node.right), draws: draws - left, &random)
    }

    private mutating func build(_ groups: ArraySlice<(deviation: Double, count: Int)>) {
        let index = nodes.count
        nodes.append(Node())
        guard groups.count > 1 else {
            nodes[index].deviation = groups.first?.deviation ?? 0
            return
        }
        let total = groups.reduce(0) { $0 &+ $1.count }
        var middle = groups.startIndex + 1
        var left = groups[groups.startIndex].count
        while middle < groups.endIndex - 1, left < total / 2 {
            left += groups[middle].count
            middle += 1
        }
        let share = (UInt128(left.magnitude) << 64) / UInt128(total.magnitude)
        nodes[index].chance = Chance(bits: UInt64(truncatingIfNeeded: share))
        build(groups[..<middle])
        nodes[index].right = Int32(truncatingIfNeeded: nodes.count)
        build(groups[middle...])
    }
}
