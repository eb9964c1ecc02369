import WireCore

/// Renders the fields of a record one after the other. The fields of each kind of record are told once, with what they mean, in
/// `ExchangeFields` and `ConnectionFields`; JSON, CSV, the header line of CSV and the schema are visitors of the same telling.
package protocol FieldVisitor: ~Copyable {
    /// What the field that follows means, for schemas; nobody else asks, so it costs no other visitor anything.
    mutating func describe(
        _ meaning: @autoclosure () -> String, _ type: @autoclosure () -> SchemaType, isNullable: Bool)
    /// A name and an exact integer; nil is unknown.
    mutating func integer(_ name: StaticString, _ value: Int?)
    /// A time as two fields: seconds, and `name_ns`, the same as integer nanoseconds.
    mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?)
    mutating func boolean(_ name: StaticString, _ value: Bool?)
    mutating func text(_ name: StaticString, _ value: [UInt8]?)
    mutating func text(_ name: StaticString, _ value: String?)
    mutating func endpoint(_ name: StaticString, _ value: Endpoint)
    /// A word that is always the same.
    mutating func constant(_ name: StaticString, _ value: StaticString)
    mutating func flags(_ name: StaticString, _ value: RecordFlags)
    /// Texts from the wire. No column can hold this and what follows: only JSON has them.
    mutating func texts(_ name: StaticString, _ value: [[UInt8]])
    /// Objects in a list, or by `key` where it is not nil.
    ///
    /// - Parameter blank: stands for all elements in a schema.
    mutating func elements<Element>(
        _ name: StaticString, _ elements: [Element], blank: Element, key: ((Element) -> String)?,
        _ tell: (inout Self, Element) -> Void)
    /// Opens an object. False: it was said to be null, and neither its fields nor its end follow.
    mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool
    mutating func end()
}

// MARK: Fields with their meaning

/// What a visitor without a word of its own does: nothing. No column can hold lists, and only schemas ask what fields mean.
extension FieldVisitor where Self: ~Copyable {
    package mutating func texts(_ name: StaticString, _ value: [[UInt8]]) {}

    package mutating func elements<Element>(
        _ name: StaticString, _ elements: [Element], blank: Element, key: ((Element) -> String)?,
        _ tell: (inout Self, Element) -> Void
    ) {}

    @inline(__always)
    package mutating func describe(
        _ meaning: @autoclosure () -> String, _ type: @autoclosure () -> SchemaType, isNullable: Bool
    ) {}
}

extension FieldVisitor where Self: ~Copyable {
    package mutating func begin(_ name: StaticString) { _ = begin(name, isKnown: true) }
}

/// A value that is optional can be null; `known` is of an object that can be null itself.
extension FieldVisitor where Self: ~Copyable {
    @inline(__always)
    package mutating func bytes(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: Int) {
        describe(meaning(), .integer(unit: "bytes", least: 0), isNullable: false)
        integer(name, value)
    }

    @inline(__always)
    package mutating func bytes(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: Int?) {
        describe(meaning(), .integer(unit: "bytes", least: 0), isNullable: true)
        integer(name, value)
    }

    @inline(__always)
    package mutating func count(
        _ name: StaticString, _ meaning: @autoclosure () -> String, of unit: @autoclosure () -> String = "count",
        _ value: Int
    ) {
        describe(meaning(), .integer(unit: unit(), least: 0), isNullable: false)
        integer(name, value)
    }

    @inline(__always)
    package mutating func count(
        _ name: StaticString, _ meaning: @autoclosure () -> String, of unit: @autoclosure () -> String = "count",
        _ value: Int?
    ) {
        describe(meaning(), .integer(unit: unit(), least: 0), isNullable: true)
        integer(name, value)
    }

    @inline(__always)
    package mutating func count(
        _ name: StaticString, _ meaning: @autoclosure () -> String, of unit: @autoclosure () -> String = "count",
        known value: Int?
    ) {
        describe(meaning(), .integer(unit: unit(), least: 0), isNullable: false)
        integer(name, value)
    }

