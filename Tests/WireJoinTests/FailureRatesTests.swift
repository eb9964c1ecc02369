import Testing

@testable import WireJoin

@Suite("How often rows tell of failures")
struct FailureRatesTests {
    fileprivate typealias Pair = (outcome: FailureRates.Outcome, tellsFailure: Bool)

    fileprivate func pairs(_ outcome: FailureRates.Outcome, failures: Int, others: Int) -> [Pair] {
        Array(repeating: (outcome, true), count: failures) + Array(repeating: (outcome, false), count: others)
    }

    @Test(
        "before anything is learned, whole responses hardly have a row of zeros, and unanswered requests hardly another"
    )
    func prior() {
        let rates = FailureRates()
        #expect(rates.cost(.whole, tellsFailure: true) > 3500)
        #expect(rates.cost(.whole, tellsFailure: false) < 50)
        #expect(rates.cost(.cut, tellsFailure: true) == rates.cost(.cut, tellsFailure: false))
        #expect(rates.cost(.unanswered, tellsFailure: true) < 150)
        #expect(rates.cost(.unanswered, tellsFailure: false) > 2000)
    }

    @Test("a log that writes zeros for each download that was cut makes other rows of such downloads unlikely")
    func zeros() {
        let rates = FailureRates(pairs(.cut, failures: 30, others: 0))
        #expect(rates.cost(.cut, tellsFailure: true) < 50)
        #expect(rates.cost(.cut, tellsFailure: false) > 3000)
    }

    @Test("a log that writes what had arrived makes rows of zeros unlikely, and tells nothing of unanswered requests")
    func partial() {
        let rates = FailureRates(pairs(.cut, failures: 0, others: 30))
        #expect(rates.cost(.cut, tellsFailure: true) > 3000)
        #expect(rates.cost(.unanswered, tellsFailure: true) == FailureRates().cost(.unanswered, tellsFailure: true))
    }

    @Test("zeros for whole responses become likely where a log has them often")
    func wholeResponses() {
        let rates = FailureRates(pairs(.whole, failures: 20, others: 20))
        #expect(rates.cost(.whole, tellsFailure: true) < 1000)
    }
}

extension FailureRatesTests {
    @Test("rows of zeros that may be of whole responses or of calls never sent keep both possible")
    func unexplained() {
        let answered = pairs(.whole, failures: 0, others: 400)
        #expect(FailureRates(answered).cost(.whole, tellsFailure: true) > 7000)
        #expect(FailureRates(answered, unexplained: 8).cost(.whole, tellsFailure: true) < 5000)
        let certain = FailureRates(answered, unexplained: 8).cost(.cut, tellsFailure: true)
        #expect(certain == FailureRates(answered).cost(.cut, tellsFailure: true))
    }
}

@Suite("Rows of failed calls in a log without times")
struct UntimedFailureTests {
    /// A log in the order of ends. Rows of calls that ended in a pause were written behind it; calls that began within
    /// the pause, and were given up, stand before them.
    private func scene(_ outcome: (inout WireCall) -> Void) -> (small: SmallLog, row: Int, call: Int32) {
        var small = SmallLog()
        func untimed(_ path: String, status: Int16) -> Int {
            small.row(.exchange, path, 0, status: status) { row in
                (row.time, row.end) = (.min, .min)
                row.down.total = status == 0 ? 0 : 900
            }
        }
        for index in 0..<20 {
            small.call("/usual/\(index)", Double(index) * 100, Double(index) * 100 + 20)
            _ = untimed("/usual/\(index)", status: 200)
        }
        // The responses of these came at 2,100 to 2,190; their rows were written at 3,000.
        for index in 0..<10 { small.call("/paused/\(index)", 2050, 2100 + Double(index) * 10) }
        let call = small.call("/given-up", 2700, 2720, outcome)
        let row = untimed("/given-up", status: 0)
        for index in 0..<10 { _ = untimed("/paused/\(index)", status: 200) }
        for index in 0..<20 {
            small.call("/later/\(index)", 3100 + Double(index) * 100, 3120 + Double(index) * 100)
            _ = untimed("/later/\(index)", status: 200)
        }
        return (small, row, call)
    }

    @Test("a row of zeros is of the only exchange with its names, though the rows around it were written late")
    func givenUp() {
        for outcome in [{ $0.isFailed = true }, { $0.isFailed = false }] as [(inout WireCall) -> Void] {
            let (small, row, call) = scene(outcome)
            let matching = small.matching
            #expect(matching.fates[row] == .matched)
            #expect(matching.exchanges[row] == call)
            #expect(matching.fates.allSatisfy { $0 == .matched })
        }
    }
}
