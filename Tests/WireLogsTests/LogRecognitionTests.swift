import Foundation
import Testing
import WireTesting

@testable import WireLogs

@Suite("Logs are recognised, or refused in a clear line")
struct LogRecognitionTests {
    private static func refusal(_ bytes: [UInt8], _ format: SDKLogFormat? = nil) -> SDKLogError? {
        do throws(SDKLogError) {
            _ = try LogSamples.read(bytes, format: format)
            return nil
        } catch {
            return error
        }
    }

    private static func refusal(_ text: String, _ format: SDKLogFormat? = nil) -> SDKLogError? {
        refusal(Array(text.utf8), format)
    }

    static let unknown: [(String, String)] = [
        ("", "it is empty"), ("   \n", "it is empty"), ("hello\nworld", "its text has neither known columns"),
        ("{\"a\":1}", "it is JSON without the members of such a log"), ("[", "it is JSON without"),
        ("{}", "it is JSON without"),
        ("path,host,size\n1,2,3", "its text has neither known columns"),
        (#"{"log":{"lines":[]}}"#, "it is JSON without"),
        (String(repeating: "\u{1}\u{2}", count: 99), "it is neither text nor"),
    ]

    @Test("what is no log is refused, with what is accepted", arguments: unknown)
    func refused(text: String, reason: String) throws {
        let error = try #require(Self.refusal(text))
        #expect(error.kind == .notALog)
        #expect(error.message.hasPrefix("the.log is not a log that can be read: \(reason)"))
        #expect(error.message.contains("; accepted are DMNetworkTrafficLog (SQLite, NDJSON, CSV), HAR 1.2,"))
        #expect(!error.message.contains("\n"))
    }

    @Test("an encrypted database is said to be one")
    func encrypted() throws {
        var random = SeededRandom(seed: 5)
        for format in [nil, SDKLogFormat.networkeye] {
            let error = try #require(Self.refusal(random.bytes(8192), format))
            #expect(error.message.contains("it looks encrypted; a SQLCipher database, such as NetworkEye's, must be"))
        }
    }

    @Test("UTF-16 is said to be that")
    func wideText() throws {
        let error = try #require(Self.refusal([0xFF, 0xFE] + Array("{\"log\":1}".utf8).flatMap { [$0, 0] }))
        #expect(error.message.contains("UTF-16 text; convert it to UTF-8"))
    }

    @Test("UTF-16 without its mark is said to be that, and other text with zeros is not", arguments: [true, false])
    func wideTextWithoutMark(isLittle: Bool) throws {
        let text = #"{"log":{"entries":[]}}"#
        let bytes: [UInt8] = text.utf8.flatMap { (byte: UInt8) -> [UInt8] in isLittle ? [byte, 0] : [0, byte] }
        #expect(try #require(Self.refusal(bytes)).message.contains("UTF-16 text; convert it to UTF-8"))
        #expect(try #require(Self.refusal(Array(repeating: 0, count: 99))).message.contains("neither text nor"))
    }

    static let forced: [(String, SDKLogFormat, String)] = [
        ("hello", .dmSQLite, "the.log is not a dm-sqlite log: it does not have the header of an SQLite database"),
        ("hello", .networkeye, "the.log is not a networkeye log: it does not have the header of an SQLite database"),
        ("hello", .har, "the.log is not a har log: the JSON has an unexpected character at byte 0"),
        ("{}", .har, "the.log is not a har log: it has no log.entries"),
        ("", .har, "the.log is not a har log: it is empty"),
        ("[1]", .metrics, "the.log is not a metrics log: it has no transaction"),
        (
            "hello", .dmCSV,
            "the.log is not a dm-csv log: its first line does not name the columns; known are path, host, type,"
        ),
        (
            "hello\nyou", .dmNDJSON,
            "the.log is not a dm-ndjson log: none of its rows can be used (a line is not valid JSON"
        ),
        ("hello", .cfnetwork, "the.log is not a cfnetwork log: no line has a task summary"),
        (
            "[{\"url\":1}]", .dokit,
            "the.log is not a dokit log: none of its rows can be used (a row lacks required columns"
        ),
    ]

    @Test("a log that is not of the wanted format is refused", arguments: forced)
    func wanted(text: String, format: SDKLogFormat, message: String) throws {
        let error = try #require(Self.refusal(text, format))
        #expect(error.kind == .notALog)
        #expect(error.message.hasPrefix(message))
    }

    @Test("the wanted format decides where several fit")
    func choice() throws {
        // Names of DM's columns in lines that DoKit's fit too.
        let row = #"{"url":"http://h/x","uploadFlow":"1","downFlow":"2","path":"/x","host":"h","type":0,"length":5}"#
        #expect(
            try LogSamples.read(row, format: .dmNDJSON).lines == ["request - h /x 0 - - up -/-/-/5/- down -/-/-/-/-"])
        #expect(try LogSamples.read(row, format: .dokit).lines == ["exchange - h /x 0 - - up -/-/-/1/- down -/-/-/2/-"])
        #expect(try LogSamples.read(row).format == .dokit)
    }

