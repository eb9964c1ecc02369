import Testing

@testable import WireJoin

@Suite("Rows that are open, and rows that are not")
struct UndecidedRowTests {
    @Test("several exchanges, each less likely than none, make a row ambiguous when they are likely together")
    func together() {
        let cases: [(costs: [Int64], isLikely: Bool)] = [
            ([], false), ([-50], true), ([0], true), ([693], true), ([720], false), ([1386], false),
            ([1386, 1386], true), ([2079, 2079, 2079], false), ([2079, 2079, 2079, 2079], true),
            ([720, 1386], true), ([Int64.max], false), ([20_000, 20_000, 20_000], false),
            ([Int64](repeating: 6000, count: 100), false), ([Int64](repeating: 6000, count: 220), true),
        ]
        for (costs, isLikely) in cases { #expect(RowJoin.isLikely(costs) == isLikely, "\(costs.prefix(4))…") }
    }

    /// Three equal rows of requests with four exchanges, of which the last may differ from the others.
    private func shifted(lastLikeness: Int32) -> [LogMatching.Fate] {
        var scene = SmallLog()
        scene.addUsual()
        for index in 0..<4 {
            let start = 20_500 + Double(index) * 0.4
            scene.call("/twin", start, start + 100) {
                $0.requestLikeness = index == 3 ? lastLikeness : 1
                $0.responseLikeness = $0.requestLikeness
                $0.exchangeLikeness = $0.requestLikeness
            }
        }
        let rows = (0..<3).map { scene.row(.request, "/twin", 20_499 + Double($0)) { $0.up.total = 120 } }
        let matching = scene.matching
        return rows.map { matching.fates[$0] }
    }

    @Test(
        "equal rows are matched though each could have the next one's exchange, and the last a free one that is alike")
    func alike() { #expect(shifted(lastLikeness: 1) == [.matched, .matched, .matched]) }

    @Test("a lone row among exchanges that are alike is matched, and said to be of one of them")
    func oneOfAlike() {
        var scene = SmallLog()
        for index in 0..<3 {
            let start = Double(index) * 1500
            scene.call("/twin", start, start + 60) { $0.requestLikeness = 1 }
        }
        scene.call("/other", 9000, 9060)
        let rows = [scene.row(.request, "/twin", 1900), scene.row(.request, "/other", 9004)]
        let matching = scene.matching
        #expect(rows.map { matching.fates[$0] } == [.matched, .matched])
        #expect(rows.map { matching.hasAlike[$0] } == [true, false])
    }

    @Test("where the free exchange is another, they are not all certain")
    func different() { #expect(shifted(lastLikeness: 2).contains(.ambiguous)) }

    /// Rows without any time, in no order: of calls that were answered, of calls that were cut, and two of one API of which
    /// one was cut. Returns whether both of these have their exchange.
    private func outcomes(taught count: Int) -> [LogMatching.Fate] {
        var scene = SmallLog()
        func row(_ path: String, fails: Bool) -> Int {
            scene.row(.exchange, path, 0, status: fails ? 0 : 200) {
                $0.time = .min
                $0.down.total = fails ? 0 : 11
            }
        }
        for index in 0..<count {
            let (isCut, start) = (index % 5 == 4, Double(10_000 - index * 7 % 500 * 10))
            scene.call("/known/\(index)", start, start + 50) { $0.isFailed = isCut }
            _ = row("/known/\(index)", fails: isCut)
        }
        let answered = scene.call("/both", 5000, 5050)
        let cut = scene.call("/both", 5100, 5150) { $0.isFailed = true }
        let rows = [row("/both", fails: true), row("/both", fails: false)]
        let matching = scene.matching
        #expect(zip(rows, [cut, answered]).allSatisfy { matching.exchanges[$0] == $1 })
        return rows.map { matching.fates[$0] }
    }

    @Test("without times, rows of failures have the exchanges that were cut, once the log has shown that it is so")
    func untimedFailures() {
        #expect(outcomes(taught: 5) == [.ambiguous, .ambiguous])
        #expect(outcomes(taught: 50) == [.matched, .matched])
        #expect(outcomes(taught: 250) == [.matched, .matched])
    }

    /// Rows without any time, in no order, of which one API has answers and zeros, and exchanges that are all alike. Returns the
    /// fates of the answers.
    private func answers(_ answered: Int, zeros: Int, exchanges: Int) -> [LogMatching.Fate] {
        var scene = SmallLog()
        func row(_ path: String, fails: Bool) -> Int {
            scene.row(.exchange, path, 0, status: fails ? 0 : 200) {
                $0.time = .min
                $0.down.total = fails ? 0 : 11
            }
        }
        for index in 0..<400 {
            let start = Double(10_000 - index * 7 % 500 * 10)
            scene.call("/known/\(index)", start, start + 50)
            _ = row("/known/\(index)", fails: false)
        }
        for index in 0..<exchanges {
            let start = 5000 + Double(index) * 60
            scene.call("/alike", start, start + 50) {
                ($0.requestLikeness, $0.responseLikeness, $0.exchangeLikeness) = (1, 1, 1)
            }
        }
        let rows = (0..<answered).map { _ in row("/alike", fails: false) }
        for _ in 0..<zeros { _ = row("/alike", fails: true) }
        let matching = scene.matching
        return rows.map { matching.fates[$0] }
    }

    @Test("without times, rows of zeros may be of calls never sent or of any free exchange, and answers of any other")
    func zerosAmongAnswers() {
        #expect(answers(10, zeros: 0, exchanges: 14).allSatisfy { $0 == .matched })
        #expect(answers(10, zeros: 6, exchanges: 14).allSatisfy { $0 == .ambiguous })
    }

    /// What it costs that a row of zeros is of a whole response, after rows without times were joined: of one API, with as many
    /// answers as exchanges, and rows of zeros.
    private func costOfZeros(_ zeros: Int) -> Int64? {
        var scene = SmallLog()
        let (answers, middle) = (60, SmallLog.time(3000))
        for index in 0..<answers {
            scene.call("/alike", Double(index) * 100, Double(index) * 100 + 50) { $0.exchangeLikeness = 1 }
        }
        for index in 0..<(answers + zeros) {
            scene.row(.exchange, "/alike", 0, status: index < answers ? 200 : 0) {
                $0.time = .min
                $0.down.total = index < answers ? 11 : 0
            }
        }
        let noise = TimeNoise(lag: 0, slack: 6_000_000_000, limit: 6_000_000_000)
        let clock = ClockModel(
            fit: ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0),
            noise: TimeChannel.allCases.map { _ in noise })
        let rows = scene.log.rows
        var placed = rows
        for index in placed.indices { placed[index].time = middle }
        var join = RowJoin(
            .exchange, placed, scene.calls, clock, RowClass.classes(of: rows), RowClasses(rows),
            JoinModel(.exchange, clock, resolution: 1, span: 6_000_000_000, timing: .none), lacksRequest: []
        ) { _ in true }
        let found = join.solve(rounds: 2)
        #expect(found.count { $0.call >= 0 } == answers)
        return join.cost(Int32(answers), of: scene.calls[0])
    }

    @Test("without times, rows of zeros beside as many answers as responses are of calls never sent")
    func zerosBesideAnswers() {
        let (many, few) = (costOfZeros(30), costOfZeros(10))
        #expect(many != nil)
        #expect(many == few)
    }

    @Test("rows of failures that have no exchange say nothing of other rows")
    func orphans() {
        var rates = OrphanRates()
        let before = rates.share(tellsFailure: false)
        for index in 0..<50 { rates.add(hasExchange: index % 2 == 0, tellsFailure: true) }
        #expect(rates.share(tellsFailure: false) == before)
        #expect(rates.share(tellsFailure: true) == 26.0 / 100)
        #expect(rates.share == 26.0 / 100)
        for _ in 0..<5000 { rates.add(hasExchange: false, tellsFailure: false) }
        #expect(rates.share(tellsFailure: false) == 0.9)
    }
}
