/// The body of a response that is a DNS message (RFC 8484 §6), while it comes.
struct DNSAnswerBody {
    private(set) var bytes: [UInt8] = []
    private var isTooLong = false
    /// No examiner looks at it too.
    var isAlone = false

    /// Longest message: one behind 16 bits of length could be no longer.
    private static let limit = 65_535

    /// Of a longer one the rest is not kept: it is no message.
    mutating func take(_ content: RawSpan) {
        if bytes.count + content.byteCount > DNSAnswerBody.limit { isTooLong = true }
        if isTooLong { bytes = [] } else { content.append(0..<content.byteCount, to: &bytes) }
    }

    /// Stands for it where no examiner looks at the body: then it is asked for content all the same.
    static let placeholder: any ExaminedBody = Placeholder()

    private final class Placeholder: ExaminedBody {
        var facts: BodyFacts { BodyFacts() }
    }
}
