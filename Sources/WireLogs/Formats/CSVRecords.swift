/// Records that are lines of separated values (RFC 4180, and with semicolons or tabs), the first line naming them.
package struct CSVRecords {
    /// A record may go over several lines where a value has line ends in quotes; so far it is looked for its end.
    private static let recordLimit = 64 << 10

    /// So many quotes are looked for their ends in vain; then no value goes over lines any more.
    private static let failureLimit = 64

    private var lines: LineReader
    private let separator: UInt8
    private let builder: LogBuilder
    /// Lines that were read in search of a quote's end and are to be read again.
    private var waiting: [[UInt8]] = []
    /// Number of the last line, and of the first of the last record.
    private var number = 0
    private var recordNumber = 0
    private var failures = 0

    init(_ lines: LineReader, separator: UInt8, builder: LogBuilder) {
        self.lines = lines
        self.separator = separator
        self.builder = builder
    }

    /// A text is read as CSV with the separator that gives its first line most values.
    package static func separator(_ header: [UInt8]) -> UInt8 {
        let candidates: [UInt8] = [0x2C, 0x3B, 0x09]
        return candidates.max { left, right in header.count { $0 == left } < header.count { $0 == right } } ?? 0x2C
    }

    /// The names in a header.
    static func names(_ header: [UInt8]) -> [String] {
        var names: [String] = []
        forEachValue(header, separator(header)) { names.append(Array(Array($1)[...].trimmingSpaces).display) }
        return names
    }

    /// Places of the format's columns by their position in the header.
    static func places(_ header: [UInt8], _ columns: RecordColumns) -> [Int?] {
        var places: [Int?] = []
        var found = Set<Int>()
        forEachValue(header, separator(header)) { _, text in
            let place = columns.place(Array(Array(text)[...].trimmingSpaces))
            places.append(place.flatMap { found.insert($0).inserted ? $0 : nil })
        }
        return places
    }

    /// Reads all records.
    mutating func read<Format: RowFormat>(_ format: Format) {
        var record: [UInt8] = []
        guard nextRecord(&record) else { return }
        let columns = format.columns
        let places = CSVRecords.places(record, columns)
        let found = ColumnSet(places.compactMap(\.self))
        columns.noteMissing(found, in: nil, to: builder)
        let empty = columns.names.indices.map { found.contains($0) ? LogValue.null : .absent }
        while nextRecord(&record) {
            guard !record.isEmpty else { continue }
            var values = empty
            var count = 0
            CSVRecords.forEachValue(record, separator) { position, text in
                count += 1
                guard position < places.count, let place = places[position] else { return }
                values[place] = LogValue(text: Array(text))
            }
            if count != places.count {
                let what = count < places.count ? "fewer" : "more"
                builder.note("a line has \(what) values than the first names", row: recordNumber)
            }
            format.add(values, number: recordNumber, to: builder)
        }
    }

    // MARK: Records

    /// Reads a line, and those after it while a quote is open.
    private mutating func nextRecord(_ record: inout [UInt8]) -> Bool {
        guard nextLine(&record) else { return false }
        recordNumber = number
        var isOpen = CSVRecords.leavesQuoteOpen(record, separator, false)
        guard isOpen else { return true }
        let first = record
        var taken: [[UInt8]] = []
        var line: [UInt8] = []
        while isOpen, record.count < CSVRecords.recordLimit, failures < CSVRecords.failureLimit, nextLine(&line) {
            taken.append(line)
            record += [0x0A] + line
            isOpen = CSVRecords.leavesQuoteOpen(line, separator, true)
        }
        guard isOpen else { return true }
        // The quote is a mistake of this one line.
        builder.note("a quote is not closed", row: recordNumber)
        failures += 1
        number -= taken.count
        if !taken.isEmpty { waiting += taken.reversed() }
        record = first
        return true
    }

    private mutating func nextLine(_ line: inout [UInt8]) -> Bool {
        if let kept = waiting.popLast() {
            line = kept
        } else {
            guard lines.next(into: &line) else { return false }
            if lines.isCut { builder.note("a line is too long and was cut", row: number + 1) }
        }
        number += 1
        return true
    }

    /// Whether a quoted value goes on behind the line.
    package static func leavesQuoteOpen(_ line: [UInt8], _ separator: UInt8, _ isOpen: Bool) -> Bool {
        guard isOpen || line.contains(0x22) else { return false }
        var isOpen = isOpen
        var isStart = !isOpen
        for byte in line {
            if byte == 0x22, isOpen || isStart { isOpen.toggle() }
            // A doubled quote closes and opens again; elsewhere a quote inside a value is a plain character.
            isStart = byte == separator || byte == 0x22
        }
        return isOpen
    }

    /// A value has more than blanks behind its closing quote, as in `"a"b`.
    package static func hasTextBehindQuotes(_ record: [UInt8], _ separator: UInt8) -> Bool {
        var start = 0
        while start < record.count {
            var end = start
            var ignored: [UInt8] = []
            if record[start] == 0x22 { end = unquote(record, from: start + 1, &ignored) }
            let stop = record[end...].firstIndex(of: separator) ?? record.count
            if record[start] == 0x22, !record[end..<stop].trimmingSpaces.isEmpty { return true }
            start = stop + 1
        }
        return false
    }

    /// Gives the values of a record, without their quotes.
    package static func forEachValue(
        _ record: [UInt8], _ separator: UInt8, _ body: (Int, ArraySlice<UInt8>) -> Void
    ) {
        var position = 0
        var start = 0
        while true {
            var end = start
            if start < record.count, record[start] == 0x22 {
                var value: [UInt8] = []
                end = unquote(record, from: start + 1, &value)
                // What stands between the closing quote and the separator belongs to the value, odd as it is.
                let stop = record[end...].firstIndex(of: separator) ?? record.count
                value += record[end..<stop]
                end = stop
                body(position, value[...])
            } else {
                while end < record.count, record[end] != separator { end += 1 }
                body(position, record[start..<end])
            }
            position += 1
            guard end < record.count else { return }
            start = end + 1
        }
    }

    /// Takes a quoted value; returns where its closing quote was passed.
    private static func unquote(_ record: [UInt8], from start: Int, _ value: inout [UInt8]) -> Int {
        var index = start
        while index < record.count {
            if record[index] == 0x22 {
                guard index + 1 < record.count, record[index + 1] == 0x22 else { return index + 1 }
                index += 1
            }
            value.append(record[index])
            index += 1
        }
        return index
    }
}
