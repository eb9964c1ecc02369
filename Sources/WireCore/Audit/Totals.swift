/// The totals as the threads of the audit share them.
final class Totals {
    /// One value, so that a call asks once whether it may change, not for each of its fields.
    private(set) var state: TotalsState

    init(options: AuditOptions, sink: (any AuditSink)?, processes: ProcessDirectory = ProcessDirectory()) {
        state = TotalsState(options: options, sink: sink, processes: processes)
    }

    /// See `TotalsState`.
    func settle(_ completed: inout CompletedFlows, shard: Int) { state.settle(&completed, shard: shard) }

    /// See `TotalsState`.
    func settle(_ completed: inout [CompletedFlows]) { state.settle(&completed) }

    /// See `TotalsState`.
    func finish() { state.finish() }
}

/// What all connections together come to: the tables of APIs and hosts, their sums, and the records on their way out.
///
/// It takes what the shards completed, always in the same order, whichever threads those were in.
struct TotalsState {
    private(set) var tables = SummaryTables()
    private var pools: ConnectionPools
    private(set) var findings = FindingSink()
    private(set) var connectionCount = 0
    /// Those of them over QUIC.
    private(set) var datagramConnectionCount = 0
    private(set) var lateConnectionCount = 0
    private(set) var unfinishedCount = 0
    private(set) var exchangeCount = 0
    private(set) var contentTypes = ContentTypeSums()
    /// What apps cost that the tables are not about.
    private(set) var leftOut = Directions<CostVector>()
    let options: AuditOptions
    private let sink: (any AuditSink)?
    /// For connections that were numbered where others were not seen: their numbers over all.
    private var numbers: [[Int32]] = []
    private var nextNumber = 0
    private var cursors: [Cursor] = []
    private(set) var learned: LearnedAddresses
    private let processes: ProcessDirectory
    /// Whether the tables are about a process, by its number, as far as that was asked.
    private var included: [Bool?] = []

    /// How far a shard's completed flows were read.
    private struct Cursor {
        var entry = 0
        var exchange = 0
        var connection = 0
        var answer = 0
        var begun = 0
    }

    init(options: AuditOptions, sink: (any AuditSink)?, processes: ProcessDirectory) {
        self.options = options
        self.processes = processes
        self.sink = sink
        learned = LearnedAddresses(limit: options.lookupLimit)
        pools = ConnectionPools(limit: options.hostClientLimit, window: options.reuseLimit)
    }

    /// Records are wanted.
    var hasSink: Bool { sink != nil }

    /// Takes all that a shard has completed.
    mutating func settle(_ completed: inout CompletedFlows, shard: Int) {
        var cursor = Cursor()
        while cursor.entry < completed.entries.count { settleNext(&completed, shard, &cursor) }
        completed.removeAll()
    }

    /// Takes all that several shards have completed, in the order in which it ended; what ended at one step of time goes by
    /// the numbers of the shards.
    mutating func settle(_ completed: inout [CompletedFlows]) {
        if cursors.count != completed.count { cursors = [Cursor](repeating: Cursor(), count: completed.count) }
        for shard in completed.indices { cursors[shard] = Cursor() }
        number(completed)
        while let shard = earliest(completed) {
            var cursor = cursors[shard]
            let moment = completed[shard].entries[cursor.entry].moment
            repeat {
                settleNext(&completed[shard], shard, &cursor)
            } while cursor.entry < completed[shard].entries.count
                && completed[shard].entries[cursor.entry].moment == moment
            cursors[shard] = cursor
        }
        for shard in completed.indices { completed[shard].removeAll() }
    }

    private func earliest(_ completed: [CompletedFlows]) -> Int? {
        var first: (shard: Int, moment: CompletedFlows.Moment)?
        for shard in completed.indices where cursors[shard].entry < completed[shard].entries.count {
            let moment = completed[shard].entries[cursors[shard].entry].moment
            if first == nil || moment < first!.moment { first = (shard, moment) }
        }
        return first?.shard
    }

