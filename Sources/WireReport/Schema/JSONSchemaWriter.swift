import WireRecords

/// An output's shape as JSON Schema (draft 2020-12), indented for people. Units stand in the keyword `x-unit`, which
/// validators take for an annotation.
public func jsonSchema(_ schema: OutputSchema) -> String {
    var writer = JSONSchemaWriter()
    writer.write(schema)
    return writer.text + "\n"
}

private struct JSONSchemaWriter {
    private(set) var text = ""
    private var depth = 0
    private var isFirst = true

    mutating func write(_ schema: OutputSchema) {
        text += "{"
        depth = 1
        keyword("$schema", string("https://json-schema.org/draft/2020-12/schema"))
        keyword("$id", string("urn:wireaudit:schema:\(schema.name):\(schema.version)"))
        keyword("title", string(schema.identifier))
        keyword("description", string("\(schema.about) Written by: \(schema.command)."))
        object(schema.fields)
        close("}")
    }

    // MARK: Types

    private mutating func type(_ type: SchemaType, isNullable: Bool) {
        switch type {
        case .integer(let unit, let least):
            names(["integer"], isNullable)
            if let least { keyword("minimum", String(least)) }
            keyword("x-unit", string(unit))
        case .time: preconditionFailure("a time is written as two fields")
        case .number(let unit):
            names(["number"], isNullable)
            keyword("x-unit", string(unit))
        case .boolean: names(["boolean"], isNullable)
        case .text: names(["string"], isNullable)
        case .word(let words):
            names(["string"], isNullable)
            keyword("enum", array(words.map(string) + (isNullable ? ["null"] : [])))
        case .constant(let value): keyword("const", string(value))
        case .object(let fields): object(fields, isNullable: isNullable)
        case .list(let element):
            names(["array"], isNullable)
            nested("items") { $0.type(element.type, isNullable: false) }
        case .nullable(let inner): self.type(inner.type, isNullable: true)
        case .map(let value, let keys):
            names(["object"], isNullable)
            nested("propertyNames") { $0.keyword("description", $0.string(keys)) }
            nested("additionalProperties") { $0.type(value.type, isNullable: false) }
        }
    }

    private mutating func names(_ names: [String], _ isNullable: Bool) {
        keyword("type", isNullable ? array((names + ["null"]).map(string)) : string(names[0]))
    }

    private mutating func object(_ fields: [SchemaField], isNullable: Bool = false) {
        let fields = fields.flatMap(\.written)
        names(["object"], isNullable)
        nested("properties") { writer in
            for field in fields {
                writer.nested(field.name) {
                    $0.keyword("description", $0.string(field.meaning))
                    $0.type(field.type, isNullable: field.isNullable)
                }
            }
        }
        keyword("required", array(fields.map { string($0.name) }))
    }

    // MARK: Text

    private mutating func keyword(_ name: String, _ value: String) {
        text += isFirst ? "\n" : ",\n"
        isFirst = false
        text += String(repeating: "  ", count: depth) + string(name) + ": " + value
    }

    private mutating func nested(_ name: String, _ body: (inout JSONSchemaWriter) -> Void) {
        keyword(name, "{")
        depth += 1
        isFirst = true
        body(&self)
        close("}")
    }

    private mutating func close(_ end: String) {
        depth -= 1
        text += isFirst ? end : "\n" + String(repeating: "  ", count: depth) + end
        isFirst = false
    }

    private func array(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }

    /// The texts of the table have no control characters.
    private func string(_ value: String) -> String {
        let escaped = value.map { character in
            character == "\"" || character == "\\" ? "\\" + String(character) : String(character)
        }
        return "\"" + escaped.joined() + "\""
    }
}