    /// Bytes that can be negative.
    @inline(__always)
    package mutating func difference(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: Int?) {
        describe(meaning(), .integer(unit: "bytes", least: nil), isNullable: true)
        integer(name, value)
    }

    @inline(__always)
    package mutating func seconds(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: Int64?) {
        describe(meaning(), .time(since: nil), isNullable: true)
        seconds(name, value)
    }

    /// By the clock of the capture.
    @inline(__always)
    package mutating func moment(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: Int64) {
        describe(meaning(), .time(since: "1970-01-01T00:00:00Z"), isNullable: false)
        seconds(name, value)
    }

    @inline(__always)
    package mutating func boolean(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: Bool?) {
        describe(meaning(), .boolean, isNullable: true)
        boolean(name, value)
    }

    @inline(__always)
    package mutating func text(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: String) {
        describe(meaning(), .text, isNullable: false)
        text(name, value)
    }

    @inline(__always)
    package mutating func text(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: String?) {
        describe(meaning(), .text, isNullable: true)
        text(name, value)
    }

    @inline(__always)
    package mutating func text(_ name: StaticString, _ meaning: @autoclosure () -> String, _ value: [UInt8]?) {
        describe(meaning(), .text, isNullable: true)
        text(name, value)
    }

    @inline(__always)
    package mutating func word(
        _ name: StaticString, _ words: @autoclosure () -> [String], _ meaning: @autoclosure () -> String,
        _ value: String
    ) {
        describe(meaning(), .word(words()), isNullable: false)
        text(name, value)
    }

    @inline(__always)
    package mutating func word(
        _ name: StaticString, _ words: @autoclosure () -> [String], _ meaning: @autoclosure () -> String,
        _ value: String?
    ) {
        describe(meaning(), .word(words()), isNullable: true)
        text(name, value)
    }

    @inline(__always)
    package mutating func begin(
        _ name: StaticString, _ meaning: @autoclosure () -> String, isKnown: Bool
    ) -> Bool {
        describe(meaning(), .object([]), isNullable: true)
        return begin(name, isKnown: isKnown)
    }

    @inline(__always)
    package mutating func begin(_ name: StaticString, _ meaning: @autoclosure () -> String) {
        describe(meaning(), .object([]), isNullable: false)
        _ = begin(name, isKnown: true)
    }

    /// An interval of time.
    package mutating func range(
        _ name: StaticString, _ meaning: @autoclosure () -> String, _ value: ClosedRange<Int64>?
    ) {
        guard begin(name, meaning(), isKnown: value != nil) else { return }
        describe("Least value.", .time(since: nil), isNullable: false)
        seconds("min", value?.lowerBound)
        describe("Greatest value.", .time(since: nil), isNullable: false)
        seconds("max", value?.upperBound)
        end()
    }

    /// Whose socket it was.
    package mutating func app(_ app: String?) {
        text(
            "app",
            "On whose behalf the connection was used, by most of its packets: the effective process where one is told, else the process; pid or uid and a number where it has no name. Null where the capture names none.",
            app)
    }

    package mutating func process(_ name: String?) {
        text(
            "process", "The process whose socket it was, such as a service of the system that sends for an app.", name)
    }

    package mutating func processNumber(_ number: Int?) {
        count("pid", "Number of that process.", of: "process number", number)
    }

    package mutating func flags(_ flags: RecordFlags) {
        describe(
            "gap: bytes are missing. snapped: a frame was cut. no-start, no-end: the connection began before the capture, or went on after it. no-request, no-response: that message is missing. aborted: a message ended too early. reset: the connection was reset. upgraded, tunnel: another protocol followed. malformed: a message violates its syntax. pushed: HTTP/2 push. drops: the capturing program lost packets.",
            .list(SchemaElement(.word(RecordFlags(rawValue: .max).names))), isNullable: false)
        self.flags("flags", flags)
    }
}
