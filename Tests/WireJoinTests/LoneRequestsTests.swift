import Testing

@testable import WireJoin

@Suite("Requests without exchange, and responses")
struct LoneRequestsTests {
    /// Whether a response at 10 s is refuted to be without exchange.
    private func isRefuted(_ requests: [(path: String, time: Double, fate: LogMatching.Fate)]) -> Bool {
        var small = SmallLog()
        for request in requests { small.row(.request, request.path, request.time) }
        let response = small.log.rows[small.row(.response, "/ping", 10_000)]
        let lone = LoneRequests(small.log.rows, requests.map(\.fate) + [.withoutExchange])
        return lone.isRefuted(response)
    }

    @Test("a response hardly is without exchange where each request of its names, before it, has one")
    func refuted() {
        #expect(isRefuted([("/ping", 9000, .matched)]))
        #expect(isRefuted([("/ping", 9000, .matched), ("/other", 9500, .withoutExchange)]))
        #expect(isRefuted([("/ping", 9000, .matched), ("/ping", 20_000, .withoutExchange)]))
        #expect(isRefuted([("/ping", -200_000, .withoutExchange), ("/ping", 9000, .matched)]))
    }

    @Test("it may be, where one of them has none, or is ambiguous, or where the log has no such request")
    func possible() {
        #expect(!isRefuted([]))
        #expect(!isRefuted([("/other", 9000, .matched)]))
        #expect(!isRefuted([("/ping", 20_000, .matched)]))
        #expect(!isRefuted([("/ping", 8000, .withoutExchange), ("/ping", 9000, .matched)]))
        #expect(!isRefuted([("/ping", 8000, .ambiguous), ("/ping", 9000, .matched)]))
        // Late rows may stand in another order.
        #expect(!isRefuted([("/ping", 9000, .matched), ("/ping", 10_900, .withoutExchange)]))
    }

    @Test("a row without time is refuted by nothing")
    func untimed() {
        var small = SmallLog()
        small.row(.request, "/ping", 9000)
        var response = small.log.rows[small.row(.response, "/ping", 10_000)]
        let lone = LoneRequests(small.log.rows, [.matched, .withoutExchange])
        #expect(lone.isRefuted(response))
        response.time = .min
        #expect(!lone.isRefuted(response))
    }

    /// What it costs to leave a response without an exchange, thousandths of a natural logarithm.
    private func leaveCost(_ fate: LogMatching.Fate?) -> Int64 {
        var small = SmallLog()
        small.call("/ping", 9000, 9100, status: 404)
        small.row(.request, "/ping", 8999)
        small.row(.response, "/ping", 9101, status: 200)
        let noise = TimeNoise(lag: 0, slack: 1_000_000, limit: 1_000_000)
        let clock = ClockModel(
            fit: ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0),
            noise: TimeChannel.allCases.map { _ in noise })
        let rows = small.log.rows
        var join = RowJoin(
            .response, rows, small.calls, clock, RowClass.classes(of: rows), RowClasses(rows),
            JoinModel(.response, clock, resolution: 1_000_000, span: 100_000_000), lacksRequest: []
        ) { _ in true }
        if let fate { join.setRequests(LoneRequests(rows, [fate, .withoutExchange])) }
        #expect(join.solveOnce().allSatisfy { $0.call < 0 })
        return join.totalCost(calls: 0)
    }

    @Test("it costs a response ln 20 more to be without exchange where its request has one")
    func costs() {
        #expect(leaveCost(.matched) == leaveCost(nil) + 3000)
        #expect(leaveCost(.withoutExchange) == leaveCost(nil))
    }
}
