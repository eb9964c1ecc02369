/// Reads resource events of Datadog RUM (rum-events-format, resource-schema.json): events as the SDK sends them, one on
/// each line or in a list, or within the answers of the events interface. An event is a row: one for each task, with
/// the first URL and the sizes of the last response. A network error tells of a call, too: of that of a resource event, or
/// of one that has none because it failed.
struct DatadogLog: NestedFormat {
    private enum Place {
        static let type = 0, date = 1, url = 2, method = 3, status = 4, duration = 5, size = 6, encoded = 7
        static let decoded = 8, transferred = 9, delivery = 10, requestEncoded = 11, requestDecoded = 12
        static let eventType = 13, timestamp = 14, source = 15
    }

    static let columns = RecordColumns(
        [
            "type", "date", "resource.url", "resource.method", "resource.status_code", "resource.duration",
            "resource.size", "resource.encoded_body_size", "resource.decoded_body_size", "resource.transfer_size",
            "resource.delivery_type", "resource.request.encoded_body_size", "resource.request.decoded_body_size",
            "attributes.attributes.type", "attributes.timestamp", "source",
        ],
        needed: ["resource.url"],
        significant: ["resource.method", "resource.status_code", "resource.duration", "resource.size"], atLeast: 1,
        others: errorNames + answerNames)

    /// An error has the request within it.
    private static let errorNames = ["url", "method", "status_code"].map {
        ("error.resource.\($0)", "resource.\($0)")
    }

    /// An answer of the events interface (RUMEvent of its second version) has the event's members two objects deep, and
    /// beside the inner one the time; the event's own `date` is not always there.
    private static let answerNames =
        [
            "date", "resource.url", "resource.method", "resource.status_code", "resource.duration", "resource.size",
            "resource.encoded_body_size", "resource.decoded_body_size", "resource.transfer_size",
            "resource.delivery_type", "resource.request.encoded_body_size", "resource.request.decoded_body_size",
            "source",
        ].map { ("attributes.attributes.\($0)", $0) }
        + errorNames.map { ("attributes.attributes.\($0.0)", $0.1) }

    static let lists = Set(["data"].map { Array($0.utf8) })

    /// Names that tell such a log.
    static let marks = RecordColumns(
        ["resource", "date", "application", "session", "view", "_dd"], needed: ["resource", "date"],
        significant: ["application", "session", "view", "_dd"], atLeast: 2, others: [("timestamp", "date")])

    /// Words of `source` (_common-schema.json); others are of libraries for several platforms.
    private static func platform(_ source: [UInt8]) -> ClientPlatform {
        switch String(decoding: source, as: UTF8.self) {
        case "ios": .apple
        case "android": .android
        case "browser": .browser
        default: .unknown
        }
    }

    private static let resource = Array("resource".utf8)
    private static let error = Array("error".utf8)
    private static let cache = Array("cache".utf8)

    private var calls = TwiceToldCalls()

    mutating func add(_ record: NestedRecord, to builder: LogBuilder) -> Bool {
        // That of an answer is `rum` for all events; the event's own stands within.
        let type = record[record[Place.eventType].isNothing ? Place.type : Place.eventType]
        let isError = type.text == DatadogLog.error
        guard isError || type.isNothing || type.text == DatadogLog.resource else { return false }
        if calls.calls.count < builder.rowLimit {
            addRow(record, isError: isError, to: builder)
        } else {
            builder.noteIncomplete("rows beyond the limit log-rows are not read")
        }
        return true
    }

    func finish(_ builder: LogBuilder) {
        var calls = calls
        calls.join()
        calls.add(to: builder, joined: "errors of requests that have a resource event are one row with it")
    }

    private mutating func addRow(_ record: NestedRecord, isError: Bool, to builder: LogBuilder) {
        var row = LogRow(kind: .exchange, number: record.number)
        guard
            builder.setTarget(
                record[Place.url].text ?? [], "resource.url", of: &row, records: "resources")
        else { return }
        if let source = record[Place.source].text { builder.recordPlatform(DatadogLog.platform(source)) }
        row.method = builder.method(record[Place.method], row: row.number)
        row.status = builder.status(record[Place.status], "resource.status_code", row: row.number)
        var figures = LogFigures()
        guard setBytes(record, of: &row, &figures, builder) else {
            builder.note("resources answered from the cache are not on the wire", row: row.number)
            return
        }
        let hasDate = !record[Place.date].isNothing
        let start = builder.time(
            record[hasDate ? Place.date : Place.timestamp], hasDate ? "date" : "timestamp", row: row.number)
        if isError {
            // The call ended when its error was met.
            row.end = start?.time ?? .min
            return calls.append(row, start?.unit ?? .none, start?.time, figures, isNote: true)
        }
        row.time = start?.time ?? .min
        let duration = builder.duration(record[Place.duration], "resource.duration", power: 0, row: row.number)
        if let start, let duration { row.end = LogTime.moved(start.time, by: duration) }
        calls.append(row, start?.unit ?? .none, start?.time, figures, isNote: false)
    }

    /// False where the response came from a cache: its body was there, and nothing of it was transferred.
    private func setBytes(
        _ record: NestedRecord, of row: inout LogRow, _ figures: inout LogFigures, _ builder: LogBuilder
    ) -> Bool {
        func size(_ place: Int) -> Int? {
            builder.size(record[place], DatadogLog.columns.names[place], row: row.number)
        }
        row.up.body = size(Place.requestEncoded)
        row.up.decodedBody = size(Place.requestDecoded)
        (row.up.total, figures.up) = LogFigures.first([(row.up.body, .resourceBody)])
        row.down.body = size(Place.encoded)
        row.down.decodedBody = size(Place.decoded)
        let transferred = size(Place.transferred)
        if record[Place.delivery].text == DatadogLog.cache { return false }
        if transferred == 0, row.down.body ?? 0 > 0 { return false }
        (row.down.total, figures.down) = LogFigures.first([
            (size(Place.size), .resourceSize), (transferred, .resourceTransfer), (row.down.body, .resourceBody),
        ])
        return true
    }
}
