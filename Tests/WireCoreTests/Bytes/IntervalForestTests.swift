import Testing
import WireTesting

@testable import WireCore

@Suite("Trees of intervals")
struct IntervalForestTests {
    private struct Entry {
        var tree: Int
        var range: Range<Int>
        var rank: Int
        var index: Int32
    }

    @Test("find what a search through all intervals finds", arguments: [1, 2, 3] as [UInt64])
    func agreesWithSearch(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var forest = IntervalForest<Int>()
        var trees = [IntervalTree(), IntervalTree()]
        var entries: [Entry] = []
        for step in 0..<3000 {
            if !entries.isEmpty, random.oneIn(step % 600 < 300 ? 4 : 2) {
                let entry = entries.remove(at: random.below(entries.count))
                let value = forest.remove(entry.index, from: &trees[entry.tree], leaving: -1)
                #expect(value == entry.rank)
            } else {
                let (tree, start) = (random.below(2), random.below(200) - 100)
                let range = start..<start + 1 + random.below(random.oneIn(5) ? 150 : 10)
                let index = forest.insert(step, range, rank: step, into: &trees[tree])
                entries.append(Entry(tree: tree, range: range, rank: step, index: index))
            }
            #expect(forest.count == entries.count)
            let (tree, place) = (random.below(2), random.below(320) - 120)
            let inOrder = entries.filter { $0.tree == tree }.sorted {
                ($0.range.lowerBound, $0.rank) < ($1.range.lowerBound, $1.rank)
            }
            #expect(trees[tree].isEmpty == inOrder.isEmpty)
            let ending = inOrder.first { $0.range.upperBound > place }
            let starting = inOrder.first { $0.range.lowerBound > place }
            #expect(forest.first(endingBehind: place, trees[tree]) == ending?.index, "seed \(seed), step \(step)")
            #expect(forest.first(startingBehind: place, trees[tree]) == starting?.index, "seed \(seed), step \(step)")
            let holding = inOrder.filter { $0.range.contains(place) }.prefix(16).min { $0.rank < $1.rank }
            #expect(forest.lowestRank(holding: place, trees[tree]) == holding?.index, "seed \(seed), step \(step)")
            if let ending {
                #expect(forest.range(ending.index) == ending.range && forest[ending.index] == ending.rank)
            }
        }
    }
}
