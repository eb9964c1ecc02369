/// A field block of a message (RFC 9113 §4.3, RFC 9114 §4.1), as far as it was read. An object: its section is large.
final class MessageFields {
    var section: FieldSection
    /// Bytes as sent, compressed.
    var bytes: Int
    /// The sender's message is known to end with it.
    var endsStream: Bool
    /// Some of it could not be read.
    var isBroken: Bool

    init(section: FieldSection, bytes: Int = 0, endsStream: Bool = false, isBroken: Bool = false) {
        self.section = section
        self.bytes = bytes
        self.endsStream = endsStream
        self.isBroken = isBroken
    }

    /// All of its fields were read.
    var isKnown: Bool { !isBroken && !section.hasUnknownFields }

    /// What it says is kept as it is said.
    var isKept: Bool { isKnown && !section.isCut }
}

extension FieldSection {
    /// One that keeps what the audit needs.
    init(_ context: borrowing StreamContext) {
        self.init(
            keepsText: context.options.keepsHeads, keepsSizes: context.options.keepsFieldSizes,
            operationFields: context.naming.fields)
    }
}

/// What the messages of a stream need to know of the connection that carries it.
struct StreamOrigin {
    var version: HTTPVersion
    /// The connection was joined late: streams may have been opened before.
    var isLate: Bool
    /// Why bytes of the message's direction were lost last.
    var lossReason: RecordFlags

    /// Why something of a message is not known; `other` where nothing was lost.
    func reason(_ other: RecordFlags) -> RecordFlags { lossReason.isEmpty ? isLate ? .noStart : other : lossReason }

    /// A message breaks the rules of its version.
    var malformedMessage: FindingCode { version == .http3 ? .http3MessageMalformed : .streamMessageMalformed }
}

/// What a head says of the body behind it.
struct BodyStart {
    var role: MessageRole
    var codings: CodingList
    var isLiterallyGzip: Bool
    var hasContentEncoding: Bool
    /// All fields of the head are known. One that is not may be a content coding.
    var isKnown: Bool

    init(_ fields: MessageFields, _ role: MessageRole) {
        self.role = role
        codings = fields.section.codings
        isLiterallyGzip = fields.section.isLiterallyGzip
        hasContentEncoding = fields.section.hasContentEncoding
        isKnown = fields.isKnown
    }

    var outline: BodyOutline {
        BodyOutline(
            isRequest: role == .request, codings: codings.array, isLiterallyGzip: isLiterallyGzip,
            hasContentEncoding: hasContentEncoding)
    }
}
