import Testing
import WireTesting

@testable import WireLogs

@Suite("Logs of DMNetworkTrafficLog")
struct DMLogTests {
    private static let create =
        "CREATE TABLE traffic(id INTEGER PRIMARY KEY, path, host, type, lineLength, headerLength, bodyLength, length, "
        + "occurTime);"

    private static func database(_ rows: String...) throws -> SDKLog {
        let inserts = rows.map {
            "INSERT INTO traffic(path,host,type,lineLength,headerLength,bodyLength,length,occurTime) VALUES (\($0));"
        }
        return try LogSamples.readDatabase(create + inserts.joined())
    }

    // MARK: Containers

    private static let expected = [
        "request - h.test /a b 0 1795269818670285000 - up 20/100/5/125/- down -/-/-/-/-",
        "response - h.test /a b 0 1795269818700000000 - up -/-/-/-/- down 15/200/66/281/-",
    ]

    @Test("the same rows are read from a database, from lines of JSON, from a JSON array and from CSV")
    func containers() throws {
        let database = try Self.database(
            "'/a b', 'H.test:80', 0, 20, 100, 5, 125, 1795269818.670285",
            "'/a b', 'h.test', 1, 15, 200, 66, 281, 1795269818.7")
        #expect(database.format == .dmSQLite)
        let objects = [
            """
            {"path":"/a b","host":"H.test","type":0,"lineLength":20,"headerLength":100,"bodyLength":5,"length":125,\
            "occurTime":1795269818.670285}
            """,
            """
            {"occurTime":"1795269818.7","length":"281","bodyLength":66,"headerLength":2e2,"lineLength":15.0,"type":"1",\
            "host":"h.test","path":"/a b/","extra":{"type":[1]}}
            """,
        ]
        let lines = try LogSamples.read(objects.joined(separator: "\n"))
        let array = try LogSamples.read("[" + objects.joined(separator: ",\n") + "]")
        let wrapped = try LogSamples.read("{\"app\":\"x\",\n\"rows\":[" + objects.joined(separator: ",") + "]}")
        let csv = try LogSamples.read(
            """
            \u{FEFF}path,host,"type",lineLength,headerLength,bodyLength,length,occurTime,more\r
            /a b,H.test,0,20,100,5,125,1795269818.670285,x\r
            "/a b",h.test,1,15,"200",66,281,1795269818.7,"multi
            line ""quoted"", value"\r

            """)
        for log in [database, lines, array, wrapped, csv] {
            #expect(log.lines == Self.expected, "\(log.format)")
            #expect(log.complaints == [], "\(log.format)")
            #expect(log.pathForm == .decoded)
            #expect(log.timeResolution == 1000)
            #expect(log.rejectedRows == 0)
        }
        #expect([lines, array, wrapped].allSatisfy { $0.format == .dmNDJSON })
        #expect(csv.format == .dmCSV)
        #expect(csv.rows.map(\.number) == [2, 3])
        #expect(lines.rows.map(\.number) == [1, 2])
    }

    @Test("rows beyond the limit are passed over and counted", arguments: [1, 3, 9, 10])
    func rowLimit(limit: Int) throws {
        let rows = (0..<10).map { "/\($0),h,\($0 % 2 == 0 ? "request" : "response"),5,179526981\($0)" }
        let text = (["path,host,type,length,occurTime"] + rows).joined(separator: "\n")
        let log = try LogSamples.read(Array(text.utf8), rowLimit: limit)
        #expect(log.rows.map(\.number) == Array(2..<2 + limit))
        #expect(log.isIncomplete == (limit < 10))
        let problem = log.problems.first { $0.what.contains("log-rows") }
        #expect(problem?.count == (limit < 10 ? 10 - limit : nil))
        #expect(problem?.firstRow == (limit < 10 ? 2 + limit : nil))
    }

    @Test("CSV may be separated by semicolons or tabs", arguments: [";", "\t"])
    func separators(separator: String) throws {
        let text = "path,host,type,length,occurTime\n/a,h,request,5,1795269818\n".split(separator: ",").joined(
            separator: separator)
        let log = try LogSamples.read(text)
        #expect(log.lines == ["request - h /a 0 1795269818000000000 - up -/-/-/5/- down -/-/-/-/-"])
        #expect(log.timeResolution == 1_000_000_000)
    }

