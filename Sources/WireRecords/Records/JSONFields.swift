import WireCore

/// Writes compact JSON; names are ASCII literals that need no escapes.
package struct JSONFields: FieldVisitor, ~Copyable {
    package var buffer = OutputBuffer()
    private var needsComma = false

    package init() {}

    /// What was written.
    package consuming func finished() -> OutputBuffer { buffer }

    @inline(__always)
    private mutating func name(_ name: StaticString) {
        buffer.jsonName(name, afterComma: needsComma)
        needsComma = true
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { buffer.byte(0x2C) }
        needsComma = true
    }

    // MARK: Fields

    @inline(__always)
    package mutating func integer(_ name: StaticString, _ value: Int?) {
        self.name(name)
        if let value { buffer.integer(value) } else { buffer.literal("null") }
    }

    package mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?) {
        self.name(name)
        if let nanoseconds { buffer.seconds(nanoseconds) } else { buffer.literal("null") }
        buffer.literal(",\"")
        buffer.literal(name)
        buffer.literal("_ns\":")
        if let nanoseconds { buffer.integer(Int(nanoseconds)) } else { buffer.literal("null") }
    }

    package mutating func boolean(_ name: StaticString, _ value: Bool?) {
        self.name(name)
        switch value {
        case true?: buffer.literal("true")
        case false?: buffer.literal("false")
        case nil: buffer.literal("null")
        }
    }

    package mutating func text(_ name: StaticString, _ value: [UInt8]?) {
        self.name(name)
        if let value { buffer.jsonString(value) } else { buffer.literal("null") }
    }

    package mutating func text(_ name: StaticString, _ value: String?) {
        self.name(name)
        if let value { buffer.jsonString(value) } else { buffer.literal("null") }
    }

    package mutating func endpoint(_ name: StaticString, _ value: Endpoint) {
        self.name(name)
        buffer.byte(0x22)
        buffer.endpoint(value)
        buffer.byte(0x22)
    }

    package mutating func constant(_ name: StaticString, _ value: StaticString) {
        self.name(name)
        buffer.byte(0x22)
        buffer.literal(value)
        buffer.byte(0x22)
    }

    package mutating func flags(_ name: StaticString, _ value: RecordFlags) {
        words(name, value.isEmpty ? [] : value.names)
    }

    package mutating func words(_ name: StaticString, _ value: [String]) {
        beginArray(name)
        for word in value {
            separate()
            buffer.jsonString(word)
        }
        endArray()
    }

    /// Text from the wire, each an element.
    package mutating func texts(_ name: StaticString, _ value: [[UInt8]]) {
        beginArray(name)
        for text in value {
            separate()
            buffer.jsonString(text)
        }
        endArray()
    }

    package mutating func integers(_ name: StaticString, _ value: [Int]) {
        beginArray(name)
        for number in value {
            separate()
            buffer.integer(number)
        }
        endArray()
    }

    /// Integers of any size, null where one is not known.
    package mutating func exactIntegers(_ name: StaticString, _ values: [Int128?]) {
        beginArray(name)
        for value in values {
            separate()
            guard let value else {
                buffer.literal("null")
                continue
            }
            if let small = Int(exactly: value) { buffer.integer(small) } else { buffer.string(String(value)) }
        }
        endArray()
    }

    /// A floating-point number in plain digits; null where it is not finite.
    package mutating func decimal(_ name: StaticString, _ value: Double?, places: Int) {
        self.name(name)
        guard let value, buffer.decimal(value, places: places) else { return buffer.literal("null") }
    }

    package mutating func elements<Element>(
        _ name: StaticString, _ elements: [Element], blank: Element, key: ((Element) -> String)?,
        _ tell: (inout JSONFields, Element) -> Void
    ) {
        if key == nil { beginArray(name) } else { _ = begin(name, isKnown: true) }
        for element in elements {
            if let key { begin(name: key(element)) } else { beginElement() }
            tell(&self, element)
            end()
        }
        if key == nil { endArray() } else { end() }
    }

    package mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool {
        self.name(name)
        if isKnown {
            buffer.byte(0x7B)
            needsComma = false
        } else {
            buffer.literal("null")
        }
        return isKnown
    }

    package mutating func end() {
        buffer.byte(0x7D)
        needsComma = true
    }

    // MARK: Fields whose names are data

    package mutating func integer(name: String, _ value: Int?) {
        key(name)
        if let value { buffer.integer(value) } else { buffer.literal("null") }
    }

    package mutating func decimal(name: String, _ value: Double?, places: Int) {
        key(name)
        guard let value, buffer.decimal(value, places: places) else { return buffer.literal("null") }
    }

    /// Opens an object; false where it was said to be null.
    @discardableResult
    package mutating func begin(name: String, isKnown: Bool = true) -> Bool {
        key(name)
        if isKnown { buffer.byte(0x7B) } else { buffer.literal("null") }
        needsComma = !isKnown
        return isKnown
    }

    package mutating func words(name: String, _ value: [String]) {
        key(name)
        buffer.byte(0x5B)
        needsComma = false
        for word in value {
            separate()
            buffer.jsonString(word)
        }
        endArray()
    }

    private mutating func key(_ name: String) {
        separate()
        buffer.jsonString(name)
        buffer.byte(0x3A)
        needsComma = true
    }

    // MARK: Around the fields

    /// Opens an object that has no name: the whole text, or an element of an array.
    package mutating func beginElement() {
        separate()
        buffer.byte(0x7B)
        needsComma = false
    }

    package mutating func beginArray(_ name: StaticString) {
        self.name(name)
        buffer.byte(0x5B)
        needsComma = false
    }

    package mutating func endArray() {
        buffer.byte(0x5D)
        needsComma = true
    }

    package mutating func endLine() {
        buffer.byte(0x0A)
        needsComma = false
    }
}