    /// Gives connections that began their numbers over all shards, in the order of their first frames.
    private mutating func number(_ completed: [CompletedFlows]) {
        guard completed.contains(where: { !$0.begun.isEmpty }) else { return }
        if numbers.isEmpty { numbers = [[Int32]](repeating: [], count: completed.count) }
        while true {
            var first: (shard: Int, ordinal: Int)?
            for shard in completed.indices where cursors[shard].begun < completed[shard].begun.count {
                let ordinal = completed[shard].begun[cursors[shard].begun]
                if first == nil || ordinal < first!.ordinal { first = (shard, ordinal) }
            }
            guard let first else { return }
            numbers[first.shard].append(Int32(truncatingIfNeeded: nextNumber))
            nextNumber += 1
            cursors[first.shard].begun += 1
        }
    }

    private func number(of connection: Int, _ shard: Int) -> Int {
        numbers.isEmpty ? connection : Int(numbers[shard][connection])
    }

    /// It changes nothing in the completed flows; given otherwise, an element of an array would be copied.
    private mutating func settleNext(_ completed: inout CompletedFlows, _ shard: Int, _ cursor: inout Cursor) {
        let entry = completed.entries[cursor.entry]
        cursor.entry += 1
        findings.ordinal = entry.moment.ordinal
        findings.place = entry.place
        switch entry.kind {
        case .exchange:
            let row = add(
                completed.exchanges[cursor.exchange], completed.text, completed.costs, at: 2 * cursor.exchange, shard)
            exchangeCount += 1
            if let sink, includes(completed.exchanges[cursor.exchange].process) {
                var record = completed.exchangeRecords[cursor.exchange]
                record.connection = number(of: record.connection, shard)
                if !learned.isEmpty { link(&record) }
                if row.isShared { (record.api, record.host) = (tables.apiName(row.api), tables.hostName(row.host)) }
                sink.receive(record)
            }
            cursor.exchange += 1
        case .connection:
            var ownNumber = 0
            if let sink, includes(completed.connections[cursor.connection].process) {
                var record = completed.connectionRecords[cursor.connection]
                record.connection = number(of: record.connection, shard)
                if !learned.isEmpty {
                    link(&record, host: record.exchanges > 0 ? completed.connections[cursor.connection].host : nil)
                }
                ownNumber = record.connection
                sink.receive(record)
            }
            add(completed.connections, at: cursor.connection, number: ownNumber)
            if completed.hasCallTimes { addTimes(completed, cursor.connection) }
            cursor.connection += 1
        case .answer:
            var answer = completed.answers[cursor.answer]
            answer.link.connection = number(of: answer.link.connection, shard)
            if learned.add(answer) { findings.add(.lookupLimit) }
            cursor.answer += 1
        }
    }

    /// Adds an exchange to its rows. `isShared`: a table is full, and a row for others stands in.
    private mutating func add(
        _ exchange: ExchangeNames, _ text: [UInt8], _ costs: [CostVector], at place: Int, _ shard: Int
    ) -> (api: Int32, host: Int32, isShared: Bool) {
        guard includes(exchange.process) else {
            leftOut.up.add(costs[place])
            leftOut.down.add(costs[place + 1])
            return (0, 0, false)
        }
        contentTypes.add(exchange.types, up: costs[place][.body], down: costs[place + 1][.body], shard)
        let bytes = unsafe text.span.bytes
        var isFull = false
        let api = tables.api(bytes.extracting(exchange.api), limit: options.apiLimit, isFull: &isFull)
        if isFull { findings.add(.apiLimit) }
        var hostsAreFull = false
        let host = tables.host(bytes.extracting(exchange.host), limit: options.hostLimit, isFull: &hostsAreFull)
        if hostsAreFull { findings.add(.hostLimit) }
        tables.addExchange(api: api, host: host, costs, at: place)
        // Its connection may stand in the row of another host.
        tables.hostRows[Int(host)].protocols.formUnion(exchange.protocols)
        return (api, host, isFull || hostsAreFull)
    }

