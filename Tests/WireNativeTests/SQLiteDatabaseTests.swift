import Foundation
import Testing
import WireTesting

@testable import WireNative

@Suite("SQLite databases read as evidence")
struct SQLiteDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/log.sqlite" }

    /// A database in one file with rows 1, 2, …, each with a text and a number that follow from its own.
    private func write(rows: Int, before: String = "", padding: Int = 40) throws {
        let writer = try SQLiteWriter(path)
        try writer.run(before + "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size INTEGER)")
        try writer.run(Self.insert(1, rows, padding: padding))
    }

    private static func insert(_ first: Int, _ last: Int, padding: Int = 40) -> String {
        """
        WITH RECURSIVE n(i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(last))
        INSERT INTO t SELECT i, 'name ' || i || substr(hex(zeroblob(\(padding))), 1, \(padding)), i * 7 FROM n
        """
    }

    /// Numbers of the rows that are as they were written; nil for a row that is not.
    private static func numbers(_ database: SQLiteDatabase) throws -> [Int?] {
        guard let table = database.tables.first(where: { $0.columns == ["id", "name", "size"] }) else { return [] }
        let rows = try database.rows(of: table, columns: [1, 2])
        var numbers: [Int?] = []
        while rows.next() {
            let number = Int(rows.number)
            guard case .text(let text) = rows[0], text.starts(with: "name \(number)".utf8),
                rows[1] == .integer(Int64(number) * 7)
            else {
                numbers.append(nil)
                continue
            }
            numbers.append(number)
        }
        return numbers
    }

    // MARK: Values

    @Test("values come with the types that they have")
    func values() throws {
        let writer = try SQLiteWriter(path)
        try writer.run(
            """
            CREATE TABLE "we""ird"("a b", rowid, c);
            INSERT INTO "we""ird" VALUES
                (1, 'text', NULL), (2.5, x'00ff', 9007199254740993), ('', CAST(x'c328' AS TEXT), -1);
            """)
        let database = try SQLiteDatabase(path: path)
        let table = try #require(database.tables.first)
        #expect(table == SQLiteTable(name: "we\"ird", columns: ["a b", "rowid", "c"]))
        let rows = try database.rows(of: table, columns: [0, 1, 2, 99])
        var all: [[SQLiteValue]] = []
        while rows.next() { all.append((0..<4).map { rows[$0] }) }
        #expect(
            all == [
                [.integer(1), .text(Array("text".utf8)), .null, .null],
                [.double(2.5), .blob([0, 0xFF]), .integer(9_007_199_254_740_993), .null],
                [.text([]), .text([0xC3, 0x28]), .integer(-1), .null],
            ])
        #expect(rows.damage == nil)
        #expect(rows[0] == .null)
        #expect(!rows.next())
    }

    @Test(
        "tables without row numbers, and of other encodings, give their rows",
        arguments: ["", "PRAGMA encoding = 'UTF-16';"])
    func shapes(pragma: String) throws {
        let writer = try SQLiteWriter(path)
        try writer.run(
            pragma + """
                CREATE TABLE a(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO a VALUES ('ü', 1), ('z', 2);
                CREATE TABLE empty(x); CREATE VIEW v AS SELECT * FROM a; CREATE INDEX i ON a(v);
                """)
        let database = try SQLiteDatabase(path: path)
        #expect(database.tables.map(\.name) == ["a", "empty"])
        let rows = try database.rows(of: database.tables[0], columns: [0])
        var keys: [SQLiteValue] = []
        while rows.next() { keys.append(rows[0]) }
        #expect(Set(keys.map { "\($0)" }) == Set(["ü", "z"].map { "\(SQLiteValue.text(Array($0.utf8)))" }))
        #expect(try !database.rows(of: database.tables[1], columns: [0]).next())
    }

    // MARK: Evidence

    /// What is in the folder: names, contents, times.
    private func state() throws -> [String: [String]] {
        var state: [String: [String]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            let content = try Data(contentsOf: URL(fileURLWithPath: file))
            let date = try #require(attributes[.modificationDate] as? Date)
            state[name] = ["\(date.timeIntervalSince1970)", "\(content.hashValue)", "\(content.count)"]
        }
        return state
    }

    @Test("rows of a write-ahead log are seen, and nothing on disk changes", arguments: [true, false])
    func writeAheadLog(isOpen: Bool) throws {
        let source = isOpen ? folder : try TemporaryFolder()
        var writer: SQLiteWriter? = try SQLiteWriter(source.path + "/log.sqlite")
        try writer?.run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        try writer?.run("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size INTEGER)")
        try writer?.run(Self.insert(1, 500) + "; PRAGMA wal_checkpoint(TRUNCATE)")
        try writer?.run(Self.insert(501, 900) + "; UPDATE t SET size = size WHERE id = 3")
        if !isOpen {
            // As taken off a device: without the shared memory file, which SQLite would have to make.
            for name in ["log.sqlite", "log.sqlite-wal"] {
                try FileManager.default.copyItem(atPath: source.path + "/" + name, toPath: folder.path + "/" + name)
            }
            writer = nil
        }
        let before = try state()
        #expect(before["log.sqlite-wal"] != nil)
        var database: SQLiteDatabase? = try SQLiteDatabase(path: path)
        let copy = try #require(database?.copy)
        #expect(try database.map { try Self.numbers($0) } == Array(1...900))
        #expect(database?.hasChanged == false)
        let during = try state()
        database = nil
        copy.remove()
        #expect(!FileManager.default.fileExists(atPath: copy.folder))
        #expect(during == before)
        #expect(try state() == before)
    }

    @Test("a plain database is read where it is, and nothing on disk changes")
    func plain() throws {
        try write(rows: 300)
        let before = try state()
        do {
            let database = try SQLiteDatabase(path: path)
            #expect(database.copy == nil)
            #expect(try Self.numbers(database) == Array(1...300))
        }
        #expect(try state() == before)
        #expect(before.count == 1)
    }

    @Test("a database that somebody has locked gives its committed rows", arguments: [false, true])
    func locked(isSpilled: Bool) throws {
        try write(rows: 2000)
        let writer = try SQLiteWriter(path)
        if isSpilled { try writer.run("PRAGMA cache_size = 2; PRAGMA cache_spill = 1") }
        try writer.run("BEGIN EXCLUSIVE; UPDATE t SET size = 0; \(Self.insert(2001, 2100))")
        let before = try state()
        // Pages that were written before the commit must be undone by the journal.
        #expect(before.keys.contains("log.sqlite-journal"))
        let database = try SQLiteDatabase(path: path)
        #expect((database.copy != nil) == isSpilled)
        #expect(try Self.numbers(database) == Array(1...2000))
        #expect(try state() == before)
        try writer.run("COMMIT")
        #expect(database.hasChanged)
    }

    @Test("a link leads to the log beside the file itself")
    func link() throws {
        let elsewhere = try TemporaryFolder()
        let writer = try SQLiteWriter(path)
        try writer.run("PRAGMA journal_mode = WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size INTEGER)")
        try writer.run(Self.insert(1, 5))
        let link = elsewhere.path + "/odd ?name#%41.db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try Self.numbers(SQLiteDatabase(path: link)) == Array(1...5))
    }

    @Test("names that mean something in URLs are names", arguments: ["a?b#c.db", "%41 ü.db", "a&immutable=0"])
    func names(name: String) throws {
        try write(rows: 3)
        let odd = folder.path + "/" + name
        try FileManager.default.moveItem(atPath: path, toPath: odd)
        #expect(try Self.numbers(SQLiteDatabase(path: odd)) == [1, 2, 3])
    }

    // MARK: What is no database, or half of one

    @Test("what is no database is said to be none")
    func refusals() throws {
        func kind(_ path: String) -> SQLiteError.Kind? {
            do throws(SQLiteError) {
                _ = try SQLiteDatabase(path: path)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind(folder.path + "/missing") == .cannotOpen)
        #expect(kind(folder.path) == .cannotOpen)
        #expect(kind(try folder.write("empty", [])) == .notADatabase)
        #expect(kind(try folder.write("text", Array("SQLite format 2".utf8))) == .notADatabase)
        #expect(kind(try folder.write("header", Array("SQLite format 3\0".utf8))) != nil)
    }

    @Test("bytes from elsewhere are a database too")
    func pieces() throws {
        try write(rows: 400)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var pieces = stride(from: 0, to: bytes.count, by: 1000).map { Array(bytes[$0..<min($0 + 1000, bytes.count)]) }
        let database = try SQLiteDatabase(pieces: { pieces.isEmpty ? nil : pieces.removeFirst() })
        #expect(try Self.numbers(database) == Array(1...400))
    }

    @Test("a database cut anywhere gives only true rows, and says that it is cut")
    func truncation() throws {
        try write(rows: 600, before: "PRAGMA page_size = 1024;")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var most = 0
        for length in stride(from: 0, to: bytes.count, by: 97) {
            let cut = try folder.write("cut.sqlite", Array(bytes[..<length]))
            guard let database = try? SQLiteDatabase(path: cut) else { continue }
            #expect(database.shortfall?.actual == length || length < 100, "\(length) bytes")
            let rows = (try? Self.numbers(database)) ?? []
            let sound = rows.compactMap(\.self)
            #expect(Set(sound).count == sound.count)
            #expect(rows.count - sound.count < 40, "rows of a half page at most are wrong; \(length) bytes")
            most = max(most, sound.count)
        }
        #expect(most > 500)
    }

    @Test("a damaged page costs its own rows only")
    func damagedPage() throws {
        try write(rows: 3000, before: "PRAGMA page_size = 1024;")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let page = bytes.count / 1024 / 2
        bytes.replaceSubrange(page * 1024..<(page + 1) * 1024, with: repeatElement(0xFF, count: 1024))
        let database = try SQLiteDatabase(path: try folder.write("bad.sqlite", bytes))
        let rows = try database.rows(of: database.tables[0], columns: [0])
        var numbers: [Int64] = []
        while rows.next() { numbers.append(rows.number) }
        #expect(rows.damage != nil)
        #expect(numbers.count > 2950 && numbers.count < 3000)
        #expect(numbers.contains(1) && numbers.contains(3000))
        #expect(Set(numbers).count == numbers.count)
        #expect(rows.rowsBeforeDamage > 1000 && rows.rowsBeforeDamage < 2000)
    }

    @Test("changed bytes never trap, and rows stay bounded", arguments: [UInt64(1), 2, 3])
    func mutations(seed: UInt64) throws {
        try write(rows: 800, before: "PRAGMA page_size = 512;")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var random = SeededRandom(seed: seed)
        var read = 0
        for _ in 0..<60 {
            var mutated = bytes
            for _ in 0...random.below(30) {
                // The first page and the tree's inner pages matter most.
                let place = random.oneIn(2) ? random.below(1024) : random.below(mutated.count)
                mutated[place] = random.oneIn(3) ? 0xFF : UInt8(random.below(256))
            }
            let file = try folder.write("mutated.sqlite", mutated)
            guard let database = try? SQLiteDatabase(path: file) else { continue }
            for table in database.tables {
                guard let rows = try? database.rows(of: table, columns: Array(table.columns.indices)) else { continue }
                var count = 0
                while rows.next() {
                    count += 1
                    for index in table.columns.indices { _ = rows[index] }
                }
                #expect(count <= mutated.count / 6 + 1, "seed \(seed)")
                read += count
            }
        }
        #expect(read > 800, "seed \(seed)")
    }
}
