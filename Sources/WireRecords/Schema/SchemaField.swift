/// What one field of an output holds.
package struct SchemaField: Sendable {
    package let name: String
    package let type: SchemaType
    /// One or more sentences.
    package let meaning: String
    /// It can be null: unknown, or it does not apply.
    package var isNullable: Bool

    package init(name: String, type: SchemaType, meaning: String, isNullable: Bool = false) {
        (self.name, self.type, self.meaning, self.isNullable) = (name, type, meaning, isNullable)
    }

    /// The fields that outputs write for it: of a time there are two.
    package var written: [SchemaField] {
        guard case .time(let origin) = type else { return [self] }
        let suffix = origin.map { " since \($0)" } ?? ""
        return [
            SchemaField(
                name: name, type: .number(unit: "seconds" + suffix), meaning: meaning, isNullable: isNullable),
            SchemaField(
                name: name + "_ns", type: .integer(unit: "nanoseconds" + suffix, least: nil),
                meaning: "\(name) as an integer.", isNullable: isNullable),
        ]
    }
}

/// The type of a value in JSON, with its unit.
package enum SchemaType: Sendable {
    /// An exact integer, at least `least` where that is given.
    case integer(unit: String, least: Int?)
    case number(unit: String)
    /// Two fields: seconds, and `NAME_ns`, the same as an integer.
    case time(since: String?)
    case boolean
    case text
    /// One of these words.
    case word([String])
    /// Always this text.
    case constant(String)
    case object([SchemaField])
    case list(SchemaElement)
    /// An object whose keys are data; what they are.
    case map(SchemaElement, keys: String)
    /// That type, or null: for elements and values of maps.
    case nullable(SchemaElement)
}

/// A type inside another one.
///
/// An array of one, because the box of an indirect case is known by a pointer with marks in its high bits, which leak
/// checkers take for no pointer.
package struct SchemaElement: Sendable {
    private let types: [SchemaType]

    package init(_ type: SchemaType) { types = [type] }

    package var type: SchemaType { types[0] }
}
