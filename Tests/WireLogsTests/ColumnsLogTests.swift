import Testing

@testable import WireLogs

@Suite("Logs with columns of their owner's")
struct ColumnsLogTests {
    private static let found =
        "url=url,method=method,status=status,start=start_ms:ms,end=end_ms:ms,up=req_bytes:b,"
        + "down=resp_bytes:b"
    private static let rows = [
        "exchange GET a.test /x?y=1 200 1795827117939000000 1795827117959000000 up -/-/-/300/- down -/-/-/1463/-",
        "exchange POST b.test /z 204 1795827118000000000 1795827118001000000 up -/-/-/5/- down -/-/-/0/-",
    ]
    private static let csv = """
        url,method,status,start_ms,end_ms,req_bytes,resp_bytes
        https://a.test/x?y=1,GET,200,1795827117939,1795827117959,300,1463
        "http://b.test:81/z",post,204,1795827118000,1795827118001,5,0
        """
    private static let objects = [
        #"{"url":"https://a.test/x?y=1","method":"GET","status":200,"start_ms":1795827117939,"#
            + #""end_ms":1795827117959,"req_bytes":300,"resp_bytes":1463}"#,
        #"{"status":"204","url":"http://b.test:81/z","note":{"a":[1]},"method":"POST","start_ms":"1795827118000","#
            + #""end_ms":1795827118001,"resp_bytes":0,"req_bytes":5}"#,
    ]
    private static let table = """
        CREATE TABLE calls(id integer primary key, url text, method text, status integer, start_ms integer,
            end_ms integer, req_bytes integer, resp_bytes integer);
        INSERT INTO calls VALUES (1, 'https://a.test/x?y=1', 'GET', 200, 1795827117939, 1795827117959, 300, 1463),
            (2, 'http://b.test:81/z', 'POST', 204, 1795827118000, 1795827118001, 5, 0);
        CREATE TABLE other(a, b);
        """

