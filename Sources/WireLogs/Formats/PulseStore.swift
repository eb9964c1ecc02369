import WireNative

/// Reads a store of Pulse: Core Data's tables in the database logs.sqlite of its package. Each transaction that used the
/// network is a row. Without transactions each task is one, with the sizes of its bodies; beside transactions a task
/// without metrics is one whose sizes are not known.
struct PulseStore {
    let database: SQLiteDatabase
    let builder: LogBuilder

    /// Whether the database has Pulse's tables.
    static func has(_ database: SQLiteDatabase) -> Bool {
        PulseStore.tables(database, PulseTransactionFormat.self).count > 0
            || PulseStore.tables(database, PulseTaskFormat.self).count > 0
    }

    /// The archive that Pulse shares instead of a package: its database is inside, compressed.
    static func isArchive(_ database: SQLiteDatabase) -> Bool {
        database.tables.contains { $0.name.lowercased() == "zpulseblobentity" }
    }

    func read() {
        let names = PulseNames(limit: 4 * builder.rowLimit)
        let records = SQLiteRecords(database: database, builder: builder)
        records.read(PulseStore.tables(database, PulseRequestFormat.self), PulseRequestFormat(names: names))
        records.read(PulseStore.tables(database, PulseResponseFormat.self), PulseResponseFormat(names: names))
        let rejectedBefore = builder.log.rejectedRows
        let transactions = PulseTransactionFormat(names: names)
        records.read(PulseStore.tables(database, PulseTransactionFormat.self), transactions)
        let hasTransactions = !builder.log.rows.isEmpty || builder.log.rejectedRows > rejectedBefore
        records.read(PulseStore.tables(database, PulseTaskFormat.self), PulseTaskFormat(isBeside: hasTransactions))
    }

    private static func tables<Format: PulseTable>(_ database: SQLiteDatabase, _ format: Format.Type) -> [SQLiteTable] {
        SQLiteRecords.tables(database, Format.columns).filter { $0.name.lowercased() == Format.table }
    }
}

/// A table of the store, by its name in lower case.
private protocol PulseTable: FixedRowFormat {
    static var table: String { get }
}

/// What transactions refer to.
final class PulseNames {
    private let limit: Int
    private var bytes = 0
    private(set) var requests: [Int: (url: LogValue, method: LogValue)] = [:]
    private(set) var statuses: [Int: LogValue] = [:]

    init(limit: Int) { self.limit = limit }

    func addRequest(_ key: Int, _ url: LogValue, _ method: LogValue, to builder: LogBuilder) {
        let size = (url.text?.count ?? 0) + (method.text?.count ?? 0)
        guard bytes <= builder.textBudget - size else { return builder.noteBeyondBudget(row: key) }
        guard requests.count < limit else { return }
        bytes += size
        requests[key] = (url, method)
    }

    func addResponse(_ key: Int, _ status: LogValue) {
        if statuses.count < limit { statuses[key] = status }
    }
}

private struct PulseRequestFormat: PulseTable {
    static let table = "znetworkrequestentity"
    static let columns = RecordColumns(["url", "httpMethod"], needed: ["url"])
    let names: PulseNames

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        names.addRequest(number, values[0], values[1], to: builder)
    }
}

private struct PulseResponseFormat: PulseTable {
    static let table = "znetworkresponseentity"
    static let columns = RecordColumns(["statusCode"], needed: ["statusCode"])
    let names: PulseNames

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) { names.addResponse(number, values[0]) }
}

private struct PulseTransactionFormat: PulseTable {
    private enum Place {
        static let fetchType = 0, request = 1, response = 2, localPort = 3, remotePort = 4
        static let fetchStart = 5, requestStart = 6, responseEnd = 7
        static let upHeaders = 8, upBefore = 9, upBody = 10, downHeaders = 11, downBody = 12, downAfter = 13
    }

