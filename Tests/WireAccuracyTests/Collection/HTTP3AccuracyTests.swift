import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireTesting

/// Records of HTTP/3, made of those of HTTP/1 exchanges: other costs around the same messages.
private struct HTTP3Records {
    var records: [ExchangeRecord] = []

    /// Compressed fields, headers of HEADERS and of DATA frames, other frames on the stream.
    static let costs = (fields: 40, headers: 2, data: 5, other: 11)

    init() {
        var options = AuditOptions()
        options.keepsHeads = true
        records = audit(SampleCalls(seed: 3).frames, options).exchanges.sorted { $0.time < $1.time }
        for index in records.indices {
            records[index].stream = 4 * index
            records[index].transport = .quic
            records[index].tlsVersion = "TLS 1.3"
            HTTP3Records.convert(&records[index].costs.up)
            HTTP3Records.convert(&records[index].costs.down)
            HTTP3Records.convert(&records[index].request)
            HTTP3Records.convert(&records[index].response)
        }
    }

    private static func convert(_ facts: inout MessageFacts?) {
        facts?.frames = FrameHeaderBytes(headerFrames: costs.headers, dataFrames: costs.data)
        facts?.version = "HTTP/3"
        facts?.interim = 0
    }

    private static func convert(_ vector: inout CostVector) {
        vector[.startLine] = 0
        vector[.headers] = costs.fields
        vector[.framing] = costs.headers + costs.data + costs.other
        vector[.quic] = 30
    }

    func collect(_ estimators: String) throws -> AccuracyResult {
        let collector = AccuracyCollector(try EstimatorCatalog.choose(estimators))
        for record in records { collector.receive(record) }
        return collector.finish()
    }
}

@Suite("Accuracy of exchanges over HTTP/3")
struct HTTP3AccuracyTests {
    @Test("streams that the client opens are calls; what the server pushes is none")
    func streams() throws {
        var records = HTTP3Records()
        #expect(try records.collect("mtnm").counted == records.records.count)
        records.records[2].stream = 3
        records.records[5].stream = 15
        let result = try records.collect("mtnm")
        #expect(result.counted == records.records.count - 2)
        #expect(result.leftOut.map(\.reason) == ["pushed"])
    }

    @Test("frames are frames: metrics count those of fields and data, and none of it is chunk framing")
    func frames() throws {
        let records = HTTP3Records()
        let result = try records.collect("wormholy,har,drd")
        let costs = HTTP3Records.costs
        for direction in [Direction.up, .down] {
            let bodies = records.records.reduce(0) {
                $0 + (direction == .up ? $1.requestCosts : $1.responseCosts)[.body]
            }
            let rows = result.totals.filter { $0.direction == direction }
            let metrics = try #require(rows.first { $0.source == 0 })
            let calls = records.records.count
            #expect(metrics.message.estimateTotal == bodies + calls * (costs.fields + costs.headers + costs.data))
            #expect(metrics.messageCauses.sum == -calls * costs.other)
            #expect(metrics.messageCauses[.headerCompression] == -calls * costs.other)
            for source in [1, 2] {
                let row = try #require(rows.first { $0.source == source })
                // The text of a head is never taken for its compressed fields.
                #expect(row.messageCauses[.headerCompression] != 0)
                #expect(row.messageCauses[.chunkFraming] == 0)
                #expect(row.messageCauses.sum == row.message.errorTotal)
            }
        }
    }
}
