/// How an SDK writes header fields anew to measure them.
struct FieldFormat: Sendable {
    enum Style: Sendable {
        /// `Name: value` and a line end of so many bytes.
        case text(lineEnd: Int)
        /// Pretty-printed JSON of the dictionary, as Foundation writes it.
        case json
    }

    var style: Style
    var hidden = HiddenFields()
    /// Bytes between the values of equal fields that a dictionary merges; nil where lines stay apart.
    var mergeSeparator: Int?
    /// Bytes that stand for `Transfer-Encoding: chunked`'s value; nil as sent.
    var chunkedValue: Int?
    /// Bytes counted for the empty line.
    var emptyLine = 0

    fileprivate func valueLength(_ field: HeaderFields.Field, in fields: HeaderFields) -> Int {
        if let chunkedValue, field.known == .transferEncoding, fields.isEqual(field.value, "chunked") {
            return chunkedValue
        }
        return field.valueLength
    }
}

/// Counts fields one by one; what they cost and what they count go to causes together.
private struct FieldCounter {
    let fields: HeaderFields
    let format: FieldFormat
    var counted = 0
    var sent = 0
    /// Fields of their own in the new text: not those that were merged into another.
    var members = 0
    private var missing = 0
    private var cookie = 0
    private var rewritten = 0
    private var reformatted = 0
    private var lineEnds = 0

    init(_ fields: HeaderFields, _ format: FieldFormat) {
        self.fields = fields
        self.format = format
    }

    mutating func count() {
        for (index, field) in fields.fields.enumerated() {
            sent += field.wireLength
            if format.hidden.contains(field, in: fields) {
                if field.known == .cookie { cookie -= field.wireLength } else { missing -= field.wireLength }
            } else if let separator = format.mergeSeparator, field.first != index {
                countMerged(field, separator: separator)
            } else {
                countOwn(field)
            }
        }
        guard case .json = format.style else { return }
        // Braces on lines of their own; an empty dictionary has an empty line between them.
        let braces = members == 0 ? 4 : 2
        reformatted += braces
        counted += braces
    }

    private mutating func countOwn(_ field: HeaderFields.Field) {
        let value = format.valueLength(field, in: fields)
        let sentValue = field.value.count
        members += 1
        rewritten += value - sentValue
        switch format.style {
        case .text(let lineEnd):
            let spacing = field.wireLength - field.name.count - sentValue - field.lineEnd
            reformatted += 2 - spacing
            lineEnds += lineEnd - field.lineEnd
            counted += field.name.count + 2 + value + lineEnd
        case .json:
            // Two spaces, two pairs of quotes, ` : `, comma and line feed.
            let frame = field.name.count + 11 + jsonEscapes(field, withName: true, in: fields)
            reformatted += frame - (field.wireLength - sentValue)
            counted += frame + value
        }
    }

    /// A field that a dictionary adds to the value of an earlier one.
    private mutating func countMerged(_ field: HeaderFields.Field, separator: Int) {
        let isCookie = field.known == .cookie
        // Cookies are joined by a semicolon and a space, whatever joins other values.
        let text = (isCookie ? 2 : separator) + format.valueLength(field, in: fields)
        if isCookie { cookie += text - field.wireLength } else { rewritten += text - field.wireLength }
        counted += text
        guard case .json = format.style else { return }
        let escapes = jsonEscapes(field, withName: false, in: fields)
        reformatted += escapes
        counted += escapes
    }

    func charge(to count: inout DirectionCount) {
        count.charge(missing, for: 0, .fieldsMissing)
        count.charge(cookie, for: 0, .cookie)
        count.charge(rewritten, for: 0, .fieldsRewritten)
        count.charge(reformatted, for: 0, .fieldsFormat)
        count.charge(lineEnds, for: 0, .fieldLineEnd)
    }
}

extension DirectionCount {
    /// The header section, written anew.
    mutating func countFields<Message: ObservedMessage>(of message: Message, as format: FieldFormat) {
        var counter = FieldCounter(message.fields, format)
        counter.count()
        counter.charge(to: &self)
        charge(0, for: message.interim, .retry)
        // Beside fields and interim responses: the empty line, and lines that are no fields.
        let rest = message.headers - message.interim - counter.sent
        let sentEmptyLine = min(max(rest, 0), 2)
        charge(format.emptyLine, for: sentEmptyLine, .emptyLine)
        charge(0, for: rest - sentEmptyLine, .fieldsMissing)
        headers = counter.counted + format.emptyLine
        chargeFrames(of: message)
    }

    /// The text of a head, which was taken for it, against the compressed fields and the frames of HTTP/2.
    mutating func chargeFrames<Message: ObservedMessage>(of message: Message) {
        guard let http2 = message.http2 else { return }
        charge(message.startLine + message.headers, for: http2.head, .headerCompression)
    }

    /// Start line and header section of an SDK that counts neither.
    ///
    /// - Parameter cookiesApart: cookies are named as a cause of their own, where their bytes are known.
    mutating func skipHead<Message: ObservedMessage>(of message: Message, cookiesApart: Bool = true) {
        guard let http2 = message.http2 else {
            message.skipStartLine(&self)
            skipFields(of: message, cookiesApart: cookiesApart)
            return
        }
        charge(0, for: message.interim, .retry)
        charge(0, for: http2.fieldBlocks - message.interim, .fieldsNotCounted)
        charge(0, for: http2.framing, .headerCompression)
    }

    private mutating func skipFields<Message: ObservedMessage>(of message: Message, cookiesApart: Bool) {
        var cookies = 0
        if cookiesApart, message.fields.contains(.cookie) {
            for field in message.fields.fields where field.known == .cookie { cookies += field.wireLength }
        }
        charge(0, for: message.interim, .retry)
        charge(0, for: cookies, .cookie)
        charge(0, for: message.headers - message.interim - cookies, .fieldsNotCounted)
    }
}

/// Bytes that JSON adds to a field's characters: a backslash before quotes, backslashes and slashes, longer escapes for
/// control characters. Of a folded value only quotes, backslashes and slashes are looked at.
private func jsonEscapes(_ field: HeaderFields.Field, withName: Bool, in fields: HeaderFields) -> Int {
    let bytes = fields.bytes.span
    let value = jsonEscapes(bytes.extracting(field.value), withControls: !field.isFolded)
    return withName ? value + jsonEscapes(bytes.extracting(field.name), withControls: true) : value
}

private func jsonEscapes(_ text: Span<UInt8>, withControls: Bool) -> Int {
    var added = 0
    var controls = 0
    for offset in text.indices {
        let byte = text[offset]
        added &+= byte == 0x22 || byte == 0x2F || byte == 0x5C ? 1 : 0
        controls &+= byte < 0x20 ? 1 : 0
    }
    guard controls > 0, withControls else { return added }
    for offset in text.indices where text[offset] < 0x20 {
        switch text[offset] {
        case 0x08, 0x09, 0x0A, 0x0C, 0x0D: added &+= 1
        default: added &+= 5
        }
    }
    return added
}
