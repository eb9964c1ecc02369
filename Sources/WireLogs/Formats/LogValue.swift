/// A value of a log's column, whatever kind of log it is.
package enum LogValue: Equatable {
    /// The row, or the whole log, has no such column.
    case absent
    /// The column is there and empty.
    case null
    case number(DecimalNumber)
    case text([UInt8])
    /// A truth value, which is no number.
    case boolean(Bool)
    /// An object or array where a plain value should be.
    case structure

    /// A text as logs write them: `(null)` is nothing.
    init(text: [UInt8]) {
        self = text == LogValue.nullText ? .null : .text(text)
    }

    /// How printing nil looks in Objective-C.
    private static let nullText = Array("(null)".utf8)

    /// The value as a number, if it is one or is written as one.
    var number: DecimalNumber? {
        switch self {
        case .number(let number): number
        case .text(let text): DecimalNumber(text[...])
        case .absent, .null, .structure, .boolean: nil
        }
    }

    /// The value as a text; numbers only where they are whole.
    package var text: [UInt8]? {
        switch self {
        case .text(let text): text
        case .number(let number): number.integer.map { Array(String($0).utf8) }
        case .boolean, .absent, .null, .structure: nil
        }
    }

    /// Absent, null or an empty text.
    package var isNothing: Bool {
        switch self {
        case .absent, .null: true
        case .text(let text): text.isEmpty
        case .number, .boolean, .structure: false
        }
    }
}
