import Foundation
import WireAccuracy
import WireTesting

/// A small log of each format.
enum LogSeeds {
    static func all(_ captures: SeedCaptures) throws -> [[UInt8]] {
        var texts = [har, metrics, dm, dmArray, csv, lines, doKit, values, valueLines].map { Array($0.utf8) }
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
