import Testing
import WireCore

@testable import WireComparison
@testable import WireStatistics

@Suite("Chance and change of two sides")
struct NoiseTests {
    private func record(_ index: Int, connection: Int = 0, headers: Int) -> ExchangeRecord {
        var record = ExchangeRecord.blank
        record.api = Array("GET a /".utf8)
        (record.connection, record.exchange, record.time) = (connection, index, Int64(index) * 1_000_003)
        record.costs.up[.headers] = headers
        return record
    }

    @Test("which calls are kept does not depend on their order, and there are not more than the limit")
    func sample() {
        let cells = CostMeasure().cells
        var (forward, backward) = (CostSample(), CostSample())
        for index in 0..<5000 { forward.add(record(index, headers: index), cells) }
        for index in (0..<5000).reversed() { backward.add(record(index, headers: index), cells) }
        let kept = forward.calls(limit: .max)
        #expect(kept.count == CostSample.limit)
        #expect(kept.map(\.values) == backward.calls(limit: .max).map(\.values))
        // A random part: its mean is near that of all.
        let index = cells.firstIndex(of: CostCell(direction: .up, part: .cause(.headers))) ?? 0
        let mean = kept.reduce(0) { $0 + Double($1.values[index]) } / Double(kept.count)
        #expect(abs(mean - 2500) < 300)
    }

    @Test("calls that are alike within a connection spread by connection")
    func groups() throws {
        let cells = CostMeasure().cells
        func side(_ connections: [Int]) -> [SampledCall] {
            var sample = CostSample()
            for (connection, headers) in connections.enumerated() {
                for call in 0..<10 {
                    sample.add(record(connection * 10 + call, connection: connection, headers: headers), cells)
                }
            }
            return sample.calls(limit: .max)
        }
        let index = try #require(cells.firstIndex(of: CostCell(direction: .up, part: .cause(.headers))))
        let spread = GroupSpread([side([100, 200, 300]), side([100, 200, 300])], columns: cells.count + 1) {
            $0.connection
        }
        #expect(spread.freedom == 4)
        // Each side has the mean 200, squares 2 · 100² and three groups of a third each.
        let variance = try #require(spread.variance(index))
        let expected = 20_000.0 / 3
        #expect(abs(variance - expected) < 1e-6)
        let one = GroupSpread([side([100]), side([200])], columns: cells.count + 1) { $0.connection }
        #expect(one.variance(index) == nil)
    }

    /// Twelve calls of one API, with headers and bodies of these sizes.
    private func side(headers: Int, bodies: (Int) -> Int) -> ComparedSide {
        let collector = CostCollector(CostMeasure(), limit: 10)
        var summary = APISummary(api: "GET a /")
        for index in 0..<12 {
            var call = record(index, connection: index, headers: headers)
            call.costs.down[.body] = bodies(index)
            collector.receive(call)
            summary.costs += call.costs
        }
        summary.exchanges = 12
        var result = AuditResult()
        result.apis = [summary]
        var side = ComparedSide()
        side.add(result, collector, includesAPI: { _ in true }, includesHost: { _ in true })
        return side
    }

    @Test("headers that grew exceed a bound under the noise of bodies, but not where the call costs no more")
    func growthUnderNoise() throws {
        let before = side(headers: 100) { 1000 + 300 * $0 }
        let grown = CostComparison(
            before, side(headers: 300) { 1000 + 300 * ((5 * $0) % 12) }, CostMeasure(), maximumGrowth: 5)
        let api = try #require(grown.apis.first)
        #expect(api.wire?.isCertain == false && api.wire?.change == 200)
        #expect(api.verdict == .shifted && api.isExceeded)
        let smaller = CostComparison(
            before, side(headers: 300) { 500 + 300 * ((5 * $0) % 12) }, CostMeasure(), maximumGrowth: 5)
        let other = try #require(smaller.apis.first)
        #expect(other.wire?.isCertain == false && other.wire?.change == -300)
        #expect(other.verdict == .shifted && !other.isExceeded)
    }

    @Test("of calls without any spread resampling adds nothing")
    func residuals() {
        let calls: [[Int32]] = [[1, 2], [1, 2], [1, 2]]
        #expect(Residuals([calls, calls], cells: 2).largestDifference(resamples: 100, chance: 0.04) == 0)
        let other: [[Int32]] = [[1, 2], [5, 2], [1, 2]]
        let difference = Residuals([other, other], cells: 2).largestDifference(resamples: 1000, chance: 0.05)
        #expect(difference > 1.5 && difference < 3.5)
    }

    @Test("a file that begins as JSON is an audit; no capture does")
    func detection() {
        #expect(ComparedSide.isAudit(Array("{\"schema\"".utf8)))
        #expect(ComparedSide.isAudit([0xEF, 0xBB, 0xBF] + Array(" \n{".utf8)))
        for start: [UInt8] in [[], [0xD4, 0xC3, 0xB2, 0xA1], [0x0A, 0x0D, 0x0D, 0x0A], [0x1F, 0x8B], [0x28, 0xB5]] {
            #expect(!ComparedSide.isAudit(start))
        }
    }

    @Test("an audit with wrong values is refused with the place, and never traps")
    func wrongAudits() {
        let head = #"{"schema":"wireaudit.audit/1","apis":["#
        let wrong = [
            "", "{", "[]", #"{"schema":"wireaudit.audit/2"}"#, head + #"{"api":"a","exchanges":-1}]}"#,
            head + #"{"api":"a","exchanges":1.5}]}"#, head + #"{"api":1}]}"#, head + #"{"api":"a","encrypted":1}]}"#,
        ]
        for text in wrong {
            var side = ComparedSide()
            #expect(throws: ComparisonError.self) {
                try side.add(
                    audit: "a.json", Array(text.utf8), choices: ResultChoices(),
                    includesAPI: { _ in true }, includesHost: { _ in true })
            }
        }
        var side = ComparedSide()
        let huge =
            #"{"api":"a","exchanges":9223372036854775807,"up":{"body":9223372036854775807,"ack":9223372036854775807}}"#
        #expect(throws: Never.self) {
            try side.add(
                audit: "a.json", Array((head + huge + "," + huge + "]}").utf8),
                choices: ResultChoices(), includesAPI: { _ in true },
                includesHost: { _ in true })
        }
        _ = CostComparison(side, side, CostMeasure(countsLink: true), maximumGrowth: 1)
    }
}
