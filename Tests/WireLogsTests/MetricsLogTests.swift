import Testing

@testable import WireLogs

@Suite("URLSessionTaskMetrics as JSON")
struct MetricsLogTests {
    @Test("Pulse's arrays are read, redirect hops are rows, and cached transactions are none")
    func pulse() throws {
        let log = try LogSamples.read(
            """
            {"taskInterval":[816962618,1],"redirectCount":1,"transactions":[
            {"request":{"url":"https://a.test/1","httpMethod":"GET","headers":{"url":"x"},"timeout":60},
             "response":{"statusCode":302,"headers":{}},"networkProtocol":"http/1.1","conditions":0,
             "timing":[816962618.5,null,null,null,null,null,null,816962618.625,null,null,816962618.75],
             "transferSize":[55,0,0,55,0,0],"localPort":50001,"remotePort":443},
            {"request":{"url":"https://a.test/2?x"},"response":{"statusCode":200},"timing":[816962619,null,null],
             "transferSize":[291,28,30,202,77,2000]},
            {"request":{"url":"https://a.test/3"},"type":3,"transferSize":[0,0,0,0,0,0],"timing":[]},
            {"request":{"url":"https://a.test/4"},"type":2,"transferSize":[0,0,0,9,9,9],"timing":[]}]}
            """)
        #expect(log.format == .metrics)
        #expect(
            log.lines == [
                "exchange GET a.test /1 302 1795269818625000000 1795269818750000000 up -/55/0/55/0 down -/55/0/55/0",
                "exchange - a.test /2?x 200 - - up -/291/30/321/28 down -/202/77/279/2000",
            ])
        #expect(log.rows[0].clientPort == 50001 && log.rows[0].serverPort == 443)
        #expect(
            log.complaints == [
                "transactions answered from the cache are not on the wire 1 @3",
                "transactions pushed by the server are not requests of the client 1 @4",
            ])
    }

    private static let bytes = "up -/291/28/319/28 down -/202/77/279/2000"

    static let plainDumps: [String] = [
        // Apple's names.
        """
        {"transactionMetrics":[{"request":{"URL":"http://a.test/x","HTTPMethod":"POST"},"response":{"statusCode":201},
        "countOfRequestHeaderBytesSent":291,"countOfRequestBodyBytesSent":28,"countOfRequestBodyBytesBeforeEncoding":28,
        "countOfResponseHeaderBytesReceived":202,"countOfResponseBodyBytesReceived":77,
        "countOfResponseBodyBytesAfterDecoding":2000,"fetchStartDate":"2026-11-21T14:03:38Z",
        "requestStartDate":"2026-11-21T14:03:38.500Z","responseEndDate":"2026-11-21T14:03:39Z",
        "isReusedConnection":true,
        "resourceFetchType":1,"networkProtocolName":"http/1.1"}],"redirectCount":0}
        """,
        // Without prefix, with underscores, dates as seconds, facts of the task around and behind its transaction.
        """
        [{"transactions":[{"request_header_bytes_sent":"291","request_body_bytes_sent":28,
        "request_body_bytes_before_encoding":28,"response_header_bytes_received":202,"response_body_bytes_received":77,
        "response_body_bytes_after_decoding":2000,"request_start_date":1795269818.5,"response_end_date":1795269819,
        "reusedConnection":1,"resource_fetch_type":"networkLoad"}],
        "url":"http://a.test/x","method":"post","status_code":201,"requestHeaderBytesSent":9999}]
        """,
        // One object on one line, sizes and dates in objects of their own.
        """
        {"originalRequest":{"url":"http://a.test/x","httpMethod":"POST"},"currentRequest":{"url":"http://b.test/"},\
        "metrics":{"transferSize":{"requestHeaderBytesSent":291,"requestBodyBytesSent":28,\
        "requestBodyBytesBeforeEncoding":28,"responseHeaderBytesReceived":202,"responseBodyBytesReceived":77,\
        "responseBodyBytesAfterDecoding":2000},"timing":{"requestStart":"2026-11-21T14:03:38.5Z",\
        "responseEnd":"2026-11-21T14:03:39Z"},"response":{"statusCode":201}}}
        """,
    ]

    @Test("plain dumps are read with the usual spellings", arguments: plainDumps)
    func plain(text: String) throws {
        for repeated in [text, text.split(separator: "\n").joined()] {
            let log = try LogSamples.read(repeated)
            #expect(log.format == .metrics)
            #expect(log.lines == ["exchange POST a.test /x 201 1795269818500000000 1795269819000000000 \(Self.bytes)"])
            #expect(log.complaints == [])
        }
    }

    @Test("lines of transactions are read one by one")
    func lines() throws {
        let row = #"{"url":"http://a.test/x","transferSize":[1,2,3,4,5,6]}"#
        let log = try LogSamples.read("\(row)\n{\"url\":\n{\"other\":1}\n\(row)\n")
        #expect(log.lines == Array(repeating: "exchange - a.test /x 0 - - up -/1/3/4/2 down -/4/5/9/6", count: 2))
        #expect(
            log.complaints == [
                "a line is not valid JSON: the line ends inside its JSON value 1 @2", "a line has no transaction 1 @3",
            ])
    }

    @Test("what is wrong with a transaction is said, and it stays")
    func problems() throws {
        let log = try LogSamples.read(
            """
            [{"transferSize":[-5,1,"x",2.5,1e30,null],"fetchStartDate":"never"},
             {"url":"nowhere","countOfRequestHeaderBytesSent":-1,"countOfRequestBodyBytesSent":{},"status":9999}]
            """)
        #expect(log.rows.count == 2)
        #expect(
            log.complaints == [
                "requestHeaderBytesSent is negative 1 @1", "requestBodyBytesSent is not a number 2 @1",
                "responseHeaderBytesReceived is not a whole number 1 @1",
                "responseBodyBytesReceived is implausibly large 1 @1", "responseBodyBytesAfterDecoding is empty 1 @1",
                "start date is not a time 1 @1", "URL is not a URL with a host 1 @2",
                "status is not a status code 1 @2",
                "rows have no URL 2 @1",
            ])
    }

    @Test("nesting without end is no trouble")
    func depth() throws {
        let deep = String(repeating: #"{"a":["#, count: 400) + #"{"url":"http://a/","transferSize":[1]}"#
        let log = try LogSamples.read(#"[{"url":"http://a/","transferSize":[1,1,1,1,1,1]},"# + deep)
        #expect(log.rows.count == 1)
        #expect(log.complaints.contains { $0.hasPrefix("the JSON ends too early") })
    }
}
