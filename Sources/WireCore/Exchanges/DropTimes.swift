/// When the capturing program lost packets, as far as it said so.
struct DropTimes: Sendable {
    /// How long before and after a loss things may be touched by it: it is told some time after it happened. Nanoseconds.
    private static let reach: Int64 = 2_000_000_000
    /// Times closer than this are one: nanoseconds.
    private static let grain: Int64 = 100_000_000
    /// Most times kept; beyond that the older half is taken for one long loss.
    private static let limit = 8192

    /// In ascending order.
    private var losses: [Range<Int64>] = []

    /// A loss was told of with a packet of this time.
    /// - Parameter previous: time of the frame before it: the loss lies behind that, though it may be told of late.
    mutating func note(_ time: Int64, after previous: Int64? = nil) {
        let start = min(time, previous ?? time) - DropTimes.reach
        guard let last = losses.last else { return losses.append(start..<time + 1) }
        // Where times go back, the loss before is stretched to both.
        if start <= last.upperBound + DropTimes.grain {
            losses[losses.count - 1] = min(last.lowerBound, start)..<max(last.upperBound, time + 1)
            while losses.count > 1, losses[losses.count - 2].upperBound >= losses[losses.count - 1].lowerBound {
                let merged = losses.removeLast()
                let before = losses[losses.count - 1]
                losses[losses.count - 1] =
                    min(before.lowerBound, merged.lowerBound)..<max(before.upperBound, merged.upperBound)
            }
        } else {
            losses.append(start..<time + 1)
        }
        guard losses.count > DropTimes.limit else { return }
        let half = DropTimes.limit / 2
        losses.replaceSubrange(0..<half, with: [losses[0].lowerBound..<losses[half - 1].upperBound])
    }

    /// Whether something that went on from `start` to `end` may have lost packets.
    func contains(_ start: Int64, through end: Int64) -> Bool {
        guard let last = losses.last, start < last.upperBound else { return false }
        // The first loss that ends behind the start.
        var low = 0
        var high = losses.count
        while low < high {
            let middle = (low + high) / 2
            if losses[middle].upperBound <= start { low = middle + 1 } else { high = middle }
        }
        return low < losses.count && losses[low].lowerBound <= end
    }
}
