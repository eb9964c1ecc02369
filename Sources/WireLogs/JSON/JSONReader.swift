/// Reads a JSON text (RFC 8259) token by token, from pieces of any length, in memory that does not grow with the text:
/// it holds one piece, the text of one token up to a limit, and a byte for each open object or array.
///
/// A byte order mark at the start is passed over. Bytes in strings that are no UTF-8, and raw control characters, are
/// taken as they are; an escaped half of a surrogate pair becomes U+FFFD. After an error the reader stays where it is:
/// of lines, `skipLine` goes on with the next.
public struct JSONReader {
    public enum Layout: Sendable {
        /// One value; anything but white space behind it is an error.
        case document
        /// One value on each line, none of them over several lines; empty lines are passed over.
        case lines
    }

    /// Objects and arrays inside each other.
    public static let depthLimit = 1024
    /// Bytes that are kept of one key, string or number, unless the reader is made with another limit.
    public static let standardTextLimit = 1 << 20

    package enum Kind {
        case beginObject, endObject, beginArray, endArray, key, string, number, yes, no, null, end
    }

    private enum Expectation {
        case value, firstElement, firstKey, key, comma, nothing
    }

    package let layout: Layout
    let textLimit: Int
    var bytes: ByteCursor
    /// Of each open container whether it is an object.
    private var open: [Bool] = []
    private var expected = Expectation.value
    /// Of lines: a value ended, and the line must end too.
    private var isAtLineEnd = false
    package var keepsText = true

    /// Text of the last key, string or number, up to the limit.
    package var text: [UInt8] = []
    /// The last key, string or number was longer than the limit.
    var isTextCut = false
    /// Line of the next token, from 1; of layout `lines` only.
    private(set) var line = 1

    /// Reads pieces until there is none.
    public init(
        layout: Layout = .document, textLimit: Int = JSONReader.standardTextLimit,
        pieces: @escaping () -> [UInt8]?
    ) {
        self.layout = layout
        self.textLimit = textLimit
        bytes = ByteCursor(pieces: pieces)
    }

    public init(_ bytes: [UInt8], layout: Layout = .document, textLimit: Int = JSONReader.standardTextLimit) {
        self.layout = layout
        self.textLimit = textLimit
        self.bytes = ByteCursor(bytes)
    }

    /// Bytes read so far.
    public var offset: Int { bytes.offset }
    /// Open objects and arrays.
    public var depth: Int { open.count }

    // MARK: Tokens

    public mutating func next() throws(JSONError) -> JSONToken {
        let start = offset
        let kind = try advance()
        if isTextCut, kind == .key || kind == .string || kind == .number {
            throw JSONError(.textTooLong, offset: start)
        }
        switch kind {
        case .beginObject: return .beginObject
        case .endObject: return .endObject
        case .beginArray: return .beginArray
        case .endArray: return .endArray
        case .key: return .key(text)
        case .string: return .string(text)
        case .number: return .number(text)
        case .yes: return .boolean(true)
        case .no: return .boolean(false)
        case .null: return .null
        case .end: return .end
        }
    }

    /// Passes over the next value with everything in it, without keeping its texts. Where no value can stand, over the
    /// next token.
    public mutating func skipValue() throws(JSONError) {
        let kept = keepsText
        keepsText = false
        defer { keepsText = kept }
        let outside = open.count
        repeat {
            if try advance() == .end { return }
        } while open.count > outside
    }

    /// Passes over the rest of the innermost open object or array, its end included.
    public mutating func skipContainer() throws(JSONError) {
        let kept = keepsText
        keepsText = false
        defer { keepsText = kept }
        let inside = open.count
        while open.count >= inside {
            if try advance() == .end { return }
        }
    }

    /// The next token; its text is in `text`.
    package mutating func advance() throws(JSONError) -> Kind {
        let byte = try nextByte()
        switch expected {
        case .comma:
            return try afterValue(byte)
        case .firstElement where byte == JSONCharacter.closeBracket, .firstKey where byte == JSONCharacter.closeBrace:
            return close()
        case .firstKey, .key:
            guard byte == JSONCharacter.quote else { throw fault(byte) }
            return try key()
        case .value, .firstElement:
            return try value(byte)
        case .nothing:
            guard byte < 0 else { throw fault(byte) }
            return .end
        }
    }

