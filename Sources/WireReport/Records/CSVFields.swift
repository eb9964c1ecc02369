import WireCore

/// Writes one line of values in the order of the fields; what is unknown is empty.
struct CSVFields: FieldVisitor, ~Copyable {
    var buffer = OutputBuffer()
    /// Text stands as it was on the wire, but for a terminal.
    private let isRaw: Bool
    private let isForTerminal: Bool
    private var needsComma = false

    init(isRaw: Bool, isForTerminal: Bool = false) {
        self.isRaw = isRaw
        self.isForTerminal = isForTerminal
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { buffer.byte(0x2C) }
        needsComma = true
    }

    @inline(__always)
    mutating func integer(_ name: StaticString, _ value: Int?) {
        separate()
        if let value { buffer.integer(value) }
    }

    mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?) {
        separate()
        if let nanoseconds { buffer.seconds(nanoseconds) }
        integer(name, nanoseconds.map { Int($0) })
    }

    /// A floating-point number in plain digits; nothing where it is not finite.
    mutating func decimal(_ value: Double?, places: Int) {
        separate()
        if let value { _ = buffer.decimal(value, places: places) }
    }

    mutating func boolean(_ name: StaticString, _ value: Bool?) {
        separate()
        switch value {
        case true?: buffer.literal("true")
        case false?: buffer.literal("false")
        case nil: break
        }
    }

    mutating func text(_ name: StaticString, _ value: [UInt8]?) {
        separate()
        if let value { buffer.csvField(safe(value)) }
    }

    mutating func text(_ name: StaticString, _ value: String?) { text(name, value.map { Array($0.utf8) }) }

    /// Controls, and what reorders or hides text, are shown; formulas are none any more.
    private func safe(_ value: [UInt8]) -> [UInt8] {
        let isShown = !isRaw || isForTerminal
        let shown = isShown && !isPlainText(value.span) ? Array(displayText(value).utf8) : value
        return isRaw ? shown : withoutFormula(shown)
    }

    mutating func endpoint(_ name: StaticString, _ value: Endpoint) {
        separate()
        buffer.endpoint(value)
    }

    mutating func constant(_ name: StaticString, _ value: StaticString) {
        separate()
        buffer.literal(value)
    }

    /// Names with spaces between them.
    mutating func flags(_ name: StaticString, _ value: RecordFlags) {
        separate()
        if !value.isEmpty { buffer.string(value.names.joined(separator: " ")) }
    }

    mutating func listed(_ tell: (inout JSONFields) -> Void) {}

    mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool { true }

    mutating func end() {}

    /// Lines end with CR LF (RFC 4180 §2.1).
    mutating func endLine() {
        buffer.literal("\r\n")
        needsComma = false
    }
}
