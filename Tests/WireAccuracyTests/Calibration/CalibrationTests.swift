import Testing
import WireCore
import WireEstimates

@testable import WireAccuracy
@testable import WireComparison

@Suite("Calibrations")
struct CalibrationTests {
    /// Calls of two APIs by turns, a second apart: `GET a /x` lacks 100 bytes a call, `GET a /y` 20. Every fifth call
    /// opens a connection for 500 bytes; packets cost 52.
    private func calls(_ count: Int, second: String = "GET a /y") -> [AccuracyCall] {
        (0..<count).map { index in
            let isFirst = index.isMultiple(of: 2)
            var exchange = AccuracyCall.Exchange(
                file: "a.pcap", connection: index / 5, exchange: index % 5, time: Int64(index) * 1_000_000_000,
                api: isFirst ? "GET a /x" : second)
            exchange.http = "HTTP/1.1"
            var call = AccuracyCall(source: "sdk.sqlite", exchange: exchange, direction: .up)
            let message = 400 + index
            call.message = message
            call.estimate = message - (isFirst ? 100 : 20)
            call.setup = index.isMultiple(of: 5) ? 500 : 0
            call.wire = message + 52 + (call.setup ?? 0)
            return call
        }
    }

    private func fit(_ calls: [AccuracyCall]) throws -> Calibration {
        let recorder = CalibrationRecorder(CalibrationConditions(source: "sdk.sqlite", format: .dmSQLite))
        for call in calls { recorder.take(call) }
        return try recorder.fit()
    }

    @Test("are the mean of what the first half of the calls lacks, for each API, direction and layer")
    func constants() throws {
        let calibration = try fit(calls(40))
        let x = try #require(calibration.apis.first { $0.name == "GET a /x" }?.up)
        #expect(x.constants?.message == Calibration.Constant(mean: 100, count: 10, deviation: 0))
        #expect(x.constants?.transport == Calibration.Constant(mean: 52, count: 10, deviation: 0))
        let total = try #require(calibration.up)
        #expect(total.all.constants?.message.mean == 60)
        #expect(total.all.constants?.message.count == 20)
        #expect(total.setup == Calibration.Constant(mean: 500, count: 4, deviation: 0))
        #expect(calibration.down == nil)
        #expect(calibration.conditions.split == 20_000_000_000)
        #expect(calibration.conditions.http == ["HTTP/1.1": 40])
        #expect(calibration.conditions.tls == ["none": 40])
    }

    @Test("are judged by later calls alone")
    func heldOut() throws {
        var all = calls(40)
        // The SDK changes when the fit is over: the constants do not know.
        for index in 20..<40 { all[index].estimate = all[index].estimate.map { $0 - 10 } }
        let heldOut = try #require(try fit(all).up?.all.heldOut)
        #expect(heldOut.calls == 20)
        #expect(heldOut.message.before == -20 * 70)
        #expect(heldOut.message.after == -200)
        #expect(heldOut.message.withFallback == -200)
        #expect(heldOut.wire.before == -20 * (70 + 52) - 4 * 500)
        #expect(heldOut.wire.after == -200)
    }

    @Test("give an API with few calls no constant of its own")
    func fewCalls() throws {
        var all = calls(40)
        for index in stride(from: 1, to: 12, by: 2) { all[index].exchange?.api = "GET a /rare" }
        for index in stride(from: 9, to: 40, by: 2) { all[index].exchange?.api = "GET a /y" }
        let rare = try #require(try fit(all).apis.first { $0.name == "GET a /rare" }?.up)
        #expect(rare.calls == 4)
        #expect(rare.constants == nil)
    }

    @Test("are refused for too few calls", arguments: [0, 1, 19])
    func refused(count: Int) throws {
        let refusal = #expect(throws: CalibrationRefusal.self) { try fit(calls(count)) }
        #expect(refusal?.message.isEmpty == false)
        #expect(throws: Never.self) { try fit(calls(20)) }
    }

    @Test("leave out figures of others, calls that do not count, and calls that the source lacks")
    func selection() throws {
        var all = calls(44)
        all[0].source = "other"
        all[2].isCounted = false
        all[4].unseen = .rowMissing
        all[6].isUnknown = true
        let calibration = try fit(all)
        #expect(calibration.conditions.figures == 42)
        #expect(calibration.conditions.recorded == 40)
    }

    @Test("have a fallback that a few uploads do not spoil")
    func robustFallback() throws {
        var all = calls(40)
        for index in [2, 6, 13] { all[index].estimate = all[index].estimate.map { $0 - 40_000 } }
        let fallback = try #require(try fit(all).up?.all.constants?.message)
        #expect((20...100).contains(fallback.mean), "\(fallback)")
    }

    @Test("keep failed calls apart")
    func failedCalls() throws {
        var all = calls(80)
        for index in stride(from: 0, to: 80, by: 4) {
            all[index].estimate = 0
            all[index].isFailed = true
        }
        let x = try #require(try fit(all).apis.first { $0.name == "GET a /x" }?.up)
        #expect(x.constants?.message == Calibration.Constant(mean: 100, count: 10, deviation: 0))
        #expect(x.failed?.count == 10)
        #expect((x.failed?.mean ?? 0) > 400)
    }

    @Test("are withheld where they make later calls worse, with the reason")
    func withheld() throws {
        var all = calls(40)
        // The SDK was repaired in part for one API when the fit was over.
        for index in stride(from: 20, to: 40, by: 2) { all[index].estimate = all[index].message.map { $0 - 40 } }
        let calibration = try fit(all)
        let x = try #require(calibration.apis.first { $0.name == "GET a /x" }?.up)
        #expect(x.constants == nil)
        #expect(x.reason == "worse than none on 10 later calls: the error of -400 B becomes 600 B")
        #expect(calibration.withheld.map(\.api) == ["GET a /x"])
        for index in 20..<40 { all[index].estimate = all[index].message }
        #expect(throws: CalibrationRefusal.self) { try fit(all) }
    }

    private func truth(_ message: Int, setup: Int) -> DirectionTruth {
        var costs = CostVector()
        costs[.headers] = message
        costs[.tcpip] = 52
        costs[.setupTCP] = setup
        return DirectionTruth(costs, withLink: false, withOffload: false)
    }

    @Test("are added in whole bytes that sum to the mean; an API that was never seen takes the fallback")
    func correction() throws {
        var calibration = try fit(calls(40))
        calibration.apis[0].up?.constants?.message.mean = 100.3
        var correction = CalibrationCorrection(calibration, source: 1)
        correction.addAPI("GET a /x")
        correction.addAPI("GET b /new")
        var sum = 0
        for _ in 0..<10 { sum += correction.correct(300, source: 1, api: 0, .up, truth(400, setup: 0)).message - 300 }
        #expect(sum == 1003)
        let new = correction.correct(300, source: 1, api: 1, .up, truth(400, setup: 500))
        #expect(new.message == 360)
        #expect(new.wire == 360 + 52 + 500)
        let other = correction.correct(300, source: 0, api: 0, .up, truth(400, setup: 0))
        #expect(other.message == 300 && other.wire == 300)
        #expect(correction.effect.up.calls == 11)
        #expect(correction.effect.up.byFallback == 1)
        #expect(correction.effect.up.messageBefore == -1100)
        #expect(correction.effect.up.messageAfter == -1100 + 1003 + 60)
    }
}
