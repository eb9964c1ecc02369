import CSQLite

/// An SQLite database that is read as evidence: nothing on disk is changed, made or locked, and nobody's lock matters.
///
/// The file is opened read-only and immutable. SQLite then takes no locks, and ignores what lies beside the file. So
/// where a write-ahead log holds rows (`-wal`), or a rollback journal says what a crash left half done (`-journal`),
/// the database and that file are copied into a private folder, and the copy is opened as an application would open it:
/// its rows are all there, and recovery writes only to the copy. Reading the log in place would need a lock and a
/// shared memory file beside the evidence, and closing it would write the log back into the database.
///
/// A database that ends early or is damaged gives what can be read of it.
@safe public final class SQLiteDatabase {
    /// Longest text or blob that is taken from a row, bytes.
    private static let lengthLimit: Int32 = 64 << 20
    private static let copyAttempts = 3

    let connection: OpaquePointer
    private let files: SQLiteFiles?
    private let printsBefore: [SQLiteFiles.Print?]
    let copy: SQLiteCopy?
    /// Bytes that the file should have by its own header, and has; nil where it has them all.
    public let shortfall: (expected: Int, actual: Int)?
    /// Tables, without SQLite's own and virtual ones.
    public let tables: [SQLiteTable]
    /// Upper limit of the rows that the file's size allows.
    let rowLimit: Int

    /// Whether a regular file begins as SQLite databases do.
    public static func isDatabase(_ path: String) -> Bool {
        SQLiteFiles.firstBytes(path, SQLiteFiles.magic.count) == SQLiteFiles.magic
    }

    /// Opens a database file.
    public convenience init(path: String) throws(SQLiteError) {
        guard SQLiteFiles.Print(path) != nil else {
            throw SQLiteError(kind: .cannotOpen, reason: "it is not a regular file that can be read")
        }
        guard SQLiteDatabase.isDatabase(path) else {
            throw SQLiteError(kind: .notADatabase, reason: "it does not have the header of an SQLite database")
        }
        let files = SQLiteFiles(path)
        guard files.sideFiles.isEmpty else {
            let (copy, prints) = try SQLiteDatabase.copy(of: files)
            try self.init(opening: copy.database, isImmutable: false, files: files, prints: prints, copy: copy)
            return
        }
        let prints = files.prints
        try self.init(opening: files.database, isImmutable: true, files: files, prints: prints, copy: nil)
    }

    /// Reads a database whose bytes come from elsewhere, such as a compressed file.
    public convenience init(pieces: () -> [UInt8]?) throws(SQLiteError) {
        let copy = try SQLiteCopy(isBrief: false)
        try copy.add("", pieces: pieces)
        try self.init(opening: copy.database, isImmutable: true, files: nil, prints: [], copy: copy)
    }

