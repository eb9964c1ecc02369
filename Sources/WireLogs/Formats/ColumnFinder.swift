/// Finds out from the names of a log's columns what they hold. A name tells it only if no other does so, too.
struct ColumnFinder {
    let names: [String]

    private enum Words {
        static let up: Set = [
            "up", "req", "request", "sent", "send", "upload", "uploaded", "uplink", "tx", "out", "outgoing",
        ]
        static let down: Set = [
            "down", "resp", "response", "res", "received", "receive", "recv", "rcvd", "download", "downloaded",
            "downlink",
            "rx", "in", "incoming",
        ]
        static let size: Set = ["size", "length", "len", "flow", "traffic"]
        static let head: Set = ["head", "header", "headers"]
        static let body: Set = ["body", "payload", "content"]
        /// Words that say nothing of what a column holds.
        static let fillers: Set = ["http", "https", "string", "str", "value", "text"]
        static let timeFillers: Set = ["at", "time", "date", "timestamp", "ts", "epoch", "unix", "utc"]
        static let names: [(LogColumns.Role, Set<[String]>)] = [
            (.url, [["url"], ["uri"], ["request", "url"], ["request", "uri"], ["req", "url"], ["full", "url"]]),
            (
                .host,
                [["host"], ["hostname"], ["host", "name"], ["domain"], ["request", "host"], ["server", "host"]]
            ),
            (.path, [["path"], ["url", "path"], ["request", "path"], ["uri", "path"]]),
            (.method, [["method"], ["request", "method"], ["req", "method"], ["verb"]]),
            (
                .status,
                [
                    ["status"], ["status", "code"], ["response", "status"], ["response", "code"],
                    ["response", "status", "code"], ["resp", "status"], ["resp", "code"],
                ]
            ),
            (.clientPort, [["client", "port"], ["local", "port"], ["source", "port"], ["src", "port"]]),
        ]
        static let starts: Set = [
            ["start"], ["started"], ["begin"], ["began"], ["request", "start"], ["req", "start"],
        ]
        static let ends: Set = [
            ["end"], ["ended"], ["finish"], ["finished"], ["completed"], ["stop"], ["response", "end"],
            ["resp", "end"],
        ]
        static let durations: Set = [
            ["duration"], ["elapsed"], ["took"], ["latency"], ["request", "duration"], ["total", "duration"],
        ]
    }

    /// What a name tells its column to hold.
    private static func role(_ name: String) -> LogColumns.Role? {
        let words = ColumnName(name).words.filter { !Words.fillers.contains($0) }
        if let named = LogColumns.Role(rawValue: words.joined(separator: "-")) { return named }
        if let (role, _) = Words.names.first(where: { $0.1.contains(words) }) { return role }
        let units = words.compactMap { LogUnit(word: $0)?.kind }
        let plain = words.filter { LogUnit(word: $0) == nil }
        if !units.contains(.size) {
            if Words.durations.contains(plain) { return .duration }
            let moment = plain.filter { !Words.timeFillers.contains($0) }
            if Words.starts.contains(moment) { return .start }
            if Words.ends.contains(moment) { return .end }
        }
        guard !units.contains(.time), units.contains(.size) || plain.contains(where: Words.size.contains) else {
            return nil
        }
        return size(plain.filter { !Words.size.contains($0) && $0 != "total" })
    }

    /// The side, and the part, of which a column has the size.
    private static func size(_ words: [String]) -> LogColumns.Role? {
        let sides = words.filter { !Words.head.contains($0) && !Words.body.contains($0) }
        guard sides.count == 1, words.count <= 2 else { return nil }
        let isHead = words.contains(where: Words.head.contains)
        let isBody = words.contains(where: Words.body.contains)
        if Words.up.contains(sides[0]) { return isHead ? .upHead : isBody ? .upBody : .up }
        if Words.down.contains(sides[0]) { return isHead ? .downHead : isBody ? .downBody : .down }
        return nil
    }

