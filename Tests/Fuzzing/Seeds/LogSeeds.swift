import Foundation
import WireLogs
import WireTesting

/// A small log of each format.
enum LogSeeds {
    static func all(_ captures: SeedCaptures) throws -> [[UInt8]] {
        var texts = [har, metrics, dm, dmArray, csv, lines, doKit, values, valueLines, netLog, qlog, qlogLines].map {
            Array($0.utf8)
        }
        let formats = texts.prefix(7).indices.map { UInt8($0 + 2) }
        texts += captures.logs.map { Array($0.prefix(3000)) }
        var inputs: [[UInt8]] = []
        for text in texts {
            inputs.append([0] + text)
            // As JSON, of both layouts.
            for kind in 1...2 { inputs.append([UInt8(SDKLogFormat.allCases.count + kind)] + text.prefix(300)) }
        }
        for (format, text) in zip(formats, texts) { inputs.append([format] + text) }
        for database in try databases() { inputs.append([0] + database) }
        return inputs
    }

    private static let values = #"[1,-0.5e+3,"a\u00e9\ud83d\ude00\n",true,null,{"b":[]}]"#
    private static let valueLines = "{\"a\":1}\n\n[2]\n\"c\"\n"
    private static let dmArray = "[" + dm.split(separator: "\n").joined(separator: ",") + "]"

    private static let har = """
        {"log":{"creator":{"name":"x"},"entries":[{"startedDateTime":"2026-11-21T14:03:10.671Z","time":12.5,\
        "connection":"51000","request":{"method":"GET","url":"http://a.test/1?x","headersSize":100,"bodySize":0,\
        "headers":[{"name":"Host","value":"a.test"}]},"response":{"status":200,"content":{"size":5,"text":"é\\n"},\
        "headersSize":50,"bodySize":5,"_transferSize":55},"timings":{"blocked":1,"dns":-1}}]}}
        """

    private static let netLog = """
        {"constants":{"logEventPhase":{"PHASE_BEGIN":1,"PHASE_END":2},"logEventTypes":{"URL_REQUEST_START_JOB":4,\
        "HTTP_TRANSACTION_SEND_REQUEST":5,"HTTP_TRANSACTION_SEND_REQUEST_HEADERS":6,"REQUEST_ALIVE":7,\
        "HTTP_TRANSACTION_READ_RESPONSE_HEADERS":8,"URL_REQUEST_JOB_FILTERED_BYTES_READ":9},\
        "timeTickOffset":1795269000000},"events":[
        {"params":{"method":"GET","url":"http://a.test/1"},"phase":1,"source":{"id":5,"type":1},"time":"1","type":4},
        {"phase":1,"source":{"id":5,"type":1},"time":"2","type":5},
        {"params":{"headers":["Cookie: [3 bytes were stripped]"],"line":"GET /1 HTTP/1.1\\r\\n"},"source":{"id":5},"type":6},
        {"params":{"headers":["HTTP/1.1 200 OK"]},"source":{"id":5},"time":"3","type":8},
        {"params":{"byte_count":5},"source":{"id":5},"time":"4","type":9},
        {"phase":2,"source":{"id":5},"time":"5","type":7}]}
        """

    private static let qlogEvent = """
        {"time":1795269818671.5,"name":"http3:frame_created","data":{"stream_id":0,"length":30,"frame":{\
        "frame_type":"headers","headers":[{"name":":authority","value":"a.test"},{"name":":path","value":"/1"}]}}}
        """
    private static let qlog = """
        {"qlog_version":"0.3","traces":[{"common_fields":{"reference_time":1},"events":[\(qlogEvent)],\
        "vantage_point":{"type":"client"}}]}
        """
    private static let qlogLines =
        "\u{1E}{\"qlog_version\":\"0.4\",\"trace\":{\"vantage_point\":{\"type\":\"client\"}}}\n\u{1E}\(qlogEvent)\n"

    private static let metrics = """
        {"transactions":[{"request":{"url":"https://a.test/1"},"response":{"statusCode":200},\
        "transferSize":[1,2,3,4,5,6],"timing":[816962618.5,null,null,null,null,null,null,816962618.6,null,null,\
        816962618.7]}]}
        """

    private static let dm = """
        {"path":"/p/1","host":"h","type":0,"lineLength":1,"headerLength":2,"bodyLength":3,"length":6,"occurTime":"1795269810.5"}
        {"path":"/p/1","host":"h","type":1,"lineLength":1,"headerLength":2,"bodyLength":3,"length":6,"occurTime":1795269811}
        """

    private static let csv = #"""
        path,host,type,lineLength,headerLength,bodyLength,length,occurTime
        /p/1,"h",0,1,2,3,6,1795269810.5
        "/p ""2""",h,1,1,2,3,6,1795269811
        """#

    private static let lines = """
        2026-11-21 14:03:10.5+0000 Task <A-1>.<1> GET https://a.test/1
        2026-11-21 14:03:10.6+0000 Task <A-1>.<1> summary for task success {transaction_duration_ms=9, \
        request_bytes=7, response_bytes=5, cache_hit=false}
        """

    private static let doKit = """
        [{"url":"https://a.test/1","method":"GET","uploadFlow":"100","downFlow":"200","startTime":1795269810.5,\
        "endTime":1795269811,"totalDuration":"0.5"}]
        """

    private static func databases() throws -> [[UInt8]] {
        try [
            "t(path, host, type, lineLength, headerLength, bodyLength, length, occurTime)",
            "nenetworkhttpeyes(myID, startDateString, endDateString, requestURLString, responseExpectedContentLength)",
        ].map { table in
            let folder = try TemporaryFolder()
            let path = folder.path + "/log.sqlite"
            let count = table.count { $0 == "," } + 1
            let values = Array(repeating: "'1'", count: count).joined(separator: ", ")
            let name = table.prefix { $0 != "(" }
            try SQLiteWriter(path).run(
                "PRAGMA page_size = 512; CREATE TABLE \(table); INSERT INTO \(name) VALUES (\(values));")
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }
}
