import Testing
import WireAccuracy
import WireLogs

@testable import wireaudit

@Suite("Conditions of a calibration")
struct CalibrationConditionsTests {
    @Test(
        "are compared with those of the later log",
        arguments: [
            (["HTTP/1.1"], [nil], []),
            (["HTTP/2"], [nil], ["to calls with HTTP/1.1; 2 of 2 figures here are of calls with HTTP/2"]),
            (["HTTP/1.1"], ["TLS 1.3"], ["to calls without TLS; 2 of 2 figures here are of calls with TLS 1.3"]),
        ] as [([String], [String?], [String])])
    func differences(http: [String], tls: [String?], words: [String]) {
        var then = CalibrationConditions(source: "a.sqlite", format: .dmSQLite)
        (then.http, then.tls) = (["HTTP/1.1": 20], ["none": 20])
        let versions = CallVersions(source: "a.sqlite")
        for direction in [Direction.up, .down] {
            var exchange = AccuracyCall.Exchange(file: "a.pcap", connection: 0, exchange: 0, time: 0, api: "GET a /")
            (exchange.http, exchange.tls) = (http[0], tls[0])
            versions.take(AccuracyCall(source: "a.sqlite", exchange: exchange, direction: direction))
            versions.take(AccuracyCall(source: "other", exchange: exchange, direction: direction))
        }
        let differences = versions.differences(from: then)
        #expect(differences.map(\.words) == words && differences.allSatisfy(\.isOfMost))
    }
}
