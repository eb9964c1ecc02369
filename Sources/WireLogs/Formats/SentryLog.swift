/// Reads what Sentry's SDKs tell of HTTP requests: breadcrumbs of type `http` and spans of HTTP clients, in envelopes, in
/// events as JSON, or in lists of them. Names are those of the SDKs for Apple's systems, Android, Flutter, browsers and
/// Python, and of Sentry's conventions for attributes.
///
/// Each event repeats the breadcrumbs before it; a request that has a breadcrumb and a span is one row.
struct SentryLog: NestedFormat {
    private enum Place {
        static let type = 0, category = 1, op = 2, description = 3, timestamp = 4, start = 5, url = 6, query = 7
        static let method = 8, status = 9, requestStart = 10, requestEnd = 11, requestBody = 12, responseBody = 13
        static let decoded = 14, transferred = 15, requestLength = 16, responseLength = 17
    }

    static let columns = RecordColumns(
        [
            "type", "category", "op", "description", "timestamp", "start_timestamp", "data.url", "data.http.query",
            "data.method", "data.status_code", "data.request_start", "data.http.end_timestamp",
            "data.request_body_size", "data.response_body_size", "data.http.decoded_response_content_length",
            "data.http.response_transfer_size", "data.http.request.body.size", "data.http.response.body.size",
        ],
        needed: [], significant: ["type", "category", "op"], atLeast: 1,
        others: [
            ("data.http.url", "data.url"), ("data.url.full", "data.url"), ("data.url.query", "data.http.query"),
            ("data.http.request.method", "data.method"), ("data.http.method", "data.method"),
            ("data.http.request_method", "data.method"), ("data.http.response.status_code", "data.status_code"),
            ("data.http.status_code", "data.status_code"), ("tags.http.status_code", "data.status_code"),
            ("data.http.start_timestamp", "data.request_start"), ("data.start_timestamp", "data.request_start"),
            ("data.end_timestamp", "data.http.end_timestamp"),
            ("data.request_content_length", "data.http.request.body.size"),
            ("data.http.request_content_length", "data.http.request.body.size"),
            ("data.response_content_length", "data.http.response.body.size"),
            ("data.http.response_content_length", "data.http.response.body.size"),
            ("data.http.response.size", "data.http.response_transfer_size"),
        ] + spanNames)

    /// Members of spans in a container (span protocol, version 2): each attribute has a type and a value.
    private static let spanNames =
        [("end_timestamp", "timestamp"), ("name", "description")]
        + [
            ("sentry.op", "op"), ("sentry.description", "description"), ("url.full", "data.url"),
            ("http.url", "data.url"), ("url", "data.url"), ("http.query", "data.http.query"),
            ("url.query", "data.http.query"), ("http.request.method", "data.method"), ("http.method", "data.method"),
            ("http.request_method", "data.method"), ("http.response.status_code", "data.status_code"),
            ("http.status_code", "data.status_code"),
            ("http.decoded_response_content_length", "data.http.decoded_response_content_length"),
            ("http.response_transfer_size", "data.http.response_transfer_size"),
            ("http.response.size", "data.http.response_transfer_size"),
            ("http.request.body.size", "data.http.request.body.size"),
            ("http.request_content_length", "data.http.request.body.size"),
            ("http.response.body.size", "data.http.response.body.size"),
            ("http.response_content_length", "data.http.response.body.size"),
        ].map { ("attributes.\($0.0).value", $0.1) }

    static let lists = Set(["breadcrumbs", "values", "spans", "items"].map { Array($0.utf8) })

    /// Names that tell such a log.
    static let marks = RecordColumns(
        ["event_id", "sent_at", "dsn", "sdk", "breadcrumbs", "spans", "platform", "contexts"], needed: ["event_id"],
        significant: ["sent_at", "dsn", "sdk", "breadcrumbs", "spans", "platform", "contexts"], atLeast: 1)

    private static let http = Array("http".utf8)
    private static let client = Array("http.client".utf8)
    /// What a browser loads for a page.
    private static let resource = Array("resource.".utf8)
    private static let categories = Set(["http", "httplib", "fetch", "xhr"].map { Array($0.utf8) })

    private var calls = TwiceToldCalls()
    private var repetitions = SentryRepetitions()