    @Test("a database without fitting tables is refused with its tables")
    func tables() throws {
        for (format, text) in [
            (nil, "(a, b)"), (SDKLogFormat.godeye, "required columns: requestURLString"), (.har, "it is an SQLite"),
        ] {
            let error = #expect(throws: SDKLogError.self) {
                _ = try LogSamples.readDatabase("CREATE TABLE a(x); CREATE TABLE b(path, type);", format: format)
            }
            #expect(error?.kind == .notALog)
            #expect(error?.message.contains(text) == true)
        }
    }

    @Test(
        "a database that is no log as it stands is refused with what is wrong",
        arguments: [
            (
                """
                CREATE TABLE a(x); PRAGMA writable_schema = ON; INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql)
                VALUES ('table', 'v', 'v', 0, 'CREATE VIEW v AS SELECT x AS path, x AS host, x AS type, x AS length FROM a')
                """, "none of its tables has the columns (a); not read: v: it is a view"
            ),
            (
                "CREATE TABLE t(path, type, length, bodyLength AS (length(zeroblob(900000000))))",
                "it has no tables that can be read; not read: t: its column bodyLength is generated"
            ),
            (
                """
                CREATE TABLE t(path, host, type, length, bodyLength);
                INSERT INTO t VALUES (zeroblob(2000000), 'h', 'request', 1, 1), (zeroblob(2000000), 'h', 'request', 1, 1)
                """, "none of its rows can be used (a value is longer than 1048576 bytes)"
            ),
        ])
    func hostileDatabases(statements: String, reason: String) {
        let error = #expect(throws: SDKLogError.self) { _ = try LogSamples.readDatabase(statements) }
        #expect(error?.kind == .notALog && error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("a file that cannot be opened is said to be that")
    func opening() throws {
        let source = MemoryLog([])
        source.openingFault = "it is a directory; name a file"
        let error = #expect(throws: SDKLogError.self) { _ = try SDKLogReader.read(path: "x", source: source) }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.message == "cannot open x: it is a directory; name a file")
    }

    @Test("a file that ends before it should is read so far, and that is said")
    func brokenSource() throws {
        let source = MemoryLog(Array("path,host,type,length\n/a,h,0,1\n".utf8))
        source.fault = "its compressed data ends too early, at byte 7"
        let log = try SDKLogReader.read(path: "x", source: source)
        #expect(log.rows.count == 1)
        #expect(log.complaints.last == "the file is read in part: its compressed data ends too early, at byte 7 1")
    }

    @Test("a database inside a compressed file is read too, with what its write-ahead log adds where it lies open")
    func databases() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/app.db"
        let writer = try SQLiteWriter(path)
        try writer.run(
            """
            PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
            CREATE TABLE t(path, host, type, length); INSERT INTO t VALUES ('/a', 'h', 0, 1);
            PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES ('/b', 'h', 1, 2);
            """)
        #expect(try LogSamples.readFile(path).rows.count == 2)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let log = try LogSamples.read(bytes)
        #expect(log.format == .dmSQLite)
        #expect(log.rows.count == 1)
    }

    /// Lists without anything in them, of which some format's records could be.
    private static let empty: [(String, SDKLogFormat?)] =
        [
            (#"{"log":{"creator":{},"entries":[]}}"#, nil), (#"{"resourceSpans":[]}"#, nil),
            (#"{"qlog_version":"0.3","traces":[]}"#, nil),
            (#"{"qlog_version":"0.3","traces":[{"vantage_point":{"type":"client"},"events":[]}]}"#, nil),
            (#"{"constants":{"logEventTypes":{}},"events":[]}"#, nil),
            (#"{"event_id":"9d01","platform":"cocoa","breadcrumbs":[],"spans":[]}"#, nil),
            (#"{"event_id":"9d01","platform":"cocoa","breadcrumbs":{"values":[]}}"#, .sentry),
            (#"{"data":[],"links":{}}"#, .datadog), (#"{"results":[{"events":[]}]}"#, .newrelic),
            ("path,host,type,lineLength,headerLength,bodyLength,length,occurTime\n", nil),
        ] + [SDKLogFormat.metrics, .sentry, .datadog, .newrelic, .dokit, .dmNDJSON].map { ("[]", $0) }

    @Test("a list without records is a log without rows, which is said, in every format", arguments: empty)
    func emptyLists(text: String, format: SDKLogFormat?) throws {
        let log = try LogSamples.read(text, format: format)
        #expect(log.rows.isEmpty && !log.isIncomplete)
        #expect(log.complaints == ["the log has no rows 1"])
    }

    @Test("a broken first line does not hide lines of records")
    func brokenFirstLine() throws {
        let row = #"{"path":"/p","host":"h","type":0,"length":6}"#
        for first in [#"{"path":"/p"#, #"{"path":"#, "{", #"{"a":1}}"#] {
            let log = try LogSamples.read("\(first)\n\(row)\n\(row)\n")
            #expect(log.format == .dmNDJSON)
            #expect(log.rows.map(\.number) == [2, 3], "\(first)")
        }
    }

    @Test("a log is recognised behind much that is not its own")
    func lateMarks() throws {
        let noise = String(repeating: "2026-11-21 14:03:38 something else\n", count: 5000)
        let line = "Task <1>.<2> summary for task success {request_bytes=1, response_bytes=2, cache_hit=false}"
        #expect(try LogSamples.read(noise + line).rows.map(\.number) == [5001])
    }
}
