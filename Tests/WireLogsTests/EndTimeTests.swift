import Testing

@testable import WireLogs

@Suite("Rows with only an end")
struct EndTimeTests {
    static let logs: [(String, resolution: Int64)] = [
        (
            #"[{"url":"http://a.test/x","statusCode":"200","endTime":1795269819.25,"uploadFlow":"1","downFlow":"2"}]"#,
            10_000_000
        ),
        (
            #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"kind":3,"endTimeUnixNano":"1795269819250000100","#
                + #""attributes":[{"key":"url.full","value":{"stringValue":"http://a.test/x"}}]}]}]}]}"#, 100
        ),
        (
            #"{"transactionMetrics":[{"request":{"URL":"http://a.test/x"},"responseEndDate":816962619.5,"#
                + #""countOfRequestHeaderBytesSent":1,"countOfResponseHeaderBytesReceived":2}]}"#, 100_000_000
        ),
    ]

    @Test("the resolution of a log whose rows have only ends is that of the ends", arguments: logs)
    func resolution(text: String, resolution: Int64) throws {
        let log = try LogSamples.read(text)
        #expect(log.rows.map(\.time) == [.min])
        #expect(log.rows.map { $0.end == .min } == [false])
        #expect(log.timeResolution == resolution)
    }

    @Test("the ends of a log are in seconds since 1970 or since 2001, not in both")
    func seconds() throws {
        let rows = ["999999998.5", "999999999.5", "1000000000.5"].map {
            #"{"url":"http://a.test/x","endTime":\#($0),"uploadFlow":"1","downFlow":"2"}"#
        }
        let log = try LogSamples.read("[" + rows.joined(separator: ",") + "]")
        #expect(log.rows.map { $0.end - log.rows[0].end } == [0, 1_000_000_000, 2_000_000_000])
        #expect(log.rows.map(\.time) == [.min, .min, .min])
        #expect(!log.complaints.contains { $0.contains("different unit") })
    }
}
