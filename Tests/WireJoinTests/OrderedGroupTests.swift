import Testing
import WireTesting

@testable import WireJoin
@testable import WireLogs

@Suite("Open rows in the order of the log, all of a group at once")
struct OrderedGroupTests {
    private static func milliseconds(_ time: Int) -> Int64 { Int64(time) * 1_000_000 }

    /// Of a log of so many rows whose exchanges end 5 ms apart; each row that is late stands behind the next two.
    private static func rates(rows: Int = 400, lateIn: Int = .max) -> LatenessRates {
        let points = (0..<rows).map { row in
            RowOrder.Point(row: Int32(row), time: milliseconds(5 * (row % lateIn == 2 ? row - 2 : row)))
        }
        return LatenessRates(points)
    }

    private static func option(_ exchange: Int, _ earliest: Int, _ latest: Int, cost: Int32 = 0) -> OrderedGroup.Option
    {
        OrderedGroup.Option(
            exchange: exchange, cost: cost, earliest: milliseconds(earliest), latest: milliseconds(latest))
    }

    private static func solve(_ group: OrderedGroup, _ rates: LatenessRates) -> OrderedGroup.Outcome? {
        var budget = 1_000_000
        return group.solve(rates, budget: &budget)
    }

    /// A row that tells of an answer, then a row of zeros; of two exchanges the second ended so much later.
    private static func answerAndZeros(apart: Int, zerosFirst: Bool = false) -> OrderedGroup {
        let answer = OrderedGroup.Row(
            rowClass: 0, leaveCost: 20_000, options: [option(0, 100, 100), option(1, 100 + apart, 100 + apart)])
        let zeros = OrderedGroup.Row(
            rowClass: 1, leaveCost: 20_000, options: [option(0, 10, 100), option(1, 20, 100 + apart)])
        return OrderedGroup(rows: zerosFirst ? [zeros, answer] : [answer, zeros], exchanges: 2, behind: nil)
    }

    @Test("a row of zeros behind an answer is of the call that ended later, where this log is hardly ever late")
    func decided() {
        let outcome = Self.solve(Self.answerAndZeros(apart: 30), Self.rates())
        #expect(outcome?.verdicts.map(\.row) == [0, 1])
        #expect(
            outcome?.verdicts.allSatisfy { $0.margin >= RowJoin.certainty && $0.leave >= RowJoin.certainty } == true)
        #expect(outcome?.mayHaveMore == [])
    }

    @Test(
        "the same proves nothing where rows are often late, where few rows had the chance, and where ends are together")
    func undecided() {
        let margins = [
            Self.solve(Self.answerAndZeros(apart: 4), Self.rates(lateIn: 10)),
            Self.solve(Self.answerAndZeros(apart: 30), Self.rates(rows: 30)),
            Self.solve(Self.answerAndZeros(apart: 0), Self.rates()),
            // Zeros may be written long before the end of an answer that came too late.
            Self.solve(Self.answerAndZeros(apart: 30, zerosFirst: true), Self.rates()),
        ].map { $0?.verdicts.map(\.margin).max() ?? .max }
        #expect(margins.allSatisfy { $0 < RowJoin.certainty })
        #expect(margins[2] == 0)
    }

    @Test("rows with known exchanges between and behind the open ones tell as much")
    func known() {
        func row(_ rowClass: Int, before: Int?) -> OrderedGroup.Row {
            OrderedGroup.Row(
                rowClass: rowClass, leaveCost: 20_000, options: [Self.option(0, 100, 100), Self.option(1, 160, 160)],
                before: before.map { Self.milliseconds($0)...Self.milliseconds($0) })
        }
        for (rows, behind) in [
            ([row(0, before: nil), row(1, before: 130)], 200), ([row(0, before: 90), row(1, before: nil)], 200),
        ] {
            let group = OrderedGroup(
                rows: rows, exchanges: 2, behind: Self.milliseconds(behind)...Self.milliseconds(behind))
            #expect(Self.solve(group, Self.rates())?.verdicts.map(\.row) == [0, 1])
        }
        // The one row that is there stands between ends of 90 and 130 ms: it is of the first exchange.
        let alone = OrderedGroup(
            rows: [row(0, before: 90)], exchanges: 2, behind: Self.milliseconds(130)...Self.milliseconds(200))
        let outcome = Self.solve(alone, Self.rates())
        #expect(outcome?.verdicts.map(\.row) == [0, nil])
        #expect(outcome.map { $0.verdicts[0].margin >= RowJoin.certainty } == true)
    }

    @Test("which of several equal rows has an exchange is no question")
    func equalRows() {
        let zeros = OrderedGroup.Row(
            rowClass: 0, leaveCost: 2000, options: [Self.option(0, 10, 100), Self.option(1, 10, 100)])
        let group = OrderedGroup(rows: Array(repeating: zeros, count: 6), exchanges: 2, behind: nil)
        let outcome = Self.solve(group, Self.rates())
        #expect(outcome?.verdicts.allSatisfy { $0.row != nil && $0.margin > 40_000 && $0.leave > 3000 } == true)
    }

    @Test("a group with too many assignments is given up")
    func bounded() {
        let rows = (0..<OrderedGroup.rowLimit).map { place in
            OrderedGroup.Row(
                rowClass: place, leaveCost: 5000,
                options: (0..<OrderedGroup.exchangeLimit).map { Self.option($0, 100 + $0, 100 + $0) })
        }
        let group = OrderedGroup(rows: rows, exchanges: OrderedGroup.exchangeLimit, behind: nil)
        var budget = 1_000_000
        #expect(group.solve(Self.rates(), budget: &budget) == nil)
        #expect(budget > 800_000)
        // Small ones are given up when the budget is spent.
        budget = 7
        #expect(Self.answerAndZeros(apart: 30).solve(Self.rates(), budget: &budget) == nil)
        #expect(budget < 0)
    }
}

