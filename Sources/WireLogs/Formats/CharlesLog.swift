/// Reads the JSON sessions of Charles (.chlsj): a list of transactions. What its sizes count is not published. Its client
/// port is that of the app's connection to Charles.
struct CharlesLog: NestedFormat {
    private enum Place {
        static let method = 0, scheme = 1, host = 2, port = 3, path = 4, query = 5, clientPort = 6, tunnel = 7
        static let start = 8, requestBegin = 9, end = 10, upHeaders = 11, upBody = 12, status = 13, downHeaders = 14
        static let downBody = 15
    }

    static let columns = RecordColumns(
        [
            "method", "scheme", "host", "actualPort", "path", "query", "clientPort", "tunnel", "times.start",
            "times.requestBegin", "times.end", "request.sizes.headers", "request.sizes.body", "response.status",
            "response.sizes.headers", "response.sizes.body",
        ],
        needed: ["scheme", "host", "path"], significant: ["actualPort", "clientPort", "tunnel"], atLeast: 1)

    static let lists: Set<[UInt8]> = []

    /// Names that tell such a log.
    static let marks = RecordColumns(
        ["protocolVersion", "scheme", "host", "actualPort", "path", "query"],
        needed: ["protocolVersion", "scheme", "host", "actualPort"])

    private static let connect = Array("CONNECT".utf8)
    /// Ports that a URL leaves out.
    private static let standardPorts = [Array("http".utf8): 80, Array("https".utf8): 443]

    mutating func add(_ record: NestedRecord, to builder: LogBuilder) -> Bool {
        if record[Place.tunnel] == .boolean(true) || record[Place.method].text == CharlesLog.connect {
            builder.note("tunnels whose content was not decrypted are no calls", row: record.number)
            return true
        }
        var row = LogRow(kind: .exchange, number: record.number)
        guard builder.setTarget(url(record), "host", of: &row, records: "transactions") else { return true }
        row.method = builder.method(record[Place.method], row: row.number)
        row.status = builder.status(record[Place.status], "response.status", row: row.number)
        row.clientPort = record[Place.clientPort].number?.integer.flatMap { UInt16(exactly: $0) } ?? 0
        row.up = bytes(record, Place.upHeaders, Place.upBody, builder)
        if row.status > 0 { row.down = bytes(record, Place.downHeaders, Place.downBody, builder) }
        let isSent = !record[Place.requestBegin].isNothing
        let start = time(record, isSent ? Place.requestBegin : Place.start, builder)
        builder.append(row, start: start, end: row.status > 0 ? time(record, Place.end, builder) : nil)
        return true
    }

    private func url(_ record: NestedRecord) -> [UInt8] {
        let scheme = record[Place.scheme].text ?? []
        var url = scheme + Array("://".utf8) + (record[Place.host].text ?? [])
        if let port = record[Place.port].number?.integer, port != CharlesLog.standardPorts[scheme] {
            url += Array(":\(port)".utf8)
        }
        url += record[Place.path].text ?? []
        if let query = record[Place.query].text, !query.isEmpty { url += [0x3F] + query }
        return url
    }

    private func bytes(_ record: NestedRecord, _ headers: Int, _ body: Int, _ builder: LogBuilder) -> LoggedBytes {
        func size(_ place: Int) -> Int? {
            guard !record[place].isNothing else { return nil }
            return builder.size(record[place], CharlesLog.columns.names[place], row: record.number)
        }
        var bytes = LoggedBytes()
        bytes.headers = size(headers)
        bytes.body = size(body)
        if let headers = bytes.headers, let body = bytes.body { bytes.total = headers + body }
        return bytes
    }

    private func time(_ record: NestedRecord, _ place: Int, _ builder: LogBuilder) -> LogTime? {
        guard !record[place].isNothing else { return nil }
        return builder.time(record[place], CharlesLog.columns.names[place], row: record.number)
    }
}
