import Testing
import WireCore
import WireEstimates
import WireTesting

@testable import WireAccuracy
@testable import WireLogs

@Suite("Lengths that the platform did not know")
struct UnknownLengthTests {
    @Test("a length of -1 is no figure: it is unknown, and in no error")
    func unknown() throws {
        var talk = Dialogue(clientPort: 40_123)
        talk.time = 1_795_269_800_000_000_000
        talk.handshake()
        for index in 0..<4 {
            talk.time = 1_795_269_800_000_000_000 + Int64(index + 1) * 1_000_000_000
            talk.data(.client, "GET /v1/\(index) HTTP/1.1\r\nHost: api.test\r\n\r\n")
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
        }
        talk.close()
        var log = SDKLog(path: "log", format: .godeye, pathForm: .encoded)
        log.timeResolution = 1_000_000
        for (index, length) in [4, -1, 4, -1].enumerated() {
            var row = LogRow(kind: .exchange, number: index + 1)
            row.host = log.texts.number(Array("api.test".utf8))
            row.path = log.texts.number(Array("/v1/\(index)".utf8))
            row.status = 200
            row.time = 1_795_269_800_000_000_000 + Int64(index + 1) * 1_000_000_000
            row.down.total = length
            log.rows.append(row)
        }
        var shown: [AccuracyCall] = []
        let collector = AccuracyCollector([], logs: [log], onCall: { shown.append($0) })
        var options = AuditOptions()
        options.keepsHeads = true
        _ = audit(talk.frames, options, sink: collector, examiner: collector.examiner)
        let result = collector.finish()
        #expect(result.logs.map(\.matched) == [4])
        #expect(result.sources[0].unknown == 2)
        let total = try #require(result.totals.first { $0.direction == .down })
        #expect(total.message.count == 2 && total.message.estimateTotal == 8)
        #expect(shown.map(\.isUnknown) == [false, true, false, true])
        #expect(shown.map(\.estimate) == [4, nil, 4, nil])
    }

    @Test("a simulated SDK that logs -1 has no figure for that response, and no error")
    func simulated() throws {
        var talk = Dialogue()
        talk.handshake()
        for framing in ["Content-Length: 4\r\n\r\nbody", "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"] {
            talk.data(.client, "GET /v1/items HTTP/1.1\r\nHost: api.test\r\n\r\n")
            talk.data(.server, "HTTP/1.1 200 OK\r\n" + framing)
        }
        talk.close()
        var shown: [AccuracyCall] = []
        let collector = AccuracyCollector(try EstimatorCatalog.choose("networkeye"), onCall: { shown.append($0) })
        var options = AuditOptions()
        options.keepsHeads = true
        _ = audit(talk.frames, options, sink: collector, examiner: collector.examiner)
        let result = collector.finish()
        #expect(result.sources[0].unstated == 1 && result.sources[0].unknown == 0)
        let total = try #require(result.totals.first { $0.direction == .down })
        #expect(total.message.count == 1 && total.message.estimateTotal == 4)
        let responses = shown.filter { $0.direction == .down }
        #expect(responses.map(\.estimate) == [4, nil])
        #expect(responses.map(\.isUnknown) == [false, true])
    }
}
