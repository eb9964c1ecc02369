import WireCore

/// Collects the names of the fields that a record tells, with `_` for nesting: the header line of CSV. SQL needs no quotes for them.
package struct FieldNames: FieldVisitor {
    private(set) var names: [String] = []
    private var path: [String] = []

    private mutating func add(_ name: StaticString) {
        names.append((path + ["\(name)"]).joined(separator: "_"))
    }

    package mutating func integer(_ name: StaticString, _ value: Int?) { add(name) }
    package mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?) {
        add(name)
        names.append("\(names.last ?? "")_ns")
    }
    package mutating func boolean(_ name: StaticString, _ value: Bool?) { add(name) }
    package mutating func text(_ name: StaticString, _ value: [UInt8]?) { add(name) }
    package mutating func text(_ name: StaticString, _ value: String?) { add(name) }
    package mutating func endpoint(_ name: StaticString, _ value: Endpoint) { add(name) }
    package mutating func constant(_ name: StaticString, _ value: StaticString) { add(name) }
    package mutating func flags(_ name: StaticString, _ value: RecordFlags) { add(name) }
    package mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool {
        path.append("\(name)")
        return true
    }

    package mutating func end() { path.removeLast() }
}

extension FieldNames {
    /// The columns of a kind of records. Which fields there are depends on the options, and on no record.
    package static func columns(_ kind: RecordKind, _ options: ReportOptions) -> [String] {
        columns { names in
            switch kind {
            case .exchanges: names.exchange(ExchangeRecord.blank, options)
            case .connections: names.connection(ConnectionRecord.blank, options)
            }
        }
    }

    /// The names of what `tell` tells.
    package static func columns(_ tell: (inout FieldNames) -> Void) -> [String] {
        var names = FieldNames()
        tell(&names)
        return names.names
    }
}

/// The text as a part of a column's name: other characters than letters, digits and `_` become `_`.
package func columnName(_ text: String) -> String {
    String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
}
