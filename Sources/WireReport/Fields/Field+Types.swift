import WireComparison
import WireCore
import WireEstimates
import WireLogs
import WireRecords

/// Fields by type. `places` are the decimals of a number.
extension Field {
    static func bytes(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Int?) -> Field {
        Field(name, .integer(unit: "bytes", least: 0), meaning, .integer(get))
    }

    /// Bytes that can be negative.
    static func difference(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Int?) -> Field {
        Field(name, .integer(unit: "bytes", least: nil), meaning, .integer(get))
    }

    /// What a source says: -1 where an SDK records a length that it does not know.
    static func estimate(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Int?) -> Field {
        difference(name, meaning + " Negative where an SDK records unknown lengths as -1.", get)
    }

    static func count(
        _ name: StaticString, _ meaning: String, of unit: String = "count", _ get: @escaping @Sendable (Row) -> Int?
    ) -> Field {
        Field(name, .integer(unit: unit, least: 0), meaning, .integer(get))
    }

    static func seconds(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Int64?) -> Field {
        Field(name, .time(since: nil), meaning, .seconds(get))
    }

    /// A moment, by the clock of the capture unless told otherwise.
    static func moment(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Int64?) -> Field {
        Field(name, .time(since: "1970-01-01T00:00:00Z"), meaning, .seconds(get))
    }

    static func number(
        _ name: StaticString, _ meaning: String, unit: String = "bytes", places: Int = 3,
        _ get: @escaping @Sendable (Row) -> Double?
    ) -> Field {
        Field(name, .number(unit: unit), meaning, .decimal(places: places, get))
    }

    /// A number with six decimals.
    static func ratio(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Double?) -> Field {
        number(name, meaning, unit: "ratio", places: 6, get)
    }

    static func boolean(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Bool?) -> Field {
        Field(name, .boolean, meaning, .boolean(get))
    }

    static func text(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> String?) -> Field {
        Field(name, .text, meaning, .text(get))
    }

    /// Text from the wire.
    static func wireText(
        _ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> [UInt8]?
    ) -> Field {
        Field(name, .text, meaning, .wireText(get))
    }

    static func word(
        _ name: StaticString, _ words: [String], _ meaning: String, _ get: @escaping @Sendable (Row) -> String?
    ) -> Field {
        Field(name, .word(words), meaning, .text(get))
    }

    /// One of the cases of an enumeration.
    static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> Word?
    ) -> Field {
        Field(name, .word(Word.allCases.map(\.rawValue)), meaning, .text { get($0)?.rawValue })
    }

    /// Always the same text.
    static func constant(_ name: StaticString, _ value: String, _ meaning: String) -> Field {
        Field(name, .constant(value), meaning, .text { _ in value })
    }
}

// MARK: Lists and objects

extension Field {
    static func texts(_ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> [String]) -> Field {
        Field(name, .list(SchemaElement(.text)), meaning, .nested { $2.words($1, get($0)) })
    }

    static func object<Value>(
        _ name: StaticString, _ meaning: String, _ fields: [Field<Value>], _ get: @escaping @Sendable (Row) -> Value?
    ) -> Field {
        Field(name, .object(fields.map(\.schema)), meaning, .object(FieldObject(fields, get)))
    }

    static func list<Value>(
        _ name: StaticString, of fields: [Field<Value>], _ meaning: String,
        _ get: @escaping @Sendable (Row) -> [Value]
    ) -> Field {
        Field(
            name, .list(SchemaElement(.object(fields.map(\.schema)))), meaning,
            .nested { $2.list($1, fields, of: get($0)) })
    }

    /// Both directions as objects.
    static func directions<Value>(
        _ fields: [Field<Value>], _ up: @escaping @Sendable (Row) -> Value, _ down: @escaping @Sendable (Row) -> Value
    ) -> [Field] {
        [.object("up", "Client to server.", fields, up), .object("down", "Server to client.", fields, down)]
    }

    /// The same, null where there is nothing of one.
    static func knownDirections<Value>(
        _ fields: [Field<Value>], _ up: @escaping @Sendable (Row) -> Value?,
        _ down: @escaping @Sendable (Row) -> Value?
    ) -> [Field] {
        [
            .object("up", "Of this direction.", fields, up).orNull,
            .object("down", "Of this direction.", fields, down).orNull,
        ]
    }

    /// Counts by names that are data, in the order of these.
    static func counts(
        _ name: StaticString, keys: String, _ meaning: String, at path: WritableKeyPath<Row, [String: Int]> & Sendable
    ) -> Field {
        counts(name, keys: keys, meaning) { $0[keyPath: path].sorted { $0.key < $1.key } }
            .reading { (row, reader) throws(OwnFileReader.Problem) in
                try reader.object { (reader, key) throws(OwnFileReader.Problem) in
                    row[keyPath: path][key] = try reader.integer()
                }
            }
    }

    /// Integers by names that are data.
    static func counts(
        _ name: StaticString, keys: String, _ meaning: String,
        _ get: @escaping @Sendable (Row) -> [(key: String, value: Int)]
    ) -> Field {
        let type = SchemaType.map(SchemaElement(.integer(unit: "count", least: 0)), keys: keys)
        return Field(
            name, type, meaning,
            .nested { row, name, json in
                json.begin(name)
                for (key, count) in get(row) { json.integer(name: key, count) }
                json.end()
            })
    }

    /// Lists of texts by names that are data.
    static func lists(
        _ name: StaticString, keys: String, _ meaning: String,
        _ get: @escaping @Sendable (Row) -> [(key: String, value: [String])]
    ) -> Field {
        Field(
            name, .map(SchemaElement(.list(SchemaElement(.text))), keys: keys), meaning,
            .nested { row, name, json in
                json.begin(name)
                for (key, words) in get(row) { json.words(name: key, words) }
                json.end()
            })
    }

    /// Objects by names that are data.
    static func map<Value>(
        _ name: StaticString, keys: String, of fields: [Field<Value>], _ meaning: String,
        _ get: @escaping @Sendable (Row) -> [(key: String, value: Value)]?
    ) -> Field {
        Field(
            name, .map(SchemaElement(.object(fields.map(\.schema))), keys: keys), meaning,
            .nested { row, name, json in
                let values = get(row)
                guard json.begin(name, isKnown: values != nil) else { return }
                for (key, value) in values ?? [] {
                    json.begin(name: key)
                    json.write(fields, of: value)
                    json.end()
                }
                json.end()
            })
    }

    /// An error by the ids of its causes.
    static func causes(
        _ name: StaticString, _ meaning: String, _ get: @escaping @Sendable (Row) -> CauseLedger?
    ) -> Field {
        causes(name, stating: meaning + " Causes of 0 bytes are left out. Positive: the estimate is too high.", get)
    }

    static func causes(
        _ name: StaticString, stating meaning: String, _ get: @escaping @Sendable (Row) -> CauseLedger?
    ) -> Field {
        let type = SchemaType.map(SchemaElement(.integer(unit: "bytes", least: nil)), keys: "the id of a cause")
        return Field(
            name, type, meaning,
            .nested { row, name, json in
                let ledger = get(row)
                guard json.begin(name, isKnown: ledger != nil), let ledger else { return }
                for post in ledger.posts { json.integer(name: post.cause.name, post.bytes) }
                json.end()
            })
    }
}
