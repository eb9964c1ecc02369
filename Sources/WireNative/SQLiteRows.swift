import CSQLite

/// The rows of a table, one at a time. Where the table is damaged, it goes on from the other end, backwards, down to
/// the damage: what lies on both sides of one damaged page is not lost. A row with an overlong value costs itself only.
@safe public final class SQLiteRows {
    /// Of rows with overlong values; more are damage.
    private static let tooLongLimit = 1000

    private enum State {
        case forwards, backwards, ended
    }

    private let database: SQLiteDatabase
    private let table: SQLiteTable
    private let columns: [Int]
    private var statement: OpaquePointer?
    private var state = State.forwards
    /// How the table's row numbers are called; nil where it has none.
    private let rowNumberName: String?
    private var lastForwards: Int64?
    private var lastBackwards: Int64?
    private var count = 0
    private var tooLongCount = 0
    /// SQLite's number of the row, or its place where the table has none.
    public private(set) var number: Int64 = 0
    /// What is wrong with the row gone to last, whose values are not read; nil while nothing is.
    public private(set) var rowFault: String?
    /// What is wrong with the table; nil while nothing is.
    public private(set) var damage: String?
    /// The system could not read on: the table itself may be sound.
    public private(set) var hasReadingFault = false
    /// The damage was met behind so many rows.
    public private(set) var rowsBeforeDamage = 0

    init(_ database: SQLiteDatabase, _ table: SQLiteTable, columns: [Int]) throws(SQLiteError) {
        self.database = database
        self.table = table
        self.columns = columns
        let taken = Set(table.columns.map { $0.lowercased() })
        let name = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
        // Tables that are their own index have no row numbers.
        let query = "SELECT \(name ?? "0") FROM \(SQLiteDatabase.quoted(table.name))"
        SQLiteFiles.forgetErrors()
        let trial = unsafe SQLiteRows.prepare(database.connection, query)
        rowNumberName = unsafe trial == nil ? nil : name
        unsafe sqlite3_finalize(trial)
        database.bounds.allow(rows: database.rowLimit, columns: columns.count, fileSize: database.size)
        guard prepare() else {
            throw SQLiteError(kind: .damaged, reason: unsafe String(cString: sqlite3_errmsg(database.connection)))
        }
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Goes to the next row; false when there is none.
    public func next() -> Bool {
        rowFault = nil
        while state != .ended {
            let code = unsafe sqlite3_step(statement)
            if code == SQLITE_ROW, unsafe accept(statement) { return true }
            if code == SQLITE_TOOBIG, passTooLong() { return true }
            end(code)
        }
        return false
    }

    /// The value at a place among the asked columns, of the row gone to last.
    public subscript(index: Int) -> SQLiteValue {
        guard state != .ended, rowFault == nil, columns.indices.contains(index) else { return .null }
        // The first column of the query is the row number.
        let place = Int32(index + 1)
        switch unsafe sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, place))
        case SQLITE_FLOAT: return .double(unsafe sqlite3_column_double(statement, place))
        case SQLITE_TEXT: return .text(unsafe bytes(UnsafeRawPointer(sqlite3_column_text(statement, place)), place))
        case SQLITE_BLOB: return .blob(unsafe bytes(sqlite3_column_blob(statement, place), place))
        default: return .null
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ place: Int32) -> [UInt8] {
        let count = unsafe Int(sqlite3_column_bytes(statement, place))
        guard let start = unsafe start, count > 0 else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    // MARK: Stepping

    /// Takes the row, unless its number shows that the table's tree leads astray.
    private func accept(_ statement: OpaquePointer?) -> Bool {
        guard count < database.rowLimit else { return false }
        if rowNumberName != nil {
            let number = unsafe sqlite3_column_int64(statement, 0)
            switch state {
            case .backwards:
                guard lastBackwards.map({ number < $0 }) ?? true, lastForwards.map({ number > $0 }) ?? true else {
                    return false
                }
                lastBackwards = number
            default:
                guard lastForwards.map({ number > $0 }) ?? true else { return false }
                lastForwards = number
            }
            self.number = number
        } else {
            number = Int64(count + 1)
        }
        count += 1
        return true
    }

    /// The query ended, regularly or at damage.
    private func end(_ code: Int32) {
        if SQLiteFiles.isReadingFault(code) { hasReadingFault = true }
        if state == .forwards, code != SQLITE_DONE {
            damage =
                code == SQLITE_ROW ? "its pages contradict each other" : database.bounds.reason(code)
            rowsBeforeDamage = count
            state = .backwards
            if rowNumberName != nil, prepare() { return }
        }
        state = .ended
        unsafe sqlite3_finalize(statement)
        unsafe statement = nil
    }

    /// Goes to the row that the query stopped at, by its number alone, and lets the query begin behind it.
    private func passTooLong() -> Bool {
        guard rowNumberName != nil, tooLongCount < SQLiteRows.tooLongLimit else { return false }
        let finder = unsafe SQLiteRows.prepare(database.connection, query(columns: []))
        defer { unsafe sqlite3_finalize(finder) }
        guard unsafe sqlite3_step(finder) == SQLITE_ROW, unsafe accept(finder), prepare() else { return false }
        tooLongCount += 1
        rowFault = SQLiteBounds.tooLong
        return true
    }

    private func prepare() -> Bool {
        unsafe sqlite3_finalize(statement)
        unsafe statement = unsafe SQLiteRows.prepare(database.connection, query(columns: columns))
        return unsafe statement != nil
    }

    /// Of the rows that are not read yet.
    private func query(columns: [Int]) -> String {
        let names = columns.map { SQLiteDatabase.quoted(table.columns[$0]) }
        var query =
            "SELECT " + ([rowNumberName ?? "0"] + names).joined(separator: ", ")
            + " FROM \(SQLiteDatabase.quoted(table.name)) NOT INDEXED"
        guard let rowNumberName else { return query }
        let ends = [lastForwards.map { " > \($0)" }, lastBackwards.map { " < \($0)" }].compactMap(\.self)
        if !ends.isEmpty { query += " WHERE " + ends.map { rowNumberName + $0 }.joined(separator: " AND ") }
        if state == .backwards { query += " ORDER BY \(rowNumberName) DESC" }
        return query
    }

    private static func prepare(_ connection: OpaquePointer, _ query: String) -> OpaquePointer? {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK else { return nil }
        return unsafe statement
    }
}
