import WireNative

/// The first bytes of a body that is read for what it names.
final class KeptBody {
    enum Use {
        /// A response that is a DNS message (RFC 8484 §6). It is read whole or not at all.
        case dnsMessage
        /// A request in which an operation may be named.
        case operation(CallOperation.Syntax, isTold: Bool)
    }

    private let use: Use
    /// No examiner looks at it too.
    let isAlone: Bool
    private let codings: [ContentCoding]
    private var bytes: [UInt8] = []
    /// Not all of it was kept.
    private var isCut = false
    private let budget: ContentBudget

    init(_ use: Use, _ codings: [ContentCoding], _ budget: ContentBudget, isAlone: Bool) {
        (self.use, self.codings, self.budget, self.isAlone) = (use, codings, budget, isAlone)
    }

    deinit { budget.release(bytes.count) }

    /// Most bytes that are kept. A DNS message behind 16 bits of length could be no longer than 65,535.
    private var limit: Int { if case .dnsMessage = use { 65_535 } else { CallOperation.contentLimit } }

    func consume(_ content: RawSpan) {
        guard !isCut else { return }
        let count = min(content.byteCount, limit - bytes.count)
        guard budget.reserve(count) else {
            isCut = true
            return
        }
        isCut = count < content.byteCount
        content.append(0..<count, to: &bytes)
    }

    /// The body has ended. Returns the DNS message, or the operation.
    func read(isWhole: Bool) -> (answer: [UInt8]?, operation: [UInt8]?) {
        guard case .operation(let syntax, let isTold) = use else { return (isWhole && !isCut ? bytes : nil, nil) }
        let (content, isDecoded) = decoded()
        let operation = CallOperation(isWhole: isWhole && !isCut && isDecoded, isTold: isTold)
        return (nil, unsafe operation.name(content.span.bytes, syntax))
    }

    /// The content, and whether all of it came out of its codings.
    private func decoded() -> ([UInt8], isWhole: Bool) {
        guard !codings.isEmpty else { return (bytes, true) }
        var content: [UInt8] = []
        let decoder = BodyDecoder(codings: codings, outputLimit: CallOperation.contentLimit)
        decoder.onContent = { piece in piece.append(0..<piece.byteCount, to: &content) }
        let coded = bytes
        unsafe decoder.consume(coded.span.bytes)
        return (content, decoder.finish() != nil)
    }

    /// Stands for it where no examiner looks at the body: then it is asked for content all the same.
    static let placeholder: any ExaminedBody = Placeholder()

    private final class Placeholder: ExaminedBody {
        var facts: BodyFacts { BodyFacts() }
    }
}
