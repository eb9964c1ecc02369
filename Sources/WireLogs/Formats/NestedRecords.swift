/// A log whose records are JSON objects at any depth: in lists, in answers of an interface, or on lines.
protocol NestedFormat {
    /// Names of members. That of a member of an inner object has the names of the objects before it, joined by dots:
    /// `resource.request.encoded_body_size`. A dot may also stand in a name itself.
    static var columns: RecordColumns { get }
    /// Takes an object whose members fit the columns. False: it is something else than a record of the format.
    mutating func add(_ record: NestedRecord, to builder: LogBuilder) -> Bool
    /// Names of members that hold lists of records.
    static var lists: Set<[UInt8]> { get }
    /// Columns whose value is the number of elements where it is a list.
    static var counted: ColumnSet { get }
    /// Ends the log: what could not be told of a record alone.
    mutating func finish(_ builder: LogBuilder)
}

extension NestedFormat {
    static var counted: ColumnSet { ColumnSet([]) }
    mutating func finish(_ builder: LogBuilder) {}
}

/// An object with the members that its format knows.
struct NestedRecord {
    /// One for each column of the format.
    let values: [LogValue]
    /// Which record it is in the log, from 1.
    let number: Int
    /// The list that holds it, from 1; 0 outside of lists.
    let list: Int

    subscript(place: Int) -> LogValue { values[place] }
}

/// Reads the records of a format from JSON of any structure.
struct NestedRecords<Format: NestedFormat> {
    private var reader: JSONReader
    private var format: Format
    private let builder: LogBuilder
    /// Records met, those that are no rows too.
    private(set) var count = 0
    /// A list of records was met that has none.
    private(set) var hasEmptyList = false
    private var lists = 0

    init(_ reader: JSONReader, _ format: Format, _ builder: LogBuilder) {
        self.reader = reader
        self.format = format
        self.builder = builder
    }

    /// One value on each line; a line that is none is rejected.
    mutating func readLines() {
        defer { format.finish(builder) }
        while true {
            do throws(JSONError) {
                switch try reader.advance() {
                case .end: return
                case .beginObject: try readObject(list: 0)
                case .beginArray: try readList(isOfRecords: true)
                default: builder.reject("a line is not a JSON object", row: reader.line)
                }
            } catch {
                builder.rejectLine(error, of: &reader)
            }
        }
    }

    /// One value for the whole text. Throws where it goes wrong; the records before are read.
    mutating func readDocument() throws(JSONError) {
        defer { format.finish(builder) }
        switch try reader.advance() {
        case .beginObject: try readObject(list: 0)
        case .beginArray: try readList(isOfRecords: true)
        default: return
        }
        // What follows the value is an error.
        _ = try reader.advance()
    }

    private mutating func readList(isOfRecords: Bool = false) throws(JSONError) {
        lists += 1
        let list = lists
        var isEmpty = true
        while true {
            switch try reader.advance() {
            case .endArray, .end:
                if isOfRecords, isEmpty { hasEmptyList = true }
                return
            case .beginObject: try readObject(list: list)
            case .beginArray: try readList()
            default: break
            }
            isEmpty = false
        }
    }

    private struct Members {
        /// Empty until a column is met: most objects have none.
        var values: [LogValue] = []
        var found = ColumnSet([])
    }

    /// Reads an object whose begin was read.
    private mutating func readObject(list: Int) throws(JSONError) {
        var members = Members()
        try readMembers(of: [], list: list, &members)
        guard !members.values.isEmpty, Format.columns.fit(members.found) else { return }
        let record = NestedRecord(values: members.values, number: count + 1, list: list)
        if format.add(record, to: builder) { count += 1 }
    }

    /// - Parameter prefix: names of the objects that hold the member, each with its dot.
    private mutating func readMembers(
        of prefix: [UInt8], list: Int, _ members: inout Members
    ) throws(JSONError) {
        while try reader.advance() == .key {
            let isOfRecords = Format.lists.contains(reader.text)
            let name = prefix + reader.text
            if let place = Format.columns.place(name) {
                if Format.counted.contains(place), try reader.isArrayNext() {
                    keep(try reader.countElements(), at: place, &members)
                } else {
                    keep(try reader.readValue(), at: place, &members)
                }
                continue
            }
            switch try reader.advance() {
            case .beginObject:
                if Format.columns.isPrefix(name) {
                    try readMembers(of: name + [0x2E], list: list, &members)
                } else {
                    try readObject(list: list)
                }
            case .beginArray: try readList(isOfRecords: isOfRecords)
            default: continue
            }
        }
    }

    /// Of several spellings of a column the first that has a value counts.
    private func keep(_ value: LogValue, at place: Int, _ members: inout Members) {
        if members.values.isEmpty {
            members.values = [LogValue](repeating: .absent, count: Format.columns.names.count)
        }
        members.found.insert(place)
        if members.values[place].isNothing { members.values[place] = value }
    }
}

extension JSONReader {
    /// Passes over the array that follows a key, and counts its elements.
    fileprivate mutating func countElements() throws(JSONError) -> LogValue {
        _ = try advance()
        var count = 0
        while true {
            switch try advance() {
            case .endArray, .end: return .number(DecimalNumber(count))
            case .beginObject, .beginArray: try skipContainer()
            default: break
            }
            count += 1
        }
    }
}

extension LogBuilder {
    /// A month, nanoseconds.
    private static let longestCall: Int64 = 30 * 86_400 * 1_000_000_000

    /// A duration in nanoseconds; nil, with the reason noted, where it is none.
    ///
    /// - Parameter power: of ten, by which the unit is longer than a nanosecond.
    package func duration(_ value: LogValue, _ column: String, power: Int, row: Int) -> Int64? {
        guard !value.isNothing else { return nil }
        guard let number = value.number, !number.isNegative else {
            note("is no duration", column: column, row: row)
            return nil
        }
        guard let scaled = number.scaled(by: power), scaled < LogBuilder.longestCall else {
            note("is implausibly large", column: column, row: row)
            return nil
        }
        return Int64(scaled)
    }

    /// Fills host, path and port of a row from a URL of HTTP; false, with the reason noted, where it is none.
    ///
    /// - Parameter records: what the log's records are called, such as `spans`.
    func setTarget(_ text: [UInt8], _ column: String, of row: inout LogRow, records: String) -> Bool {
        let scheme = text.prefix { $0 != 0x3A }.map(\.lowercased)
        if scheme.count < text.count, !LogBuilder.wireSchemes.contains(scheme) {
            note("\(records) with schemes other than http and https are not on the wire", row: row.number)
            return false
        }
        guard setURL(text, column, of: &row) else {
            reject("\(records) without a URL with a host cannot be used", row: row.number)
            return false
        }
        return true
    }

    private static let wireSchemes: Set<[UInt8]> = Set(["http", "https", "ws", "wss"].map { Array($0.utf8) })
}
