import Testing

@testable import WireJoin

@Suite("Logs without times and order, joined by how many rows and exchanges there are")
struct CountedRowsTests {
    /// A log in no order.
    private struct Scene {
        var small = SmallLog()
        private var next = 0

        mutating func call(_ path: String, _ change: (inout WireCall) -> Void = { _ in }) {
            let start = Double(100_000 - next * 7 % 500 * 10 - next)
            next += 1
            small.call(path, start, start + 5) {
                $0.exchangeLikeness = 1
                change(&$0)
            }
        }

        mutating func answer(_ path: String) -> Int { row(path, 200, 11) }

        mutating func zeros(_ path: String) -> Int { row(path, 0, 0) }

        private mutating func row(_ path: String, _ status: Int16, _ bytes: Int) -> Int {
            small.row(.exchange, path, 0, status: status) {
                $0.time = .min
                $0.down.total = bytes
            }
        }

        /// Calls of other names, six of each; of `lost` of the names the log lacks one row, and so many other names have a row of
        /// zeros of a call that was never sent.
        mutating func addOthers(_ names: Int, lost: Int, unsent: Int) {
            for index in 0..<names {
                for number in 0..<6 {
                    call("/other/\(index)")
                    if index >= lost || number > 0 { _ = answer("/other/\(index)") }
                }
                if index >= names - unsent { _ = zeros("/other/\(index)") }
            }
        }
    }

    /// Fates of answers and rows of zeros of one name, whose exchanges are all alike.
    private func fates(
        answers: Int, zeros: Int, exchanges: Int, lost: Int, unsent: Int
    ) -> (answers: [LogMatching.Fate], zeros: [LogMatching.Fate]) {
        var scene = Scene()
        scene.addOthers(60, lost: lost, unsent: unsent)
        for _ in 0..<exchanges { scene.call("/alike") }
        let answers = (0..<answers).map { _ in scene.answer("/alike") }
        let zeros = (0..<zeros).map { _ in scene.zeros("/alike") }
        let matching = scene.small.matching
        return (answers.map { matching.fates[$0] }, zeros.map { matching.fates[$0] })
    }

    @Test("where rows are lost and calls are never sent, a free exchange is one whose row was lost")
    func lost() {
        let fates = fates(answers: 18, zeros: 1, exchanges: 19, lost: 20, unsent: 20)
        #expect(fates.answers.allSatisfy { $0 == .matched })
        #expect(fates.zeros == [.withoutExchange])
    }

    @Test("where no row is lost and all calls are sent, free exchanges are those of zeros, and nobody knows which")
    func failing() {
        let fates = fates(answers: 12, zeros: 6, exchanges: 18, lost: 0, unsent: 0)
        #expect((fates.answers + fates.zeros).allSatisfy { $0 == .ambiguous })
    }

    @Test("as many answers as exchanges have them, however many rows of zeros there are")
    func complete() {
        for zeros in [1, 5, 15] {
            let fates = fates(answers: 15, zeros: zeros, exchanges: 15, lost: 5, unsent: 20)
            #expect(fates.answers.allSatisfy { $0 == .matched }, "\(zeros) rows of zeros")
            #expect(fates.zeros.allSatisfy { $0 == .withoutExchange }, "\(zeros) rows of zeros")
        }
    }

    @Test("rows of zeros have the exchanges that were not answered")
    func unanswered() {
        var scene = Scene()
        scene.addOthers(60, lost: 10, unsent: 20)
        for index in 0..<12 {
            scene.call("/some") { call in
                guard index < 4 else { return }
                (call.isFailed, call.status, call.exchangeLikeness) = (true, 0, 2)
            }
        }
        let answers = (0..<8).map { _ in scene.answer("/some") }
        let zeros = (0..<4).map { _ in scene.zeros("/some") }
        let matching = scene.small.matching
        #expect((answers + zeros).allSatisfy { matching.fates[$0] == .matched })
        #expect(Set(zeros.map { matching.exchanges[$0] }) == Set(360..<364))
    }

    @Test("names with more rows than are weighed are joined as before, each row on its own")
    func many() {
        let fates = fates(answers: 80, zeros: 2, exchanges: 80, lost: 0, unsent: 0)
        #expect(fates.answers.allSatisfy { $0 == .matched })
    }

    private func found(_ call: Int32, isAmbiguous: Bool, _ alternatives: [Int32] = []) -> RowJoin.Found {
        var found = RowJoin.Found(row: 0, call: call)
        (found.isAmbiguous, found.alternatives) = (isAmbiguous, alternatives)
        return found
    }

    @Test("doubtful rows are decided together or not at all, as long as one in a thousand is expected to be wrong")
    func doubtful() {
        let cases: [(doubts: [Double], decided: Int)] = [
            ([0.01, 0.01], 2), ([0.2], 0), ([0.04, 0.04, 0.04, 0.04], 0), ([0.01, 0.04, 0.04], 3),
            ([0.02, 0.03, 0.06], 2),
        ]
        for (doubts, decided) in cases {
            var rows = (0..<100).map { found(Int32($0), isAmbiguous: false) }
            rows += doubts.indices.map { found(Int32(100 + $0), isAmbiguous: true) }
            RowJoin.decideDoubtful([Double](repeating: 0, count: 100) + doubts, &rows)
            #expect(rows.dropFirst(100).count { !$0.isAmbiguous } == decided, "\(doubts)")
        }
    }

    @Test("sets of numbers are joined, and the smallest number stands for each")
    func sets() {
        var sets = DisjointSets(6)
        sets.join(4, 2)
        sets.join(5, 4)
        sets.join(1, 0)
        #expect((0..<6).map { sets.root($0) } == [0, 0, 2, 3, 2, 2])
    }
}
