import Foundation
import Testing
import WireComparison
import WireRecords
import WireReport

@testable import WireCore

@Suite("Records")
struct RecordReportTests {
    private func object(_ line: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func exchange() throws -> ExchangeRecord { try #require(sampleRecords().exchanges.first) }
    private func connection() throws -> ConnectionRecord { try #require(sampleRecords().connections.first) }

    @Test("an exchange is one line of JSON with the fields of the contract, in their order")
    func exchangeJSON() throws {
        let record = try exchange()
        let text = renderedRecords(.exchanges, .ndjson) { $0.receive(record) }
        #expect(
            text == """
                {"schema":"wireaudit.exchange/2","file":"shop.pcap","connection":0,"exchange":0,"stream":null,\
                "time":1795168800.003000000,"time_ns":1795168800003000000,\
                "duration":0.002000000,"duration_ns":2000000,"ttfb":0.002000000,"ttfb_ns":2000000,\
                "client":"10.0.0.1:51234","server":"10.0.0.2:80","transport":"tcp","tls":null,"http":"HTTP/1.1",\
                "method":"GET","host":"api.example.com","path":"/v1/items/42","query":"src=app",\
                "target":"/v1/items/42?src=app","api":"GET api.example.com /v1/items/{id}","status":200,\
                "up":{"start_line":35,"headers":25,"framing":0,"body":0,"body_decoded":0,"headers_decoded":25,\
                "headers_inserted":null,"tls_records":0,\
                "tcpip":40,"quic":0,"ack":40,"retransmission":0,"setup":{"dns":0,"tcp":80,"tls":0,"quic":0,"http":0},"teardown":80,\
                "keepalive":0,"opaque":0,"offload":null,"message":60,"wire":300,"link":84},\
                "down":{"start_line":17,"headers":21,"framing":0,"body":5,"body_decoded":5,"headers_decoded":21,\
                "headers_inserted":null,"tls_records":0,\
                "tcpip":40,"quic":0,"ack":40,"retransmission":0,"setup":{"dns":0,"tcp":40,"tls":0,"quic":0,"http":0},"teardown":40,\
                "keepalive":0,"opaque":0,"offload":null,"message":43,"wire":203,"link":56},\
                "unseen_bytes":0,"offload_hidden":0,\
                "request":{"version":"HTTP/1.1","framing":"none","interim":0,"complete":true,"content_type":null},\
                "response":{"version":"HTTP/1.1","framing":"content-length","interim":0,"complete":true,"content_type":null},"flags":[],\
                "duration_range":null,"ttfb_range":null,"lookup":null,"app":null,"process":null,"pid":null,"operation":null,"host_unicode":null,\
                "unread":null,"estimates":null}

                """)
    }

    @Test("HAR: one file, whose sizes and times are the record's")
    func har() throws {
        let record = try exchange()
        var late = record
        (late.response, late.status, late.responseEnd, late.timeToFirstByte) = (nil, nil, nil, nil)
        late.stream = 3
        let text = renderedRecords(.exchanges, .har) {
            $0.receive(record)
            $0.receive(late)
        }
        let log = try #require(try object(text)["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        let entries = try #require(log["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        let request = try #require(entries[0]["request"] as? [String: Any])
        let response = try #require(entries[0]["response"] as? [String: Any])
        #expect(request["url"] as? String == "http://api.example.com/v1/items/42?src=app")
        #expect(request["queryString"] as? [[String: String]] == [["name": "src", "value": "app"]])
        #expect([request["headersSize"] as? Int, request["bodySize"] as? Int] == [60, 0])
        #expect(
            [response["headersSize"] as? Int, response["bodySize"] as? Int, response["status"] as? Int] == [38, 5, 200])
        #expect(entries[0]["startedDateTime"] as? String == "2026-11-20T10:00:00.003Z")
        let timings = try #require(entries[0]["timings"] as? [String: Double])
        #expect(timings["wait"] == 2)
        #expect((entries[0]["_wireaudit"] as? [String: Any])?["time_ns"] as? Int == 1_795_168_800_003_000_000)
        // Without a response, and of compressed heads, nothing is claimed.
        let missing = try #require(entries[1]["response"] as? [String: Any])
        #expect(
            [missing["status"] as? Int, missing["headersSize"] as? Int, missing["bodySize"] as? Int] == [0, -1, -1])
        #expect((entries[1]["request"] as? [String: Any])?["headersSize"] as? Int == -1)
        // The time that passed without a response was waited for it.
        #expect((entries[1]["timings"] as? [String: Double])?["wait"] == 2)
    }

