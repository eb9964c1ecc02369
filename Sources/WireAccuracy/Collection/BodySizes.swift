import WireEstimates
import WireJoin
import WireLogs

/// Sizes of bodies, by pair of a row and an exchange. If all figures of a row are those of one exchange, its body hardly has that
/// size by chance: the row is not of exchanges whose figures differ.
struct BodySizes {
    private struct Key: Hashable {
        var row: Int32
        var direction: Direction
    }

    /// Pairs that are remembered.
    private static let limit = 200_000

    private var misfits: [(place: Int, key: Key, coincidence: Int32)] = []
    private var given: Set<Key> = []

    mutating func add(_ place: Int, _ row: Int32, _ direction: Direction, _ misfit: FigureMisfit) {
        let key = Key(row: row, direction: direction)
        if misfit.cost == 0, misfit.hasBody {
            given.insert(key)
        } else if misfit.cost > 0, misfits.count < BodySizes.limit {
            let coincidence = misfit.coincidence
            if coincidence > 0 { misfits.append((place, key, coincidence)) }
        }
    }

    func add(to costs: inout [Int32?]) {
        for item in misfits where given.contains(item.key) {
            costs[item.place] = (costs[item.place] ?? 0) + item.coincidence
        }
    }
}