    static let table = "znetworktransactionmetricsentity"
    static let columns = RecordColumns(
        [
            "rawFetchType", "request", "response", "localPort", "remotePort", "fetchStartDate", "requestStartDate",
            "responseEndDate", "requestHeaderBytesSent", "requestBodyBytesBeforeEncoding", "requestBodyBytesSent",
            "responseHeaderBytesReceived", "responseBodyBytesReceived", "responseBodyBytesAfterDecoding",
        ], needed: ["request", "requestHeaderBytesSent", "responseHeaderBytesReceived"])
    let names: PulseNames

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        guard builder.usedNetwork(values[Place.fetchType], row: number) else { return }
        let request = values[Place.request].number?.integer.flatMap { names.requests[$0] }
        guard let request, var row = makeRow(request.url, number, builder, column: "request's url") else {
            if request == nil { builder.reject("a transaction has no request", row: number) }
            return
        }
        row.method = builder.method(request.method, row: number)
        let response = values[Place.response].number?.integer.flatMap { names.statuses[$0] }
        row.status = builder.status(response ?? .absent, "statusCode", row: number)
        setSizes(values, &row, builder)
        row.clientPort = values[Place.localPort].number?.integer.flatMap { UInt16(exactly: $0) } ?? 0
        let remotePort = values[Place.remotePort].number?.integer.flatMap { UInt16(exactly: $0) } ?? 0
        // A proxy listens on another port than the server that the URL names.
        if row.serverPort == 0 { row.serverPort = remotePort }
        let hasStart = !values[Place.requestStart].isNothing
        let start = builder.time(values[hasStart ? Place.requestStart : Place.fetchStart], "start date", row: number)
        let hasEnd = !values[Place.responseEnd].isNothing
        let end = hasEnd ? builder.time(values[Place.responseEnd], "responseEndDate", row: number) : nil
        builder.append(row, start: start, end: end)
    }

    private func setSizes(_ values: [LogValue], _ row: inout LogRow, _ builder: LogBuilder) {
        func size(_ place: Int) -> Int? {
            builder.size(
                values[place], PulseTransactionFormat.columns.names[place], row: row.number, minusOneIsUnknown: true)
        }
        row.up.headers = size(Place.upHeaders)
        row.up.body = size(Place.upBody)
        row.up.decodedBody = size(Place.upBefore)
        row.down.headers = size(Place.downHeaders)
        row.down.body = size(Place.downBody)
        row.down.decodedBody = size(Place.downAfter)
        if let headers = row.up.headers, let body = row.up.body { row.up.total = headers + body }
        if let headers = row.down.headers, let body = row.down.body { row.down.total = headers + body }
    }
}

/// Tasks without metrics: the sizes of the stored bodies. Beside transactions, whose sizes mean something else, they have
/// none.
private struct PulseTaskFormat: PulseTable {
    private enum Place {
        static let url = 0, method = 1, status = 2, created = 3, duration = 4, up = 5, down = 6, cached = 7, metrics = 8
    }

    static let table = "znetworktaskentity"
    static let columns = RecordColumns(
        [
            "url", "httpMethod", "statusCode", "createdAt", "duration", "requestBodySize", "responseBodySize",
            "isFromCache", "metrics",
        ], needed: ["url", "requestBodySize", "responseBodySize"])

    /// Transactions have the calls of tasks with metrics.
    let isBeside: Bool

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        if isBeside {
            guard values[Place.metrics] == .null else { return }
            builder.note("tasks without metrics have no sizes", row: number)
        }
        if values[Place.cached].number?.integer == 1 {
            builder.note("tasks answered from the cache are not on the wire", row: number)
            return
        }
        guard var row = makeRow(values[Place.url], number, builder, column: "url") else { return }
        row.method = builder.method(values[Place.method], row: number)
        row.status = builder.status(values[Place.status], "statusCode", row: number)
        if !isBeside {
            row.up.total = size(values[Place.up], "requestBodySize", number, builder)
            row.down.total = size(values[Place.down], "responseBodySize", number, builder)
        }
        // The task's record is made when the task is.
        let start = builder.time(values[Place.created], "createdAt", row: number)
        row.time = start?.time ?? .min
        if let start, let duration = values[Place.duration].number, !duration.isNegative,
            let length = duration.scaled(by: 9), length < 30 * 86_400 * 1_000_000_000
        {
            let (end, overflow) = start.time.addingReportingOverflow(Int64(length))
            if !overflow { row.end = end }
        }
        builder.append(row, unit: start?.unit ?? .none)
    }

    private func size(_ value: LogValue, _ column: String, _ number: Int, _ builder: LogBuilder) -> Int? {
        builder.size(value, column, row: number, minusOneIsUnknown: true)
    }
}
