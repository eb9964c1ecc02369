import Foundation

/// Writes what the SDKs log of a session: a database for each format and convention, and `truth.ndjson`, in which each
/// row of each of them stands with its call, the leg whose exchange it describes, and its time in nanoseconds.
///
/// DM's conventions for a redirected call differ in its rows:
///
///     hops    each leg has both rows, with its own path
///     first   as hops, but the last response has the first path
///     final   responses of redirections have no row
///     dm      as final, and the last response has the first path
///     outer   one request row, the first; one response row, the last, with the first path
struct LogFiles {
    enum Convention: String, CaseIterable {
        case hops, first, final, dm, outer

        var hasRedirections: Bool { self == .hops || self == .first }
        var hasFirstPath: Bool { self == .first || self == .dm || self == .outer }
    }

    /// Whose row it is.
    private struct Owner {
        var call: String
        var leg: Int
        var kind: String
        var time: Int64
        var end: Int64?
    }

    private typealias Row = (owner: Owner, values: [Database.Value])

    let folder: String

    func write(_ calls: [RecordedCall]) throws {
        var truth = ""
        for convention in Convention.allCases {
            let rows = calls.flatMap { LogFiles.dmRows($0, convention) }
            let sorted = rows.sorted { $0.owner.time < $1.owner.time }
            truth += try write(sorted, "dm-\(convention).sqlite", "traffic", LogFiles.dmColumns)
        }
        // Exchanges are written when they end.
        let ended = calls.sorted { ($0.legs.last?.responseTime ?? 0) < ($1.legs.last?.responseTime ?? 0) }
        var keys = KeyMaker()
        let networkEye = ended.map { LogFiles.networkEyeRow($0, &keys) }
        truth += try write(networkEye, "networkeye.sqlite", "nenetworkhttpeyes", LogFiles.networkEyeColumns)
        let godEye = ended.enumerated().map { LogFiles.godEyeRow($1, number: $0 + 1) }
        truth += try write(godEye, "godeye.sqlite", "t_natwork", LogFiles.godEyeColumns)
        truth += try write(ended.map(LogFiles.doKitRow), "dokit.sqlite", "flow", LogFiles.doKitColumns)
        try truth.write(toFile: folder + "/truth.ndjson", atomically: true, encoding: .utf8)
    }

    /// Returns the rows' lines of the truth.
    private func write(_ rows: [Row], _ name: String, _ table: String, _ columns: String) throws -> String {
        let database = try Database(folder + "/" + name)
        try database.run("CREATE TABLE \(table)(\(columns))")
        try database.insert(rows.map(\.values), into: table)
        return rows.enumerated().map { index, row in
            let end = row.owner.end.map { "\($0)" } ?? "null"
            return
                "{\"log\":\"\(name)\",\"row\":\(index + 1),\"call\":\"\(row.owner.call)\",\"leg\":\(row.owner.leg),"
                + "\"kind\":\"\(row.owner.kind)\",\"time\":\(row.owner.time),\"end\":\(end)}\n"
        }.joined()
    }

    // MARK: DMNetworkTrafficLog

    private static let dmColumns =
        "path TEXT, host TEXT, type INTEGER, lineLength INTEGER, headerLength INTEGER, bodyLength INTEGER, "
        + "length INTEGER, occurTime TEXT"

    private static func dmRows(_ call: RecordedCall, _ convention: Convention) -> [Row] {
        var rows: [Row] = []
        let last = call.legs.count - 1
        for (index, leg) in call.legs.enumerated() {
            if index == 0 || convention != .outer {
                let owner = Owner(call: call.id, leg: index, kind: "request", time: leg.requestTime)
                rows.append((owner, dmValues(leg.request, 0, leg.request.sizes, leg.requestTime)))
            }
            if index == last || convention.hasRedirections {
                let names = index == last && convention.hasFirstPath ? call.legs[0].request : leg.request
                let time = leg.responseTime ?? 0
                let owner = Owner(call: call.id, leg: index, kind: "response", time: time)
                rows.append((owner, dmValues(names, 1, leg.response?.sizes ?? Sizes(), time)))
            }
        }
        return rows
    }

