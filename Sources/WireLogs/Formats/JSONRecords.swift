/// Records that are JSON objects: one on each line, or the elements of an array, which may be a member of an object.
struct JSONRecords<Format: RowFormat> {
    private var reader: JSONReader
    private let format: Format
    private let columns: RecordColumns
    private let builder: LogBuilder
    private var count = 0
    /// Keys of the last record in their order: most records have the same.
    private var lastKeys: [(key: [UInt8], place: Int?)] = []

    init(_ reader: JSONReader, _ format: Format, _ builder: LogBuilder) {
        self.reader = reader
        self.format = format
        columns = format.columns
        self.builder = builder
    }

    /// One object on each line; a line that is none is rejected.
    mutating func readLines() {
        while true {
            do throws(JSONError) {
                switch try reader.advance() {
                case .end: return
                case .beginObject: try readRecord(number: reader.line, isOuter: false)
                case .beginArray:
                    try reader.skipContainer()
                    builder.reject("a line is not a JSON object", row: reader.line)
                default: builder.reject("a line is not a JSON object", row: reader.line)
                }
            } catch {
                builder.rejectLine(error, of: &reader)
            }
        }
    }

    /// One value for the whole text. Throws where it goes wrong; the records before are read.
    mutating func readDocument() throws(JSONError) {
        switch try reader.advance() {
        case .beginArray: try readArray()
        case .beginObject: try readRecord(number: 1, isOuter: true)
        default: return
        }
        // What follows the value is an error.
        _ = try reader.advance()
    }

    /// - Parameter isInner: a member of an object, so that it may hold anything.
    private mutating func readArray(isInner: Bool = false) throws(JSONError) {
        while true {
            switch try reader.advance() {
            case .endArray, .end: return
            case .beginObject:
                count += 1
                try readRecord(number: count, isOuter: false, isInner: isInner)
            case .beginArray:
                try reader.skipContainer()
                fallthrough
            default:
                count += 1
                if !isInner { builder.reject("an element is not a JSON object", row: count) }
            }
        }
    }

    private struct Record {
        var values: [LogValue]
        var found = ColumnSet([])
        var hasArrays = false
        /// Keys so far.
        var position = 0
    }

    /// Reads an object, whose begin was read. The outermost may be the record, or hold arrays of records and of others.
    private mutating func readRecord(number: Int, isOuter: Bool, isInner: Bool = false) throws(JSONError) {
        var record = Record(values: [LogValue](repeating: .absent, count: columns.names.count))
        try readMembers(of: [], isOuter: isOuter, &record)
        let found = record.found
        guard columns.fit(found) else {
            if !record.hasArrays, !(isInner && found.isEmpty) {
                builder.reject("a row lacks required columns", row: number)
            }
            return
        }
        for index in columns.names.indices where !found.contains(index) && !columns.optional.contains(index) {
            builder.note("is missing", column: columns.names[index], row: number)
        }
        format.add(record.values, number: number, to: builder)
    }

    /// - Parameter prefix: names of the objects that hold the members, each with its dot.
    private mutating func readMembers(
        of prefix: [UInt8], isOuter: Bool, _ record: inout Record
    ) throws(JSONError) {
        while try reader.advance() == .key {
            let name = prefix.isEmpty ? reader.text : prefix + reader.text
            let position = record.position
            record.position += 1
            if let place = place(of: name, at: position) {
                record.values[place] = try reader.readValue()
                record.found.insert(place)
            } else if columns.isPrefix(name), try reader.isObjectNext() {
                _ = try reader.advance()
                try readMembers(of: name + [0x2E], isOuter: false, &record)
            } else if isOuter, try reader.isArrayNext() {
                record.hasArrays = true
                _ = try reader.advance()
                try readArray(isInner: true)
            } else {
                try reader.skipValue()
            }
        }
    }

    /// The place of the column that the key of a record's position names.
    private mutating func place(of name: [UInt8], at position: Int) -> Int? {
        if position < lastKeys.count, lastKeys[position].key == name { return lastKeys[position].place }
        let place = columns.place(name)
        if position < lastKeys.count {
            lastKeys[position] = (name, place)
        } else if position < 64 {
            lastKeys.append((name, place))
        }
        return place
    }
}

extension LogBuilder {
    /// Rejects a line that is no JSON, and goes on with the next. A last line that ends early is the end of a cut log.
    func rejectLine(_ error: JSONError, of reader: inout JSONReader) {
        reject("a line is not valid JSON: \(error.words)", row: reader.line)
        if error.kind == .endsEarly { noteIncomplete("the log ends inside its last line") }
        reader.skipLine()
    }
}

extension JSONReader {
    /// Reads the value behind a key; objects and arrays are passed over.
    mutating func readValue() throws(JSONError) -> LogValue {
        switch try advance() {
        case .string: return LogValue(text: text)
        case .number: return DecimalNumber(text[...]).map { .number($0) } ?? .structure
        case .yes: return .boolean(true)
        case .no: return .boolean(false)
        case .null: return .null
        case .beginObject, .beginArray:
            try skipContainer()
            return .structure
        default: return .absent
        }
    }
}