    @Test("OTLP: a span on each line, whose sizes are those of the convention")
    func otlp() throws {
        let record = try exchange()
        let lines = renderedRecords(.exchanges, .otlp) {
            $0.receive(record)
            $0.receive(record)
        }.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        let resource = try #require((try object(lines[0])["resourceSpans"] as? [[String: Any]])?.first)
        let scope = try #require((resource["scopeSpans"] as? [[String: Any]])?.first)
        let span = try #require((scope["spans"] as? [[String: Any]])?.first)
        #expect(span["kind"] as? Int == 3)
        #expect((span["traceId"] as? String)?.count == 32 && (span["spanId"] as? String)?.count == 16)
        #expect(span["startTimeUnixNano"] as? String == "1795168800003000000")
        var values: [String: String] = [:]
        for attribute in try #require(span["attributes"] as? [[String: Any]]) {
            let value = try #require(attribute["value"] as? [String: String])
            values[try #require(attribute["key"] as? String)] = value["stringValue"] ?? value["intValue"]
        }
        #expect(values["url.full"] == "http://api.example.com/v1/items/42?src=app")
        #expect(values["http.request.size"] == "60" && values["http.response.size"] == "43")
        #expect(values["http.response.body.size"] == "5" && values["network.protocol.version"] == "1.1")
        #expect(values["wireaudit.request.setup.tcp"] == "80" && values["wireaudit.request.wire"] == "300")
    }

    @Test("what is unknown is null, never 0")
    func unknown() throws {
        var record = try exchange()
        record.method = nil
        record.status = nil
        record.timeToFirstByte = nil
        record.response = nil
        record.decodedBody = Directions(up: nil, down: 77)
        record.flags = [.gap, .noResponse]
        let fields = try object(renderedRecords(.exchanges, .ndjson) { $0.receive(record) })
        for name in ["method", "status", "ttfb", "ttfb_ns", "response", "duration_range", "estimates"] {
            #expect(fields[name] is NSNull, "\(name)")
        }
        let down = try #require(fields["down"] as? [String: Any])
        let up = try #require(fields["up"] as? [String: Any])
        #expect(down["body_decoded"] as? Int == 77)
        #expect(up["body_decoded"] is NSNull && up["offload"] is NSNull)
        #expect(fields["flags"] as? [String] == ["gap", "no-response"])
    }

    @Test("wire figures hold link bytes and hidden headers where they were asked for")
    func wire() throws {
        var record = try exchange()
        record.costs.up.offloadHidden = 1000
        func wire(_ options: ReportOptions) throws -> (Int?, Int?) {
            let fields = try object(renderedRecords(.exchanges, .ndjson, options: options) { $0.receive(record) })
            let up = try #require(fields["up"] as? [String: Any])
            return (up["wire"] as? Int, up["offload"] as? Int)
        }
        var options = ReportOptions()
        #expect(try wire(options) == (300, nil))
        options.layer = .link
        #expect(try wire(options) == (384, nil))
        options.undoesOffload = true
        #expect(try wire(options) == (1384, 1000))
    }

