import Testing

@testable import WireJoin

@Suite("Rows of calls that the app gave up")
struct GivenUpCallTests {
    /// A clock like the capture's; rows are within some milliseconds of their events.
    private static var clock: ClockModel {
        let fit = ClockFit(offset: 0, drift: 0, origin: 0, pairs: 400, spread: 0)
        let noise = TimeNoise(lag: 0, slack: 1_000_000, limit: 10_000_000)
        return ClockModel(fit: fit, noise: TimeChannel.allCases.map { _ in noise })
    }

    @Test("have the call that was closed when they were written", arguments: [false, true])
    func closing(whole: Bool) {
        var scene = SmallLog()
        scene.addUsual(whole: whole)
        // The call that began first is given up last. Nothing came of either.
        let closings = [(start: 20_500.0, closed: 21_900.0), (20_520, 21_500)]
        for (start, closed) in closings {
            scene.call("/slow", start, closed) { ($0.isFailed, $0.isGivenUp, $0.isUnheard) = (true, true, true) }
        }
        let rows = [21_502.0, 21_902.0].map { time in
            scene.row(whole ? .exchange : .response, "/slow", whole ? 20_499 : time) {
                $0.end = whole ? SmallLog.time(time) : .min
                ($0.down.total, $0.down.startLine, $0.down.headers) = (0, 0, 0)
            }
        }
        let matching = scene.matching
        #expect(rows.map { matching.fates[$0] } == [.matched, .matched])
        #expect(rows.map { matching.exchanges[$0] } == [41, 40])
    }

    @Test("a row with a status is not of a call that was closed before any answer")
    func unheard() {
        var scene = SmallLog()
        scene.addUsual(whole: true)
        let answered = scene.call("/both", 20_500, 20_540)
        scene.call("/both", 20_500, 20_545) { ($0.isFailed, $0.isGivenUp, $0.isUnheard) = (true, true, true) }
        let row = scene.row(.exchange, "/both", 20_499, status: 200) {
            $0.end = SmallLog.time(20_542)
            $0.down.total = 11
        }
        let matching = scene.matching
        #expect(matching.fates[row] == .matched)
        #expect(matching.exchanges[row] == answered)
    }

    @Test("a row that has only an end is of the call that failed before it, which has no end on the wire")
    func onlyEnd() {
        var scene = SmallLog()
        scene.addUsual(whole: true)
        let failed = scene.call("/lost", 20_500, nil, status: 0)
        let row = scene.row(.exchange, "/lost", 0) {
            ($0.time, $0.end) = (.min, SmallLog.time(20_900))
            ($0.down.total, $0.down.startLine, $0.down.headers) = (0, 0, 0)
        }
        let silent = scene.call("/silent", 25_500, nil, status: 0)
        let other = scene.row(.exchange, "/silent", 0) { ($0.time, $0.end) = (.min, SmallLog.time(25_900)) }
        let matching = scene.matching
        #expect([row, other].map { matching.fates[$0] } == [.matched, .matched])
        #expect([row, other].map { matching.exchanges[$0] } == [failed, silent])
    }

    @Test("before anything is learned, an answer that came behind the closing hardly has a row that tells of it")
    func rates() {
        let rates = FailureRates()
        #expect(rates.cost(.unheard, tellsFailure: true) < 10)
        #expect(rates.cost(.unheard, tellsFailure: false) > 7000)
    }

    @Test("rows of zeros at whole answers become likelier by those that are not certain", arguments: [1, 4, 9])
    func uncertainFailures(count: Int) {
        var scene = SmallLog()
        scene.call("/prices", 1000, 1008)
        scene.row(.response, "/prices", 1016) { ($0.down.total, $0.down.startLine, $0.down.headers) = (0, 0, 0) }
        let (row, call, clock) = (scene.log.rows[0], scene.calls[0], Self.clock)
        let moments = CallMoments(call, clock)
        func cost(failures: Int) -> Int32? {
            var model = JoinModel(.response, clock, resolution: 1_000_000, span: 60_000_000_000)
            var samples: [JoinModel.Sample] = []
            for number in 0..<(400 + failures) {
                let isZero = number >= 400
                samples.append(
                    JoinModel.Sample(
                        row: row, moments: moments, isFirst: false, isFailed: false, isGivenUp: false, outcome: .whole,
                        tellsFailure: isZero, isCertain: !isZero))
            }
            model.fit(samples, orphans: OrphanRates(), calls: 400)
            return model.cost(row, isFailure: true, call, moments)
        }
        // Of 410 pairs, and a fifth of one that is supposed.
        let expected = 1000 * ((Double(count) + 0.2) / 0.2 * 410 / Double(410 + count)).naturalLogarithm
        guard let none = cost(failures: 0), let some = cost(failures: count) else {
            Issue.record("a row of zeros may be of a whole answer")
            return
        }
        #expect(abs(Double(none - some) - expected) < 20)
    }

