import Testing

@testable import WireJoin

@Suite("Times in which the app's queue was busy")
struct BusyTimesTests {
    private static let second: Int64 = 1_000_000_000
    /// Three rows written together, of events up to a second before.
    private static let busy = BusyTimes([
        (10 * second, 11 * second), (10 * second + 300_000_000, 11 * second + 1_000_000),
        (10 * second + 700_000_000, 11 * second + 2_000_000),
    ])

    static let cases: [(String, event: Int64, row: Int64, isBusy: Bool)] = [
        ("within", 10 * second + 500_000_000, 11 * second, true),
        ("just outside, by less than the slack", 10 * second - 1_000_000, 11 * second + 3_000_000, true),
        ("event before", 9 * second, 11 * second, false),
        ("row after", 10 * second + 500_000_000, 12 * second, false),
        ("row before its event", 11 * second, 10 * second + 500_000_000, false),
        ("elsewhere", 20 * second, 21 * second, false),
    ]

    @Test("a row counts as late with others where its event and itself lie in a busy time", arguments: cases)
    func place(name: String, event: Int64, row: Int64, isBusy: Bool) {
        #expect((Self.busy.cost(event: event, row: row, slack: 2_000_000) != nil) == isBusy, "\(name)")
    }

    @Test("the cost is that of a time evenly spread over the busy time, for one row in four")
    func cost() {
        // ln 1.004e9 = 20.7272, ln 4 rounded to 1.4.
        let cost = Self.busy.cost(event: 10 * Self.second, row: 11 * Self.second, slack: 2_000_000)
        #expect(cost == 22_127)
    }

    static let quiet: [(String, [(event: Int64, row: Int64)])] = [
        ("none", []), ("one late row", [(10 * second, 11 * second)]),
        ("late rows not written together", [(10 * second, 11 * second), (10 * second, 11 * second + 5_000_001)]),
        ("rows before their events", [(11 * second, 10 * second), (11 * second, 10 * second)]),
        ("longer than any queue is busy", [(10 * second, 20 * second + 1), (10 * second, 20 * second + 2)]),
        ("absurd times", [(.min, .max), (.max, .min), (.min, .max)]),
    ]

    @Test("without late rows that were written together nothing is busy", arguments: quiet.indices)
    func nothing(place: Int) {
        let (name, late) = Self.quiet[place]
        let times = BusyTimes(late)
        for row in [10 * Self.second, 10 * Self.second + 500_000_000, 11 * Self.second] {
            #expect(times.cost(event: 10 * Self.second, row: row, slack: 2_000_000) == nil, "\(name)")
        }
    }

    @Test("busy times that meet are one, others stay apart; the order of pairs does not matter")
    func union() {
        let late: [(event: Int64, row: Int64)] = [
            (30 * Self.second, 31 * Self.second), (30 * Self.second, 31 * Self.second),
            (11 * Self.second, 12 * Self.second), (11 * Self.second, 12 * Self.second),
            (10 * Self.second, 11 * Self.second + 500_000_000), (10 * Self.second, 11 * Self.second + 500_000_000),
        ]
        for late in [late, late.reversed()] {
            let times = BusyTimes(late)
            #expect(times.cost(event: 10 * Self.second, row: 12 * Self.second, slack: 1) != nil)
            #expect(times.cost(event: 30 * Self.second, row: 31 * Self.second, slack: 1) != nil)
            #expect(times.cost(event: 12 * Self.second, row: 30 * Self.second, slack: 1) == nil)
        }
    }
}