extension OrderedGroupTests {
    /// −ln(likelihood) of an assignment, thousandths; -1: no exchange.
    private static func cost(_ chosen: [Int], _ group: OrderedGroup, _ rates: LatenessRates) -> Int64 {
        var (cost, reached) = (Int64(0), Int64.min)
        func late(_ time: Int64) -> Int64 { reached > time ? Int64(rates.cost(reached - time)) : 0 }
        for (row, place) in zip(group.rows, chosen) {
            if let before = row.before {
                cost += late(before.lowerBound)
                reached = max(reached, before.upperBound)
            }
            guard let option = row.options.first(where: { $0.exchange == place }) else {
                cost += Int64(row.leaveCost)
                continue
            }
            cost += Int64(option.cost) + late(option.latest)
            reached = max(reached, option.earliest)
        }
        return cost + (group.behind.map { late($0.lowerBound) } ?? 0)
    }

    /// All assignments of rows to exchanges.
    private static func assignments(_ group: OrderedGroup) -> [[Int]] {
        group.rows.reduce([[]]) { all, row in
            all.flatMap { chosen in
                ([-1] + row.options.map(\.exchange).filter { !chosen.contains($0) }).map { chosen + [$0] }
            }
        }
    }

    private static func randomGroup(_ random: inout SeededRandom) -> OrderedGroup {
        var time = 0
        let exchanges = 1 + random.below(3)
        let ends = (0..<exchanges).map { _ in random.below(60) }
        let rows = (0..<(1 + random.below(4))).map { _ in
            time += random.below(30)
            let before = time
            return OrderedGroup.Row(
                rowClass: random.below(2), leaveCost: Int32(random.below(4000)),
                options: (0..<exchanges).filter { _ in random.below(4) > 0 }.map {
                    option($0, max(0, ends[$0] - random.below(2) * 20), ends[$0], cost: Int32(random.below(3000)))
                }, before: random.below(3) == 0 ? milliseconds(before)...milliseconds(before + 3) : nil)
        }
        return OrderedGroup(rows: rows, exchanges: exchanges, behind: milliseconds(time)...milliseconds(time + 50))
    }

    @Test("odds are those of all assignments, one by one")
    func bruteForce() {
        let rates = Self.rates(lateIn: 40)
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let group = Self.randomGroup(&random)
            let all = Self.assignments(group).map { (chosen: $0, cost: Self.cost($0, group, rates)) }
            guard let outcome = Self.solve(group, rates), let least = all.map(\.cost).min() else {
                Issue.record("seed \(seed): nothing found")
                continue
            }
            let found = group.rows.indices.map { row in outcome.verdicts.firstIndex { $0.row == row } ?? -1 }
            #expect(Self.cost(found, group, rates) == least, "seed \(seed)")
            func rowClass(_ chosen: [Int], _ exchange: Int) -> Int? {
                chosen.firstIndex(of: exchange).map { group.rows[$0].rowClass }
            }
            for (exchange, verdict) in outcome.verdicts.enumerated() {
                let own = rowClass(found, exchange)
                let others = all.filter { rowClass($0.chosen, exchange) != own }
                    .map { RowJoin.likelihood($0.cost - least) }.reduce(0, +)
                let same = all.filter { rowClass($0.chosen, exchange) == own }
                    .map { RowJoin.likelihood($0.cost - least) }.reduce(0, +)
                let told = [verdict.margin, verdict.leave].map { RowJoin.likelihood($0) }.reduce(0, +)
                // Costs are added in other steps, and each exponential may be off by 6 %.
                guard min(verdict.margin, verdict.leave) > 0 else {
                    #expect(others * 2 > same, "seed \(seed)")
                    continue
                }
                #expect(others / same < told * 1.6 + 1e-9 && told < others / same * 1.6 + 1e-9, "seed \(seed)")
            }
        }
    }
}

