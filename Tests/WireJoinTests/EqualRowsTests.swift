import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("Rows that are equal in all columns")
struct EqualRowsTests {
    /// Rows and exchanges of `/twin`, among usual ones.
    private static func scene(_ kind: LogRow.Kind, exchanges: Int, rows: Int) -> (SmallLog, rows: [Int]) {
        var scene = SmallLog()
        scene.addUsual()
        for index in 0..<exchanges {
            // Within one millisecond, and alike.
            scene.call("/twin", 20_500.2 + Double(index) * 0.3, 20_600.2 + Double(index) * 0.3) {
                ($0.requestLikeness, $0.responseLikeness, $0.exchangeLikeness) = (1, 1, 1)
            }
        }
        let rows = (0..<rows).map { _ in
            scene.row(kind, "/twin", kind == .request ? 20_499 : 20_602, status: kind == .request ? 0 : 200) {
                ($0.up.total, $0.down.total) = (kind == .request ? 120 : nil, kind == .response ? 340 : nil)
            }
        }
        return (scene, rows)
    }

    static let cases: [(LogRow.Kind, exchanges: Int, rows: Int, fates: [LogMatching.Fate: Int])] = [
        LogRow.Kind.request, .response,
    ].flatMap { kind -> [(LogRow.Kind, exchanges: Int, rows: Int, fates: [LogMatching.Fate: Int])] in
        [
            (kind, 1, 1, [.matched: 1]), (kind, 2, 2, [.matched: 2]), (kind, 3, 3, [.matched: 3]),
            (kind, 1, 2, [.matched: 1, .duplicate: 1]), (kind, 2, 3, [.matched: 2, .duplicate: 1]),
            (kind, 1, 3, [.matched: 1, .duplicate: 2]),
            // Without an exchange for one of them, they may well be calls of their own.
            (kind, 0, 2, [.withoutExchange: 2]), (kind, 0, 1, [.withoutExchange: 1]),
        ]
    }

    @Test("equal rows are as many calls as there are exchanges for them; the rest repeats", arguments: cases.indices)
    func equal(place: Int) {
        let (kind, exchanges, count, fates) = Self.cases[place]
        let (scene, rows) = Self.scene(kind, exchanges: exchanges, rows: count)
        let matching = scene.matching
        let found = Dictionary(grouping: rows.map { matching.fates[$0] }) { $0 }.mapValues(\.count)
        #expect(found == fates, "\(kind), \(exchanges) exchanges, \(count) rows")
        let taken = rows.map { matching.exchanges[$0] }.filter { $0 >= 0 }
        #expect(Set(taken).count == taken.count)
        #expect(taken.allSatisfy { (40..<Int32(40 + exchanges)).contains($0) })
    }

    @Test("rows that differ in one size repeat nothing")
    func otherSize() {
        var (scene, rows) = Self.scene(.response, exchanges: 1, rows: 2)
        scene.log.rows[rows[1]].down.total = 341
        let fates = rows.map { scene.matching.fates[$0] }
        #expect(!fates.contains(.duplicate))
        // Both lie equally near: which is the exchange's is open.
        #expect(fates == [.ambiguous, .ambiguous])
    }

    @Test("two equal rows without time and one exchange are one call and its repetition")
    func untimed() {
        var scene = SmallLog()
        scene.call("/one", 10, 60)
        let rows = [scene.row(.response, "/one", 0, status: 200), scene.row(.response, "/one", 0, status: 200)]
        for row in rows { scene.log.rows[row].time = .min }
        scene.log.timeResolution = 0
        let matching = scene.matching
        #expect(rows.map { matching.exchanges[$0] }.filter { $0 >= 0 } == [0])
        #expect(rows.contains { matching.fates[$0] == .duplicate })
    }

    @Test("equal rows of a batch, whose rows all have one time, are no copies")
    func batches() {
        var scene = SmallLog()
        scene.addUsual(120)
        // Two calls that are alike, and their rows.
        for index in 0..<2 { scene.call("/twin", 50_000 + Double(index) * 100, 50_050 + Double(index) * 100) }
        let rows = (0..<2).map { scene.row(.request, "/twin", 50_000 + Double($0) * 100) }
        #expect(!hasBatches(scene.log))
        let step: Int64 = 10_000_000_000
        for index in scene.log.rows.indices {
            scene.log.rows[index].time = (scene.log.rows[index].time / step + 1) * step
        }
        scene.log.timeResolution = 1_000_000
        #expect(hasBatches(scene.log))
        #expect(scene.log.rows[rows[0]].time == scene.log.rows[rows[1]].time)
        #expect(RowClasses(scene.log.rows, isBatched: true).originals.allSatisfy { $0 < 0 })
        #expect(!scene.matching.fates.contains(.duplicate))
    }

