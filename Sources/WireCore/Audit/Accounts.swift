/// The accounts as the parts of the audit share them.
final class Accounts {
    /// One value, so that a call asks once whether it may change, not for each of its fields.
    private(set) var state: AccountsState

    init(options: AuditOptions, sink: (any AuditSink)?) { state = AccountsState(options: options, sink: sink) }

    /// See `AccountsState`.
    func settle(_ outbox: inout Outbox, part: Int) { state.settle(&outbox, part: part) }

    /// See `AccountsState`.
    func settle(_ outboxes: inout [Outbox]) { state.settle(&outboxes) }
}

/// What all connections together come to: the tables of APIs and hosts, their sums, and the records on their way out.
///
/// It takes what left the books of connections, always in the same order, whichever threads those were in.
struct AccountsState {
    private(set) var tables = SummaryTables()
    private var hostClients: HostClients
    private(set) var findings = FindingSink()
    private(set) var connectionCount = 0
    private(set) var exchangeCount = 0
    private let options: AuditOptions
    private let sink: (any AuditSink)?
    /// For connections that were numbered where others were not seen: their numbers over all.
    private var numbers: [[Int32]] = []
    private var nextNumber = 0
    private var cursors: [Cursor] = []

    /// How far an outbox was read.
    private struct Cursor {
        var entry = 0
        var exchange = 0
        var connection = 0
        var begun = 0
    }

    init(options: AuditOptions, sink: (any AuditSink)?) {
        self.options = options
        self.sink = sink
        hostClients = HostClients(limit: options.hostClientLimit)
    }

    /// Records are wanted.
    var hasSink: Bool { sink != nil }

    /// Takes all that is in an outbox.
    mutating func settle(_ outbox: inout Outbox, part: Int) {
        var cursor = Cursor()
        while cursor.entry < outbox.entries.count { settleNext(&outbox, part, &cursor) }
        outbox.removeAll()
    }

    /// Takes all that is in the outboxes of several parts of the connections, in the order in which it left the books; what
    /// left at one step of time goes by the numbers of the parts.
    mutating func settle(_ outboxes: inout [Outbox]) {
        if cursors.count != outboxes.count { cursors = [Cursor](repeating: Cursor(), count: outboxes.count) }
        for part in outboxes.indices { cursors[part] = Cursor() }
        number(outboxes)
        while let part = earliest(outboxes) {
            var cursor = cursors[part]
            let moment = outboxes[part].entries[cursor.entry].moment
            repeat {
                settleNext(&outboxes[part], part, &cursor)
            } while cursor.entry < outboxes[part].entries.count
                && outboxes[part].entries[cursor.entry].moment == moment
            cursors[part] = cursor
        }
        for part in outboxes.indices { outboxes[part].removeAll() }
    }

    private func earliest(_ outboxes: [Outbox]) -> Int? {
        var first: (part: Int, moment: Outbox.Moment)?
        for part in outboxes.indices where cursors[part].entry < outboxes[part].entries.count {
            let moment = outboxes[part].entries[cursors[part].entry].moment
            if first == nil || moment < first!.moment { first = (part, moment) }
        }
        return first?.part
    }

    /// Gives connections that began their numbers over all parts, in the order of their first frames.
    private mutating func number(_ outboxes: [Outbox]) {
        guard outboxes.contains(where: { !$0.begun.isEmpty }) else { return }
        if numbers.isEmpty { numbers = [[Int32]](repeating: [], count: outboxes.count) }
        while true {
            var first: (part: Int, ordinal: Int)?
            for part in outboxes.indices where cursors[part].begun < outboxes[part].begun.count {
                let ordinal = outboxes[part].begun[cursors[part].begun]
                if first == nil || ordinal < first!.ordinal { first = (part, ordinal) }
            }
            guard let first else { return }
            numbers[first.part].append(Int32(truncatingIfNeeded: nextNumber))
            nextNumber += 1
            cursors[first.part].begun += 1
        }
    }

    private func number(of connection: Int, _ part: Int) -> Int {
        numbers.isEmpty ? connection : Int(numbers[part][connection])
    }

    /// It changes nothing in the outbox; given otherwise, an element of an array would be copied.
    private mutating func settleNext(_ outbox: inout Outbox, _ part: Int, _ cursor: inout Cursor) {
        let entry = outbox.entries[cursor.entry]
        cursor.entry += 1
        findings.ordinal = entry.moment.ordinal
        findings.place = entry.place
        switch entry.kind {
        case .exchange:
            let row = add(
                outbox.exchanges[cursor.exchange], outbox.text, outbox.costs, at: 2 * cursor.exchange)
            if let sink {
                var record = outbox.exchangeRecords[cursor.exchange]
                record.connection = number(of: record.connection, part)
                if row.isShared { (record.api, record.host) = (tables.apiName(row.api), tables.hostName(row.host)) }
                sink.receive(record)
            }
            cursor.exchange += 1
        case .connection:
            add(outbox.connections[cursor.connection])
            if let sink {
                var record = outbox.connectionRecords[cursor.connection]
                record.connection = number(of: record.connection, part)
                sink.receive(record)
            }
            cursor.connection += 1
        }
    }

    /// Adds an exchange to its rows. `isShared`: a table is full, and a row for others stands in.
    private mutating func add(
        _ exchange: ExchangeNames, _ text: [UInt8], _ costs: [CostVector], at place: Int
    ) -> (api: Int32, host: Int32, isShared: Bool) {
        let bytes = unsafe text.span.bytes
        var isFull = false
        let api = tables.api(bytes.extracting(exchange.api), limit: options.apiLimit, isFull: &isFull)
        if isFull { findings.add(.apiLimit) }
        var hostsAreFull = false
        let host = tables.host(bytes.extracting(exchange.host), limit: options.hostLimit, isFull: &hostsAreFull)
        if hostsAreFull { findings.add(.hostLimit) }
        tables.addExchange(api: api, host: host, costs, at: place)
        exchangeCount += 1
        return (api, host, isFull || hostsAreFull)
    }

    /// Writes what the connection itself paid into its host's row.
    private mutating func add(_ connection: ConnectionSettlement) {
        var hostsAreFull = false
        let host = Int(
            unsafe tables.host(connection.host.span.bytes, limit: options.hostLimit, isFull: &hostsAreFull))
        if hostsAreFull, !connection.hasExchanges { findings.add(.hostLimit) }
        var setup = connection.setup
        setup.reuseSaving = hostClients.saving(
            host: host, client: connection.client, connection: connection.ordinal,
            cost: setup.setupBytes + setup.teardownBytes)
        if hostClients.isFull { findings.add(.hostClientLimit) }
        tables.hostRows[host].connections += 1
        if !connection.hasExchanges, !connection.isEncrypted {
            tables.hostRows[host].connectionsWithoutExchange += 1
        }
        tables.hostRows[host].costs += connection.own
        tables.hostRows[host].setup.add(setup)
        if connection.isEncrypted {
            var isFull = false
            let row = tables.encrypted(host: host, limit: options.apiLimit, isFull: &isFull)
            if isFull { findings.add(.apiLimit) }
            tables.addEncrypted(api: row, connection.own)
        } else {
            tables.hostRows[host].unassigned += connection.own
        }
        connectionCount += 1
    }
}
