/// The one-to-one assignment with the least total cost where costs are any (Kuhn's method, the cubic variant with
/// potentials). For a few dozen points at most.
struct SmallAssignment {
    /// - Parameters:
    ///   - costs: by row, then by exchange; nil where the two are no pair.
    ///   - price: of leaving a row and an exchange out together.
    /// - Returns: by row, its exchange; nil for none.
    static func solve(_ costs: [[Int64?]], price: Int64) -> [Int?] {
        let rows = costs.count
        let calls = costs.first?.count ?? 0
        let size = max(rows, calls)
        if size == 0 { return [] }
        // A pair is worth what it saves; places beyond the matrix are worth nothing.
        func cost(_ row: Int, _ call: Int) -> Int64 {
            guard row < rows, call < calls, let cost = costs[row][call] else { return 0 }
            return min(0, cost - price - 1)
        }
        var rowPotential = [Int64](repeating: 0, count: size + 1)
        var callPotential = [Int64](repeating: 0, count: size + 1)
        var rowOf = [Int](repeating: 0, count: size + 1)
        for row in 1...size {
            augment(from: row, size, cost, &rowPotential, &callPotential, &rowOf)
        }
        var result = [Int?](repeating: nil, count: rows)
        for call in 1...size where rowOf[call] <= rows && cost(rowOf[call] - 1, call - 1) < 0 {
            result[rowOf[call] - 1] = call - 1
        }
        return result
    }

    /// Finds the cheapest way to give a further row a place. Rows and exchanges count from 1 here; 0 is the start.
    private static func augment(
        from row: Int, _ size: Int, _ cost: (Int, Int) -> Int64, _ rowPotential: inout [Int64],
        _ callPotential: inout [Int64], _ rowOf: inout [Int]
    ) {
        var least = [Int64](repeating: .max, count: size + 1)
        var previous = [Int](repeating: 0, count: size + 1)
        var isDone = [Bool](repeating: false, count: size + 1)
        rowOf[0] = row
        var current = 0
        repeat {
            isDone[current] = true
            let currentRow = rowOf[current]
            var step = Int64.max
            var next = 0
            for call in 1...size where !isDone[call] {
                let reduced = cost(currentRow - 1, call - 1) - rowPotential[currentRow] - callPotential[call]
                if reduced < least[call] {
                    least[call] = reduced
                    previous[call] = current
                }
                if least[call] < step {
                    step = least[call]
                    next = call
                }
            }
            for call in 0...size {
                if isDone[call] {
                    rowPotential[rowOf[call]] += step
                    callPotential[call] -= step
                } else if call > 0 {
                    least[call] -= step
                }
            }
            current = next
        } while rowOf[current] != 0
        while current != 0 {
            rowOf[current] = rowOf[previous[current]]
            current = previous[current]
        }
    }
}
