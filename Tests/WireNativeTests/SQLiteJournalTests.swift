import Foundation
import Testing
import WireTesting

@testable import WireNative

@Suite("Rollback journals beside databases")
struct SQLiteJournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/log.sqlite" }

    private static func word(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// A header with its sector (file format §3).
    private static func header(pages: Int, sector: Int = 512, pageSize: Int = 4096) -> [UInt8] {
        let fields = [0, 0, pages, sector, pageSize].flatMap(word)
        return SQLiteJournal.magic + fields + [UInt8](repeating: 0, count: 512 - 8 - fields.count)
    }

    /// The record at a journal's end that names a super-journal.
    private static func name(_ path: String) -> [UInt8] {
        let sum = path.utf8.reduce(0) { $0 + Int($1) }
        return word((1 << 30) / 4096 + 1) + Array(path.utf8) + word(path.utf8.count) + word(sum) + SQLiteJournal.magic
    }

    private func refusal() -> SQLiteError? {
        do throws(SQLiteError) {
            _ = try SQLiteDatabase(path: path)
            return nil
        } catch { return error }
    }

    @Test("a journal that names another file is refused, and the file stays", arguments: [0, 1])
    func superJournal(records: Int) throws {
        try SQLiteWriter(path).run("CREATE TABLE t(id); INSERT INTO t VALUES (1)")
        let victim = try folder.write("victim", Array("precious".utf8))
        let page = Self.word(1) + [UInt8](repeating: 0, count: 4096 + 4)
        let journal = Self.header(pages: 2) + (0..<records).flatMap { _ in page } + Self.name(victim)
        _ = try folder.write("log.sqlite-journal", journal)
        let error = try #require(refusal())
        #expect(error.kind == .refused)
        #expect(error.reason.hasSuffix("-journal names a super-journal, a file that playing it back would delete"))
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)).count == 3)
    }

    @Test(
        "a journal whose header contradicts the files is refused",
        arguments: [
            header(pages: 1 << 31), header(pages: 4), header(pages: 2, sector: 0), header(pages: 2, sector: 513),
            header(pages: 2, pageSize: 1 << 20), header(pages: 2, pageSize: 100),
        ])
    func sizes(journal: [UInt8]) throws {
        try SQLiteWriter(path).run("CREATE TABLE t(id); INSERT INTO t VALUES (1)")
        _ = try folder.write("log.sqlite-journal", journal)
        let error = try #require(refusal())
        #expect(error.kind == .refused && error.reason.hasSuffix("has a header whose sizes contradict the files"))
    }

    @Test("an app's own journal is played back in the copy, and one that is no journal is ignored")
    func own() throws {
        let writer = try SQLiteWriter(path)
        try writer.run("PRAGMA cache_size = 2; CREATE TABLE t(id INTEGER PRIMARY KEY, name)")
        let insert =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i, %@ FROM n"
        try writer.run(insert.replacingOccurrences(of: "%@", with: "'before'"))
        try writer.run("BEGIN; UPDATE t SET name = 'after'")
        // As a crash leaves the two files.
        let crashed = try TemporaryFolder()
        for name in ["log.sqlite", "log.sqlite-journal"] {
            try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: crashed.path + "/" + name)
        }
        #expect(try names(crashed.path + "/log.sqlite") == ["before"])
        _ = try crashed.write("log.sqlite-journal", [UInt8](repeating: 0, count: 4096))
        #expect(try names(crashed.path + "/log.sqlite").contains("after"))
    }

    private func names(_ path: String) throws -> Set<String> {
        let database = try SQLiteDatabase(path: path)
        let rows = try database.rows(of: database.tables[0], columns: [1])
        var names: Set<String> = []
        while rows.next() {
            if case .text(let text) = rows[0] { names.insert(String(decoding: text, as: UTF8.self)) }
        }
        return names
    }
}
