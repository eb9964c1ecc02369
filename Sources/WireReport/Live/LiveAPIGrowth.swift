import WireCore
import WireRecords

/// What each API's wire bytes grew by. APIs are found by the order in which their rows stood the last time, which
/// seldom changes; names are looked up only where it did.
struct LiveAPIGrowth: Sendable {
    private struct API: Sendable {
        /// Wire bytes as of the last sample.
        var latest = 0
        var growth = 0
        /// Where its row stood in the last sample.
        var row: Int32 = -1
        var isKept = false
    }

    private var names: [String] = []
    private var apis: [API] = []
    private var places: [String: Int32] = [:]
    /// The API of each row of the last sample.
    private var order: [Int32] = []

    var count: Int { apis.count }

    func growth(api: String) -> Int { places[api].map { apis[Int($0)].growth } ?? 0 }

    func growth(row: Int, api: String) -> Int {
        guard row < order.count, names[Int(order[row])] == api else { return growth(api: api) }
        return apis[Int(order[row])].growth
    }

    /// Takes the rows of a sample. Returns what changed since the one before.
    mutating func note(_ rows: [APISummary], _ options: ReportOptions) -> [(api: Int32, bytes: Int)] {
        var changes: [(api: Int32, bytes: Int)] = []
        var expected = 0
        let before = order
        order.removeAll(keepingCapacity: true)
        order.reserveCapacity(rows.count)
        let rows = rows.span
        for row in rows.indices {
            let isWhereExpected = expected < before.count && names[Int(before[expected])] == rows[row].api
            let api = isWhereExpected ? before[expected] : find(rows[row].api)
            // Rows that came in or left move all behind them.
            let last = isWhereExpected ? expected : Int(apis[Int(api)].row)
            if last >= 0 { expected = last + 1 }
            order.append(api)
            let wire = options.wire(up: rows[row].costs.up, down: rows[row].costs.down)
            let change = wire - apis[Int(api)].latest
            apis[Int(api)].row = Int32(row)
            guard change != 0 else { continue }
            apis[Int(api)].latest = wire
            apis[Int(api)].growth += change
            changes.append((api, change))
        }
        return changes
    }

    private mutating func find(_ name: String) -> Int32 {
        if let api = places[name] { return api }
        let api = Int32(apis.count)
        places[name] = api
        names.append(name)
        apis.append(API())
        return api
    }

    /// What there was before the first sample is no growth.
    mutating func startAnew() {
        for index in apis.indices { apis[index].growth = 0 }
    }

    /// These are not in the window any more.
    mutating func takeBack(_ changes: [(api: Int32, bytes: Int)]) {
        for change in changes { apis[Int(change.api)].growth -= change.bytes }
    }

    // MARK: Forgetting

    mutating func keep(_ changes: [(api: Int32, bytes: Int)]) {
        for change in changes { apis[Int(change.api)].isKept = true }
    }

    /// Forgets what is neither to be kept nor has a row. Returns what gives changes the APIs' new numbers.
    mutating func forgetOthers() -> ([(api: Int32, bytes: Int)]) -> [(api: Int32, bytes: Int)] {
        for api in order { apis[Int(api)].isKept = true }
        var moved = [Int32](repeating: -1, count: apis.count)
        var kept = LiveAPIGrowth()
        for index in apis.indices where apis[index].isKept {
            moved[index] = kept.find(names[index])
            kept.apis[Int(moved[index])] = apis[index]
            kept.apis[Int(moved[index])].isKept = false
        }
        kept.order = order.map { moved[Int($0)] }
        self = kept
        return { changes in changes.map { (moved[Int($0.api)], $0.bytes) } }
    }
}