    @Test("the same rows are read from each container, and it is told which column was taken as what")
    func containers() throws {
        let logs = [
            try LogSamples.read(Self.csv),
            try LogSamples.read("\u{FEFF}" + Self.csv.replacing(",", with: ";").replacing("\n", with: "\r\n")),
            try LogSamples.read(Self.objects.joined(separator: "\n")),
            try LogSamples.read("[" + Self.objects.joined(separator: ",\n") + "]"),
            try LogSamples.read(#"{"app":"x","calls":["# + Self.objects.joined(separator: ",") + "]}"),
            try LogSamples.readDatabase(Self.table),
        ]
        for (index, log) in logs.enumerated() {
            #expect(log.format == .columns)
            #expect(log.lines == Self.rows, "\(index)")
            #expect(log.rows.map(\.serverPort) == [0, 81])
            #expect(log.rows.map(\.isPlain) == [false, true])
            let found = Self.found + (index == 5 ? ",table=calls" : "")
            #expect(log.columns?.text == found && log.columns?.findings?.found == found)
            #expect(log.timeResolution == 1_000_000 && log.complaints.isEmpty)
        }
        #expect(logs[5].columns?.findings?.unused == "id")
    }

    static let names: [(String, String)] = [
        ("URL,Bytes Sent,KB Received", "url=URL,up=Bytes Sent:b,down=KB Received:kb"),
        ("requestURL,reqSize,respSize", "url=requestURL,up=reqSize,down=respSize"),
        ("path,host,upload_kb,download_kib", "host=host,path=path,up=upload_kb:kb,down=download_kib:kib"),
        ("uri,tx_bytes,rx_bytes,localPort", "url=uri,client-port=localPort,up=tx_bytes:b,down=rx_bytes:b"),
        (
            "url,request_headers_size,request_body_size,response_header_bytes,responseBodyLength",
            "url=url,up-head=request_headers_size,up-body=request_body_size,down-head=response_header_bytes:b,"
                + "down-body=responseBodyLength"
        ),
        (
            "http_url,HTTP Method,statusCode,startedAt,duration (ms),response_content_length",
            "url=http_url,method=HTTP Method,status=statusCode,start=startedAt,duration=duration (ms):ms,"
                + "down-body=response_content_length"
        ),
        ("url,timestamp,took_ms,down", "url=url,start=timestamp,duration=took_ms:ms,down=down"),
        ("url,time,end_time,down", "url=url,end=end_time,down=down"),
        // Durations, counts and single times of two are no sizes and no times of a call.
        ("url,response_time,request_count,resp_bytes", "url=url,down=resp_bytes:b"),
        ("url,created_at,date,time,up_bytes", "url=url,up=up_bytes:b"),
        // Of several that a name would fit none is taken, unless one has no other word.
        ("url,request_bytes,bytes_sent,resp_bytes", "url=url,down=resp_bytes:b"),
        ("url,request_url,down", "url=url,down=down"),
    ]

    @Test("names tell what columns hold", arguments: names)
    func found(header: String, text: String) throws {
        let columns = try ColumnFinder(names: header.split(separator: ",").map(String.init)).columns(nil, areAll: true)
        #expect(columns.text == text)
    }

    static let missing: [(String, String)] = [
        (
            "address,req_bytes,when",
            "which holds the URL; its columns are address, req_bytes, when; write --sdk-columns "
                + "up=req_bytes:b,url=COLUMN"
        ),
        (
            "url,size,id",
            "which holds the size of requests or responses; its columns are url, size, id; write "
                + "--sdk-columns url=url,up=COLUMN,down=COLUMN"
        ),
        (
            "a,b",
            "the URL, and which the size of requests or responses; its columns are a, b; write --sdk-columns "
                + "url=COLUMN,up=COLUMN,down=COLUMN"
        ),
        (
            "url,elapsed,up",
            "column 'elapsed' does not tell the unit of its durations; write --sdk-columns "
                + "duration=elapsed:ms (or s, us, ns), or duration= to leave it out"
        ),
    ]

    @Test("where names do not tell it, the columns are listed and the option to write is given", arguments: missing)
    func notFound(header: String, text: String) throws {
        let members = header.split(separator: ",").map { "\"\($0)\":1" }.joined(separator: ",")
        for log in [header + "\n1,2,3\n", "{\(members)}", "[{\(members)},\n{}]"] {
            let error = #expect(throws: SDKLogError.self) { try LogSamples.read(log) }
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
    }

    static let given: [(String, String)] = [
        ("url=u,start=t:ms,down=d", "url=u,start=t:ms,down=d"), (" url = u , end=t_us", "url=u,end=t_us:us"),
        ("path=p,host=h,up=n:KB,table=my calls", "host=h,path=p,up=n:kb,table=my calls"),
        ("url=u,duration=a:b:seconds", "url=u,duration=a:b:s"), ("url=u,up=a:b", "url=u,up=a:b"),
        ("url=u,up=a:z", "url=u,up=a:z"),
        ("url=u,v,start=t", "url=u,v,start=t"), ("# of the app\nurl=u\n\nstart=t:ms,up=n\n", "url=u,start=t:ms,up=n"),
        ("url=u,end=", "url=u"),
    ]

    @Test("what a user writes is read, on one line or several", arguments: given)
    func parsed(text: String, columns: String) throws {
        #expect(try LogColumns(parsing: text).text == columns)
    }

    static let wrong: [(String, String)] = [
        ("", "no column is named"), ("url", "'url' is not of the form url=COLUMN"),
        (
            "adress=a",
            "'adress' is nothing that a column holds; known are url, host, path, method, status, start, end, "
        ),
        ("url=a,url=b", "'url' is given twice"), ("start=a,end=a", "the column 'a' is named twice"),
        ("start=t:kb", "start=t:kb: kb is no unit of a time"), ("up=t:ms", "up=t:ms: ms is no unit of a size"),
        ("table=", "table= needs the name of one table"),
    ]

    @Test("what a user writes wrongly is told in one clause", arguments: wrong)
    func refused(text: String, message: String) {
        let error = #expect(throws: LogColumnsError.self) { try LogColumns(parsing: text) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("a user's columns come before names, and before known formats")
    func choice() throws {
        let log = try LogSamples.read(Self.csv, columns: "down=REQ_BYTES,up=,end=")
        #expect(log.columns?.text == "url=url,method=method,status=status,start=start_ms:ms,down=req_bytes:b")
        #expect(log.rows.map(\.down.total) == [300, 5] && log.rows.map(\.up.total) == [nil, nil])
        #expect(log.rows.map(\.end) == [.min, .min])
        let doKit = "url,uploadFlow,downFlow\nhttp://a.test/,1,2\n"
        #expect(try LogSamples.read(doKit).format == .dokit)
        #expect(try LogSamples.read(doKit, columns: "up=downFlow").rows.map(\.up.total) == [2])
        let error = #expect(throws: SDKLogError.self) { try LogSamples.read(Self.csv, columns: "up=sent") }
        #expect(
            error?.message
                == "the.log cannot be read with these columns: it has no column 'sent'; its columns are url, "
                + "method, status, start_ms, end_ms, req_bytes, resp_bytes")
        for text in [Self.csv, Self.objects[0]] {
            let error = #expect(throws: SDKLogError.self) { try LogSamples.read(text, columns: "table=x") }
            #expect(error?.message.hasSuffix("it is no database, and has no table 'x'") == true)
        }
    }

    static let times: [(String, String, Int64?)] = [
        ("start_ms", "1795827117939", 1_795_827_117_939_000_000),
        ("start_us", "1795827117939001", 1_795_827_117_939_001_000),
        ("startNanos", "1795827117939000001", 1_795_827_117_939_000_001),
        ("start_s", "1795827117.5", 1_795_827_117_500_000_000),
        ("start_seconds", "817519917.5", 1_795_827_117_500_000_000),
        ("start", "1795827117939", 1_795_827_117_939_000_000),
        // Since the start of the system.
        ("start_ms", "8175.25", 8_175_250_000), ("start_s", "81751.5", 81_751_500_000_000),
        ("start", "2026-11-28T00:51:57.939Z", 1_795_827_117_939_000_000),
        ("start_ms", "2026-11-28T01:51:57.939+01:00", 1_795_827_117_939_000_000),
        ("start_ms", "", nil), ("start_ms", "-5", nil), ("start_ms", "soon", nil), ("start_ms", "1e40", nil),
    ]

    @Test("times have the unit of their name, or tell it themselves", arguments: times)
    func time(name: String, text: String, time: Int64?) throws {
        let log = try LogSamples.read("url,\(name),down\nhttp://a.test/,\(text),1\n")
        #expect(log.rows.map(\.time) == [time ?? .min])
        #expect(log.complaints.isEmpty == (time != nil))
    }

    static let sizes: [(String, String, Int?)] = [
        ("down_bytes", "1463", 1463), ("down_kb", "1.4634", 1463), ("down_kb", "1.4635", 1464),
        ("down_kib", "1.5", 1536), ("down kB", "2", 2000),
        ("down_mb", "0.0000004", 0), ("down (MiB)", "2", 2 << 20), ("down", "-1", nil), ("down_kb", "-1", nil),
        ("down_kb", "99999999999999999999", nil), ("down_bytes", "1.5", nil), ("down", "", nil), ("down", "1 KB", nil),
    ]

    @Test("sizes have the unit of their name", arguments: sizes)
    func size(name: String, text: String, size: Int?) throws {
        #expect(try LogSamples.read("url,\(name)\nhttp://a.test/,\(text)\n").rows.map(\.down.total) == [size])
    }

    @Test("a duration stands for the end, or for the start")
    func duration() throws {
        let cases: [(String, Int64, Int64)] = [("start_ms,took_us", 2000, 2001), ("end_ms,duration_us", 1999, 2000)]
        for (header, start, end) in cases {
            let log = try LogSamples.read("url,\(header),up\nhttp://a.test/,2000,1000,7\n")
            #expect(log.rows.map(\.time) == [start * 1_000_000] && log.rows.map(\.end) == [end * 1_000_000])
        }
    }

    @Test("parts make up the figure where it has no column of its own")
    func parts() throws {
        let log = try LogSamples.read(
            "url,up_head,up_body,down_body,down\nhttp://a.test/,10,5,7,99\nhttp://a.test/,10,,7,99\n")
        #expect(log.rows.map(\.up.text) == ["-/10/5/15/-", "-/10/-/-/-"])
        #expect(log.rows.map(\.down.text) == ["-/-/7/99/-", "-/-/7/99/-"])
    }

    @Test("members of inner objects are columns, too, and rows without a URL are counted")
    func nested() throws {
        let lines = """
            {"id":1,"request":{"url":"https://a.test/x","method":"PUT","size":{"n":1},"bytes":30},"response":{"bytes":40}}
            {"event":"launch"}
            {"id":2,"response":{"bytes":41,"more":[{"a":1}]},"request":{"bytes":31,"url":"https://a.test/y"}}
            """
        let log = try LogSamples.read(lines)
        #expect(log.columns?.text == "url=request.url,method=request.method,up=request.bytes:b,down=response.bytes:b")
        #expect(
            log.lines == [
                "exchange PUT a.test /x 0 - - up -/-/-/30/- down -/-/-/40/-",
                "exchange - a.test /y 0 - - up -/-/-/31/- down -/-/-/41/-",
            ])
        #expect(log.rejectedRows == 1 && log.rows.map(\.number) == [1, 3])
    }

    @Test("a path is enough, with or without a host, and what is no URL is counted")
    func targets() throws {
        let log = try LogSamples.read("url,host,up\n/x?y,A.test:8443,1\n/z,,2\nnowhere,a.test,3\ndata:x,a.test,4\n")
        #expect(
            log.lines == [
                "exchange - a.test /x?y 0 - - up -/-/-/1/- down -/-/-/-/-",
                "exchange - - /z 0 - - up -/-/-/2/- down -/-/-/-/-",
            ])
        #expect(log.rejectedRows == 1 && log.rows.map(\.serverPort) == [8443, 0])
    }

