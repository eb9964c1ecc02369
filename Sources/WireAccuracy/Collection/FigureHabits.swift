import WireEstimates

/// What a log's figures of an API usually are, whatever formula gives them: a size of the message and a constant.
///
/// Learned from rows whose exchange times alone tell. Of an SDK whose formula is not known, it still tells which of
/// several exchanges a row speaks of.
struct FigureHabits {
    /// Sizes that SDKs count.
    private enum Base: Int, CaseIterable {
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

        /// The usual difference, where there is one.
        var usual: Int? {
            guard total >= FigureHabits.leastFigures, let best = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
                best.value * 10 >= total * 8
            else { return nil }
            return best.key
        }
    }

    private static let leastFigures = 5
    private var habits: [Key: Habit] = [:]

    mutating func learn(_ total: Int, _ exchange: ObservedExchange, _ direction: Direction, api: Int) {
        for base in Base.allCases {
            guard let size = base.value(exchange, direction) else { continue }
            habits[Key(api: api, direction: direction, base: base), default: Habit()].counts[total &- size, default: 0] += 1
            habits[Key(api: api, direction: direction, base: base)]?.total += 1
        }
    }

    /// Whether a figure is as usual for an exchange; nil where nothing is usual.
    func fits(_ total: Int, _ exchange: ObservedExchange, _ direction: Direction, api: Int) -> Bool? {
        var isKnown = false
        for base in Base.allCases {
            guard let usual = habits[Key(api: api, direction: direction, base: base)]?.usual,
                let size = base.value(exchange, direction)
            else { continue }
            if total &- size == usual { return true }
            isKnown = true
        }
        return isKnown ? false : nil
    }
}