    private static func dmValues(
        _ names: RequestFacts, _ type: Int64, _ sizes: Sizes, _ time: Int64
    ) -> [Database.Value] {
        [
            .text(names.path), .text(names.host), .integer(type), .integer(Int64(sizes.line)),
            .integer(Int64(sizes.headers)), .integer(Int64(sizes.body)), .integer(Int64(sizes.sum)),
            .text("\(time / 1_000_000)"),
        ]
    }

    // MARK: Whole exchanges, with the first URL and the final status

    private static func owner(_ call: RecordedCall) -> Owner {
        let leg = call.legs.count - 1
        return Owner(
            call: call.id, leg: leg, kind: "exchange", time: call.legs[0].requestTime, end: call.legs[leg].responseTime)
    }

    private static let networkEyeColumns =
        "myID DOUBLE PRIMARY KEY, startDateString TEXT, endDateString TEXT, requestURLString TEXT, "
        + "requestHTTPMethod TEXT, responseExpectedContentLength TEXT, responseStatusCode INT"

    /// The SDK's primary keys: the start with up to 9.9 ms added. Where two are equal the SDK loses a row; here each row has
    /// its own.
    private struct KeyMaker {
        private var random = SeededGenerator(seed: 1)
        private var used: Set<Double> = []

        mutating func key(_ time: Int64) -> Double {
            // Of more than a hundred rows of one microsecond the keys reach farther.
            for reach in 100... {
                let key = Double(time / 1000) / 1e6 + Double(Int.random(in: 0..<reach, using: &random)) / 10_000
                if used.insert(key).inserted { return key }
            }
            preconditionFailure("no key is left")
        }
    }

    /// The dates have whole seconds.
    private static func networkEyeRow(_ call: RecordedCall, _ keys: inout KeyMaker) -> Row {
        let owner = owner(call)
        let response = call.legs.last?.response
        let key = keys.key(owner.time)
        return (
            owner,
            [
                .double(key), .text(date(owner.time)), .text(date(owner.end ?? owner.time)),
                .text(call.legs[0].request.url), .text(call.legs[0].request.method),
                .text("\(response?.expectedLength ?? 0)"), .integer(Int64(response?.status ?? 0)),
            ]
        )
    }

    private static func date(_ time: Int64) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyy-MM-dd HH:mm:ss zzz"
        return format.string(from: Date(timeIntervalSince1970: Double(time / 1_000_000_000)))
    }

    private static let godEyeColumns =
        "id INTEGER PRIMARY KEY AUTOINCREMENT, requestURLString TEXT, requestHTTPMethod TEXT, "
        + "responseExpectedContentLength INTEGER, responseStatusCode INTEGER"

    private static func godEyeRow(_ call: RecordedCall, number: Int) -> Row {
        let first = call.legs[0].request
        let response = call.legs.last?.response
        return (
            owner(call),
            [
                .integer(Int64(number)), .text(first.url), .text(first.method),
                .integer(max(response?.expectedLength ?? 0, -1)),
                .integer(Int64(response?.status ?? 0)),
            ]
        )
    }

    private static let doKitColumns =
        "requestId TEXT, url TEXT, method TEXT, statusCode TEXT, startTime DOUBLE, endTime DOUBLE, uploadFlow TEXT, "
        + "downFlow TEXT"

    private static func doKitRow(_ call: RecordedCall) -> Row {
        let owner = owner(call)
        let first = call.legs[0].request
        let response = call.legs.last?.response
        return (
            owner,
            [
                .text(UUID().uuidString), .text(first.url), .text(first.method), .text("\(response?.status ?? 0)"),
                .double(Double(owner.time / 1000) / 1e6), .double(Double((owner.end ?? 0) / 1000) / 1e6),
                .text("\(first.doKit)"), .text("\(response?.doKit ?? 0)"),
            ]
        )
    }
}
