import CSQLite

/// Writes databases for tests, with SQLite itself.
@safe public final class SQLiteWriter {
    public struct Failure: Error {
        public var message: String
    }

    private var connection: OpaquePointer?

    public init(_ path: String) throws {
        guard unsafe sqlite3_open(path, &connection) == SQLITE_OK else { throw Failure(message: "cannot open \(path)") }
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// Runs statements.
    public func run(_ statements: String) throws {
        guard unsafe sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK else {
            throw Failure(message: unsafe String(cString: sqlite3_errmsg(connection)))
        }
    }
}
