import WireCore

/// Writes one line of values in the order of the fields; what is unknown is empty.
package struct CSVFields: FieldVisitor, ~Copyable {
    package var buffer = OutputBuffer()
    /// Text stands as it was on the wire, but for a terminal.
    private let isRaw: Bool
    private let isForTerminal: Bool
    private var needsComma = false

    package init(isRaw: Bool, isForTerminal: Bool = false) {
        self.isRaw = isRaw
        self.isForTerminal = isForTerminal
    }

    /// What was written.
    package consuming func finished() -> OutputBuffer { buffer }

    @inline(__always)
    private mutating func separate() {
        if needsComma { buffer.byte(0x2C) }
        needsComma = true
    }

    @inline(__always)
    package mutating func integer(_ name: StaticString, _ value: Int?) {
        separate()
        if let value { buffer.integer(value) }
    }

    package mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?) {
        separate()
        if let nanoseconds { buffer.seconds(nanoseconds) }
        integer(name, nanoseconds.map { Int($0) })
    }

    /// A floating-point number in plain digits; nothing where it is not finite.
    package mutating func decimal(_ value: Double?, places: Int) {
        separate()
        if let value { _ = buffer.decimal(value, places: places) }
    }

    package mutating func boolean(_ name: StaticString, _ value: Bool?) {
        separate()
        switch value {
        case true?: buffer.literal("true")
        case false?: buffer.literal("false")
        case nil: break
        }
    }

    package mutating func text(_ name: StaticString, _ value: [UInt8]?) {
        separate()
        if let value { buffer.csvField(safe(value)) }
    }

    package mutating func text(_ name: StaticString, _ value: String?) { text(name, value.map { Array($0.utf8) }) }

    /// Controls, and what reorders or hides text, are shown; formulas are none any more.
    private func safe(_ value: [UInt8]) -> [UInt8] {
        let isShown = !isRaw || isForTerminal
        let shown = isShown && !isPlainText(value.span) ? Array(displayText(value, hosts: false).utf8) : value
        return isRaw ? shown : withoutFormula(shown)
    }

    package mutating func endpoint(_ name: StaticString, _ value: Endpoint) {
        separate()
        buffer.endpoint(value)
    }

    package mutating func constant(_ name: StaticString, _ value: StaticString) {
        separate()
        buffer.literal(value)
    }

    /// Names with spaces between them.
    package mutating func flags(_ name: StaticString, _ value: RecordFlags) {
        separate()
        if !value.isEmpty { buffer.string(value.names.joined(separator: " ")) }
    }

    package mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool { true }

    package mutating func end() {}

    /// Lines end with CR LF (RFC 4180 §2.1).
    package mutating func endLine() {
        buffer.literal("\r\n")
        needsComma = false
    }
}
