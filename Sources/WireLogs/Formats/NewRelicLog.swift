/// Reads New Relic's events MobileRequest and MobileRequestError (data dictionary) as results of queries or exports: a
/// list, one event on each line, or within an answer. The agents write an event when a request ends, without the
/// query of its URL; `responseTime` is in seconds.
struct NewRelicLog: NestedFormat {
    private enum Place {
        static let type = 0, timestamp = 1, url = 2, domain = 3, path = 4, method = 5, status = 6, response = 7
        static let sent = 8, received = 9, errorCode = 10
    }

    static let columns = RecordColumns(
        [
            "eventType", "timestamp", "requestUrl", "requestDomain", "requestPath", "requestMethod", "statusCode",
            "responseTime", "bytesSent", "bytesReceived", "networkErrorCode",
        ],
        needed: [],
        significant: ["requestUrl", "requestDomain", "eventType", "responseTime", "bytesSent", "bytesReceived"],
        atLeast: 2)

    static let lists = Set(["results", "events"].map { Array($0.utf8) })

    /// Names that tell such a log.
    static let marks = RecordColumns(
        ["requestUrl", "bytesSent", "bytesReceived", "responseTime", "eventType"], needed: ["requestUrl"],
        significant: ["bytesSent", "bytesReceived", "responseTime", "eventType"], atLeast: 1)

    private static let request = Array("MobileRequest".utf8)
    private static let error = Array("MobileRequestError".utf8)

    /// Requests that were answered and lack a size that other events have: the iOS agent writes none of zero.
    private var sizeless: [Direction: Set<Int>] = [:]
    private var hasSizes: Set<Direction> = []

    mutating func add(_ record: NestedRecord, to builder: LogBuilder) -> Bool {
        let type = record[Place.type]
        guard type.isNothing || type.text == NewRelicLog.request || type.text == NewRelicLog.error else { return false }
        addRow(record, to: builder)
        return true
    }

    private mutating func addRow(_ record: NestedRecord, to builder: LogBuilder) {
        var row = LogRow(kind: .exchange, number: record.number)
        guard setTarget(record, of: &row, builder) else { return }
        row.method = builder.method(record[Place.method], row: row.number)
        row.status = builder.status(record[Place.status], "statusCode", row: row.number)
        row.up.body = size(record, Place.sent, .up, of: row, builder)
        row.up.total = row.up.body
        row.down.body = size(record, Place.received, .down, of: row, builder)
        row.down.total = row.down.body
        let end = builder.time(record[Place.timestamp], "timestamp", row: row.number)
        row.end = end?.time ?? .min
        let duration = builder.duration(record[Place.response], "responseTime", power: 9, row: row.number)
        if let end, let duration { row.time = LogTime.moved(end.time, by: -duration) }
        builder.append(row, unit: end?.unit ?? .none, written: end?.time)
    }

    func finish(_ builder: LogBuilder) {
        builder.change(from: 0) { row in
            if hasSizes.contains(.up), sizeless[.up]?.contains(row.number) == true { row.up.set(body: 0) }
            if hasSizes.contains(.down), sizeless[.down]?.contains(row.number) == true { row.down.set(body: 0) }
        }
    }

    /// The data dictionary defines sizes of requests that were answered: a call that failed has zeros, or none, whatever
    /// was transferred.
    private mutating func size(
        _ record: NestedRecord, _ place: Int, _ direction: Direction, of row: LogRow, _ builder: LogBuilder
    ) -> Int? {
        if record[Place.type].text == NewRelicLog.error || record[Place.errorCode].number?.integer ?? 0 != 0 {
            guard !record[place].isNothing else { return nil }
            let size = builder.size(record[place], NewRelicLog.columns.names[place], row: row.number)
            if row.status > 0, size ?? 0 > 0 { return size }
            builder.note("failed requests have no measured sizes", row: row.number)
            return nil
        }
        guard !record[place].isNothing else {
            if row.status > 0, builder.log.rows.count < builder.rowLimit {
                sizeless[direction, default: []].insert(row.number)
            }
            return nil
        }
        hasSizes.insert(direction)
        return builder.size(record[place], NewRelicLog.columns.names[place], row: row.number)
    }

    private func setTarget(_ record: NestedRecord, of row: inout LogRow, _ builder: LogBuilder) -> Bool {
        let url = record[Place.url].text ?? []
        guard url.isEmpty, let domain = record[Place.domain].text, !domain.isEmpty, let path = record[Place.path].text
        else { return builder.setTarget(url, "requestUrl", of: &row, records: "events") }
        row.host = builder.host(domain, "requestDomain", row: row.number)
        row.path = builder.path(path, "requestPath", row: row.number)
        return true
    }
}

extension LoggedBytes {
    fileprivate mutating func set(body size: Int) {
        body = size
        total = size
    }
}