    @Test("pairs that are only supposed confirm no rate of failures", arguments: [false, true])
    func supposed(areCertain: Bool) {
        var scene = SmallLog()
        let call = scene.call("/prices", 1000, 1008) { $0.isFailed = true }
        scene.row(.response, "/prices", 1016) { ($0.down.total, $0.down.startLine, $0.down.headers) = (0, 0, 0) }
        let (row, clock) = (scene.log.rows[0], Self.clock)
        let moments = CallMoments(scene.calls[Int(call)], clock)
        func cost(samples: Int) -> Int32? {
            var model = JoinModel(.response, clock, resolution: 1_000_000, span: 60_000_000_000)
            model.fit(
                (0..<400 + samples).map { number in
                    JoinModel.Sample(
                        row: row, moments: moments, isFirst: false, isFailed: true, isGivenUp: false, outcome: .cut,
                        tellsFailure: false, isCertain: number < 400 || areCertain)
                }, orphans: OrphanRates(), calls: 400)
            return model.cost(row, isFailure: true, scene.calls[Int(call)], moments)
        }
        // Answers that were cut, each with its row: the more there are, the less likely a row of zeros is.
        #expect((cost(samples: 4000) == cost(samples: 0)) == !areCertain)
    }

    @Test(
        "before and behind a call with a whole answer a row of zeros is as unlikely as any other",
        arguments: [(RowTiming.own, 100.0), (.own, 5000), (.order, 5000)])
    func zerosElsewhere(timing: RowTiming, time: Double) {
        let model = JoinModel(.response, Self.clock, resolution: 1_000_000, span: 60_000_000_000, timing: timing)
        var scene = SmallLog()
        let whole = scene.call("/a", 1000, 1020)
        let cut = scene.call("/a", 1000, 1020) { $0.isFailed = true }
        func cost(at time: Double, isZero: Bool, of call: Int32) -> Int32 {
            let place = scene.row(.response, "/a", time) {
                if isZero { ($0.down.total, $0.down.startLine, $0.down.headers) = (0, 0, 0) }
            }
            let call = scene.calls[Int(call)]
            return model.cost(scene.log.rows[place], isFailure: isZero, call, CallMoments(call, Self.clock)) ?? .max
        }
        let zeros = cost(at: time, isZero: true, of: whole) - cost(at: 1022, isZero: true, of: whole)
        let others = cost(at: time, isZero: false, of: whole) - cost(at: 1022, isZero: false, of: whole)
        #expect(zeros == others)
        guard time > 1000 else { return }
        // A call that was cut may have timed out long after it began.
        #expect(cost(at: time, isZero: true, of: cut) < cost(at: time, isZero: true, of: whole) - 3000)
    }

    @Test("a row that was written before a call began is not of that call")
    func early() {
        let clock = Self.clock
        let model = JoinModel(.response, clock, resolution: 1_000_000, span: 60_000_000_000)
        var scene = SmallLog()
        // Its answer comes 300 ms behind the row in both cases.
        scene.call("/a", 1200, 1300)
        scene.call("/a", 800, 1300)
        scene.row(.response, "/a", 1000) { ($0.down.total, $0.down.startLine, $0.down.headers) = (0, 0, 0) }
        let costs = scene.calls.map {
            model.cost(scene.log.rows[0], isFailure: true, $0, CallMoments($0, clock)) ?? .max
        }
        #expect(costs[0] >= costs[1] + 6000)
    }

    @Test("calls that the app gave up while their answers waited have the rows of zeros of that moment")
    func screenThatWasLeft() {
        var scene = SmallLog()
        scene.addUsual()
        // Rows of responses are sometimes late by half a second.
        for index in 0..<6 {
            let start = 40_300 + Double(index) * 700
            scene.call("/late/\(index)", start, start + 40)
            scene.row(.request, "/late/\(index)", start - 1)
            scene.row(.response, "/late/\(index)", start + 100 + Double(index) * 80, status: 200) { $0.down.total = 75 }
        }
        var rows: [Int] = []
        for (start, row, isGivenUp) in [(20_500.0, 20_560.0, true), (20_505, 20_561, true), (20_900, 20_935, false)] {
            scene.call("/list", start, start + 20)
            scene.row(.request, "/list", start - 1)
            rows.append(
                scene.row(.response, "/list", row, status: isGivenUp ? 0 : 200) {
                    ($0.down.total, $0.down.startLine, $0.down.headers) = isGivenUp ? (0, 0, 0) : (75, 23, 52)
                })
        }
        let matching = scene.matching
        #expect(rows.map { matching.fates[$0] } == [.matched, .matched, .matched])
        #expect(matching.exchanges[rows[2]] == 48)
        #expect(Set(rows.prefix(2).map { matching.exchanges[$0] }) == [46, 47])
    }
}