    /// Writes what the connection itself paid into its host's row. It is not taken out of the array: a copy is as long as
    /// all that is done here.
    private mutating func add(_ connections: [CompletedConnection], at place: Int, number: Int) {
        connectionCount += 1
        if connections[place].transport == .quic { datagramConnectionCount += 1 }
        if connections[place].isLate { lateConnectionCount += 1 }
        unfinishedCount += connections[place].unfinished
        guard includes(connections[place].process) else {
            leftOut += connections[place].own
            return
        }
        var hostsAreFull = false
        let name = connections[place].host
        let host = Int(unsafe tables.host(name.span.bytes, limit: options.hostLimit, isFull: &hostsAreFull))
        if hostsAreFull, !connections[place].hasExchanges { findings.add(.hostLimit) }
        addUse(of: connections, at: place, host: hostsAreFull ? nil : host, number)
        tables.hostRows[host].connections += 1
        tables.hostRows[host].protocols.formUnion(connections[place].protocols)
        if !connections[place].hasExchanges, connections[place].hidden == nil {
            tables.hostRows[host].connectionsWithoutExchange += 1
        }
        tables.hostRows[host].costs += connections[place].own
        tables.hostRows[host].setup.add(connections[place].setup)
        if let hidden = connections[place].hidden {
            var isFull = false
            let row = tables.encrypted(hidden, host: host, limit: options.apiLimit, isFull: &isFull)
            if isFull { findings.add(.apiLimit) }
            tables.addEncrypted(api: row, connections[place].own)
        } else {
            tables.hostRows[host].unassigned += connections[place].own
        }
    }

    /// Whether the tables are about the process of that number.
    @inline(__always)
    private mutating func includes(_ process: UInt16) -> Bool {
        options.includesApp == nil || asksIncluded(process)
    }

    @inline(never)
    private mutating func asksIncluded(_ process: UInt16) -> Bool {
        while included.count <= Int(process) { included.append(nil) }
        if let known = included[Int(process)] { return known }
        let isIncluded = options.includesApp?(processes.process(process)?.app) ?? true
        included[Int(process)] = isIncluded
        return isIncluded
    }

    // MARK: Reuse

    /// Judges the connections that wait for that: no more will come.
    mutating func finish() { judge(all: true) }

    /// `host`: nil where the row is that of all further hosts, of which none stands in for another.
    @inline(__always)
    private mutating func addUse(
        of connections: [CompletedConnection], at place: Int, host: Int?, _ number: Int
    ) {
        guard let use = connections[place].use, let host else { return }
        if pools.isFull { judge(all: false) }
        pools.add(
            ConnectionPools.Member(
                use: use, client: connections[place].client, host: host, port: connections[place].serverPort,
                isSecure: connections[place].setup.tlsConnections > 0,
                isQUIC: connections[place].transport == .quic, number: number,
                ordinal: connections[place].ordinal, finding: findings.place))
    }

    @inline(never)
    private mutating func addTimes(_ completed: CompletedFlows, _ place: Int) {
        guard let times = completed.callTimes(ofConnection: place) else { return }
        pools.add(times, ofLatest: completed.connections[place].ordinal)
        if times.isFull { findings.add(.reuseLimit) }
    }

    @inline(never)
    private mutating func judge(all: Bool) {
        let count = pools.prepare(all: all)
        for place in 0..<count {
            let verdict = pools.judge(at: place)
            tables.addUse(host: pools.waiting[place].host, cost: pools.waiting[place].use.cost, verdict)
            switch verdict {
            case .needed: break
            case .undecided(let limit): findings.add(limit, at: pools.waiting[place].finding)
            case .needless:
                sink?.receive(needless: pools.waiting[place].number, cost: pools.waiting[place].use.cost)
            }
        }
        pools.removeFirst(count)
    }

    /// The tables as they are if no more connections come.
    var judgedTables: SummaryTables {
        var (pools, tables) = (pools, tables)
        for place in 0..<pools.prepare(all: true) {
            let (host, cost) = (pools.waiting[place].host, pools.waiting[place].use.cost)
            tables.addUse(host: host, cost: cost, pools.judge(at: place))
        }
        return tables
    }
}
