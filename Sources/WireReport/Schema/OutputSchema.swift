/// What one field of an output holds.
struct SchemaField: Sendable {
    let name: String
    let type: SchemaType
    /// One or more sentences.
    let meaning: String
    /// It can be null: unknown, or it does not apply.
    var isNullable = false

    /// The same field, null where it is unknown or does not apply.
    var orNull: SchemaField {
        var field = self
        field.isNullable = true
        return field
    }

    /// The fields that outputs write for it: of a time there are two.
    var written: [SchemaField] {
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
enum SchemaType: Sendable {
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
struct SchemaElement: Sendable {
    private let types: [SchemaType]

    init(_ type: SchemaType) { types = [type] }

    var type: SchemaType { types[0] }
}

/// The shape of one output of the program.
public struct OutputSchema: Sendable {
    /// The word of `wireaudit schema NAME`.
    public let name: String
    let version: Int
    /// One sentence.
    public let about: String
    /// The command that writes it.
    let command: String
    /// Without the field `schema`.
    private let others: [SchemaField]

    init(_ name: String, version: Int, about: String, command: String, fields: [SchemaField]) {
        self.name = name
        self.version = version
        self.about = about
        self.command = command
        others = fields
    }

    /// The value of the field `schema`.
    var identifier: String { "wireaudit.\(name)/\(version)" }

    var fields: [SchemaField] {
        [SchemaField(name: "schema", type: .constant(identifier), meaning: "Name and version of this schema.")] + others
    }

    /// All of them, in the order of the commands.
    public static let all: [OutputSchema] = [
        CaptureSchemas.audit, CaptureSchemas.exchange, CaptureSchemas.connection, AccuracySchemas.accuracy,
        AccuracySchemas.call, AccuracySchemas.row, AccuracySchemas.calibration, CaptureSchemas.compare, partialSchema,
        fleetSchema, sessionSchema, planSchema, ListSchemas.estimators, ListSchemas.interfaces, ListSchemas.limits,
        ListSchemas.doctor,
    ]

    /// The schema of that name: `exchange`, or as outputs write it, `wireaudit.exchange/2`.
    public static func named(_ name: String) -> OutputSchema? {
        all.first { $0.name == name || $0.identifier == name || "wireaudit." + $0.name == name }
    }
}

// MARK: Fields by type

extension SchemaField {
    static func bytes(_ name: String, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .integer(unit: "bytes", least: 0), meaning: meaning)
    }

    /// Bytes that can be negative.
    static func difference(_ name: String, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .integer(unit: "bytes", least: nil), meaning: meaning)
    }

    /// What a source says: -1 where an SDK records a length that it does not know.
    static func estimate(_ name: String, _ meaning: String) -> SchemaField {
        SchemaField(
            name: name, type: .integer(unit: "bytes", least: nil),
            meaning: meaning + " Negative where an SDK records unknown lengths as -1.")
    }

    static func count(_ name: String, _ meaning: String, of unit: String = "count") -> SchemaField {
        SchemaField(name: name, type: .integer(unit: unit, least: 0), meaning: meaning)
    }

    static func seconds(_ name: String, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .time(since: nil), meaning: meaning)
    }

    /// A moment, by the clock of the capture unless told otherwise.
    static func moment(_ name: String, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .time(since: "1970-01-01T00:00:00Z"), meaning: meaning)
    }

    static func number(_ name: String, _ meaning: String, unit: String = "bytes") -> SchemaField {
        SchemaField(name: name, type: .number(unit: unit), meaning: meaning)
    }

    static func text(_ name: String, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .text, meaning: meaning)
    }

    static func boolean(_ name: String, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .boolean, meaning: meaning)
    }

    static func word(_ name: String, _ words: [String], _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .word(words), meaning: meaning)
    }

    static func object(_ name: String, _ meaning: String, _ fields: [SchemaField]) -> SchemaField {
        SchemaField(name: name, type: .object(fields), meaning: meaning)
    }

    static func list(_ name: String, of type: SchemaType, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .list(SchemaElement(type)), meaning: meaning)
    }

    static func map(_ name: String, keys: String, of type: SchemaType, _ meaning: String) -> SchemaField {
        SchemaField(name: name, type: .map(SchemaElement(type), keys: keys), meaning: meaning)
    }
}

/// The same fields for both directions, as two objects.
func bothDirections(_ fields: [SchemaField]) -> [SchemaField] {
    [.object("up", "Client to server.", fields), .object("down", "Server to client.", fields)]
}
