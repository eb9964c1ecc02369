/// What connections that have not ended add to the sums of all.
struct OpenSums {
    /// How many of the latest answered exchanges are wanted.
    private let recent: Int
    var causes = Directions<CostVector>()
    var keptConnections = 0
    var openConnections = 0
    var awaitingKeys = 0
    var exchanges = 0
    var openExchanges = 0
    /// Whose connections are being added.
    var shard = 0
    private var candidates: [(shard: Int, place: Int, exchange: Int, time: Int64)] = []
    /// Older ones are not among the latest.
    private var oldest = Int64.min

    init(recent: Int) { self.recent = recent }

    @inline(__always)
    mutating func addAnswered(_ place: Int, _ exchange: Int, _ time: Int64) {
        guard time >= oldest, recent > 0 else { return }
        candidates.append((shard, place, exchange, time))
        if candidates.count >= 4 * recent + 64 { cut() }
    }

    private mutating func cut() {
        candidates.sort { $0.time > $1.time }
        candidates.removeSubrange(recent...)
        oldest = candidates[recent - 1].time
    }

    /// The latest answered exchanges, the last one first.
    var latest: ArraySlice<(shard: Int, place: Int, exchange: Int, time: Int64)> {
        candidates.sorted { ($0.time, $1.shard, $1.exchange) > ($1.time, $0.shard, $0.exchange) }.prefix(recent)
    }
}
