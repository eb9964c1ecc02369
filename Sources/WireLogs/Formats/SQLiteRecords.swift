import WireNative

/// Records that are rows of database tables.
struct SQLiteRecords {
    /// Of so many tables at most it is said which one lacks what.
    private static let namedTables = 8

    let database: SQLiteDatabase
    let builder: LogBuilder

    /// Tables whose columns are the format's.
    static func tables(_ database: SQLiteDatabase, _ columns: RecordColumns) -> [SQLiteTable] {
        database.tables.filter { columns.fit(ColumnSet($0.columns.compactMap(columns.place))) }
    }

    /// Reads all rows of the tables.
    func read<Format: RowFormat>(_ tables: [SQLiteTable], _ format: Format) {
        if let (expected, actual) = database.shortfall {
            builder.noteIncomplete("the database is truncated: \(actual) of \(expected) bytes")
        }
        for table in tables {
            let isNamed = 2...SQLiteRecords.namedTables ~= tables.count
            read(table, format, name: isNamed ? "table " + table.name : nil)
        }
        if database.hasChanged {
            builder.note("the database was written while it was read: its last rows may be missing", row: nil)
        }
    }

    private func read<Format: RowFormat>(_ table: SQLiteTable, _ format: Format, name: String?) {
        let columns = format.columns
        // Of several spellings of one column the first counts.
        var sources: [(column: Int, place: Int)] = []
        for (column, name) in table.columns.enumerated() {
            guard let place = columns.place(name), !sources.contains(where: { $0.place == place }) else {
                continue
            }
            sources.append((column, place))
        }
        columns.noteMissing(ColumnSet(sources.map(\.place)), in: name, to: builder)
        var values = [LogValue](repeating: .absent, count: columns.names.count)
        do throws(SQLiteError) {
            let rows = try database.rows(of: table, columns: sources.map(\.column))
            while rows.next() {
                if let fault = rows.rowFault {
                    builder.reject(fault, row: Int(rows.number))
                    continue
                }
                for (index, source) in sources.enumerated() { values[source.place] = LogValue(rows[index]) }
                format.add(values, number: Int(rows.number), to: builder)
            }
            if let damage = rows.damage { noteDamage(damage, rows, table) }
            if rows.hasReadingFault { builder.noteReadingFault() }
        } catch {
            builder.note("table \(table.name) cannot be read: \(error.reason)", row: nil)
        }
    }

    private func noteDamage(_ damage: String, _ rows: SQLiteRows, _ table: SQLiteTable) {
        builder.noteIncomplete(
            "table \(table.name) is damaged after \(rows.rowsBeforeDamage) rows: \(damage); rows are missing")
    }
}

extension LogValue {
    init(_ value: SQLiteValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .number(DecimalNumber(Int(value)))
        case .double(let value): self = DecimalNumber(value).map { .number($0) } ?? .null
        case .text(let text), .blob(let text): self = LogValue(text: text)
        }
    }
}