@Suite("Rows that only their order decides")
struct OrderedRowsTests {
    /// A log without times. Behind usual rows stand those of `/list`: one with an answer, and rows of zeros of calls that
    /// the app gave up, two of them while their answers came. Some of these were never sent.
    private static func scene(apart: Double, shuffled: Bool = false) -> (SmallLog, rows: [LogRow]) {
        var scene = SmallLog()
        var rows: [LogRow] = []
        func add(_ path: String, status: Int16) {
            let place = scene.row(.exchange, path, 0, status: status) {
                ($0.time, $0.end) = (.min, .min)
                $0.down.total = status == 0 ? 0 : 900
            }
            rows.append(scene.log.rows[place])
        }
        func addUsual(_ range: Range<Int>) {
            for index in range {
                let start = Double(index) * 8 + (index < 200 ? 0 : 1000)
                scene.call("/usual/\(index)", start, start + 20)
                add("/usual/\(index)", status: 200)
            }
        }
        addUsual(0..<200)
        for index in 0..<4 {
            scene.call("/list", 2000 + Double(index), 2030 + Double(index) * apart) { call in
                if index == 1 { (call.isGivenUp, call.isUnheard) = (true, true) }
            }
            add("/list", status: index == 0 ? 200 : 0)
        }
        for _ in 0..<3 { add("/list", status: 0) }
        addUsual(204..<400)
        if shuffled { rows.sort { $0.number * 37 % 409 < $1.number * 37 % 409 } }
        scene.log.rows = rows
        return (scene, rows)
    }

    @Test("an answer is of the call that ended first where the rows behind it are of calls given up later")
    func decided() {
        let (scene, rows) = Self.scene(apart: 25)
        let matching = scene.matching
        let answer = rows.firstIndex { $0.number == 201 } ?? 0
        #expect(matching.fates[answer] == .matched)
        #expect(matching.exchanges[answer] == 200)
        let zeros = rows.indices.filter { (202...207).contains(rows[$0].number) }
        #expect(
            zeros.filter { matching.fates[$0] == .matched }.map { matching.exchanges[$0] }.sorted() == [201, 202, 203])
        #expect(zeros.allSatisfy { matching.fates[$0] != .ambiguous })
    }

    @Test(
        "where the calls ended together, or the rows are in disorder, the rows are ambiguous", arguments: [false, true])
    func undecided(shuffled: Bool) {
        let (scene, rows) = Self.scene(apart: shuffled ? 25 : 0, shuffled: shuffled)
        let matching = scene.matching
        let answer = rows.firstIndex { $0.number == 201 } ?? 0
        #expect(matching.fates[answer] == .ambiguous)
    }

    @Test("a burst of more rows than a group may have stays as it was, and takes no time")
    func bounded() {
        var scene = Self.scene(apart: 25).0
        for index in 0..<40 {
            scene.call("/burst", 8000 + Double(index), 8030 + Double(index) * 2)
            scene.row(.exchange, "/burst", 0, status: index % 2 == 0 ? 200 : 0) {
                ($0.time, $0.end) = (.min, .min)
                $0.down.total = index % 2 == 0 ? 900 : 0
            }
        }
        let matching = scene.matching
        let burst = scene.log.rows.indices.suffix(40)
        #expect(burst.contains { matching.fates[$0] == .ambiguous })
        #expect(LogMatcher.counted(scene.log, scene.calls).work.total < 400_000)
    }
}

@Suite("How late rows are")
struct LatenessRatesTests {
    private static func cost(_ times: [Int], late: Int64) -> Int32 {
        let points = times.enumerated().map {
            RowOrder.Point(row: Int32($0.offset), time: Int64($0.element) * 1_000_000)
        }
        return LatenessRates(points).cost(late * 1_000_000)
    }

    @Test("that no row was late proves the more the more of them had the chance")
    func proof() {
        let costs = [10, 100, 1000].map { count in Self.cost((0..<count).map { $0 * 4 }, late: 8) }
        #expect(costs == costs.sorted())
        #expect(costs[0] < 3500 && costs[2] > 7000)
        // Nothing ended so shortly behind another.
        #expect(Self.cost((0..<1000).map { $0 * 4000 }, late: 8) < 1000)
    }

    @Test("rows are the less late the later they would be")
    func falling() {
        let times = (0..<400).map { $0 % 20 == 1 ? 4 * ($0 - 1) - 2 : 4 * $0 }
        let costs = [1, 2, 4, 8, 16, 64, 1000, 100_000].map { Self.cost(times, late: $0) }
        #expect(costs == costs.sorted())
        #expect((500...900).contains(costs[1]))
        #expect(costs[4] > 5000)
        #expect(Self.cost(times, late: 0) == 0 && Self.cost(times, late: -5) == 0)
    }
}