    mutating func add(_ record: NestedRecord, to builder: LogBuilder) -> Bool {
        let isBreadcrumb =
            record[Place.type].text == SentryLog.http
            || record[Place.category].text.map(SentryLog.categories.contains) == true
        let op = record[Place.op].text ?? []
        let isSpan = op == SentryLog.client || op.starts(with: SentryLog.resource)
        guard isBreadcrumb || isSpan else { return false }
        addRow(record, isSpan: isSpan, builder)
        return true
    }

    private mutating func addRow(_ record: NestedRecord, isSpan: Bool, _ builder: LogBuilder) {
        guard calls.calls.count < builder.rowLimit else {
            builder.noteIncomplete("rows beyond the limit log-rows are not read")
            return
        }
        var row = LogRow(kind: .exchange, number: record.number)
        guard setTarget(record, isSpan: isSpan, of: &row, builder) else { return }
        row.status = builder.status(record[Place.status], "status_code", row: row.number)
        var figures = LogFigures()
        guard setBytes(record, of: &row, &figures, builder) else {
            builder.note("resources answered from the cache are not on the wire", row: row.number)
            return
        }
        let (unit, written) = setTimes(record, isSpan: isSpan, of: &row, builder)
        if !isSpan, repetitions.repeats(row, list: record.list) {
            builder.note("breadcrumbs that later events repeat count once", row: row.number)
        } else {
            calls.append(row, unit, written, figures, isNote: !isSpan)
        }
    }

    mutating func finish(_ builder: LogBuilder) {
        repetitions = SentryRepetitions()
        calls.join()
        calls.add(to: builder, joined: "breadcrumbs of requests that have a span are one row with it")
    }

    // MARK: Parts of a row

    /// The URL, its query apart from it, and the method; a span's description is `GET https://…`.
    private func setTarget(
        _ record: NestedRecord, isSpan: Bool, of row: inout LogRow, _ builder: LogBuilder
    ) -> Bool {
        var url = record[Place.url].text ?? []
        var method = record[Place.method]
        if isSpan {
            let words = (record[Place.description].text ?? []).split(separator: 0x20, maxSplits: 1)
            if url.isEmpty, let last = words.last { url = Array(last) }
            if method.isNothing, words.count == 2 { method = .text(Array(words[0])) }
        }
        if let query = record[Place.query].text, !query.isEmpty, !url.contains(0x3F) {
            url += query.first == 0x3F ? query : [0x3F] + query
        }
        row.method = builder.method(method, row: row.number)
        return builder.setTarget(url, "url", of: &row, records: isSpan ? "spans" : "breadcrumbs")
    }

    /// False where the response came from a cache: its body was there, and nothing of it was transferred.
    private func setBytes(
        _ record: NestedRecord, of row: inout LogRow, _ figures: inout LogFigures, _ builder: LogBuilder
    ) -> Bool {
        func size(_ place: Int) -> Int? {
            builder.size(record[place], SentryLog.columns.names[place], row: row.number, minusOneIsUnknown: true)
        }
        (row.up.body, figures.up) = LogFigures.first([
            (size(Place.requestBody), .sentRequest), (size(Place.requestLength), .requestBody),
        ])
        row.up.total = row.up.body
        let body = LogFigures.first([
            (size(Place.responseBody), .receivedResponse), (size(Place.responseLength), .responseBody),
        ])
        row.down.body = body.size
        row.down.decodedBody = size(Place.decoded)
        let transferred = size(Place.transferred)
        if transferred == 0, row.down.body ?? row.down.decodedBody ?? 0 > 0 { return false }
        (row.down.total, figures.down) = LogFigures.first([
            (transferred, .responseSize), (body.size, body.definition ?? .responseBody),
            (row.down.decodedBody, .decodedBody),
        ])
        return true
    }

    /// A span has both times. A breadcrumb's own time is the request's end; SDKs that know the start tell it beside.
    private func setTimes(
        _ record: NestedRecord, isSpan: Bool, of row: inout LogRow, _ builder: LogBuilder
    ) -> (unit: LogTime.Unit, written: Int64?) {
        let start = builder.time(record[isSpan ? Place.start : Place.requestStart], "start_timestamp", row: row.number)
        let told = record[Place.requestEnd]
        let end = builder.time(isSpan || told.isNothing ? record[Place.timestamp] : told, "timestamp", row: row.number)
        row.time = start?.time ?? .min
        row.end = end?.time ?? .min
        let written = start ?? end
        return (written?.unit ?? .none, written?.time)
    }
}
