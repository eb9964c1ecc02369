/// The rows of the APIs as of the last look, open exchanges included, with what makes the next look cheap: which of the
/// totals' rows have changed, and which row each open exchange belongs to.
struct SnapshotRows: Sendable {
    /// The totals' rows in their order, and behind them those that only open exchanges have.
    private(set) var rows: [APISummary] = []
    /// Exchanges of each of the totals' rows when it was copied; below 0 where something was added to the copy.
    private var copied: [Int] = []

    /// Where a look goes on: in the connections of a shard. Zero when it is over.
    struct Place: Equatable, Sendable {
        var shard = 0
        var connection = 0
    }
    var next = Place()

    /// The row of an open exchange, by its slot.
    private struct OpenRow: Sendable {
        var serial: UInt32 = 0
        /// How much of its request was known: the start line comes before the host.
        var length: Int32 = -1
        var framing = BodyFraming.unknown
        /// Of the totals' rows; below 0: the complement of a place in `names`.
        var row: Int32 = 0
    }
    private var places: [[OpenRow]] = []
    /// What a name depends on beside the request, such as DNS, may become known later: so some exchanges are named
    /// again in each look.
    private static let renaming = 64
    private var look = 0

    /// Names that the totals have no row for, or had none.
    private var names = NameTable()
    private var texts: [String] = []
    /// Their rows: in the totals, where they have come to be there, else in this look, or below 0.
    private var rowsOfNames: [Int] = []
    private var namesInUse = 0

    // MARK: A look

    /// Takes what has changed in the totals' rows.
    mutating func begin(_ tables: borrowing SummaryTables) {
        look += 1
        let source = tables.apiRows.span
        if source.count < copied.count || rows.count < copied.count { self = SnapshotRows() }
        rows.removeLast(rows.count - copied.count)
        for row in copied.indices
        where copied[row] != source[row].exchanges || source[row].isEncrypted {
            rows[row].exchanges = source[row].exchanges
            rows[row].isEncrypted = source[row].isEncrypted
            rows[row].costs = source[row].costs
            copied[row] = source[row].exchanges
        }
        let known = copied.count
        for row in known..<source.count {
            rows.append(source[row])
            copied.append(source[row].exchanges)
        }
        beginNames(known..<source.count, tables)
    }

    /// `new`: rows that came to the totals since the last look.
    private mutating func beginNames(_ new: Range<Int>, _ tables: borrowing SummaryTables) {
        if names.count > 2 * namesInUse + 4096 { forgetNames(notIn: new.lowerBound...) }
        for place in rowsOfNames.indices where rowsOfNames[place] >= new.lowerBound {
            rowsOfNames[place] = -1
        }
        namesInUse = 0
        guard names.count > 0 else { return }
        for row in new {
            if let place = names.find(tables.apiName(Int32(row))) { rowsOfNames[place] = row }
        }
    }

    /// Names that nobody has any more must not fill the memory: keeps those that had a row of their own in the last
    /// look.
    private mutating func forgetNames(notIn own: PartialRangeFrom<Int>) {
        var kept = SnapshotRows()
        var moved = [Int32](repeating: -1, count: texts.count)
        for place in texts.indices where own.contains(rowsOfNames[place]) {
            moved[place] = Int32(kept.texts.count)
            _ = kept.names.intern(names.names[place])
            kept.texts.append(texts[place])
        }
        for shard in places.indices {
            for index in places[shard].indices where places[shard][index].row < 0 {
                let place = moved[Int(~places[shard][index].row)]
                if place < 0 { places[shard][index] = OpenRow() } else { places[shard][index].row = ~place }
            }
        }
        names = kept.names
        texts = kept.texts
        rowsOfNames = [Int](repeating: -1, count: texts.count)
    }

    /// The row of an open exchange of the shard that is looked at. `name` gives its API, which takes long.
    @inline(__always)
    mutating func row(
        of exchange: Int, _ context: borrowing StreamContext, _ tables: borrowing SummaryTables, _ name: () -> [UInt8]
    ) -> Int {
        let shard = next.shard
        if shard >= places.count || exchange >= places[shard].count { makeRoom(for: exchange, shard) }
        let serial = context.attribution.accounts[exchange].serial
        let length = Int32(truncatingIfNeeded: context.exchanges[exchange].targetLength)
        let framing = context.exchanges[exchange].request.framing
        let known = places[shard][exchange]
        var row = Int(known.row)
        if known.serial != serial || known.length != length || known.framing != framing
            || (exchange &+ look) % SnapshotRows.renaming == 0
        {
            let found = find(name(), tables)
            places[shard][exchange] = OpenRow(serial: serial, length: length, framing: framing, row: found)
            row = Int(found)
        }
        return row >= 0 ? row : self.row(ofName: ~row)
    }

    private mutating func makeRoom(for exchange: Int, _ shard: Int) {
        if shard >= places.count { places.append(contentsOf: repeatElement([], count: shard + 1 - places.count)) }
        let missing = exchange + 1 - places[shard].count
        if missing > 0 { places[shard].append(contentsOf: repeatElement(OpenRow(), count: missing)) }
    }

    private mutating func find(_ name: [UInt8], _ tables: borrowing SummaryTables) -> Int32 {
        if let row = tables.row(ofAPI: name) { return Int32(row) }
        guard let place = names.intern(name) else { return 0 }
        if place == texts.count {
            texts.append(NameTable.text(name))
            rowsOfNames.append(-1)
        }
        return ~Int32(place)
    }

    private mutating func row(ofName place: Int) -> Int {
        if rowsOfNames[place] < 0 {
            rowsOfNames[place] = rows.count
            rows.append(APISummary(api: texts[place]))
            namesInUse += 1
        }
        return rowsOfNames[place]
    }

    /// Adds an exchange.
    @inline(__always)
    mutating func add(
        _ up: borrowing CostVector, _ down: borrowing CostVector, _ share: Directions<CostVector>?,
        to row: Int
    ) {
        if row < copied.count { copied[row] = -1 }
        rows[row].exchanges += 1
        rows[row].costs.up.add(up)
        rows[row].costs.down.add(down)
        guard let share else { return }
        rows[row].costs.up.add(share.up)
        rows[row].costs.down.add(share.down)
    }

    /// Adds a connection of which TLS hides all.
    mutating func addEncrypted(_ name: [UInt8], _ costs: Directions<CostVector>, _ tables: borrowing SummaryTables) {
        let found = Int(find(name, tables))
        let row = found >= 0 ? found : self.row(ofName: ~found)
        if row < copied.count { copied[row] = -1 }
        rows[row].isEncrypted = true
        rows[row].costs += costs
    }

    init() {}

    /// Rows of no audit.
    init(_ rows: [APISummary]) { self.rows = rows }
}
