import CSQLite
import Foundation
import Testing
import WireTesting

@testable import WireNative

@Suite("SQLite databases whose makers mean harm")
struct HostileDatabaseTests {
    private static let columns = "path, host, size"
    private static let count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
    private static let noTable = "it is a view, or its definition is damaged or has more than 256 columns"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/log.sqlite" }

    /// A statement that adds to the schema what it calls a table.
    private static func lie(_ sql: String, rootPage: Int = 0) -> String {
        let text = sql.replacingOccurrences(of: "'", with: "''")
        return """
            CREATE TABLE honest(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO honest VALUES (1, 'a');
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) VALUES ('table', 'lie', 'lie', \(rootPage), '\(text)');
            """
    }

    static let lies: [(statements: String, reason: String)] = [
        (lie("CREATE VIEW lie(\(columns)) AS \(count) SELECT 'a', 'b', x FROM c WHERE x < 0"), noTable),
        (lie("CREATE VIEW lie(\(columns)) AS \(count) SELECT hex(zeroblob(30000000)), 'b', x FROM c"), noTable),
        (lie("CREATE VIEW lie AS SELECT name, 1, 2 FROM honest", rootPage: 2), noTable),
        (lie("CREATE  VIRTUAL TABLE lie USING dbstat"), "it is a virtual table"),
        (lie("CREATE/**/VIRTUAL TABLE lie USING fts5(\(columns))", rootPage: 2), "it is a virtual table"),
        (lie("CREATE TABLE other(x)", rootPage: 2), noTable),
        (lie("CREATE TABLE lie(", rootPage: 2), noTable),
        (
            "CREATE TABLE honest(id); CREATE TABLE lie(a, b AS (length(hex(zeroblob(400000000)))))",
            "its column b is generated"
        ),
        ("CREATE TABLE honest(id); CREATE TABLE lie(a, b AS (a || 'x') STORED)", "its column b is generated"),
        (
            "CREATE TABLE honest(id); CREATE TABLE lie(\((0..<257).map { "c\($0)" }.joined(separator: ", ")))",
            noTable
        ),
    ]

    @Test("only plain tables are read, whatever the schema calls one, and the reason is said", arguments: lies)
    func refusedTables(statements: String, reason: String) throws {
        try SQLiteWriter(path).run(statements)
        let database = try SQLiteDatabase(path: path)
        #expect(database.tables.map(\.name) == ["honest"])
        #expect(database.refusedTables.map(\.name) == ["lie"])
        #expect(database.refusedTables.map(\.reason) == [reason])
    }

    @Test("a trigger does not run, and names that are statements are names")
    func statements() throws {
        try SQLiteWriter(path).run(
            """
            CREATE TABLE "a""; DROP TABLE b; --"(x); INSERT INTO "a""; DROP TABLE b; --" VALUES (7);
            CREATE TRIGGER t AFTER INSERT ON "a""; DROP TABLE b; --" BEGIN SELECT load_extension('x'); END
            """)
        let database = try SQLiteDatabase(path: path)
        #expect(database.tables.map(\.name) == ["a\"; DROP TABLE b; --"])
        let rows = try database.rows(of: database.tables[0], columns: [0])
        #expect(rows.next() && rows[0] == .integer(7) && !rows.next())
    }

    @Test("more tables than any log has are refused", arguments: [(500, false), (6000, true)])
    func tables(count: Int, isRefused: Bool) throws {
        let tables = (0..<count).map { "CREATE TABLE t\($0)(\(Self.columns));" }.joined()
        try SQLiteWriter(path).run("PRAGMA page_size = 512; BEGIN; " + tables + "COMMIT")
        do throws(SQLiteError) {
            #expect(try SQLiteDatabase(path: path).tables.count == count && !isRefused)
        } catch {
            #expect(isRefused && error.kind == .refused && error.reason.contains("more tables"), "\(error)")
        }
    }

    @Test("a row with an overlong value costs itself only, and values that are not asked for may have any length")
    func overlongValues() throws {
        try SQLiteWriter(path).run(
            """
            CREATE TABLE t(body, path);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
            INSERT INTO t SELECT zeroblob(3000000), CASE i % 4 WHEN 1 THEN zeroblob(1048577) ELSE '/' || i END FROM n
            """)
        let database = try SQLiteDatabase(path: path)
        let rows = try database.rows(of: database.tables[0], columns: [1])
        var read: [Int64: SQLiteValue] = [:]
        var faults: [Int64: String] = [:]
        while rows.next() {
            if let fault = rows.rowFault { faults[rows.number] = fault } else { read[rows.number] = rows[0] }
        }
        #expect(Set(faults.keys) == [1, 5, 9] && faults[5] == "a value is longer than 1048576 bytes")
        #expect(Set(read.keys) == [2, 3, 4, 6, 7, 8] && read[6] == .text(Array("/6".utf8)))
        #expect(rows.damage == nil)
    }

    @Test("a query that gives no rows ends when the steps that the file's size explains are used up")
    func steps() throws {
        try SQLiteWriter(path).run(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) INSERT INTO t SELECT i FROM n
            """)
        let database = try SQLiteDatabase(path: path)
        let rows = try database.rows(of: database.tables[0], columns: [0])
        var count = 0
        while rows.next() { count += 1 }
        #expect(count == 50_000 && rows.damage == nil)
        var statement: OpaquePointer?
        let query = "SELECT 0 FROM t a, t b WHERE a.id < 0 OR b.id < 0"
        #expect(unsafe sqlite3_prepare_v2(database.connection, query, -1, &statement, nil) == SQLITE_OK)
        let code = unsafe sqlite3_step(statement)
        unsafe sqlite3_finalize(statement)
        #expect(code == SQLITE_INTERRUPT)
        #expect(database.bounds.reason(code) == "reading it takes more steps than its size explains")
    }

    @Test(
        "nothing else than reading and listing columns is possible",
        arguments: [
            "DELETE FROM t", "CREATE TABLE x(y)", "ATTACH 'x' AS y", "PRAGMA journal_mode = DELETE",
            "SELECT hex(id) FROM t",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n",
        ])
    func authorizer(query: String) throws {
        try SQLiteWriter(path).run("CREATE TABLE t(id)")
        let database = try SQLiteDatabase(path: path)
        var statement: OpaquePointer?
        #expect(unsafe sqlite3_prepare_v2(database.connection, query, -1, &statement, nil) != SQLITE_OK)
        unsafe sqlite3_finalize(statement)
    }
}
