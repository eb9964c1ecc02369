import Testing
import WireCore
import WireTesting

@Suite("Audit: random conversations")
struct RandomConversationTests {
    @Test("costs each exchange what a byte-by-byte account says", arguments: 0..<12 as Range<UInt64>)
    func agreesWithModel(block: UInt64) {
        var options = AuditOptions()
        options.setup = .separate
        for seed in block * 15..<block * 15 + 15 {
            let model = RandomConversation(seed: seed)
            let capture = model.talk.audit(options)
            #expect(capture.contradictions == [], "seed \(seed)")
            #expect(capture.exchanges.count == model.costs.count, "seed \(seed)")
            for (record, costs) in zip(capture.exchanges, model.costs) {
                let found = [record.costs.up, record.costs.down].map(RandomConversation.Costs.init)
                #expect(found == costs, "seed \(seed), exchange \(record.exchange)")
                #expect(record.flags == [], "seed \(seed), exchange \(record.exchange)")
                #expect(record.status == 200, "seed \(seed), exchange \(record.exchange)")
                let path = "/\(record.exchange)"
                #expect(record.path == Array(path.utf8), "seed \(seed), exchange \(record.exchange)")
            }
            checkCounts(capture, model, seed)
        }
    }

    @Test("counts new, repeated and unseen bytes where packets were lost", arguments: 0..<8 as Range<UInt64>)
    func countsLosses(block: UInt64) {
        for seed in 1000 + block * 15..<1000 + block * 15 + 15 {
            let weather = RandomConversation.Weather(loss: 15, repetition: 30, overlap: 40)
            let model = RandomConversation(seed: seed, weather: weather)
            let capture = model.talk.audit()
            #expect(capture.contradictions == [], "seed \(seed)")
            checkCounts(capture, model, seed)
        }
    }

    private func checkCounts(_ capture: AuditedCapture, _ model: RandomConversation, _ seed: UInt64) {
        for (side, counts) in [capture.connections[0].counts.up, capture.connections[0].counts.down].enumerated() {
            #expect(counts.payloadNew == model.streams[side].new, "seed \(seed), side \(side)")
            #expect(counts.payloadRepeated == model.streams[side].repeated, "seed \(seed), side \(side)")
            #expect(counts.payloadRefused == 0, "seed \(seed), side \(side)")
            #expect(counts.unseen == model.streams[side].unseen, "seed \(seed), side \(side)")
        }
    }
}

extension RandomConversation.Costs {
    init(_ costs: CostVector) {
        startLine = costs[.startLine]
        headers = costs[.headers]
        body = costs[.body]
        tcpip = costs[.tcpip]
        retransmission = costs[.retransmission]
        ack = costs[.ack]
    }
}
