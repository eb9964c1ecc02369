import CSQLite

/// A database that is written, with statements that are prepared once.
@safe final class Database {
    enum Value {
        case integer(Int64)
        case double(Double)
        case text(String)
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private var connection: OpaquePointer?

    init(_ path: String) throws {
        guard unsafe sqlite3_open(path, &connection) == SQLITE_OK else {
            throw Failure(description: "cannot open \(path)")
        }
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    func run(_ statements: String) throws {
        guard unsafe sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// Inserts rows, all or none, in their order; their numbers start at 1.
    func insert(_ rows: [[Value]], into table: String) throws {
        guard let width = rows.first?.count else { return }
        let places = Array(repeating: "?", count: width).joined(separator: ",")
        var statement: OpaquePointer?
        let text = "INSERT INTO \(table) VALUES(\(places))"
        guard unsafe sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else { throw failure }
        defer { unsafe sqlite3_finalize(statement) }
        try run("BEGIN")
        for row in rows {
            for (index, value) in row.enumerated() { unsafe bind(value, to: statement, at: Int32(index + 1)) }
            guard unsafe sqlite3_step(statement) == SQLITE_DONE else { throw failure }
            unsafe sqlite3_reset(statement)
        }
        try run("COMMIT")
    }

    private func bind(_ value: Value, to statement: OpaquePointer?, at place: Int32) {
        switch value {
        case .integer(let value): unsafe sqlite3_bind_int64(statement, place, value)
        case .double(let value): unsafe sqlite3_bind_double(statement, place, value)
        case .text(let value):
            // SQLite copies what is marked with -1.
            let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            unsafe sqlite3_bind_text(statement, place, value, Int32(value.utf8.count), copied)
        }
    }

    private var failure: Failure { Failure(description: unsafe String(cString: sqlite3_errmsg(connection))) }
}
