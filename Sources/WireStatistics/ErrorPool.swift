/// Many accumulators that share a bound on their memory.
///
/// All cells are kept at one resolution. Where they would take more than the budget, all of them go to the next coarser
/// one, in which fewer different errors are kept one by one, and buckets are wider. The resolution at the end follows
/// from the calls alone, not from their order nor from how pools were merged. The coarsest one holds at most 4 kB for a
/// cell, whatever the errors are.
public struct ErrorPool: Sendable {
    /// In units of 16 bytes: one for each different error, two for each bucket.
    public let budget: Int
    public private(set) var cells: [ErrorAccumulator]
    private var charge = 0
    private var level = 0

    private static let levels: [ErrorAccumulator.Resolution] = [
        .finest,
        .init(exactLimit: 256, bits: 5), .init(exactLimit: 64, bits: 4), .init(exactLimit: 32, bits: 3),
        .init(exactLimit: 16, bits: 2), .init(exactLimit: 16, bits: 1), .init(exactLimit: 16, bits: 0),
    ]

    /// The default budget is 64 MB.
    public init(cells count: Int = 0, budget: Int = 4_000_000) {
        self.budget = budget
        cells = Array(repeating: ErrorAccumulator(), count: count)
    }

    /// Returns the index of a new cell.
    public mutating func addCell() -> Int {
        cells.append(ErrorAccumulator())
        return cells.count - 1
    }

    /// Takes one call into a cell.
    @inline(__always)
    public mutating func add(estimate: Int, truth: Int, to cell: Int) {
        let growth = cells[cell].add(estimate: estimate, truth: truth, resolution: ErrorPool.levels[level])
        if growth > 0 { grow(by: growth) }
    }

    /// Takes all calls of another pool of the same budget: those of its cell `i` into this pool's cell `places[i]`.
    public mutating func merge(_ other: ErrorPool, into places: [Int]) {
        if other.level > level { move(to: other.level) }
        for (cell, place) in zip(other.cells, places) {
            let before = cells[place].charge(ErrorPool.levels[level])
            cells[place].merge(cell, resolution: ErrorPool.levels[level])
            grow(by: cells[place].charge(ErrorPool.levels[level]) - before)
        }
    }

    @inline(never)
    private mutating func grow(by growth: Int) {
        charge += growth
        while charge > budget, level < ErrorPool.levels.count - 1 { move(to: level + 1) }
    }

    private mutating func move(to newLevel: Int) {
        level = newLevel
        let resolution = ErrorPool.levels[newLevel]
        charge = 0
        for index in cells.indices {
            cells[index].coarsen(to: resolution)
            charge += cells[index].charge(resolution)
        }
    }
}
