/// One piece of a JSON text. Texts are UTF-8 as far as the input is; what is no UTF-8 in it stays as it was.
public enum JSONToken: Equatable, Sendable {
    case beginObject, endObject, beginArray, endArray
    /// Name of a member; its value follows.
    case key([UInt8])
    case string([UInt8])
    /// As written, such as `-1.5e3`; see `DecimalNumber`.
    case number([UInt8])
    case boolean(Bool)
    case null
    /// Nothing more.
    case end
}

/// Why a JSON text cannot be read further.
public struct JSONError: Error, Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case endsEarly
        case unexpectedByte
        case badNumber
        case badEscape
        case badWord
        /// Deeper than `JSONReader.depthLimit`.
        case tooDeep
        /// A key, string or number is longer than the reader's text limit.
        case textTooLong
        /// Of a text with one value per line.
        case lineEndsEarly
        case lineHasMore
    }

    public var kind: Kind
    /// Bytes before the place, from the beginning of the text.
    public var offset: Int

    public init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// What is wrong, in words, with the place.
    public var message: String { "\(words) at byte \(offset)" }

    /// What is wrong, in words, without the place.
    public var words: String {
        switch kind {
        case .endsEarly: "the JSON ends too early"
        case .unexpectedByte: "the JSON has an unexpected character"
        case .badNumber: "the JSON has a malformed number"
        case .badEscape: "the JSON has a malformed escape in a string"
        case .badWord: "the JSON has a word other than true, false and null"
        case .tooDeep: "the JSON is nested deeper than \(JSONReader.depthLimit) levels"
        case .textTooLong: "the JSON has a string that is too long"
        case .lineEndsEarly: "the line ends inside its JSON value"
        case .lineHasMore: "the line has more than one JSON value"
        }
    }
}
