import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("How rare figures are that are not their exchange's")
struct MisfitRatesTests {
    private static func row(_ path: Int32, status: Int16 = 200) -> LogRow {
        var row = LogRow(kind: .exchange, number: 1)
        (row.path, row.status) = (path, status)
        row.down.total = status == 0 ? 0 : 100
        return row
    }

    private static func rates(_ rows: [(row: LogRow, count: Int, unfit: Int)]) -> MisfitRates {
        var rates = MisfitRates()
        for item in rows {
            for number in 0..<item.count { rates.add(item.row, isUnfit: number < item.unfit) }
        }
        return rates
    }

    @Test("that none was seen proves the more the more rows there are, 400 to 1 at most")
    func numbers() {
        let costs = [0, 20, 100, 1000].map { Self.rates([(Self.row(1), $0, 0)]).cost(Self.row(2)) }
        #expect(costs[0] < 1000)
        #expect(costs == costs.sorted() && costs[1] < costs[2] && costs[2] < costs[3])
        #expect(costs[3] == FigureMisfit.rare)
    }

    @Test("a path whose figures never fit proves nothing")
    func paths() {
        let rates = Self.rates([(Self.row(1), 300, 0), (Self.row(2), 6, 6)])
        #expect(rates.cost(Self.row(1)) > 3500)
        #expect(rates.cost(Self.row(3)) > 3500)
        #expect(rates.cost(Self.row(2)) < 500)
        #expect(!rates.isFrequent(Self.row(2)))
    }

    @Test("rows of failures that never fit prove nothing, and hardly change what others prove", arguments: [6, 60])
    func failures(count: Int) {
        let zeros = Self.row(1, status: 0)
        let rates = Self.rates([(Self.row(1), 300, 0), (zeros, count, count)])
        #expect(rates.cost(Self.row(1)) > 4500)
        #expect(!rates.isFrequent(Self.row(1)))
        #expect(rates.cost(zeros) < 500)
        #expect(rates.isFrequent(zeros))
        // Of another path, too.
        #expect(rates.cost(Self.row(2, status: 0)) < 500)
    }
}
