import WireRecords

/// An output's fields as a table in Markdown: a line for each field, nested names joined by dots.
public func schemaTable(_ schema: OutputSchema) -> String {
    var lines = [
        "## \(schema.identifier)", "", "\(schema.about) Written by `\(schema.command)`.", "",
        "| field | type | meaning |", "|---|---|---|",
    ]
    var table = FieldTable()
    table.add(schema.fields, under: "")
    lines += table.rows
    return lines.joined(separator: "\n") + "\n"
}

/// A line for each output.
public func schemaList() -> String {
    OutputSchema.all.map { padded($0.name, 13, right: false) + $0.about + "\n" }.joined()
}

/// All tables, with what they have in common.
public func schemaArticle() -> String {
    let head = """
        # Fields of the outputs

        Every field of every machine-readable output, with its type and unit.

        ## Overview

        `wireaudit schema NAME` prints the same as JSON Schema (draft 2020-12). The names are
        """
    let names = OutputSchema.all.map { "`\($0.name)`" }.joined(separator: ", ")
    let rules = """


        - A field that is unknown or does not apply is null, never 0. No field is left out.
        - Byte counts are exact integers. Times are seconds with nine decimals, and beside them `_ns`, the same as integer
          nanoseconds: many programs read numbers with decimals into 64 bits, which keep microseconds of today's times only.
        - CSV has the same fields without lists; `_` joins nested names: `up_wire`, `up_setup_tls`.
        - `up` is from client to server, `down` from server to client.
        - Fields may be added at any time. When one is removed or changes its meaning, the number behind the name of the
          schema rises.

        """
    return head + " " + names + "." + rules + "\n" + OutputSchema.all.map(schemaTable).joined(separator: "\n")
}

/// The rows of one schema. Objects with the same fields, such as both directions, list them once.
private struct FieldTable {
    private(set) var rows: [String] = []
    /// Where fields were listed, by their names and meanings.
    private var listed: [String: String] = [:]

    mutating func add(_ fields: [SchemaField], under prefix: String) {
        for field in fields.flatMap(\.written) {
            let path = prefix + field.name
            let (nested, place) = FieldTable.nested(field.type, under: path)
            let key = nested.map(signature).joined(separator: "\n")
            var meaning = escaped(field.meaning)
            let earlier = nested.count > 1 ? listed[key] : nil
            if let earlier { meaning += " The fields of `\(earlier)`." }
            rows.append("| `\(path)` | \(typeName(field)) | \(meaning) |")
            if earlier == nil, !nested.isEmpty {
                listed[key] = path
                add(nested, under: place + ".")
            }
        }
    }

    /// Equal for fields that are equal in everything.
    private func signature(_ field: SchemaField) -> String {
        "\(field.name) \(field.isNullable) \(field.type) \(field.meaning)"
    }

    /// The fields of the objects that a value is or holds, and the path to them.
    private static func nested(_ type: SchemaType, under path: String) -> (fields: [SchemaField], path: String) {
        switch type {
        case .object(let fields): (fields, path)
        case .list(let element): nested(element.type, under: path + "[]")
        case .map(let value, _): nested(value.type, under: path + ".*")
        case .nullable(let inner): nested(inner.type, under: path)
        default: ([], path)
        }
    }
}

private func typeName(_ field: SchemaField) -> String {
    typeName(field.type) + (field.isNullable ? " or null" : "")
}

private func typeName(_ type: SchemaType) -> String {
    switch type {
    case .integer(let unit, _): unit == "count" ? "integer" : "integer, \(unit)"
    case .number(let unit): "number, \(unit)"
    case .time: "number, seconds"
    case .boolean: "boolean"
    case .text: "string"
    case .word(let words): words.map { "`\"\($0)\"`" }.joined(separator: ", ")
    case .constant(let value): "`\"\(value)\"`"
    case .object: "object"
    case .list(let element): "array of \(plural(element.type))"
    case .map(_, let keys): "object by \(keys)"
    case .nullable(let inner): typeName(inner.type) + " or null"
    }
}

private func plural(_ type: SchemaType) -> String {
    switch type {
    case .integer: "integers"
    case .number, .time: "numbers"
    case .boolean: "booleans"
    case .text, .constant: "strings"
    case .word: typeName(type)
    case .object, .map: "objects"
    case .list: "arrays"
    case .nullable(let inner): plural(inner.type)
    }
}

private func escaped(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
}