    @Test("all tables with the columns are read, whatever their names")
    func tables() throws {
        let log = try LogSamples.readDatabase(
            """
            CREATE TABLE "log 2026-11"(path, host, type, length, occurTime); CREATE TABLE settings(key, value);
            CREATE TABLE ZDMNETWORKTRAFFICLOG(Z_PK INTEGER PRIMARY KEY, ZPATH, ZHOST, ZTYPE, ZLENGTH, ZOCCURTIME);
            INSERT INTO "log 2026-11" VALUES ('/a', 'h', 0, 5, 1795269818);
            INSERT INTO ZDMNETWORKTRAFFICLOG VALUES (7, '/b', 'h', 1, 6, 816962619.5);
            """)
        #expect(
            log.lines == [
                "request - h /a 0 1795269818000000000 - up -/-/-/5/- down -/-/-/-/-",
                "response - h /b 0 1795269819500000000 - up -/-/-/-/- down -/-/-/6/-",
            ])
        #expect(log.rows.map(\.number) == [1, 7])
        #expect(log.problems.contains { $0.what == "column bodyLength is missing in table log 2026-11" })
        #expect(log.complaints.last == "times have a different unit than in most rows 1 @1")
    }

    // MARK: Spellings

    static let names: [[String]] = [
        ["path", "host", "type", "lineLength", "headerLength", "bodyLength", "length", "occurTime"],
        ["PATH", "HOST", "TYPE", "LINELENGTH", "HEADERLENGTH", "BODYLENGTH", "LENGTH", "OCCURTIME"],
        ["path", "host", "type", "line_length", "header_length", "body_length", "length", "occur_time"],
        ["zpath", "zhost", "ztype", "zlinelength", "zheaderlength", "zbodylength", "zlength", "zoccurtime"],
        ["Path", "Host", "Type", "Line_Length", "Header-Length", "Body Length", "Length", "Occur_Time"],
    ]

    @Test("column names are known in every spelling", arguments: names)
    func spellings(names: [String]) throws {
        let values = ["/p", "h", "request", "1", "2", "3", "6", "1795269818.25"]
        let expected = ["request - h /p 0 1795269818250000000 - up 1/2/3/6/- down -/-/-/-/-"]
        let csv = try LogSamples.read(names.joined(separator: ",") + "\n" + values.joined(separator: ","))
        let members = zip(names, values).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        let json = try LogSamples.read("{\(members)}")
        let quoted = names.map { "\"\($0)\"" }.joined(separator: ",")
        let sqlite = try LogSamples.readDatabase(
            "CREATE TABLE x(\(quoted)); INSERT INTO x VALUES (\(values.map { "'\($0)'" }.joined(separator: ",")))")
        for log in [csv, json, sqlite] {
            #expect(log.lines == expected)
            #expect(log.complaints == [])
        }
    }

    static let types: [(String, LogRow.Kind?)] = [
        ("0", .request), ("1", .response), ("'0'", .request), ("'1'", .response), ("0.0", .request),
        ("'request'", .request),
        ("'Response'", .response), ("'REQUEST'", .request), ("'DMNetworkTrafficDataTypeRequest'", .request),
        ("'DMNetworkTrafficDataTypeResponse'", .response), ("' response '", .response), ("x'72657175657374'", .request),
        ("2", nil), ("-1", nil), ("'other'", nil), ("NULL", nil), ("''", nil), ("0.5", nil),
    ]

    @Test("types are known in every spelling", arguments: types)
    func kinds(text: String, expected: LogRow.Kind?) throws {
        let row = "'/p', 'h', \(text), 1, 2, 3, 6, 1795269818.5"
        guard let expected else {
            let error = #expect(throws: SDKLogError.self) { try Self.database(row) }
            #expect(error?.message.contains("type is neither request nor response") == true)
            return
        }
        let log = try Self.database(row)
        #expect(log.rows.map(\.kind) == [expected])
        #expect(log.rejectedRows == 0 && log.complaints == [])
    }

    @Test("optional columns are taken where they are")
    func optional() throws {
        let log = try LogSamples.read(
            """
            path,host,type,lineLength,headerLength,emptyLineLength,bodyLength,length,occurTime,method,status
            /p,h,request,1,20,1,3,25,1795269818,post,
            /p,h,response,1,20,1,3,25,1795269819,,404
            """)
        #expect(
            log.lines == [
                "request POST h /p 0 1795269818000000000 - up 1/21/3/25/- down -/-/-/-/-",
                "response - h /p 404 1795269819000000000 - up -/-/-/-/- down 1/21/3/25/-",
            ])
        #expect(log.complaints == [])
    }

    // MARK: Times

    static let times: [(String, Int64, Int64)] = [
        ("1795269818.670", 1_795_269_818_670_000_000, 10_000_000),
        ("1795269818.671", 1_795_269_818_671_000_000, 1_000_000),
        ("'1795269818671'", 1_795_269_818_671_000_000, 1_000_000),
        ("1795269818671", 1_795_269_818_671_000_000, 1_000_000),
        ("1795269818671001", 1_795_269_818_671_001_000, 1000),
        ("1795269818671001023", 1_795_269_818_671_001_023, 1), ("816962618.671", 1_795_269_818_671_000_000, 1_000_000),
        ("'2026-11-21 14:03:38 +0000'", 1_795_269_818_000_000_000, 1_000_000_000),
        ("'2026-11-21T14:03:38.671Z'", 1_795_269_818_671_000_000, 1_000_000),
    ]

    @Test("times are known in every unit, with what they can show", arguments: times)
    func instants(text: String, time: Int64, resolution: Int64) throws {
        let log = try Self.database("'/p', 'h', 0, 1, 2, 3, 6, \(text)")
        #expect(log.rows.map(\.time) == [time])
        #expect(log.timeResolution == resolution)
        #expect(log.complaints == [])
    }

    @Test("a log has seconds since 1970 or since 2001, not both")
    func references() throws {
        let rows = ["999999998.5", "999999999.5", "1000000000.5"].map { "'/p', 'h', 0, 1, 2, 3, 6, \($0)" }
        let log = try Self.database(rows[0], rows[1], rows[2])
        #expect(log.rows.map { $0.time - log.rows[0].time } == [0, 1_000_000_000, 2_000_000_000])
        #expect(log.complaints == [])
    }

    @Test("a row in another unit than the others is said")
    func otherUnits() throws {
        let log = try Self.database(
            "'/p', 'h', 0, 1, 2, 3, 6, 1795269818.5", "'/p', 'h', 0, 1, 2, 3, 6, 1795269819.5",
            "'/p', 'h', 0, 1, 2, 3, 6, 1795269820500")
        #expect(log.rows.map { $0.time - log.rows[0].time } == [0, 1_000_000_000, 2_000_000_000])
        #expect(log.complaints == ["times have a different unit than in most rows 1 @3"])
    }

    // MARK: Problems

    static let problems: [(String, [String], String)] = [
        ("'/p', 'h', 0, 1, 2, 'x', 6, 1795269818", ["bodyLength is not a number 1 @1"], "1/2/-/6/-"),
        ("'/p', 'h', 0, 1, 2, 3.5, 6, 1795269818", ["bodyLength is not a whole number 1 @1"], "1/2/-/6/-"),
        ("'/p', 'h', 0, -1, 2, 3, 6, 1795269818", ["lineLength is negative 1 @1"], "-/2/3/6/-"),
        ("'/p', 'h', 0, 1, 2, 3, 9007199254740993, 1795269818", ["length is implausibly large 1 @1"], "1/2/3/-/-"),
        ("'/p', 'h', 0, 1, 2, 3, 1e300, 1795269818", ["length is implausibly large 1 @1"], "1/2/3/-/-"),
        ("'/p', 'h', 0, 1, 2, 3, 9223372036854775807, 1795269818", ["length is implausibly large 1 @1"], "1/2/3/-/-"),
        ("'/p', 'h', 0, 1, 2, NULL, 6, 1795269818", ["bodyLength is empty 1 @1"], "1/2/-/6/-"),
        ("'/p', 'h', 0, 1, 2, '', 6, 1795269818", ["bodyLength is empty 1 @1"], "1/2/-/6/-"),
        ("'/p', 'h', 0, 1, 2, '(null)', 6, 1795269818", ["bodyLength is empty 1 @1"], "1/2/-/6/-"),
        ("'/p', 'h', 0, 1, 2, 3, 7, 1795269818", ["length is not the sum of its parts 1 @1"], "1/2/3/7/-"),
        (
            "'/p', 'h', 0, 1, 2, 3, NULL, 1795269818",
            ["length is empty 1 @1", "length is missing; the sum of its parts is used 1 @1"], "1/2/3/6/-"
        ),
        ("'/p', 'h', 0, 1, 2, 3, 6, 'later'", ["occurTime is not a time 1 @1"], "1/2/3/6/-"),
        ("'/p', 'h', 0, 1, 2, 3, 6, NULL", ["occurTime is empty 1 @1"], "1/2/3/6/-"),
        ("'/p', 'h', 0, 1, 2, 3, 6, 1e30", ["occurTime is out of the range of times 1 @1"], "1/2/3/6/-"),
        (
            "'/p', 'h', 0, 1, 2, 3, 6, '2026-11-21 14:03:38'",
            ["occurTime has no time zone, UTC is assumed 1 @1"], "1/2/3/6/-"
        ),
        (
            "'/p', 'h', 0, 1, 2, 3, 6, '2026-11-21 14:03:38 XYZ'",
            ["occurTime has an unknown time zone, UTC is assumed 1 @1"], "1/2/3/6/-"
        ),
        ("'/p', NULL, 0, 1, 2, 3, 6, 1795269818", ["host is empty 1 @1"], "1/2/3/6/-"),
        ("CAST(x'2fc328' AS TEXT), 'h', 0, 1, 2, 3, 6, 1795269818", ["path is not UTF-8 1 @1"], "1/2/3/6/-"),
    ]

    @Test("each fault of a row has a clear word, and the row stays", arguments: problems)
    func faults(values: String, expected: [String], bytes: String) throws {
        let log = try Self.database(values)
        #expect(log.complaints == expected)
        #expect(log.rows.map(\.up.text) == [bytes])
        #expect(log.rejectedRows == 0)
    }

    @Test("every row whose path is not UTF-8 counts, the same path again too")
    func repeatedFault() throws {
        let (bad, good) = ("CAST(x'2fc328' AS TEXT), 'h', 0, 1, 2, 3, 6", "'/p', 'h', 0, 1, 2, 3, 6")
        let log = try Self.database(
            "\(good), 1795269817", "\(bad), 1795269818", "\(good), 1795269819", "\(bad), 1795269820")
        #expect(log.complaints == ["path is not UTF-8 2 @2"])
    }

    @Test("missing columns are named, and the rest is used")
    func missingColumns() throws {
        let log = try LogSamples.readDatabase(
            "CREATE TABLE x(host, type, length, path); INSERT INTO x VALUES ('h', 0, 6, ''), ('h', 1, 7, NULL);")
        #expect(
            log.complaints == [
                "column lineLength is missing 1", "column headerLength is missing 1", "column bodyLength is missing 1",
                "column occurTime is missing 1", "path is empty 1 @2",
            ])
        #expect(
            log.lines == [
                "request - h / 0 - - up -/-/-/6/- down -/-/-/-/-", "response - h - 0 - - up -/-/-/-/- down -/-/-/7/-",
            ])
        #expect(log.timeResolution == 0)
    }

    @Test("lines that are no records are counted, and hide no other")
    func brokenLines() throws {
        let row = #"{"path":"/p","host":"h","type":0,"length":6}"#
        let log = try LogSamples.read(
            [
                row, "{\"path\":\"/p", "[1]", "7", "{}", "{\"path\":\"/p\",\"host\":\"h\",\"type\":9,\"length\":1}", "",
                row, "{",
            ]
            .joined(separator: "\n"))
        #expect(log.rows.map(\.number) == [1, 8])
        #expect(log.rejectedRows == 6)
        #expect(
            log.complaints.filter { !$0.contains(" is missing ") } == [
                "a line is not valid JSON: the line ends inside its JSON value 1 @2",
                "a line is not a JSON object 2 @3",
                "a row lacks required columns 1 @5", "type is neither request nor response 1 @6",
                "a line is not valid JSON: the JSON ends too early 1 @9", "the log ends inside its last line 1",
            ])
    }

    @Test("a quote that is not closed costs one line of CSV")
    func openQuote() throws {
        let log = try LogSamples.read("path,host,type,length\n/a,h,0,1\n\"/b,h,0,2\n/c,h,0,3\n/d,h,0\n/e,h,0,5,6\n")
        #expect(log.complaints.contains("a quote is not closed 1 @3"))
        #expect(log.complaints.contains("a line has fewer values than the first names 2 @3"))
        #expect(log.complaints.contains("a line has more values than the first names 1 @6"))
        #expect(log.rows.map(\.number) == [2, 4, 5, 6])
        #expect(log.rejectedRows == 1)
    }

    @Test("rows beyond counting are counted like others: the log's problems stay few")
    func manyProblems() throws {
        let rows = (0..<5000).map { "/p\($0),h,0,-1,x,\($0),7" }.joined(separator: "\n")
        let log = try LogSamples.read("path,host,type,lineLength,headerLength,bodyLength,length\n" + rows)
        #expect(log.rows.count == 5000)
        #expect(
            log.complaints == [
                "column occurTime is missing 1", "lineLength is negative 5000 @2",
                "headerLength is not a number 5000 @2",
            ])
    }
}
