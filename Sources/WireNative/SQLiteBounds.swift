import CSQLite

/// What SQLite may do with a database that somebody else made: read plain columns of plain tables, in bounded memory,
/// with no more steps and pages than the file's size explains.
@safe final class SQLiteBounds {
    /// Longest text or blob that is taken from a row, bytes; longest text of a table's definition.
    static let valueLimit = 1 << 20
    static let columnLimit = 256
    /// Memory of all connections of the process, bytes.
    private static let memoryLimit = 64 << 20
    /// Steps for the schema, eleven for each of its entries. SQLite's time grows with the square of their number.
    private static let schemaSteps = 50_000
    private static let interval = 100

    private let connection: OpaquePointer
    private var stepsLeft = schemaSteps
    private var pagesAllowed = 0
    private(set) var isExhausted = false

    /// Binds the connection, before it has read anything.
    init(_ connection: OpaquePointer, fileSize: Int) {
        unsafe self.connection = unsafe connection
        pagesAllowed = SQLiteBounds.pages(fileSize)
        sqlite3_hard_heap_limit64(Int64(SQLiteBounds.memoryLimit))
        // The first allows pages to be missing and schema entries to be broken. SQLITE_DBCONFIG_DEFENSIVE would refuse
        // databases that are cut; the authorizer forbids what it forbids, and all other changes. The third keeps the index
        // of the write-ahead log in memory.
        for pragma in ["writable_schema=ON", "cell_size_check=ON", "locking_mode=EXCLUSIVE", "temp_store=MEMORY"] {
            unsafe sqlite3_exec(connection, "PRAGMA " + pragma, nil, nil, nil)
        }
        let off = [
            SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
            SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
        ]
        for name in off { _ = unsafe sqlite3_set_switch(connection, name, 0) }
        // Without a checkpoint closing changes no file.
        _ = unsafe sqlite3_set_switch(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        let limits = [
            (SQLITE_LIMIT_LENGTH, SQLiteBounds.valueLimit), (SQLITE_LIMIT_SQL_LENGTH, SQLiteBounds.valueLimit),
            (SQLITE_LIMIT_COLUMN, SQLiteBounds.columnLimit), (SQLITE_LIMIT_ATTACHED, 0),
        ]
        for (name, limit) in limits { unsafe sqlite3_limit(connection, name, Int32(limit)) }
        // Without modules there are no virtual tables, however the schema spells them.
        _ = unsafe sqlite3_drop_modules(connection, nil)
        unsafe sqlite3_set_authorizer(connection, SQLiteBounds.authorize, nil)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let isOver: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context = unsafe context else { return 1 }
            return unsafe Unmanaged<SQLiteBounds>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
        }
        unsafe sqlite3_progress_handler(connection, Int32(SQLiteBounds.interval), isOver, context)
    }

    /// Allows what reading a table takes, of a file of this size with so many rows at most.
    func allow(rows: Int, columns: Int, fileSize: Int) {
        stepsLeft += rows * (columns + 8) + SQLiteBounds.schemaSteps
        // Each column may lie on pages of its own.
        pagesAllowed += SQLiteBounds.pages(fileSize) * (columns + 4)
    }

    /// Why a query ended with this code.
    func reason(_ code: Int32) -> String {
        switch code & 0xff {
        case SQLITE_INTERRUPT: "reading it takes more steps than its size explains"
        case SQLITE_NOMEM: "reading it takes more than \(SQLiteBounds.memoryLimit >> 20) MiB of memory"
        case SQLITE_TOOBIG: SQLiteBounds.tooLong
        default: unsafe String(cString: sqlite3_errstr(code))
        }
    }

    static let tooLong = "a value is longer than \(valueLimit) bytes"

    /// Most pages of a file: the smallest have 512 bytes. Some are read more than once.
    private static func pages(_ fileSize: Int) -> Int { fileSize / 512 + 10_000 }

    private func isOver() -> Bool {
        stepsLeft -= SQLiteBounds.interval
        isExhausted = isExhausted || stepsLeft < 0 || pagesFetched > pagesAllowed
        return isExhausted
    }

    /// Counts of SQLite's cache. A step that follows a chain of pages may fetch many.
    private var pagesFetched: Int {
        var sum = 0
        for counter in [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS] {
            var count: Int32 = 0
            var highest: Int32 = 0
            unsafe sqlite3_db_status(connection, counter, &count, &highest, 0)
            sum += Int(count)
        }
        return sum
    }

    /// Statements may read columns of tables, not of what stands behind a view or a trigger, and list a table's columns.
    private static let authorize:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> Int32 = { _, action, first, _, _, accessor in
            let isAllowed =
                switch action {
                case SQLITE_SELECT: true
                case SQLITE_READ: unsafe accessor == nil
                case SQLITE_PRAGMA: unsafe first.map { unsafe String(cString: $0) } == "table_xinfo"
                default: false
                }
            return isAllowed ? SQLITE_OK : SQLITE_DENY
        }
}