    private init(
        opening path: String, isImmutable: Bool, files: SQLiteFiles?, prints: [SQLiteFiles.Print?],
        copy: SQLiteCopy?
    ) throws(SQLiteError) {
        let size = (SQLiteFiles.Print(path)?.size ?? 0) + (SQLiteFiles.Print(path + "-wal")?.size ?? 0)
        unsafe connection = try SQLiteDatabase.open(path, isImmutable: isImmutable)
        self.files = files
        self.copy = copy
        printsBefore = prints
        shortfall = isImmutable ? SQLiteDatabase.shortfall(path) : nil
        // A cell of a table takes four bytes at least, and two for its place.
        rowLimit = size / 6 + 1
        do throws(SQLiteError) {
            tables = unsafe try SQLiteDatabase.readTables(connection)
        } catch {
            unsafe sqlite3_close_v2(connection)
            throw error
        }
        if Self.removesCopies { copy?.remove() }
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// The rows of a table in the order of their row numbers, with the columns at these places.
    public func rows(of table: SQLiteTable, columns: [Int]) throws(SQLiteError) -> SQLiteRows {
        try SQLiteRows(self, table, columns: columns.filter { table.columns.indices.contains($0) })
    }

    /// Somebody wrote to the database since it was opened, so that its rows may not fit together.
    public var hasChanged: Bool { files.map { $0.prints != printsBefore } ?? false }

    // MARK: Opening

    /// Open files stay readable without names, and nothing is left behind even if the process is killed. Apple's SQLite
    /// complains on the console about such files.
    #if canImport(Darwin)
        private static let removesCopies = false
    #else
        private static let removesCopies = true
    #endif

    /// Copies the files of a database until none of them changed meanwhile, a few times at most.
    private static func copy(of files: SQLiteFiles) throws(SQLiteError) -> (SQLiteCopy, [SQLiteFiles.Print?]) {
        var attempt = 1
        while true {
            let prints = files.prints
            let copy = try SQLiteCopy(isBrief: removesCopies)
            for ending in [""] + files.sideFiles { try copy.add(ending, from: files.database + ending) }
            if files.prints == prints || attempt == copyAttempts { return (copy, prints) }
            attempt += 1
        }
    }

    private static func open(_ path: String, isImmutable: Bool) throws(SQLiteError) -> OpaquePointer {
        var connection: OpaquePointer?
        let flags =
            SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
            | (isImmutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        let location = locator(path) + (isImmutable ? "?immutable=1" : "")
        let code = unsafe sqlite3_open_v2(location, &connection, flags, nil)
        guard code == SQLITE_OK, let connection = unsafe connection else {
            let reason = unsafe String(cString: sqlite3_errstr(code))
            unsafe sqlite3_close_v2(connection)
            throw SQLiteError(kind: .cannotOpen, reason: reason)
        }
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, lengthLimit)
        // The first allows pages to be missing and schema entries to be broken; nothing can be written anyway. The next
        // two distrust what the file says. The last keeps the index of the write-ahead log in memory.
        for pragma in ["writable_schema=ON", "trusted_schema=OFF", "cell_size_check=ON", "locking_mode=EXCLUSIVE"] {
            unsafe sqlite3_exec(connection, "PRAGMA " + pragma, nil, nil, nil)
        }
        return unsafe connection
    }

    /// The path as a `file:` URL, which is where SQLite takes options from.
    private static func locator(_ path: String) -> String {
        var text: [UInt8] = Array((path.hasPrefix("/") ? "file://" : "file:").utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: text.append(byte)
            default: text += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Compares the size in the header, where that is valid, with the file's (file format §1.3).
    private static func shortfall(_ path: String) -> (expected: Int, actual: Int)? {
        let header = SQLiteFiles.firstBytes(path, 100)
        guard header.count == 100, let actual = SQLiteFiles.Print(path)?.size else { return nil }
        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let pageSize = Int(header[16]) << 8 | Int(header[17])
        let expected = number(28) * (pageSize == 1 ? 65_536 : pageSize)
        guard number(24) == number(92), expected > actual else { return nil }
        return (expected, actual)
    }

    private static func readTables(_ connection: OpaquePointer) throws(SQLiteError) -> [SQLiteTable] {
        var tables: [SQLiteTable] = []
        SQLiteFiles.forgetErrors()
        let list = """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            AND (sql IS NULL OR sql NOT LIKE 'create virtual%')
            """
        let code = unsafe forEachText(connection, list, column: 0) { name in
            tables.append(SQLiteTable(name: name, columns: []))
        }
        guard code == SQLITE_DONE || !tables.isEmpty else {
            let kind: SQLiteError.Kind =
                SQLiteFiles.isReadingFault(code) ? .cannotOpen : code == SQLITE_NOTADB ? .notADatabase : .damaged
            let reason =
                kind == .cannotOpen ? SQLiteFiles.systemReason : unsafe String(cString: sqlite3_errmsg(connection))
            throw SQLiteError(kind: kind, reason: reason)
        }
        for index in tables.indices {
            let query = "PRAGMA table_info(\(quoted(tables[index].name)))"
            var columns: [String] = []
            _ = unsafe forEachText(connection, query, column: 1) { columns.append($0) }
            tables[index].columns = columns
        }
        return tables.filter { !$0.columns.isEmpty }
    }

    /// Gives the texts of one column; returns how the query ended.
    private static func forEachText(
        _ connection: OpaquePointer, _ query: String, column: Int32, _ body: (String) -> Void
    ) -> Int32 {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(connection, query, -1, &statement, nil)
        guard code == SQLITE_OK else { return code }
        defer { unsafe sqlite3_finalize(statement) }
        while true {
            let code = unsafe sqlite3_step(statement)
            guard code == SQLITE_ROW else { return code }
            if let text = unsafe sqlite3_column_text(statement, column) { body(unsafe String(cString: text)) }
        }
    }

    /// A name as SQL takes it whatever is in it.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
