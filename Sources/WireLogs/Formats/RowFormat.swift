/// A log whose rows are records of named columns, wherever the records stand: in a table of a database, in JSON objects
/// or in lines of CSV.
protocol RowFormat {
    var columns: RecordColumns { get }
    /// Makes a row of the values, one for each column of the format.
    func add(_ values: [LogValue], number: Int, to builder: LogBuilder)
}

/// A format all of whose logs have the same columns.
protocol FixedRowFormat: RowFormat {
    static var columns: RecordColumns { get }
}

extension FixedRowFormat {
    var columns: RecordColumns { Self.columns }
}

/// The columns that a format knows.
package struct RecordColumns: Sendable {
    /// As they are usually written.
    package let names: [String]
    private let places: [[UInt8]: Int]
    /// Names of objects that hold columns: what stands before a dot.
    private let prefixes: Set<[UInt8]>
    /// Columns whose absence is no fault.
    let optional: ColumnSet
    /// Columns that must be there for the records to be of this format.
    let needed: ColumnSet
    /// Columns of which at least so many must be there.
    let significant: ColumnSet
    let significantCount: Int

    /// - Parameter others: other spellings, by the usual one.
    init(
        _ names: [String], optional: [String] = [], needed: [String], significant: [String] = [],
        atLeast count: Int = 0,
        others: [(String, String)] = []
    ) {
        self.names = names
        var places: [[UInt8]: Int] = [:]
        for (place, name) in names.enumerated() { places[RecordColumns.plain(Array(name.utf8))] = place }
        for (name, usual) in others { places[RecordColumns.plain(Array(name.utf8))] = names.firstIndex(of: usual) }
        self.places = places
        prefixes = Set(
            places.keys.flatMap { name in name.indices.filter { name[$0] == 0x2E }.map { Array(name[..<$0]) } })
        func set(_ list: [String]) -> ColumnSet { ColumnSet(list.compactMap { names.firstIndex(of: $0) }) }
        self.optional = set(optional)
        self.needed = set(needed)
        self.significant = set(significant)
        significantCount = count
    }

    /// The place of a column, in any letter case, with or without underscores, with Core Data's prefix too.
    package func place(_ name: [UInt8]) -> Int? {
        let plain = RecordColumns.plain(name)
        return places[plain] ?? (plain.first == 0x7A ? places[Array(plain.dropFirst())] : nil)
    }

    package func place(_ name: String) -> Int? { place(Array(name.utf8)) }

    /// Whether an object of this name holds columns.
    func isPrefix(_ name: [UInt8]) -> Bool { !prefixes.isEmpty && prefixes.contains(RecordColumns.plain(name)) }

    /// Whether records with these columns are of the format.
    func fit(_ found: ColumnSet) -> Bool {
        found.isSuperset(of: needed) && found.intersection(significant).count >= significantCount
    }

    /// Notes each column that a whole log lacks.
    func noteMissing(_ found: ColumnSet, in place: String?, to builder: LogBuilder) {
        for index in names.indices where !found.contains(index) && !optional.contains(index) {
            builder.note("column \(names[index]) is missing" + (place.map { " in " + $0 } ?? ""), row: nil)
        }
    }

    /// Letters in lower case and digits; underscores, hyphens and spaces do not matter.
    package static func plain(_ name: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(name.count)
        for byte in name where byte != 0x5F && byte != 0x2D && byte != 0x20 { plain.append(byte.lowercased) }
        return plain
    }
}

/// Places of columns, up to 64.
struct ColumnSet: OptionSet, Sendable {
    var rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ places: some Sequence<Int>) {
        rawValue = places.reduce(0) { $0 | 1 << UInt64($1) }
    }

    var count: Int { rawValue.nonzeroBitCount }

    func contains(_ place: Int) -> Bool { rawValue >> UInt64(place) & 1 == 1 }

    mutating func insert(_ place: Int) { rawValue |= 1 << UInt64(place) }
}
