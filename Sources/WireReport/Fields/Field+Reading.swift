import WireComparison
import WireCore
import WireLogs

/// A value that fields of our own files hold.
protocol OwnFileValue: Sendable {
    static func read(_ reader: inout OwnFileReader) throws(OwnFileReader.Problem) -> Self
}

extension String: OwnFileValue {
    static func read(_ reader: inout OwnFileReader) throws(OwnFileReader.Problem) -> String { try reader.string() }
}

extension Bool: OwnFileValue {
    static func read(_ reader: inout OwnFileReader) throws(OwnFileReader.Problem) -> Bool { try reader.boolean() }
}

extension [String]: OwnFileValue {
    static func read(_ reader: inout OwnFileReader) throws(OwnFileReader.Problem) -> [String] {
        try reader.strings()
    }
}

extension Double: OwnFileValue {
    /// 0 for null: the mean of no call.
    static func read(_ reader: inout OwnFileReader) throws(OwnFileReader.Problem) -> Double {
        try reader.number() ?? 0
    }
}

extension Optional: OwnFileValue where Wrapped: OwnFileValue {
    static func read(_ reader: inout OwnFileReader) throws(OwnFileReader.Problem) -> Wrapped? {
        let isNull = try reader.null()
        return isNull ? nil : try Wrapped.read(&reader)
    }
}

extension Direction: OwnFileValue {
    static func read(_ reader: inout OwnFileReader) throws(OwnFileReader.Problem) -> Direction {
        guard let direction = Direction(rawValue: try reader.string()) else {
            throw reader.problem("unknown direction")
        }
        return direction
    }
}

extension Field {
    /// Readers put its value there.
    func reading<Value: OwnFileValue>(_ path: WritableKeyPath<Row, Value> & Sendable) -> Field {
        reading { (row, reader) throws(OwnFileReader.Problem) in row[keyPath: path] = try Value.read(&reader) }
    }

    /// A whole number. What counts is not negative, and stays as it is at null.
    func reading(_ path: WritableKeyPath<Row, Int> & Sendable) -> Field {
        let isNullable = schema.isNullable
        if case .integer(_, let least?) = schema.type {
            return reading { (row, reader) throws(OwnFileReader.Problem) in
                let isNull = isNullable ? try reader.null() : false
                if !isNull { row[keyPath: path] = try reader.integer(least: least) }
            }
        }
        return reading { (row, reader) throws(OwnFileReader.Problem) in row[keyPath: path] = try reader.integer() }
    }

    func reading(_ path: WritableKeyPath<Row, Int?> & Sendable) -> Field {
        reading { (row, reader) throws(OwnFileReader.Problem) in
            let isNull = try reader.null()
            row[keyPath: path] = isNull ? nil : try reader.integer(least: 0)
        }
    }

    /// An object that is both written and read.
    static func object<Value>(
        _ name: StaticString, _ meaning: String, _ fields: [Field<Value>],
        at path: WritableKeyPath<Row, Value> & Sendable
    ) -> Field {
        object(name, meaning, fields) { $0[keyPath: path] }
            .reading { (row, reader) throws(OwnFileReader.Problem) in
                try reader.object(fields, into: &row[keyPath: path])
            }
    }

    /// The same, or null.
    ///
    /// - Parameters:
    ///   - blank: what the object is before its first field was read.
    ///   - isWhole: whether an object that was read stands for something; else it is nil.
    static func object<Value>(
        _ name: StaticString, _ meaning: String, _ fields: [Field<Value>],
        at path: WritableKeyPath<Row, Value?> & Sendable, blank: @autoclosure @escaping @Sendable () -> Value,
        where isWhole: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> Field {
        object(name, meaning, fields) { $0[keyPath: path] }
            .reading { (row, reader) throws(OwnFileReader.Problem) in
                guard try !reader.null() else {
                    row[keyPath: path] = nil
                    return
                }
                var value = blank()
                try reader.object(fields, into: &value)
                row[keyPath: path] = isWhole(value) ? value : nil
            }.orNull
    }

    static func list<Value>(
        _ name: StaticString, of fields: [Field<Value>], _ meaning: String,
        at path: WritableKeyPath<Row, [Value]> & Sendable, blank: @autoclosure @escaping @Sendable () -> Value
    ) -> Field {
        list(name, of: fields, meaning) { $0[keyPath: path] }
            .reading { (row, reader) throws(OwnFileReader.Problem) in
                row[keyPath: path] = try reader.list(fields, blank: blank())
            }
    }
}

extension OwnFileReader {
    /// An object: what has no reading may hold anything.
    mutating func object<Row>(_ fields: [Field<Row>], into row: inout Row) throws(Problem) {
        try object { (reader, name) throws(Problem) in try reader.member(name, of: fields, into: &row) }
    }

    mutating func member<Row>(_ name: String, of fields: [Field<Row>], into row: inout Row) throws(Problem) {
        guard let read = fields.first(where: { $0.schema.name == name })?.read else { return try skip() }
        try read(&row, &self)
    }

    mutating func list<Row>(_ fields: [Field<Row>], blank: @autoclosure () -> Row) throws(Problem) -> [Row] {
        var rows: [Row] = []
        try array { (reader) throws(Problem) in
            var row = blank()
            try reader.object(fields, into: &row)
            rows.append(row)
        }
        return rows
    }

    /// Of numbers above 2⁵³ not more, so that sums of two do not overflow.
    mutating func integer(least: Int) throws(Problem) -> Int {
        let value = try integer()
        guard value >= least else { throw problem("expected a number that is not negative") }
        return min(value, 1 << 53)
    }
}

extension Output {
    /// Reads what `json` wrote.
    func read(_ json: JSONReader, into row: inout Row) throws(OwnFileReader.Problem) {
        var reader = OwnFileReader(json)
        var found: String?
        try reader.object { (reader, name) throws(OwnFileReader.Problem) in
            guard name == "schema" else { return try reader.member(name, of: fields, into: &row) }
            found = try reader.string()
            guard found == schema.identifier else {
                throw OwnFileReader.Problem(what: "its schema is \(quoted(found ?? ""))")
            }
        }
        try reader.end()
        guard found != nil else { throw OwnFileReader.Problem(what: "it has no schema") }
    }
}
