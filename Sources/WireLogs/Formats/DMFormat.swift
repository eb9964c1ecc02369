/// Rows of DMNetworkTrafficLog: one for a request, another for its response.
struct DMFormat: FixedRowFormat {
    private enum Place {
        static let path = 0, host = 1, type = 2, line = 3, headers = 4, body = 5, length = 6, time = 7, empty = 8
        static let method = 9, status = 10
    }

    static let columns = RecordColumns(
        [
            "path", "host", "type", "lineLength", "headerLength", "bodyLength", "length", "occurTime",
            "emptyLineLength",
            "method", "status",
        ],
        optional: ["emptyLineLength", "method", "status"], needed: ["type"],
        significant: ["path", "host", "lineLength", "headerLength", "bodyLength", "length", "occurTime"], atLeast: 3,
        others: [("statusCode", "status"), ("httpMethod", "method"), ("headersLength", "headerLength")])

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        guard let kind = DMFormat.kind(values[Place.type]) else {
            builder.reject("is neither request nor response", column: "type", row: number)
            return
        }
        var row = LogRow(kind: kind, number: number)
        setNames(values, &row, builder)
        guard row.host >= 0 || row.path >= 0 else {
            builder.reject("a row has neither host nor path", row: number)
            return
        }
        row.method = builder.method(values[Place.method], row: number)
        row.status = builder.status(values[Place.status], "status", row: number)
        let bytes = DMFormat.bytes(values, number, builder)
        if kind == .request { row.up = bytes } else { row.down = bytes }
        let time = builder.time(values[Place.time], "occurTime", row: number)
        row.time = time?.time ?? .min
        builder.append(row, unit: time?.unit ?? .none)
    }

    private func setNames(_ values: [LogValue], _ row: inout LogRow, _ builder: LogBuilder) {
        if let host = values[Place.host].text, !host.isEmpty { row.host = builder.host(host, "host", row: row.number) }
        if let path = values[Place.path].text {
            row.path = builder.number(DMFormat.path(path), "path", row: row.number)
        }
        let isUnknown = [(Place.host, row.host < 0), (Place.path, row.path < 0)]
        for (place, isUnknown) in isUnknown where isUnknown && values[place] != .absent {
            let what = values[place].isNothing ? "is empty" : "is not a text"
            builder.note(what, column: DMFormat.columns.names[place], row: row.number)
        }
    }

    private static func bytes(_ values: [LogValue], _ number: Int, _ builder: LogBuilder) -> LoggedBytes {
        func size(_ place: Int) -> Int? { builder.size(values[place], columns.names[place], row: number) }
        var bytes = LoggedBytes()
        bytes.startLine = size(Place.line)
        bytes.headers = size(Place.headers)
        bytes.body = size(Place.body)
        bytes.total = size(Place.length)
        let hasEmptyLine = !values[Place.empty].isNothing
        let emptyLine = hasEmptyLine ? size(Place.empty) : 0
        if let headers = bytes.headers { bytes.headers = emptyLine.map { headers + $0 } }
        guard let line = bytes.startLine, let headers = bytes.headers, let body = bytes.body else { return bytes }
        let sum = line + headers + body
        if let total = bytes.total {
            if total != sum { builder.note("length is not the sum of its parts", row: number) }
        } else if values[Place.length].isNothing {
            builder.note("length is missing; the sum of its parts is used", row: number)
            bytes.total = sum
        }
        return bytes
    }

    /// `NSURL.path` has no slash at its end; of a URL without path the wire has "/".
    private static func path(_ text: [UInt8]) -> [UInt8] {
        guard text.count > 1 else { return text.isEmpty ? [0x2F] : text }
        return text.last == 0x2F ? text.dropLast() : text
    }

    private static let request = Array("request".utf8)
    private static let response = Array("response".utf8)

    /// Reads 0, 1, the words, or constants that end with the words.
    private static func kind(_ value: LogValue) -> LogRow.Kind? {
        switch value.number?.integer {
        case 0?: return .request
        case 1?: return .response
        case _?: return nil
        case nil: break
        }
        if case .boolean(let isResponse) = value { return isResponse ? .response : .request }
        guard case .text(let text) = value else { return nil }
        let word = text[...].trimmingSpaces.map(\.lowercased)
        if word.suffix(request.count).elementsEqual(request) { return .request }
        return word.suffix(response.count).elementsEqual(response) ? .response : nil
    }
}
