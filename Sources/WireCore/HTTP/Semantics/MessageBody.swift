/// The body of a message while it is read, whatever frames it.
struct MessageBody {
    /// Nil where nobody looks at its content.
    private(set) var examined: (any ExaminedBody)?
    /// Its first bytes, which are kept to be read. Nil where `examined` is.
    private var kept: KeptBody?
    /// Nothing codes it, and all of it was counted: its decoded size is its size.
    private(set) var isIdentity: Bool
    /// What the message says of its length.
    var declaredLength: Int?
    /// Bytes so far, without framing.
    private(set) var byteCount = 0

    init(isIdentity: Bool = false) { self.isIdentity = isIdentity }

    mutating func renew() {
        if examined != nil { (examined, kept) = (nil, nil) }
        isIdentity = false
        declaredLength = nil
        byteCount = 0
    }

    /// A body begins. `outline` is nil where there is nothing to examine. `use`: what it is kept for.
    mutating func begin(
        isIdentity: Bool, for use: KeptBody.Use? = nil, _ outline: @autoclosure () -> BodyOutline?,
        _ context: inout StreamContext
    ) {
        self.isIdentity = isIdentity
        if examined != nil { (examined, kept) = (nil, nil) }
        guard context.examiner != nil || use != nil, let outline = outline() else { return }
        if let examiner = context.examiner {
            var limitReached = false
            examined = examiner.begin(outline, limitReached: &limitReached)
            if limitReached { context.findings.add(.decodeLimit) }
        }
        guard let use else { return }
        kept = KeptBody(use, outline.codings, context.contentBudget, isAlone: examined == nil)
        if examined == nil { examined = KeptBody.placeholder }
    }

    /// Takes the next bytes of it.
    @inline(__always)
    mutating func receive(_ bytes: RawSpan, _ context: inout StreamContext) {
        byteCount += bytes.byteCount
        if examined != nil { examine(bytes, &context) }
    }

    private mutating func examine(_ bytes: RawSpan, _ context: inout StreamContext) {
        if let kept {
            kept.consume(bytes)
            if kept.isAlone { return }
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
        if kept?.isAlone != true { context.examiner?.abandon(body) }
        (examined, kept) = (nil, nil)
    }

    /// What is known of a body when it has ended.
    struct End {
        /// Its decoded size; nil where that is not known yet.
        var decoded: Int?
        /// The body as its examiner knows it.
        var examined: (any ExaminedBody)?
        /// The operation that it names.
        var operation: [UInt8]?
    }

    /// It ends here, or nothing more will come of it.
    mutating func end(isWhole: Bool, _ context: inout StreamContext) -> End {
        var end = End(decoded: isIdentity ? byteCount : nil)
        guard let body = examined else { return end }
        let kept = kept
        (examined, self.kept) = (nil, nil)
        if let kept { (context.answer, end.operation) = kept.read(isWhole: isWhole) }
        guard kept?.isAlone != true, let examiner = context.examiner else { return end }
        examiner.end(body, isWhole: isWhole)
        end.examined = body
        guard examiner.isImmediate else { return end }
        let facts = body.facts
        if facts.decoded == nil, isWhole {
            context.findings.add(facts.limitReached ? .decodeLimit : .decodeFailed)
        }
        end.decoded = facts.decoded
        return end
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
