/// The body of a message while it is read, whatever frames it.
struct MessageBody {
    /// Nil where nobody looks at its content.
    private(set) var examined: (any ExaminedBody)?
    /// It is an answer of DNS, which is kept to be read. Nil where `examined` is.
    private var answer: DNSAnswerBody?
    /// Nothing codes it, and all of it was counted: its decoded size is its size.
    private(set) var isIdentity: Bool
    /// What the message says of its length.
    var declaredLength: Int?
    /// Bytes so far, without framing.
    private(set) var byteCount = 0

    init(isIdentity: Bool = false) { self.isIdentity = isIdentity }

    mutating func renew() {
        if examined != nil { (examined, answer) = (nil, nil) }
        isIdentity = false
        declaredLength = nil
        byteCount = 0
    }

    /// A body begins. `outline` is nil where there is nothing to examine. `isAnswer`: its type is that of DNS messages.
    mutating func begin(
        isIdentity: Bool, isAnswer: Bool = false, _ outline: @autoclosure () -> BodyOutline?,
        _ context: inout StreamContext
    ) {
        self.isIdentity = isIdentity
        if examined != nil { (examined, answer) = (nil, nil) }
        if let examiner = context.examiner, let outline = outline() {
            var limitReached = false
            examined = examiner.begin(outline, limitReached: &limitReached)
            if limitReached { context.findings.add(.decodeLimit) }
        }
        // Only records name it.
        guard isAnswer, isIdentity, context.keepsRecords else { return }
        answer = DNSAnswerBody(context.answerBudget, isAlone: examined == nil)
        if examined == nil { examined = DNSAnswerBody.placeholder }
    }

    /// Takes the next bytes of it.
    @inline(__always)
    mutating func receive(_ bytes: RawSpan, _ context: inout StreamContext) {
        byteCount += bytes.byteCount
        if examined != nil { examine(bytes, &context) }
    }

    private mutating func examine(_ bytes: RawSpan, _ context: inout StreamContext) {
        if let answer {
            answer.take(bytes)
            if answer.isAlone { return }
        }
        guard let body = examined, let examiner = context.examiner else { return }
        guard !examiner.take(body, bytes, captured: context.bytesSoFar) else { return }
        context.findings.add(.decodeLimit)
        abandon(keepsSize: true, context)
    }

    /// Some of it cannot be read; where it is counted all the same its size stays known.
    mutating func skip(_ count: Int, _ reason: SkipReason, _ context: borrowing StreamContext) {
        if reason.isCounted { byteCount += count }
        abandon(keepsSize: reason.isCounted, context)
    }

    /// Bytes were counted elsewhere, and are not there to be examined.
    mutating func addUnexamined(_ count: Int) { byteCount += count }

    /// Its content cannot be followed any more.
    mutating func abandon(keepsSize: Bool, _ context: borrowing StreamContext) {
        if !keepsSize { isIdentity = false }
        guard let body = examined else { return }
        if answer?.isAlone != true { context.examiner?.abandon(body) }
        (examined, answer) = (nil, nil)
    }

    /// It ends here, or nothing more will come of it. Returns its decoded size, if that is known already, and the body as
    /// its examiner knows it.
    mutating func end(isWhole: Bool, _ context: inout StreamContext) -> (decoded: Int?, examined: (any ExaminedBody)?) {
        guard let body = examined else { return (isIdentity ? byteCount : nil, nil) }
        let answer = answer
        (examined, self.answer) = (nil, nil)
        if let answer, isWhole { context.answer = answer.bytes }
        guard answer?.isAlone != true, let examiner = context.examiner else {
            return (isIdentity ? byteCount : nil, nil)
        }
        examiner.end(body, isWhole: isWhole)
        guard examiner.isImmediate else { return (isIdentity ? byteCount : nil, body) }
        let facts = body.facts
        if facts.decoded == nil, isWhole {
            context.findings.add(facts.limitReached ? .decodeLimit : .decodeFailed)
        }
        return (facts.decoded, body)
    }
}

extension BodyOutline {
    /// What an examiner is told of a body; nil where its codings cannot be undone.
    init?(_ section: HeaderSection?, _ role: MessageRole) {
        guard section?.codings.isUndecodable != true else { return nil }
        self.init(
            isRequest: role == .request, codings: section?.codings.array ?? [],
            isLiterallyGzip: section?.isLiterallyGzip ?? false,
            hasContentEncoding: section?.hasContentEncoding ?? false)
    }
}
