import WireCore

/// Collects the names of the fields that a record tells, with `_` for nesting: the header line of CSV. SQL needs no quotes for them.
struct FieldNames: FieldVisitor {
    private(set) var names: [String] = []
    private var path: [String] = []

    private mutating func add(_ name: StaticString) {
        names.append((path + ["\(name)"]).joined(separator: "_"))
    }

    mutating func integer(_ name: StaticString, _ value: Int?) { add(name) }
    mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?) {
        add(name)
        names.append("\(names.last ?? "")_ns")
    }
    mutating func boolean(_ name: StaticString, _ value: Bool?) { add(name) }
    mutating func text(_ name: StaticString, _ value: [UInt8]?) { add(name) }
    mutating func text(_ name: StaticString, _ value: String?) { add(name) }
    mutating func endpoint(_ name: StaticString, _ value: Endpoint) { add(name) }
    mutating func constant(_ name: StaticString, _ value: StaticString) { add(name) }
    mutating func flags(_ name: StaticString, _ value: RecordFlags) { add(name) }
    mutating func listed(_ tell: (inout JSONFields) -> Void) {}

    mutating func begin(_ name: StaticString, isKnown: Bool) -> Bool {
        path.append("\(name)")
        return true
    }

    mutating func end() { path.removeLast() }
}

extension FieldNames {
    /// The columns of a kind of records. Which fields there are depends on the options, and on no record.
    static func columns(_ kind: RecordKind, _ options: ReportOptions) -> [String] {
        var names = FieldNames()
        switch kind {
        case .exchanges: names.exchange(ExchangeRecord.blank, options)
        case .connections: names.connection(ConnectionRecord.blank, options)
        }
        return names.names
    }
}

/// The text as a part of a column's name: other characters than letters, digits and `_` become `_`.
func columnName(_ text: String) -> String {
    String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
}
