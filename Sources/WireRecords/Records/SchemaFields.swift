import WireCore

/// Collects what fields a record tells, with their types and meanings.
package struct SchemaFields: FieldVisitor {
    private var fields: [SchemaField] = []
    /// What was said of the next field.
    private var next: (meaning: String, type: SchemaType, isNullable: Bool) = ("", .text, false)
    /// The objects that are open, each with the fields around it.
    private var open: [(field: SchemaField, around: [SchemaField])] = []

    private mutating func add(_ name: StaticString) {
        fields.append(
            SchemaField(name: "\(name)", type: next.type, meaning: next.meaning, isNullable: next.isNullable))
    }

    package mutating func describe(
        _ meaning: @autoclosure () -> String, _ type: @autoclosure () -> SchemaType, isNullable: Bool
    ) { next = (meaning(), type(), isNullable) }

    package mutating func integer(_ name: StaticString, _ value: Int?) { add(name) }
    package mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?) { add(name) }
    package mutating func boolean(_ name: StaticString, _ value: Bool?) { add(name) }
    package mutating func text(_ name: StaticString, _ value: [UInt8]?) { add(name) }
    package mutating func text(_ name: StaticString, _ value: String?) { add(name) }
    package mutating func endpoint(_ name: StaticString, _ value: Endpoint) { add(name) }
    package mutating func flags(_ name: StaticString, _ value: RecordFlags) { add(name) }
    package mutating func texts(_ name: StaticString, _ value: [[UInt8]]) { add(name) }

    /// The name of the schema stands before all fields.
    package mutating func constant(_ name: StaticString, _ value: StaticString) {}

    package mutating func elements<Element>(
        _ name: StaticString, _ elements: [Element], blank: Element, key: ((Element) -> String)?,
        _ tell: (inout SchemaFields, Element) -> Void
    ) {
        _ = begin(name, isKnown: true)
        tell(&self, blank)
        end()
    }

    package mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool {
        add(name)
        let field = fields.removeLast()
        open.append((field, fields))
        fields = []
        return true
    }

    package mutating func end() {
        let (field, around) = open.removeLast()
        let object = SchemaType.object(fields)
        let type =
            switch field.type {
            case .list: SchemaType.list(SchemaElement(object))
            case .map(_, let keys): SchemaType.map(SchemaElement(object), keys: keys)
            default: object
            }
        let told = SchemaField(name: field.name, type: type, meaning: field.meaning, isNullable: field.isNullable)
        fields = around + [told]
    }
}

extension SchemaFields {
    package static func of(_ kind: RecordKind) -> [SchemaField] {
        of { visitor in
            switch kind {
            case .exchanges: visitor.exchange(ExchangeRecord.blank, ReportOptions())
            case .connections: visitor.connection(ConnectionRecord.blank, ReportOptions())
            }
        } + (kind == .exchanges ? [estimatesField] : [])
    }

    /// What `tell` tells.
    package static func of(_ tell: (inout SchemaFields) -> Void) -> [SchemaField] {
        var visitor = SchemaFields()
        tell(&visitor)
        return visitor.fields
    }
}