    @Test("CSV has exactly the fields of JSON, in their order", arguments: [RecordKind.exchanges, .connections])
    func csvNames(kind: RecordKind) throws {
        for undoesOffload in [false, true] {
            var options = ReportOptions()
            options.undoesOffload = undoesOffload
            var (exchange, connection) = (try exchange(), try connection())
            exchange.decodedBody = Directions(up: 1, down: 2)
            (exchange.durationRange, exchange.timeToFirstByteRange, connection.clockLead) = (1...2, 0...1, -1...1)
            (exchange.lookup, connection.lookup) = (LookupLink(connection: 0), LookupLink(connection: 0, exchange: 3))
            connection.serverName = Array("api.example.com".utf8)
            connection.tls = sampleTLSFacts()
            exchange.unread = UnreadMessages(up: 1...2, down: 3...3)
            let feed = { (report: RecordReport) in
                report.receive(exchange)
                report.receive(connection)
            }
            let lines = renderedRecords(kind, .csv, options: options, feed).components(separatedBy: "\r\n")
            #expect(lines.count == 3)
            let names = lines[0].components(separatedBy: ",")
            // Lists, and objects whose names are data, have no column.
            let listed = ["tls_offered_alpn", "tls_alerts", "tls_messages", "estimates"]
            let json = fieldNames(inJSON: renderedRecords(kind, .ndjson, options: options, feed))
                .filter { name in !listed.contains { name == $0 || name.hasPrefix($0 + "_") } }
            #expect(names == json)
            #expect(lines[1].components(separatedBy: ",").count == names.count)
        }
    }

    @Test("CSV quotes commas, quotes and line ends, and stays UTF-8")
    func quoting() throws {
        var record = try exchange()
        record.target = Array("/a,b\"c\r\nd".utf8) + [0xFF]
        record.method = nil
        let shown = renderedRecords(.exchanges, .csv) { $0.receive(record) }
        #expect(shown.contains(",,api.example.com,/v1/items/42,src=app,\"/a,b\"\"c\\x0d\\x0ad\\xff\",GET "))
        var options = ReportOptions()
        options.isRawCSV = true
        let raw = renderedRecords(.exchanges, .csv, options: options) { $0.receive(record) }
        #expect(raw.contains(",\"/a,b\"\"c\r\nd\u{FF}\",GET "))
        let typed = renderedRecords(.exchanges, .csv, options: options, isForTerminal: true) { $0.receive(record) }
        #expect(typed.contains("\"/a,b\"\"c\\x0d\\x0ad\\xff\""))
    }