    /// Whether it is a time that may be the start or the end of a call.
    private static func isMoment(_ name: String) -> Bool {
        let words = ColumnName(name).words.filter { LogUnit(word: $0) == nil }
        return !words.isEmpty && words.allSatisfy(Words.timeFillers.contains)
    }

    /// The columns that were given, and those that their names tell.
    ///
    /// - Parameter areAll: the log has no other columns than these.
    func columns(_ given: LogColumns?, areAll: Bool) throws(LogColumnsError) -> LogColumns {
        var columns = given ?? LogColumns()
        for role in LogColumns.Role.allCases {
            guard let name = columns[role]?.name else { continue }
            guard let own = spelling(of: name) else {
                if areAll { throw LogColumnsError("it has no column '\(name)'; \(list)") }
                continue
            }
            columns.rename(role, own)
        }
        var taken = Set(LogColumns.Role.allCases.compactMap { columns[$0]?.name })
        for role in LogColumns.Role.allCases where !columns.isSettled(role) && !isNeedless(role, columns) {
            guard let name = best(names.filter { !taken.contains($0) && ColumnFinder.role($0) == role }) else {
                continue
            }
            taken.insert(name)
            columns.find(role, column(name, role))
        }
        if columns[.start] == nil, columns[.end] == nil, !columns.isSettled(.start) {
            let moments = names.filter { !taken.contains($0) && ColumnFinder.isMoment($0) }
            if let name = best(moments) { columns.find(.start, column(name, .start)) }
        }
        try check(columns, isGiven: given != nil)
        let used = Set(LogColumns.Role.allCases.compactMap { columns[$0]?.name })
        columns.unused = names.filter { !used.contains($0) }
        return columns
    }

    /// What other columns say already.
    private func isNeedless(_ role: LogColumns.Role, _ columns: LogColumns) -> Bool {
        switch role {
        case .path: columns[.url] != nil
        case .duration: columns[.start] != nil && columns[.end] != nil
        default: false
        }
    }

    private func column(_ name: String, _ role: LogColumns.Role) -> LogColumns.Column {
        LogColumns.Column(name: name, unit: role.unitKind.flatMap { LogUnit(in: name, $0) })
    }

    /// The only one of them, or the only one of one word.
    private func best(_ names: [String]) -> String? {
        if names.count == 1 { return names[0] }
        let short = names.filter { ColumnName($0).words.count == 1 }
        return short.count == 1 ? short[0] : nil
    }

    /// The name as the log writes it.
    private func spelling(of name: String) -> String? {
        if names.contains(name) { return name }
        let plain = RecordColumns.plain(Array(name.utf8))
        return names.first { RecordColumns.plain(Array($0.utf8)) == plain }
    }

    private func check(_ columns: LogColumns, isGiven: Bool) throws(LogColumnsError) {
        let hasTarget = columns[.url] != nil || columns[.path] != nil
        let hasSizes = isGiven || columns.hasSizes
        if !hasTarget || !hasSizes {
            let url = "the URL"
            let sizes = "the size of requests or responses"
            let missing = (hasTarget ? [] : [url]) + (hasSizes ? [] : [sizes])
            let parts =
                [columns.text] + (hasTarget ? [] : ["url=COLUMN"]) + (hasSizes ? [] : ["up=COLUMN", "down=COLUMN"])
            throw LogColumnsError(
                "the names of its columns do not tell which holds \(missing.joined(separator: ", and which "));"
                    + " \(list); write --sdk-columns \(parts.filter { !$0.isEmpty }.joined(separator: ","))")
        }
        if let duration = columns[.duration], duration.unit == nil {
            throw LogColumnsError(
                "the name of column '\(duration.name)' does not tell the unit of its durations; write --sdk-columns "
                    + "duration=\(duration.name):ms (or s, us, ns), or duration= to leave it out")
        }
    }

    private var list: String {
        let shown = names.prefix(40).map { String($0.prefix(60)) }
        return "its columns are " + shown.joined(separator: ", ") + (names.count > 40 ? " and others" : "")
    }
}
