/// What the connections of each process come to.
struct ProcessSums {
    struct Row {
        var connections = 0
        var exchanges = 0
        /// All that the connections and their exchanges cost.
        var costs = Directions<CostVector>()
    }

    /// By the numbers of the processes; the first is that of connections without one.
    private(set) var rows: [Row] = []

    /// Adds a connection that has ended.
    mutating func add(_ exchanges: Int, _ costs: borrowing Directions<CostVector>, to process: UInt16) {
        let place = Int(process)
        while rows.count <= place { rows.append(Row()) }
        rows[place].connections += 1
        rows[place].exchanges += exchanges
        rows[place].costs.up.add(costs.up)
        rows[place].costs.down.add(costs.down)
    }
}
