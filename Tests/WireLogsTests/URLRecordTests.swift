import Testing

@testable import WireLogs

@Suite("Records of NetworkEye, GodEye and DoKit")
struct URLRecordTests {
    private static let networkEye = """
        CREATE TABLE nenetworkhttpeyes(myID double primary key, startDateString text, endDateString text,
            requestURLString text, requestCachePolicy text, requestTimeoutInterval double, requestHTTPMethod text,
            requestAllHTTPHeaderFields text, requestHTTPBody text, responseMIMEType text,
            responseExpectedContentLength text, responseTextEncodingName text, responseSuggestedFilename text,
            responseStatusCode int, responseAllHeaderFields text, receiveJSONData text);
        """

    private static func networkEye(_ length: String, identifier: String = "1795269818.6789") throws -> SDKLog {
        try LogSamples.readDatabase(
            networkEye + """
                INSERT INTO nenetworkhttpeyes VALUES (\(identifier), '2026-11-21 22:03:38 GMT+8',
                '2026-11-21 14:03:40 UTC', 'http://Api.test/a%20b?x=1', '0', 60, 'POST', 'Host:x', '', 'text/html',
                \(length), '', '', 200, '', '');
                """)
    }

    static let lengths: [(String, String, [String])] = [
        ("'2000'", "-/-/-/2000/-", []), ("'-1'", "-/-/-/-1/-", []), ("'(null)'", "-/-/-/-/-", ["is empty"]),
        ("'-2'", "-/-/-/-/-", ["is negative"]), ("'x'", "-/-/-/-/-", ["is not a number"]), ("-1", "-/-/-/-1/-", []),
    ]

    @Test("NetworkEye states the expected length of the response as it stores it", arguments: lengths)
    func expectedLength(text: String, bytes: String, problems: [String]) throws {
        let log = try Self.networkEye(text)
        #expect(log.format == .networkeye)
        #expect(
            log.lines == [
                "exchange POST api.test /a%20b?x=1 200 1795269818678900000 1795269820000000000 "
                    + "up -/-/-/-/- down \(bytes)"
            ])
        #expect(log.complaints == problems.map { "responseExpectedContentLength \($0) 1 @1" })
        // The identifier has a random part of up to 9.9 ms.
        #expect(log.timeResolution == 10_000_000)
        #expect(log.pathForm == .encodedWithQuery)
    }

    @Test("without identifier NetworkEye's text of the start counts")
    func startText() throws {
        let log = try Self.networkEye("'5'", identifier: "NULL")
        #expect(log.rows.map(\.time) == [1_795_269_818_000_000_000])
        #expect(log.timeResolution == 1_000_000_000)
    }

    @Test("GodEye's rows have an order and no times")
    func godEye() throws {
        let log = try LogSamples.readDatabase(
            """
            CREATE TABLE t_natwork(id INTEGER PRIMARY KEY AUTOINCREMENT, requestURLString, requestCachePolicy,
                requestTimeoutInterval, requestHTTPMethod, requestAllHTTPHeaderFields, requestHTTPBody,
                responseMIMEType, responseExpectedContentLength INTEGER, responseTextEncodingName,
                responseSuggestedFilename, responseStatusCode INTEGER, responseAllHeaderFields, receiveJSONData);
            INSERT INTO t_natwork(requestURLString, requestHTTPMethod, responseExpectedContentLength,
                responseStatusCode) VALUES ('https://a.test', 'get', -1, 200), ('https://a.test/x', 'GET', 66, 204),
                ('nowhere', 'GET', 1, 200), (NULL, 'GET', 1, 200);
            """)
        #expect(log.format == .godeye)
        #expect(
            log.lines == [
                "exchange GET a.test / 200 - - up -/-/-/-/- down -/-/-/-1/-",
                "exchange GET a.test /x 204 - - up -/-/-/-/- down -/-/-/66/-",
            ])
        #expect(log.timeResolution == 0)
        #expect(log.rejectedRows == 2)
        #expect(
            log.complaints == [
                "requestURLString is not a URL with a host 1 @3", "rows without host cannot be used 1 @3",
                "requestURLString is empty or missing 1 @4",
            ])
    }

    private static let doKit = [
        "exchange GET a.test /x?y 200 1795269818500000000 1795269819000000000 up -/-/-/109/- down -/-/-/2230/-"
    ]
    private static let doKitObject = """
        {"requestId":"1","url":"http://a.test/x?y","method":"GET","requestBody":null,"statusCode":"200",
        "responseBody":"{}","startTime":1795269818.5,"endTime":1795269819.0,"totalDuration":"0.5","uploadFlow":"109",
        "downFlow":"2230","topVc":"V"}
        """

    @Test("DoKit's flows are read from a table, from an array and from lines")
    func doKitContainers() throws {
        let table = try LogSamples.readDatabase(
            """
            CREATE TABLE flows(requestId text, url text, method text, statusCode text, startTime double, endTime double,
                uploadFlow text, downFlow text);
            INSERT INTO flows VALUES ('1', 'http://a.test/x?y', 'GET', '200', 1795269818.5, 1795269819, '109', '2230');
            """)
        let line = Self.doKitObject.split(separator: "\n").joined()
        let logs = try [
            table, LogSamples.read("[\(Self.doKitObject),\(line)]"), LogSamples.read(Self.doKitObject),
            LogSamples.read(line + "\n" + line), LogSamples.read("{\"data\":[\(line)]}"),
        ]
        for log in logs {
            #expect(log.format == .dokit)
            #expect(Set(log.lines) == Set(Self.doKit))
            #expect(log.complaints == [])
        }
        #expect(logs.map(\.rows.count) == [1, 2, 1, 2, 1])
    }
}
