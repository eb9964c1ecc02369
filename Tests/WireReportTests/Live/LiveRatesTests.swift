import Testing
import WireCore
import WireRecords
import WireReport
import WireTesting

@Suite("Rates of a live audit")
struct LiveRatesTests {
    private let second: Int64 = 1_000_000_000

    private func snapshot(bytes: Int, packets: Int = 0, apis: [String: Int] = [:]) -> AuditSnapshot {
        var snapshot = AuditSnapshot()
        snapshot.bytes = bytes
        snapshot.packets = packets
        snapshot.apis = apis.map { name, wire in
            var row = APISummary(api: name)
            row.costs.down[.body] = wire
            return row
        }
        return snapshot
    }

    @Test("nothing has no rate, and one sample neither")
    func start() {
        var rates = LiveRates()
        #expect((rates.packetsPerSecond, rates.bytesPerSecond) == (0, 0))
        rates.note(snapshot(bytes: 1_000_000, packets: 1000, apis: ["a": 5]), at: 5 * second)
        #expect((rates.packetsPerSecond, rates.bytesPerSecond) == (0, 0))
        #expect(rates.wirePerSecond(api: "a") == 0)
        #expect(rates.history.isEmpty)
    }

    @Test("a steady flow has a steady rate from half a second on")
    func steady() {
        var rates = LiveRates()
        for step in 0...100 {
            let sample = snapshot(bytes: step * 1000, packets: step * 2, apis: ["a": step * 300, "b": 77])
            rates.note(sample, at: Int64(step) * second / 10)
            if step >= 5 {
                #expect(rates.bytesPerSecond == 10_000)
                #expect(rates.packetsPerSecond == 20)
                #expect(rates.wirePerSecond(api: "a") == 3000)
                #expect(rates.wirePerSecond(api: "b") == 0)
                #expect(rates.wirePerSecond(api: "c") == 0)
            }
        }
        #expect(rates.history == [9000] + Array(repeating: 10_000, count: 9))
    }

    @Test("two seconds after the last packet every rate is 0")
    func idle() {
        var rates = LiveRates()
        rates.note(snapshot(bytes: 0), at: 0)
        rates.note(snapshot(bytes: 5000, packets: 10, apis: ["a": 4000]), at: second)
        #expect(rates.bytesPerSecond == 5000)
        #expect(rates.wirePerSecond(api: "a") == 4000)
        for step in 11...30 {
            rates.note(snapshot(bytes: 5000, packets: 10, apis: ["a": 4000]), at: Int64(step) * second / 10)
        }
        #expect((rates.packetsPerSecond, rates.bytesPerSecond, rates.wirePerSecond(api: "a")) == (0, 0, 0))
        #expect(rates.history == [0, 5000, 0])
    }

    @Test("what an API gives back to another is no negative rate")
    func shrinking() {
        var rates = LiveRates()
        rates.note(snapshot(bytes: 0, apis: ["a": 1000]), at: 0)
        rates.note(snapshot(bytes: 0, apis: ["a": 400, "b": 600]), at: second)
        #expect(rates.wirePerSecond(api: "a") == 0)
        #expect(rates.wirePerSecond(api: "b") == 600)
        rates.note(snapshot(bytes: 0, apis: ["a": 1100, "b": 600]), at: second * 2)
        #expect(rates.wirePerSecond(api: "a") == 50)
    }

    @Test("the layer of the report is that of the rates")
    func layer() {
        var options = ReportOptions()
        options.layer = .link
        var rates = LiveRates(options: options)
        var sample = snapshot(bytes: 0, apis: ["a": 1000])
        rates.note(AuditSnapshot(), at: 0)
        sample.apis[0].costs.up.link = 140
        rates.note(sample, at: second)
        #expect(rates.wirePerSecond(api: "a") == 1140)
    }

    @Test("what came during a pause is shared out over its seconds")
    func pause() {
        var rates = LiveRates()
        rates.note(snapshot(bytes: 0), at: 0)
        rates.note(snapshot(bytes: 1000), at: second / 2)
        rates.note(snapshot(bytes: 1703), at: second * 7)
        rates.note(snapshot(bytes: 1703), at: second * 8)
        #expect(rates.history == [1000, 100, 100, 100, 100, 100, 100, 103])
        rates.note(snapshot(bytes: 1_000_000), at: second * 1_000_000)
        #expect(rates.history.count == 256)
    }

    @Test("a clock that goes back and samples one upon the other change nothing")
    func odd() {
        var rates = LiveRates()
        rates.note(snapshot(bytes: 0), at: second)
        rates.note(snapshot(bytes: 1000), at: second * 2)
        rates.note(snapshot(bytes: 9000), at: second)
        rates.note(snapshot(bytes: 9000), at: second * 2 + 1)
        #expect(rates.bytesPerSecond == 1000)
    }

    @Test("sliding sums are what the samples of the window say", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var rates = LiveRates()
        var time: Int64 = 0
        var wire = ["a": 0, "b": 0, "c": 0]
        var accepted: [(time: Int64, bytes: Int, wire: [String: Int])] = []
        var bytes = 0
        for _ in 0..<400 {
            time += Int64(random.below(random.oneIn(20) ? 3_000_000_000 : 300_000_000))
            bytes += random.below(10_000)
            for name in wire.keys.sorted() where random.oneIn(3) { wire[name, default: 0] += random.below(5000) - 500 }
            rates.note(snapshot(bytes: bytes, apis: wire), at: time)
            if accepted.isEmpty || time - (accepted.last?.time ?? 0) >= 40_000_000 {
                accepted.append((time, bytes, wire))
            }
            guard let last = accepted.last else { continue }
            let first = accepted.last { $0.time <= last.time - 2 * second } ?? accepted[0]
            let length = max(last.time - first.time, second / 2)
            func rate(_ growth: Int) -> Int { (max(growth, 0) * Int(second) + Int(length) / 2) / Int(length) }
            #expect(rates.bytesPerSecond == rate(last.bytes - first.bytes), "seed \(seed)")
            for name in wire.keys {
                let growth = (last.wire[name] ?? 0) - (first.wire[name] ?? 0)
                #expect(rates.wirePerSecond(api: name) == rate(growth), "seed \(seed) \(name)")
            }
        }
    }

    @Test("names that come and go are forgotten")
    func forgetting() {
        var rates = LiveRates()
        for step in 0..<5000 {
            rates.note(snapshot(bytes: step, apis: ["api \(step)": 100]), at: Int64(step) * second)
        }
        #expect(rates.wirePerSecond(api: "api 4999") == 50)
        #expect(rates.wirePerSecond(api: "api 10") == 0)
        #expect(rates.history.count == 256)
    }
}
