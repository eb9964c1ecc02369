import CSQLite

/// An SQLite database that is read as evidence: nothing on disk is changed, made or locked, and nobody's lock matters.
/// Whoever made it may mean harm: of what its schema says, only plain columns of plain tables are taken (SQLiteBounds).
///
/// The file is opened read-only and immutable. SQLite then takes no locks, and ignores what lies beside the file. So
/// where a write-ahead log holds rows (`-wal`), or a rollback journal says what a crash left half done (`-journal`),
/// the database and that file are copied into a private folder, and the copy is opened as an application would open it:
/// its rows are all there, and recovery writes only to the copy. A journal that could not be the app's own is refused
/// (SQLiteJournal). Reading the log in place would need a lock and a
/// shared memory file beside the evidence, and closing it would write the log back into the database.
///
/// A database that ends early or is damaged gives what can be read of it.
@safe public final class SQLiteDatabase {
    private static let copyAttempts = 3

    let connection: OpaquePointer
    let bounds: SQLiteBounds
    private let files: SQLiteFiles?
    private let printsBefore: [SQLiteFiles.Print?]
    let copy: SQLiteCopy?
    /// Bytes that the file should have by its own header, and has; nil where it has them all.
    public let shortfall: (expected: Int, actual: Int)?
    /// Plain tables, without SQLite's own.
    public let tables: [SQLiteTable]
    /// What the schema calls a table and is not read, with the reason.
    public let refusedTables: [(name: String, reason: String)]
    /// Of the database and its write-ahead log, bytes.
    let size: Int

    /// Whether a regular file begins as SQLite databases do.
    public static func isDatabase(_ path: String) -> Bool {
        SQLiteFiles.bytes(path, SQLiteFiles.magic.count) == SQLiteFiles.magic
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
        size = (SQLiteFiles.Print(path)?.size ?? 0) + (SQLiteFiles.Print(path + "-wal")?.size ?? 0)
        unsafe connection = try SQLiteDatabase.open(path, isImmutable: isImmutable)
        bounds = unsafe SQLiteBounds(connection, fileSize: size)
        self.files = files
        self.copy = copy
        printsBefore = prints
        shortfall = isImmutable ? SQLiteDatabase.shortfall(path) : nil
        do throws(SQLiteError) {
            (tables, refusedTables) = unsafe try SQLiteDatabase.readTables(connection, bounds)
        } catch {
            unsafe sqlite3_close_v2(connection)
            throw error
        }
        if Self.removesCopies { copy?.remove() }
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// Upper limit of the rows that the file's size allows: a cell of a table takes four bytes at least, and two for its
    /// place.
    var rowLimit: Int { size / 6 + 1 }

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
            if files.prints == prints || attempt == copyAttempts {
                guard let fault = SQLiteJournal.fault(besides: copy.database) else { return (copy, prints) }
                throw SQLiteError(kind: .refused, reason: "its rollback journal \(files.database)-journal \(fault)")
            }
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
        let header = SQLiteFiles.bytes(path, 100)
        guard header.count == 100, let actual = SQLiteFiles.Print(path)?.size else { return nil }
        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let pageSize = Int(header[16]) << 8 | Int(header[17])
        let expected = number(28) * (pageSize == 1 ? 65_536 : pageSize)
        guard number(24) == number(92), expected > actual else { return nil }
        return (expected, actual)
    }

    // MARK: Tables

    private static func readTables(
        _ connection: OpaquePointer, _ bounds: SQLiteBounds
    ) throws(SQLiteError) -> ([SQLiteTable], [(name: String, reason: String)]) {
        var names: [String] = []
        var known: Set<String> = []
        SQLiteFiles.forgetErrors()
        let code = unsafe forEachRow(connection, "SELECT type, name FROM sqlite_master") { text in
            let lower = text(1).lowercased()
            guard text(0) == "table", !lower.hasPrefix("sqlite_"), known.insert(lower).inserted else { return }
            names.append(text(1))
        }
        if bounds.isExhausted {
            throw SQLiteError(kind: .refused, reason: "it is an SQLite database with more tables than are read")
        }
        guard code == SQLITE_DONE || !names.isEmpty else { throw unsafe failure(code, connection, bounds) }
        var tables: [SQLiteTable] = []
        var refused: [(name: String, reason: String)] = []
        bounds.allow(rows: names.count * SQLiteBounds.columnLimit, columns: 0, fileSize: 0)
        for name in names {
            let (columns, fault) = unsafe readColumns(name, connection)
            if let fault {
                refused.append((name, fault))
            } else {
                tables.append(SQLiteTable(name: name, columns: columns))
            }
        }
        return (tables, refused)
    }

    private static func failure(_ code: Int32, _ connection: OpaquePointer, _ bounds: SQLiteBounds) -> SQLiteError {
        if SQLiteFiles.isReadingFault(code) {
            return SQLiteError(kind: .cannotOpen, reason: SQLiteFiles.systemReason)
        }
        switch code {
        case SQLITE_NOMEM: return SQLiteError(kind: .refused, reason: bounds.reason(code))
        case SQLITE_NOTADB:
            return SQLiteError(kind: .notADatabase, reason: unsafe String(cString: sqlite3_errmsg(connection)))
        default: return SQLiteError(kind: .damaged, reason: unsafe String(cString: sqlite3_errmsg(connection)))
        }
    }

    /// The columns of a table, and what keeps it from being read.
    private static func readColumns(_ name: String, _ connection: OpaquePointer) -> ([String], String?) {
        var columns: [String] = []
        var generated: String?
        // Columns of views are not asked for: SQLite would look at all that they consist of.
        var code = unsafe forEachRow(connection, "SELECT 0 FROM \(quoted(name)) NOT INDEXED LIMIT 0") { _ in }
        if code == SQLITE_DONE {
            code = unsafe forEachRow(connection, "PRAGMA table_xinfo(\(quoted(name)))") { text in
                columns.append(text(1))
                if text(6) != "0" { generated = text(1) }
            }
        }
        guard code == SQLITE_DONE else { return ([], unsafe fault(code, connection)) }
        return (columns, generated.map { "its column \($0) is generated" })
    }

    private static func fault(_ code: Int32, _ connection: OpaquePointer) -> String {
        let message = unsafe String(cString: sqlite3_errmsg(connection))
        if message.hasPrefix("no such module") { return "it is a virtual table" }
        guard code == SQLITE_ERROR else { return message }
        return "it is a view, or its definition is damaged or has more than \(SQLiteBounds.columnLimit) columns"
    }

    /// Gives the texts of each row by the places of their columns; returns how the query ended.
    private static func forEachRow(
        _ connection: OpaquePointer, _ query: String, _ body: ((Int32) -> String) -> Void
    ) -> Int32 {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(connection, query, -1, &statement, nil)
        guard code == SQLITE_OK else { return code }
        defer { unsafe sqlite3_finalize(statement) }
        while true {
            let code = unsafe sqlite3_step(statement)
            guard code == SQLITE_ROW else { return code }
            body { place in
                unsafe sqlite3_column_text(statement, place).map { unsafe String(cString: $0) } ?? ""
            }
        }
    }

    /// A name as SQL takes it whatever is in it.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
