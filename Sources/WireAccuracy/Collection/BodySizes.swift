import WireEstimates

/// Sizes of bodies, by pair of a row and an exchange: where a row has the size of one exchange, that is hardly by chance, and
/// it is not of the others.
struct BodySizes {
    private struct Key: Hashable {
        var row: Int32
        var direction: Direction
    }

    private var misfits: [(place: Int, key: Key, misfit: FigureMisfit)] = []
    private var given: Set<Key> = []

    mutating func add(_ place: Int, _ row: Int32, _ direction: Direction, _ misfit: FigureMisfit) {
        let key = Key(row: row, direction: direction)
        if misfit.cost == 0, misfit.hasBody {
            given.insert(key)
        } else if misfit.cost > 0, misfit.coincidence > 0 {
            misfits.append((place, key, misfit))
        }
    }

    func add(to costs: inout [Int32?]) {
        for item in misfits where given.contains(item.key) {
            costs[item.place] = (costs[item.place] ?? 0) + item.misfit.coincidence
        }
    }
}
