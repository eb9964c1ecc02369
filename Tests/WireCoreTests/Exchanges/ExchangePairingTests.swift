import Testing
import WireTesting

@testable import WireCore

@Suite("Exchange tracker: pairing")
struct ExchangePairingTests {
    enum Step: Sendable {
        case ask, answer
        /// With an acknowledgment of so many bytes of the other direction.
        case askKnowing(Int)
        case answerKnowing(Int)
        case loseRequest, loseAnswer
    }

    struct Example: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        /// The request of each answer.
        var pairs: [Int?]
        /// Exchanges in all, and those of them that are marked.
        var count: Int
        var gaps = 0
        var isCertain = true
    }

    static let examples: [Example] = [
        Example(
            testDescription: "each answer in its turn", steps: [.ask, .answer, .ask, .answer], pairs: [0, 1], count: 2),
        Example(
            testDescription: "requests without waiting", steps: [.ask, .ask, .ask, .answer, .answer, .answer],
            pairs: [0, 1, 2], count: 3),
        Example(testDescription: "an answer before any request", steps: [.answer, .ask], pairs: [0], count: 1),
        Example(
            testDescription: "an answer that acknowledges what comes behind it: the request is its own",
            steps: [.answerKnowing(10), .ask, .ask, .answer], pairs: [0, 1], count: 2),
        Example(
            testDescription: "an answer to a request that was not seen, and a later one",
            steps: [.answerKnowing(10), .loseRequest, .ask, .answer], pairs: [nil, 0], count: 2),
        Example(
            testDescription: "a second answer without request is an exchange of its own",
            steps: [.ask, .answer, .answer], pairs: [0, nil], count: 2),
        Example(
            testDescription: "joined late: an answer that knows nothing of the request came before it",
            steps: [.ask, .answerKnowing(0), .answer], pairs: [nil, 0], count: 2, isCertain: false),
        Example(
            testDescription: "an answer is lost: the next one knows which request it answers",
            steps: [.ask, .loseAnswer, .ask, .answer], pairs: [1], count: 2, gaps: 1),
        Example(
            testDescription: "answers are lost among requests without waiting: the latest that the server had",
            steps: [.ask, .ask, .ask, .loseAnswer, .answerKnowing(20)], pairs: [1], count: 3, gaps: 1),
        Example(
            testDescription: "a request is lost: its answer is not the earlier request's",
            steps: [.ask, .loseRequest, .answer, .ask, .answer], pairs: [nil, 1], count: 3, gaps: 2),
    ]

    @Test("finds the request of an answer", arguments: examples)
    func pairs(example: Example) {
        let bench = TrackerBench(isCertain: example.isCertain)
        for step in example.steps {
            switch step {
            case .ask: bench.ask()
            case .answer: bench.answer()
            case .askKnowing(let count): bench.ask(acknowledging: count)
            case .answerKnowing(let count): bench.answer(acknowledging: count)
            case .loseRequest: bench.lose(0)
            case .loseAnswer: bench.lose(1)
            }
        }
        #expect(bench.pairs == example.pairs)
        #expect(bench.tracker.count == example.count)
        #expect(bench.chain.filter { bench.flags($0).contains("gap") }.count == example.gaps)
        #expect(bench.chain.count == example.count)
    }

    @Test(
        "the n-th answer belongs to the n-th request, whatever was given out meanwhile",
        arguments: [1, 2, 3] as [UInt64])
    func pairsByOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<100 {
            var options = AuditOptions()
            options.setup = random.element([.first, .separate, .even])
            let bench = TrackerBench(options)
            var (open, methods): ([Int], [MethodKind]) = ([], [])
            var count = 0
            for step in 0..<60 {
                switch random.below(5) {
                case 0, 1:
                    bench.ask()
                    methods.append(.other)
                    open.append(bench.asked[count])
                    count += 1
                case 2 where !open.isEmpty, 3 where !open.isEmpty:
                    bench.answer()
                    #expect(bench.answered.last == open.removeFirst(), "seed \(seed), round \(round), step \(step)")
                default:
                    let over = bench.chain.first { bench.context.exchanges[$0].isAnswered }
                    if let over { bench.retire(over) }
                }
                #expect(bench.tracker.oldestUnanswered == (open.first.map { Int32($0) } ?? -1))
                #expect(
                    bench.chain.map { bench.context.exchanges[$0].number }
                        == bench.chain.map { bench.context.exchanges[$0].number }.sorted())
                #expect(bench.tracker.liveCount == bench.chain.count, "seed \(seed), round \(round), step \(step)")
            }
            #expect(bench.tracker.count == count)
        }
    }

    @Test("answers to requests that were given out unanswered are not taken for later ones'")
    func remembersAbandoned() {
        var options = AuditOptions()
        options.unansweredLimit = 4
        let bench = TrackerBench(options)
        for number in 0..<10 {
            bench.ask(method: number == 2 ? .head : .other)
            while bench.isBeyondLimit { bench.retireBeyondLimit() }
        }
        // The first is kept for set-up; then the latest ones.
        #expect(bench.chain.map { bench.context.exchanges[$0].number } == [0, 7, 8, 9])
        for number in 0..<10 {
            bench.answer()
            let index = bench.answered[number]
            let isKept = [0, 7, 8, 9].contains(number)
            #expect((index == bench.asked[number] && bench.context.exchanges[index].request.isPresent) == isKept)
            #expect(bench.context.exchanges[index].methodKind == (number == 2 ? .head : .other))
        }
        #expect(bench.tracker.oldestUnanswered < 0)
        #expect(bench.bench.findings[.exchangeLimit] == 6)
    }
}