    @Test("Chucker's table is read by its names, and its column of the start by the user's word")
    func chucker() throws {
        let log = try LogSamples.readDatabase(
            """
            CREATE TABLE transactions(id integer primary key, requestDate integer, responseDate integer, tookMs integer,
                protocol text, method text, url text, host text, path text, scheme text, requestPayloadSize integer,
                requestContentType text, requestHeaders text, requestHeadersSize integer, requestBody text,
                responseCode integer, responseMessage text, error text, responsePayloadSize integer,
                responseHeaders text, responseHeadersSize integer);
            INSERT INTO transactions VALUES (7, 1795827117939, 1795827117950, 11, 'h2', 'POST', 'https://a.test/x', 'a.test',
                '/x', 'https', 20, 'text/plain', '[]', 100, 'b', 201, 'Created', NULL, 30, '[]', 200);
            """, columns: "start=requestDate,duration=")
        #expect(
            log.lines == [
                "exchange POST a.test /x 201 1795827117939000000 - up -/100/20/120/- down -/200/30/230/-"
            ])
    }

    @Test("of several fitting tables one must be named")
    func tables() throws {
        let two = "CREATE TABLE a(url, up); CREATE TABLE b(url, up); INSERT INTO b VALUES ('http://x.test/', 3);"
        let error = #expect(throws: SDKLogError.self) { try LogSamples.readDatabase(two) }
        #expect(
            error?.message.contains("several of its tables have such columns (a, b); write --sdk-columns table=a")
                == true)
        #expect(try LogSamples.readDatabase(two, columns: "table=B").rows.map(\.up.total) == [3])
        let missing = #expect(throws: SDKLogError.self) { try LogSamples.readDatabase(two, columns: "table=c") }
        #expect(missing?.message.contains("(a, b)") == true)
    }
}
