/// The body of a response that is a DNS message (RFC 8484 §6), while it comes.
final class DNSAnswerBody {
    private(set) var bytes: [UInt8] = []
    /// No examiner looks at it too.
    let isAlone: Bool
    /// It is too long, or there was no room for it: none of it is kept.
    private var isOver = false
    private let budget: AnswerBudget

    /// Longest message: one behind 16 bits of length could be no longer.
    private static let limit = 65_535

    init(_ budget: AnswerBudget, isAlone: Bool) { (self.budget, self.isAlone) = (budget, isAlone) }

    deinit { budget.giveBack(bytes.count) }

    func take(_ content: RawSpan) {
        guard !isOver else { return }
        guard bytes.count + content.byteCount <= DNSAnswerBody.limit, budget.take(content.byteCount) else {
            budget.giveBack(bytes.count)
            bytes = []
            isOver = true
            return
        }
        content.append(0..<content.byteCount, to: &bytes)
    }

    /// Stands for it where no examiner looks at the body: then it is asked for content all the same.
    static let placeholder: any ExaminedBody = Placeholder()

    private final class Placeholder: ExaminedBody {
        var facts: BodyFacts { BodyFacts() }
    }
}