    /// Whether the value that follows a key is an array.
    mutating func isArrayNext() throws(JSONError) -> Bool {
        try nextByte() == JSONCharacter.openBracket
    }

    /// Whether the value that follows a key is an object.
    mutating func isObjectNext() throws(JSONError) -> Bool {
        try nextByte() == JSONCharacter.openBrace
    }

    private mutating func afterValue(_ byte: Int) throws(JSONError) -> Kind {
        let isObject = open.last == true
        if byte == (isObject ? JSONCharacter.closeBrace : JSONCharacter.closeBracket) { return close() }
        guard byte == JSONCharacter.comma else { throw fault(byte) }
        bytes.index += 1
        expected = isObject ? .key : .value
        let next = try nextByte()
        if isObject {
            guard next == JSONCharacter.quote else { throw fault(next) }
            return try key()
        }
        return try value(next)
    }

    private mutating func close() -> Kind {
        bytes.index += 1
        let isObject = open.removeLast()
        endValue()
        return isObject ? .endObject : .endArray
    }

    package mutating func endValue() {
        expected = open.isEmpty ? (layout == .lines ? .value : .nothing) : .comma
        if open.isEmpty, layout == .lines { isAtLineEnd = true }
    }

    private mutating func key() throws(JSONError) -> Kind {
        try string()
        guard try nextByte() == JSONCharacter.colon else { throw fault(bytes.peek()) }
        bytes.index += 1
        expected = .value
        return .key
    }

    private mutating func value(_ byte: Int) throws(JSONError) -> Kind {
        switch byte {
        case JSONCharacter.quote:
            try string()
            endValue()
            return .string
        case JSONCharacter.openBrace: return try openContainer(isObject: true)
        case JSONCharacter.openBracket: return try openContainer(isObject: false)
        case JSONCharacter.minus, JSONCharacter.zero...JSONCharacter.nine:
            try number()
            endValue()
            return .number
        case JSONCharacter.t: return try word("true", .yes)
        case JSONCharacter.f: return try word("false", .no)
        case JSONCharacter.n: return try word("null", .null)
        case -1 where open.isEmpty && layout == .lines: return .end
        default: throw fault(byte)
        }
    }

    private mutating func openContainer(isObject: Bool) throws(JSONError) -> Kind {
        guard open.count < JSONReader.depthLimit else { throw JSONError(.tooDeep, offset: offset) }
        bytes.index += 1
        open.append(isObject)
        expected = isObject ? .firstKey : .firstElement
        return isObject ? .beginObject : .beginArray
    }

    private func fault(_ byte: Int) -> JSONError {
        JSONError(byte < 0 ? .endsEarly : .unexpectedByte, offset: offset)
    }

    // MARK: Bytes

    /// The first byte that is no white space, not passed over; -1 at the end.
    private mutating func nextByte() throws(JSONError) -> Int {
        if offset == 0 { try skipByteOrderMark() }
        while true {
            let byte = bytes.peek()
            switch byte {
            case JSONCharacter.space, JSONCharacter.tab, JSONCharacter.carriageReturn: bytes.index += 1
            case JSONCharacter.lineFeed:
                if layout == .lines { try endLine() }
                bytes.index += 1
            default:
                guard isAtLineEnd, byte >= 0 else { return byte }
                throw JSONError(.lineHasMore, offset: offset)
            }
        }
    }

    private mutating func endLine() throws(JSONError) {
        guard open.isEmpty, expected == .value else { throw JSONError(.lineEndsEarly, offset: offset) }
        isAtLineEnd = false
        line += 1
    }

    /// Of lines: passes over the rest of the line in which an error is, its end included.
    mutating func skipLine() {
        open.removeAll(keepingCapacity: true)
        expected = .value
        isAtLineEnd = false
        while true {
            let byte = bytes.peek()
            guard byte >= 0 else { return }
            bytes.index += 1
            if byte == JSONCharacter.lineFeed {
                line += 1
                return
            }
        }
    }

    private mutating func skipByteOrderMark() throws(JSONError) {
        guard bytes.peek() == 0xEF else { return }
        bytes.index += 1
        for expected in [0xBB, 0xBF] {
            guard bytes.peek() == expected else { throw fault(bytes.peek()) }
            bytes.index += 1
        }
    }
}