    @Test("rows of long batches are joined by the order in which they were written", arguments: [5, 30, 300])
    func longBatches(seconds: Int64) {
        var scene = SmallLog()
        scene.addUsual(240)
        let step = seconds * 1_000_000_000
        for index in scene.log.rows.indices {
            scene.log.rows[index].time = (scene.log.rows[index].time / step + 1) * step
        }
        scene.log.timeResolution = 1_000_000
        #expect(hasBatches(scene.log))
        let matching = scene.matching
        #expect(matching.fates.allSatisfy { $0 == .matched })
        #expect(scene.log.rows.indices.allSatisfy { matching.exchanges[$0] == Int32($0 / 2) })
    }

    /// A log without times or order: 20 paths with one exchange each, then `/list` with as many as there are sizes. Its rows
    /// have these sizes.
    private static func shuffled(_ sizes: [Int], rows: [Int]) -> (SmallLog, rows: [Int]) {
        var scene = SmallLog(resolution: 0)
        for index in 0..<20 { scene.call("/\(index)", Double(index) * 100, Double(index) * 100 + 20) }
        for index in sizes.indices { scene.call("/list", 5000 + Double(index) * 100, 5020 + Double(index) * 100) }
        for index in 0..<20 { scene.row(.response, "/\(index * 7 % 20)", 0, status: 200) { $0.down.total = 1 } }
        let found = rows.map { size in
            scene.row(.response, "/list", 0, status: 200) { $0.down.total = size }
        }
        for index in scene.log.rows.indices { scene.log.rows[index].time = .min }
        return (scene, found)
    }

    static let shuffledCases: [(rows: [Int], fates: [LogMatching.Fate])] = [
        // The row of the second exchange is lost, and that of the third written twice.
        ([100, 300, 300, 400, 500], [.matched, .matched, .ambiguous, .matched, .matched]),
        ([100, 300, 400, 500, 300], [.matched, .matched, .matched, .matched, .ambiguous]),
        ([100, 200, 300, 400, 500], [.matched, .matched, .matched, .matched, .matched]),
        // A formula can be wrong, but without times nothing else speaks for the exchange that is left.
        ([100, 250, 300, 400, 500], [.matched, .ambiguous, .matched, .matched, .matched]),
    ]

    @Test("a copy without time takes no exchange that its figures do not fit", arguments: shuffledCases.indices)
    func copyOfOther(place: Int) {
        let sizes = [100, 200, 300, 400, 500]
        let (scene, rows) = Self.shuffled(sizes, rows: Self.shuffledCases[place].rows)
        let matching = LogMatcher.match(scene.log, scene.calls) { _ in
            { pairs in
                pairs.map { pair in
                    let call = Int(pair.call) - 20
                    guard sizes.indices.contains(call) else { return 0 }
                    return scene.log.rows[Int(pair.row)].down.total == sizes[call] ? 0 : FigureMisfit.rare
                }
            }
        }
        #expect(rows.map { matching.fates[$0] } == Self.shuffledCases[place].fates)
        for (row, size) in zip(rows, Self.shuffledCases[place].rows) where matching.fates[row] == .matched {
            let call = Int(matching.exchanges[row]) - 20
            #expect(sizes[call] == size || !sizes.contains(size))
        }
    }

    @Test("a row without time may be of any exchange of its names, however many there are")
    func manyCalls() {
        let sizes = (1...80).map { $0 * 100 }
        // With a row for each exchange their order would be believed.
        let (scene, rows) = Self.shuffled(sizes, rows: sizes.dropLast().reversed())
        let matching = LogMatcher.match(scene.log, scene.calls) { _ in
            { pairs in
                pairs.map { pair in
                    let call = Int(pair.call) - 20
                    guard sizes.indices.contains(call) else { return 0 }
                    return scene.log.rows[Int(pair.row)].down.total == sizes[call] ? 0 : FigureMisfit.rare
                }
            }
        }
        #expect(rows.allSatisfy { matching.fates[$0] == .matched })
        #expect(rows.map { Int(matching.exchanges[$0]) } == (20..<99).reversed())
    }
}
