import WireComparison
import WireRecords

/// One field of an output: its name, type, unit and meaning, how its value comes from a row, and in files that the program reads
/// again how it returns there. Writers, schemas and readers follow lists of fields, so each name stands once.
struct Field<Row>: Sendable {
    typealias Reading = @Sendable (inout Row, inout OwnFileReader) throws(OwnFileReader.Problem) -> Void

    let name: StaticString
    private(set) var schema: SchemaField
    let value: FieldValue<Row>
    /// Nil: readers skip it.
    private(set) var read: Reading?

    init(
        _ name: StaticString, _ type: SchemaType, _ meaning: String, isNullable: Bool = false, _ value: FieldValue<Row>
    ) {
        self.name = name
        schema = SchemaField(name: "\(name)", type: type, meaning: meaning, isNullable: isNullable)
        self.value = value
    }

    /// The same field, null where it is unknown or does not apply.
    var orNull: Field {
        var field = self
        field.schema.isNullable = true
        return field
    }

    func reading(_ read: @escaping Reading) -> Field {
        var field = self
        field.read = read
        return field
    }

    /// What was read must be right.
    func checking(_ problem: String, _ isRight: @escaping @Sendable (Row) -> Bool) -> Field {
        guard let read else { return self }
        return reading { (row, reader) throws(OwnFileReader.Problem) in
            try read(&row, &reader)
            guard isRight(row) else { throw reader.problem(problem) }
        }
    }

    /// The same field of a larger row.
    func of<Outer>(_ part: @escaping @Sendable (Outer) -> Row) -> Field<Outer> {
        let value: FieldValue<Outer> =
            switch value {
            case .integer(let get): .integer { get(part($0)) }
            case .decimal(let places, let get): .decimal(places: places) { get(part($0)) }
            case .seconds(let get): .seconds { get(part($0)) }
            case .boolean(let get): .boolean { get(part($0)) }
            case .text(let get): .text { get(part($0)) }
            case .wireText(let get): .wireText { get(part($0)) }
            case .object(let object):
                .object(
                    FieldObject(
                        json: { object.json(part($0), $1, &$2) }, csv: { object.csv(part($0), &$1) },
                        columns: object.columns))
            case .nested(let write): .nested { write(part($0), $1, &$2) }
            }
        return Field<Outer>(name, schema.type, schema.meaning, isNullable: schema.isNullable, value)
    }

    /// The same, written and read.
    func at<Outer>(_ path: WritableKeyPath<Outer, Row> & Sendable) -> Field<Outer> {
        let field: Field<Outer> = of { $0[keyPath: path] }
        guard let read else { return field }
        return field.reading { (row, reader) throws(OwnFileReader.Problem) in
            try read(&row[keyPath: path], &reader)
        }
    }
}

/// How a field's value comes from its row.
enum FieldValue<Row>: Sendable {
    case integer(@Sendable (Row) -> Int?)
    case decimal(places: Int, @Sendable (Row) -> Double?)
    case seconds(@Sendable (Row) -> Int64?)
    case boolean(@Sendable (Row) -> Bool?)
    case text(@Sendable (Row) -> String?)
    /// Text from the wire.
    case wireText(@Sendable (Row) -> [UInt8]?)
    /// An object, whose fields are columns of CSV.
    case object(FieldObject<Row>)
    /// Writes name and value; no column holds it.
    case nested(@Sendable (Row, StaticString, inout JSONFields) -> Void)
}

/// The writers of an object.
struct FieldObject<Row>: Sendable {
    let json: @Sendable (Row, StaticString, inout JSONFields) -> Void
    let csv: @Sendable (Row, inout CSVFields) -> Void
    let columns: [String]
}

extension FieldObject {
    init<Value>(_ fields: [Field<Value>], _ get: @escaping @Sendable (Row) -> Value?) {
        let names = columnNames(fields)
        columns = names
        json = { $2.object($1, fields, of: get($0)) }
        csv = { row, csv in
            if let value = get(row) {
                csv.write(fields, of: value)
            } else {
                for _ in names { csv.integer("", nil) }
            }
        }
    }
}

// MARK: Writing

extension JSONFields {
    mutating func write<Row>(_ fields: [Field<Row>], of row: Row) {
        for field in fields {
            switch field.value {
            case .integer(let get): integer(field.name, get(row))
            case .decimal(let places, let get): decimal(field.name, get(row), places: places)
            case .seconds(let get): seconds(field.name, get(row))
            case .boolean(let get): boolean(field.name, get(row))
            case .text(let get): text(field.name, get(row))
            case .wireText(let get): text(field.name, get(row))
            case .object(let object): object.json(row, field.name, &self)
            case .nested(let write): write(row, field.name, &self)
            }
        }
    }

    /// An object without a name; null where there is no row.
    mutating func object<Row>(_ name: StaticString, _ fields: [Field<Row>], of row: Row?) {
        guard begin(name, isKnown: row != nil), let row else { return }
        write(fields, of: row)
        end()
    }

    mutating func list<Row>(_ name: StaticString, _ fields: [Field<Row>], of rows: some Sequence<Row>) {
        beginArray(name)
        for row in rows {
            beginElement()
            write(fields, of: row)
            end()
        }
        endArray()
    }
}

extension CSVFields {
    /// Values that have columns.
    mutating func write<Row>(_ fields: [Field<Row>], of row: Row) {
        for field in fields { write(field.value, of: row) }
    }

    mutating func write<Row>(_ value: FieldValue<Row>, of row: Row) {
        switch value {
        case .integer(let get): integer("", get(row))
        case .decimal(let places, let get): decimal(get(row), places: places)
        case .seconds(let get): seconds("", get(row))
        case .boolean(let get): boolean("", get(row))
        case .text(let get): text("", get(row))
        case .wireText(let get): text("", get(row))
        case .object(let object): object.csv(row, &self)
        case .nested: break
        }
    }
}

/// The header line of CSV, with `_` for nesting.
func columnNames<Row>(_ fields: [Field<Row>]) -> [String] {
    fields.flatMap { field -> [String] in
        let name = field.schema.name
        return switch field.value {
        case .integer, .decimal, .boolean, .text, .wireText: [name]
        case .seconds: [name, name + "_ns"]
        case .object(let object): object.columns.map { "\(name)_\($0)" }
        case .nested: []
        }
    }
}

/// An output of the program: one object, whose fields stand behind the name of its schema.
struct Output<Row>: Sendable {
    let schema: OutputSchema
    let fields: [Field<Row>]

    init(_ name: String, version: Int, about: String, command: String, fields: [Field<Row>]) {
        schema = OutputSchema(name, version: version, about: about, command: command, fields: fields.map(\.schema))
        self.fields = fields
    }

    /// One line of JSON.
    func json(_ row: Row) -> OutputBuffer {
        var json = JSONFields()
        write(row, to: &json)
        return json.finished()
    }

    func write(_ row: Row, to json: inout JSONFields) {
        json.beginElement()
        json.text("schema", schema.identifier)
        json.write(fields, of: row)
        json.end()
        json.endLine()
    }
}
