import WireLogs

/// Which times of a row and of an exchange are held against each other.
enum TimeChannel: Int, CaseIterable, Sendable {
    case requestStart, responseEnd, exchangeStart, exchangeEnd

    func time(of row: LogRow) -> Int64 { self == .exchangeEnd ? row.end : row.time }

    func time(of call: WireCall) -> Int64 {
        switch self {
        case .requestStart, .exchangeStart: call.start
        case .responseEnd, .exchangeEnd: call.end
        }
    }

    /// How coarse times are that are told as dates without fractions, nanoseconds.
    static let second: Int64 = 1_000_000_000

    /// Of rows of whole exchanges, the times that are in whole seconds where the others are finer: the event lay somewhere
    /// within the second behind such a time.
    static func coarse(in log: [LogRow]) -> TimeChannel? {
        func times(_ channel: TimeChannel) -> [Int64] {
            log.lazy.filter { $0.kind == .exchange }.map { channel.time(of: $0) }.filter { UsableTime.contains($0) }
        }
        let both = [times(.exchangeStart), times(.exchangeEnd)]
        let areWhole = both.map { $0.allSatisfy { $0 % second == 0 } }
        guard !both[0].isEmpty, !both[1].isEmpty, areWhole[0] != areWhole[1] else { return nil }
        return areWhole[0] ? .exchangeStart : .exchangeEnd
    }
}

extension LogRow.Kind {
    /// The times by which rows of the kind are matched, the more telling one first.
    var channels: [TimeChannel] {
        switch self {
        case .request: [.requestStart]
        case .response: [.responseEnd]
        case .exchange: [.exchangeStart, .exchangeEnd]
        }
    }
}

/// Columns of a row that are known, time apart. A row is held against the exchanges that agree with it in all of them.
struct KnownColumns: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let serverPort = KnownColumns(rawValue: 1)
    static let method = KnownColumns(rawValue: 2)
    static let status = KnownColumns(rawValue: 4)
    static let clientPort = KnownColumns(rawValue: 8)
    static let host = KnownColumns(rawValue: 16)
    static let path = KnownColumns(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What a row knows. The status of a request's row says nothing: the request came before it.
    init(of row: LogRow) {
        self = []
        if row.serverPort != 0 { insert(.serverPort) }
        if row.method >= 0 { insert(.method) }
        if row.status != 0, row.kind != .request { insert(.status) }
        if row.clientPort != 0 { insert(.clientPort) }
        if row.host >= 0 { insert(.host) }
        if row.path >= 0 { insert(.path) }
    }
}

/// The known columns of a row with their values; what is unknown has the same value in all keys.
struct GroupKey: Hashable {
    private var host: Int32 = -1
    private var path: Int32 = -1
    private var method: Int32 = -1
    private var status: Int16 = 0
    private var clientPort: UInt16 = 0
    private var serverPort: UInt16 = 0

    init(_ row: LogRow, _ columns: KnownColumns) {
        if columns.contains(.host) { host = row.host }
        if columns.contains(.path) { path = row.path }
        if columns.contains(.method) { method = row.method }
        if columns.contains(.status) { status = row.status }
        if columns.contains(.clientPort) { clientPort = row.clientPort }
        if columns.contains(.serverPort) { serverPort = row.serverPort }
    }

    init(_ call: WireCall, _ columns: KnownColumns) {
        if columns.contains(.host) { host = call.host }
        if columns.contains(.path) { path = call.path }
        if columns.contains(.method) { method = call.method }
        if columns.contains(.status) { status = call.status }
        if columns.contains(.clientPort) { clientPort = call.clientPort }
        if columns.contains(.serverPort) { serverPort = call.serverPort }
    }
}

/// Rows of one kind that know the same columns: they are matched in one go. Rows that know more go first, so that rows
/// that know little are held against what is left.
struct RowClass {
    let kind: LogRow.Kind
    let columns: KnownColumns
    var rows: [Int32] = []

    static func classes(of rows: [LogRow]) -> [RowClass] {
        var places = [Int](repeating: -1, count: 3 * 64)
        var classes: [RowClass] = []
        for (index, row) in rows.enumerated() {
            let columns = KnownColumns(of: row)
            let place = order(row.kind) * 64 + Int(columns.rawValue)
            if places[place] < 0 {
                places[place] = classes.count
                classes.append(RowClass(kind: row.kind, columns: columns))
            }
            classes[places[place]].rows.append(Int32(truncatingIfNeeded: index))
        }
        return classes.sorted {
            (order($0.kind), $1.columns.rawValue) < (order($1.kind), $0.columns.rawValue)
        }
    }

    private static func order(_ kind: LogRow.Kind) -> Int {
        switch kind {
        case .exchange: 0
        case .request: 1
        case .response: 2
        }
    }
}