    @Test(
        "what a spreadsheet would run begins with an apostrophe, and what it would divide is quoted",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("＝1", "'＝1"), ("－1", "'－1"),
            ("\t=1", "\\x09=1"), ("\r=1", "\\x0d=1"), ("a;=1", "\"a;=1\""), ("a=1", "a=1"),
        ])
    func formulas(text: String, cell: String) throws {
        var record = try exchange()
        record.target = Array(text.utf8)
        #expect(renderedRecords(.exchanges, .csv) { $0.receive(record) }.contains(",src=app,\(cell),GET "))
    }

    @Test("a hostile target cannot break a line of JSON")
    func hostile() throws {
        var record = try exchange()
        record.target = Array(0...255)
        record.file = "a\"\n\u{1B}.pcap"
        let text = renderedRecords(.exchanges, .ndjson) { $0.receive(record) }
        #expect(text.filter { $0 == "\n" }.count == 1)
        let expected = String(String.UnicodeScalarView((0...255).map { Unicode.Scalar(UInt8($0)) }))
        let fields = try object(text)
        #expect(fields["target"] as? String == expected)
        #expect(fields["file"] as? String == "a\"\n\u{1B}.pcap")
    }

    @Test("rows come by time, connection and exchange; connections by number")
    func order() throws {
        var record = try exchange()
        let text = renderedRecords(.exchanges, .ndjson) { report in
            for (time, connection, exchange) in [(5, 2, 0), (3, 1, 1), (3, 1, 0), (3, 0, 7), (-4, 9, 0)] {
                record.time = Int64(time)
                record.connection = connection
                record.exchange = exchange
                report.receive(record)
            }
        }
        let keys = try text.split(separator: "\n").map { line in
            let fields = try object(String(line))
            return [fields["connection"] as? Int, fields["exchange"] as? Int]
        }
        #expect(keys == [[9, 0], [0, 7], [1, 0], [1, 1], [2, 0]])
    }

    @Test("a window of n brings in order what is at most n records late, and loses nothing")
    func window() {
        var generator = SeededGenerator(seed: 7)
        for capacity in [1, 2, 3, 16, 100] {
            var window = ReorderingWindow<Int>(capacity: capacity)
            var input = Array(0..<500)
            for start in stride(from: 0, to: 500, by: capacity) {
                input[start..<min(start + capacity, 500)].shuffle(using: &generator)
            }
            var output: [Int] = []
            for value in input {
                let order = RecordOrder(time: Int64(value), connection: 0, exchange: 0)
                window.insert(value, order: order, textBytes: 0)
                while window.isOverfull, let next = window.removeSmallest() { output.append(next) }
            }
            while let next = window.removeSmallest() { output.append(next) }
            #expect(output == Array(0..<500), "seed 7, capacity \(capacity)")
        }
    }

    @Test(
        "hosts and APIs are chosen by part or pattern, in any case",
        arguments: [
            ([], [], true), (["EXAMPLE"], [], true), (["other"], [], false), (["other", "api.*"], [], true),
            (["api"], ["post"], false), ([], ["get * /v1/items/*"], true), ([], ["*/v2/*"], false),
            (["*.example.com"], [], true),
            (["example.*m"], [], false),
        ] as [([String], [String], Bool)])
    func selection(hosts: [String], apis: [String], expected: Bool) throws {
        var options = ReportOptions()
        options.selection = Selection(hosts: hosts, apis: apis)
        let records = sampleRecords()
        let (exchange, connection) = (try exchange(), try connection())
        #expect(options.selection.includes(api: "GET api.example.com /v1/items/{id}") == expected)
        let rows = renderedRecords(.exchanges, .ndjson, options: options) { $0.receive(exchange) }
        #expect(rows.isEmpty == !expected)
        // A connection is chosen by its exchanges, which come first.
        let connections = renderedRecords(.connections, .ndjson, options: options) { report in
            for record in records.exchanges { report.receive(record) }
            report.receive(connection)
        }
        #expect(connections.isEmpty == !expected)
    }

    @Test("the table for a person fits the width and says what is odd")
    func table() throws {
        var record = try exchange()
        record.path = Array(("/" + String(repeating: "long/", count: 40)).utf8)
        record.flags = [.noEnd]
        let lines = renderedRecords(.exchanges, .table) { $0.receive(record) }.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { displayWidth(String($0)) <= 100 })
        #expect(lines[1].contains("!GET api.exampl"))
        #expect(lines[2].hasPrefix("1 exchange;"))
    }
}

/// Names of all values in one line of JSON in the order of the text, `.` for nesting; an array is one value, and braces
/// and colons inside of strings mean nothing.
private func fieldNames(inJSON line: String) -> [String] {
    var (names, path, last, current): ([String], [String], String, String?) = ([], [], "", nil)
    var (isEscaped, arrays) = (false, 0)
    for character in line {
        if let text = current {
            if character == "\"", !isEscaped {
                last = text
                current = nil
            } else {
                current = text + String(character)
            }
            isEscaped = character == "\\" && !isEscaped
            continue
        }
        if character == "]" { arrays -= 1 }
        if character == "[" { arrays += 1 }
        switch character {
        case "\"": current = ""
        case _ where arrays > 0: break
        case ":":
            names.append((path + [last]).joined(separator: "_"))
            path.append(last)
        case "{": if !path.isEmpty { names.removeLast() }
        case ",": path.removeLast()
        case "}": if !path.isEmpty { path.removeLast() }
        default: break
        }
    }
    return names
}
