/// What connections that have not ended add to the sums of all.
struct OpenSums {
    var causes = Directions<CostVector>()
    var keptConnections = 0
    var openConnections = 0
    var awaitingKeys = 0
    var exchanges = 0
    var openExchanges = 0
    /// Whose connections are being added.
    var shard = 0
    /// The latest answered exchanges, by time.
    private(set) var answered: ForemostPlaces
    /// The connections that cost most, by bytes.
    private(set) var costliest: ForemostPlaces

    init(recent: Int, connections: Int) {
        answered = ForemostPlaces(limit: recent)
        costliest = ForemostPlaces(limit: connections)
    }

    @inline(__always)
    mutating func addAnswered(_ place: Int, _ exchange: Int, _ time: Int64) {
        answered.add(ForemostPlaces.Entry(shard: shard, place: place, exchange: exchange, weight: time))
    }

    /// - Parameter bytes: asked for only where it is wanted.
    @inline(__always)
    mutating func addConnection(_ place: Int, bytes: () -> Int) {
        guard costliest.limit > 0 else { return }
        costliest.add(ForemostPlaces.Entry(shard: shard, place: place, exchange: 0, weight: Int64(bytes())))
    }
}

/// Of many places those with the largest weights, in memory for a few.
struct ForemostPlaces {
    struct Entry {
        var shard: Int
        var place: Int
        var exchange: Int
        var weight: Int64
    }

    let limit: Int
    private var candidates: [Entry] = []
    /// Smaller ones are not among the foremost.
    private var least = Int64.min

    init(limit: Int) { self.limit = limit }

    @inline(__always)
    mutating func add(_ entry: Entry) {
        guard entry.weight >= least, limit > 0 else { return }
        candidates.append(entry)
        if candidates.count >= 4 * limit + 64 { cut() }
    }

    private mutating func cut() {
        candidates.sort { $0.weight > $1.weight }
        candidates.removeSubrange(limit...)
        least = candidates[limit - 1].weight
    }

    /// The largest first.
    var first: ArraySlice<Entry> {
        candidates.sorted { ($0.weight, $1.shard, $1.exchange) > ($1.weight, $0.shard, $0.exchange) }.prefix(limit)
    }
}
