import WireEstimates
import WireLogs

/// What a log's figures of an API usually are, whatever formula gives them: a size of the message and a constant.
///
/// Learned from rows whose exchange times alone tell. Of an SDK whose formula is not known, it still tells which of
/// several exchanges a row speaks of.
struct FigureHabits {
    /// Sizes that SDKs count.
    enum Base: Int, CaseIterable {
        case message, content, decoded

        func value(_ exchange: ObservedExchange, _ direction: Direction) -> Int? {
            let body = direction == .up ? exchange.request?.body : exchange.response?.body
            switch self {
            case .message: return direction == .up ? exchange.request?.message : exchange.response?.message
            case .content: return body?.content
            case .decoded: return body?.decoded
            }
        }
    }

    private struct Key: Hashable {
        var api: Int
        var direction: Direction
        var base: Base
    }

    private struct Habit {
        var counts: [Int: Int] = [:]
        var total = 0

        /// The usual differences, where a few explain most figures. An API may have several kinds of calls.
        var usual: Set<Int> {
            let often = counts.filter { $0.value >= 3 && $0.value * 10 >= total }
            let explained = often.values.reduce(0, +)
            guard total >= FigureHabits.leastFigures, explained * 10 >= total * 8 else { return [] }
            return Set(often.keys)
        }
    }

    private static let leastFigures = 5
    private var habits: [Key: Habit] = [:]

    mutating func learn(_ total: Int, _ exchange: ObservedExchange, _ direction: Direction, api: Int) {
        for base in Base.allCases {
            guard let size = base.value(exchange, direction) else { continue }
            habits[Key(api: api, direction: direction, base: base), default: Habit()].counts[
                total &- size, default: 0] += 1
            habits[Key(api: api, direction: direction, base: base)]?.total += 1
        }
    }

    /// Whether a figure is as usual for an exchange; nil where nothing is usual.
    func fits(_ total: Int, _ exchange: ObservedExchange, _ direction: Direction, api: Int) -> Bool? {
        var isKnown = false
        for base in Base.allCases {
            guard let usual = habits[Key(api: api, direction: direction, base: base)]?.usual, !usual.isEmpty,
                let size = base.value(exchange, direction)
            else { continue }
            if usual.contains(total &- size) { return true }
            isKnown = true
        }
        return isKnown ? false : nil
    }
}
