/// Reads dart:io's HTTP profile (`ext.dart.io.getHttpProfile` of the Dart VM service), as the service answers or as
/// Flutter's DevTools export it. A request is a row: one for each task, with the first URL and the last
/// response. Times are microseconds; bodies are lists of the bytes that the app wrote and read.
struct FlutterLog: NestedFormat {
    private enum Place {
        static let uri = 0, method = 1, start = 2, isolate = 3, upLength = 4, port = 5, upBody = 6, end = 7
        static let status = 8, downLength = 9, compression = 10, redirects = 11, downBody = 12
    }

    private static let names = [
        "uri", "method", "startTime", "isolateId", "request.contentLength", "request.connectionInfo.localPort",
        "requestBody", "response.endTime", "response.statusCode", "response.contentLength",
        "response.compressionState", "response.redirects", "responseBody",
    ]
    static let columns = RecordColumns(
        names, needed: ["uri", "startTime", "isolateId"],
        // DevTools put each request into an object of its own.
        others: names.map { ("request." + $0, $0) })

    static let lists: Set<[UInt8]> = Set(["requests", "httpRequestData"].map { Array($0.utf8) })
    static let counted = ColumnSet([Place.upBody, Place.redirects, Place.downBody])

    /// Names that tell such a log.
    static let marks = RecordColumns(["isolateId", "uri", "startTime"], needed: ["isolateId", "uri", "startTime"])

    private static let microseconds = LogUnit(word: "us")
    private static let decompressed = Array("decompressed".utf8)
    private static let head = Array("HEAD".utf8)

    mutating func add(_ record: NestedRecord, to builder: LogBuilder) -> Bool {
        var row = LogRow(kind: .exchange, number: record.number)
        guard builder.setTarget(record[Place.uri].text ?? [], "uri", of: &row, records: "requests") else { return true }
        row.method = builder.method(record[Place.method], row: row.number)
        row.status = builder.status(record[Place.status], "response.statusCode", row: row.number)
        // Behind redirections it is not known of which hop the connection is.
        if record[Place.redirects].number?.integer ?? 0 == 0 {
            row.clientPort = record[Place.port].number?.integer.flatMap { UInt16(exactly: $0) } ?? 0
        }
        row.up.total = size(record, Place.upBody) ?? size(record, Place.upLength)
        row.up.body = row.up.total
        let isRead = row.status > 0 && !record[Place.end].isNothing
        if isRead { row.down.total = size(record, Place.downBody) ?? declaredLength(record, row.status) }
        row.down.body = row.down.total
        let start = time(record, Place.start, builder)
        builder.append(row, start: start, end: isRead ? time(record, Place.end, builder) : nil)
        return true
    }

    /// -1 is a length that is not known.
    private func size(_ record: NestedRecord, _ place: Int) -> Int? {
        record[place].number?.integer.flatMap { 0...LogBuilder.sizeLimit ~= $0 ? $0 : nil }
    }

    /// What a response without its bytes says of them; nil where that may be something else than what the app read.
    private func declaredLength(_ record: NestedRecord, _ status: Int16) -> Int? {
        let method = record[Place.method].text?.map(\.uppercased) ?? []
        guard method != FlutterLog.head, ![204, 304].contains(status) else { return nil }
        let state = record[Place.compression].text ?? []
        guard !state.suffix(FlutterLog.decompressed.count).elementsEqual(FlutterLog.decompressed) else { return nil }
        return size(record, Place.downLength)
    }

    private func time(_ record: NestedRecord, _ place: Int, _ builder: LogBuilder) -> LogTime? {
        builder.time(
            record[place], FlutterLog.columns.names[place], row: record.number, unit: FlutterLog.microseconds)
    }
}
