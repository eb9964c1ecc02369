/// Records whose columns are those of their owner: a row for each call.
struct ColumnsFormat: RowFormat {
    let columns: RecordColumns
    private let choice: LogColumns
    private let places: [LogColumns.Role: Int]

    init(_ choice: LogColumns) {
        self.choice = choice
        let roles = LogColumns.Role.allCases.filter { choice[$0] != nil }
        places = Dictionary(uniqueKeysWithValues: roles.enumerated().map { ($1, $0) })
        let names = roles.compactMap { choice[$0]?.name }
        let needed = choice[choice[.url] == nil ? .path : .url]?.name
        let expected = (LogColumns.Role.sizes + LogColumns.Role.times).compactMap { choice[$0]?.name }
        columns = RecordColumns(
            names, optional: names.filter { $0 != needed && !expected.contains($0) },
            needed: [needed].compactMap(\.self))
    }

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        var row = LogRow(kind: .exchange, number: number)
        guard setTarget(values, &row, builder) else { return }
        row.method = builder.method(value(.method, values), row: number)
        row.status = builder.status(value(.status, values), name(.status), row: number)
        if let port = value(.clientPort, values).number?.integer { row.clientPort = UInt16(exactly: port) ?? 0 }
        row.up = bytes(.up, .upHead, .upBody, values, number, builder)
        row.down = bytes(.down, .downHead, .downBody, values, number, builder)
        var start = time(.start, values, number, builder)
        var end = time(.end, values, number, builder)
        if start == nil || end == nil, let duration = duration(values, number, builder) {
            if end == nil {
                end = start?.moved(by: duration)
            } else {
                start = end?.moved(by: -duration)
            }
        }
        builder.append(row, start: start, end: end)
    }

    // MARK: Values

    private func value(_ role: LogColumns.Role, _ values: [LogValue]) -> LogValue {
        places[role].map { values[$0] } ?? .absent
    }

    private func name(_ role: LogColumns.Role) -> String { choice[role]?.name ?? role.rawValue }

    /// A URL may be a path alone, whose host another column has or none.
    private func setTarget(_ values: [LogValue], _ row: inout LogRow, _ builder: LogBuilder) -> Bool {
        let role = choice[.url] == nil ? LogColumns.Role.path : .url
        let text = value(role, values).text ?? []
        if role == .url, text.first != 0x2F {
            return builder.setTarget(text, name(role), of: &row, records: "rows")
        }
        guard !text.isEmpty else {
            builder.reject("is empty", column: name(role), row: row.number)
            return false
        }
        row.path = builder.path(text, name(role), row: row.number)
        if let host = value(.host, values).text, !host.isEmpty {
            (row.host, row.serverPort) = builder.hostAndPort(host, name(.host), row: row.number)
        }
        return true
    }

    /// The figure of a direction, and its parts; where only parts have columns, the figure is their sum.
    private func bytes(
        _ total: LogColumns.Role, _ head: LogColumns.Role, _ body: LogColumns.Role, _ values: [LogValue], _ row: Int,
        _ builder: LogBuilder
    ) -> LoggedBytes {
        func size(_ role: LogColumns.Role) -> Int? {
            builder.size(
                value(role, values), name(role), row: row, minusOneIsUnknown: true,
                unit: choice[role]?.unit?.factor ?? 1)
        }
        var bytes = LoggedBytes()
        bytes.headers = size(head)
        bytes.body = size(body)
        if choice[total] != nil {
            bytes.total = size(total)
        } else {
            let parts = [(head, bytes.headers), (body, bytes.body)].filter { choice[$0.0] != nil }.map(\.1)
            if !parts.isEmpty, parts.allSatisfy({ $0 != nil }) { bytes.total = parts.compactMap(\.self).reduce(0, +) }
        }
        return bytes
    }

    private func time(
        _ role: LogColumns.Role, _ values: [LogValue], _ row: Int, _ builder: LogBuilder
    ) -> LogTime? {
        builder.time(value(role, values), name(role), row: row, unit: choice[role]?.unit)
    }

    private func duration(_ values: [LogValue], _ row: Int, _ builder: LogBuilder) -> Int64? {
        guard let unit = choice[.duration]?.unit else { return nil }
        return builder.duration(value(.duration, values), name(.duration), power: unit.power, row: row)
    }
}
