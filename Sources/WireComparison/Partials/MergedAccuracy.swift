import WireAccuracy
import WireEstimates
import WireLogs

extension PartialResult {
    /// The accuracy of all sessions together. Quantiles come from buckets; intervals resample sessions where a row has
    /// enough of them. Clocks of logs, and single calls for pictures, are of one session and not in it.
    public var accuracy: AccuracyResult { MergedAccuracy(self).result() }
}

/// From sums to a result of the kind that one session has.
private struct MergedAccuracy {
    private static let seed = AccuracyOptions().seed

    let part: PartialResult
    private let sources: [AccuracySource]
    private let places: [String: Int]

    init(_ part: PartialResult) {
        self.part = part
        // Simulated estimators first, as in the result of one session.
        let rows = part.rows(.source).sorted { $0.row.integer("is_log") < $1.row.integer("is_log") }
        sources = rows.map { names, row in MergedAccuracy.source(names, row, part) }
        places = Dictionary(sources.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    }

    private static func source(_ names: [String], _ row: PartialRow, _ part: PartialResult) -> AccuracySource {
        let id = names.first ?? ""
        var source = AccuracySource(
            id: id, title: names.count > 1 ? names[1] : id, kind: row.integer("is_log") == 1 ? .log : .simulated,
            note: names.count > 2 ? names[2] : "")
        source.unknown = row.integer("unknown")
        source.unstated = row.integer("unstated")
        source.addedBytes = row.integer("added_bytes")
        source.isExactOnHTTP1 = row.integer("is_exact_on_http1") == 1
        source.formulas = part.rows(.formula).compactMap { names, row in
            guard names.count == 5, names[0] == id, let kind = LogFormula.Kind(rawValue: names[1]),
                let direction = Direction(rawValue: names[2])
            else { return nil }
            var formula = LogFormula(kind: kind, direction: direction, id: names[3], parameters: names[4])
            formula.fittingExact = row.integer("fitting_exact")
            formula.fittingCompared = row.integer("fitting_compared")
            formula.confirmingExact = row.integer("confirming_exact")
            formula.confirmingCompared = row.integer("confirming_compared")
            formula.guessedReasons = row.integer("guessed_reasons")
            return formula
        }
        return source
    }

    func result() -> AccuracyResult {
        var result = AccuracyResult()
        let capture = part.row(.capture)
        result.exchanges = capture.integer("read_exchanges")
        result.counted = capture.integer("compared")
        result.leftOut = part.rows(.leftOut).map { (reason: $0.names.first ?? "", count: $0.row.integer("count")) }
        result.sources = sources
        for (names, row) in part.rows(.calls) {
            result.apis.append(names.first ?? "")
            result.apiCalls.append(row.integer("count"))
        }
        addRows(to: &result)
        result.logs = logs
        addHosts(to: &result)
        addQuestions(to: &result)
        let work = part.row(.work)
        for (name, path) in PartialResult.workPaths { result.work[keyPath: path] = work.integer(name) }
        return result
    }

    private func addRows(to result: inout AccuracyResult) {
        let numbered = result.apis.enumerated().map { (ExactName($0.element), $0.offset) }
        let apis = Dictionary(numbered) { first, _ in first }
        var rows: [AccuracyRow] = []
        for (key, sums) in part.calls {
            guard let source = places[key.source] else { continue }
            guard let name = key.api else {
                result.totals.append(sums.row(source, nil, key.direction, seed: MergedAccuracy.seed))
                continue
            }
            guard let api = apis[ExactName(name)] else { continue }
            rows.append(sums.row(source, api, key.direction, seed: MergedAccuracy.seed))
        }
        func order(_ row: AccuracyRow) -> (Int, Int, Int) { (row.source, row.api ?? -1, row.direction == .up ? 0 : 1) }
        result.rows = rows.sorted { order($0) < order($1) }
        result.totals.sort { order($0) < order($1) }
    }

    private var logs: [LogSummary] {
        part.rows(.log).compactMap { names, row in
            guard names.count == 2, let source = places[names[0]], let format = SDKLogFormat(rawValue: names[1]) else {
                return nil
            }
            let sessions = row.integer("sessions")
            var log = LogSummary(
                source: source,
                path: sessions == 1 ? "1 \(format.rawValue) log" : "\(sessions) \(format.rawValue) logs",
                format: format)
            for (column, path) in PartialResult.logPaths { log[keyPath: path] = row.integer(column) }
            log.isMerged = true
            log.unreadRows = part.rows(.hostLog).compactMap { host, row in
                host.count == 2 && host[0] == names[0]
                    ? ReadShare.Part(host: host[1], amount: row.integer("rows"), reason: .undecrypted) : nil
            }
            log.unreadRows += [
                ReadShare.Part(host: nil, amount: log.partlyRead, reason: .undecrypted),
                ReadShare.Part(host: nil, amount: log.foreignHost, reason: .hostNotCaptured),
                ReadShare.Part(host: nil, amount: log.withoutExchange, reason: .callNotCaptured),
            ]
            log.isIncomplete = row.integer("incomplete") == 1
            if log.ambiguous > 0 { log.ambiguousBounds = bounds(row) }
            log.problems = part.rows(.problem).compactMap { problem, row in
                problem.count == 2 && problem[0] == names[0]
                    ? LogProblem(what: problem[1], count: row.integer("count"), firstRow: nil) : nil
            }
            return log
        }
    }

    private func bounds(_ row: PartialRow) -> [Direction: ClosedRange<Int>]? {
        var bounds: [Direction: ClosedRange<Int>] = [:]
        for direction in Direction.allCases {
            guard let low = row.optionalInteger("ambiguous_\(direction.rawValue)_low"),
                let high = row.optionalInteger("ambiguous_\(direction.rawValue)_high"), low <= high
            else { continue }
            bounds[direction] = low...high
        }
        return bounds.isEmpty ? nil : bounds
    }

    private func addHosts(to result: inout AccuracyResult) {
        let ports = part.rows(.port)
        result.hosts = part.rows(.unreadHost).map { names, row in
            var host = HostTotal(
                host: names.first ?? "", first: Int64(clamping: row["first"] ?? 0),
                last: Int64(clamping: row["last"] ?? 0))
            host.connections = row.integer("connections")
            host.ports = ports.compactMap { port, _ in
                port.count == 2 && ExactName(port[0]) == ExactName(host.host) ? UInt16(port[1]) : nil
            }.sorted()
            host.up = side(row, "up")
            host.down = side(row, "down")
            return host
        }.sorted { one, other in
            (other.up.wire + other.down.wire, ExactName(one.host))
                < (one.up.wire + one.down.wire, ExactName(other.host))
        }
        let numbered = result.hosts.enumerated().map { (ExactName($0.element.host), $0.offset) }
        let places = Dictionary(numbered) { first, _ in first }
        result.hostLogs = part.rows(.hostLog).compactMap { names, row in
            guard names.count == 2, let source = self.places[names[0]], let host = places[ExactName(names[1])] else {
                return nil
            }
            return hostLog(source, host, row)
        }.sorted { ($0.source, $0.host) < ($1.source, $1.host) }
        result.failedHandshakes = part.rows(.failed).map { names, row in
            var host = FailedHandshakes(host: names.first ?? "")
            host.connections = row.integer("connections")
            host.alerts = row.integer("alerts")
            host.wireUp = row.integer("wire_up")
            host.wireDown = row.integer("wire_down")
            return host
        }.sorted { ($1.wire, ExactName($0.host)) < ($0.wire, ExactName($1.host)) }
    }

    private func side(_ row: PartialRow, _ name: String) -> HostTotal.Side {
        var side = HostTotal.Side()
        side.wire = row.integer(name + ".wire")
        side.setup = row.integer(name + ".setup")
        side.application = row.integer(name + ".application")
        return side
    }

    private func hostLog(_ source: Int, _ host: Int, _ row: PartialRow) -> HostLogTotal {
        var log = HostLogTotal(source: source, host: host)
        log.rows = row.integer("rows")
        log.rowsOutside = row.integer("rows_outside")
        log.first = row["first"].map { Int64(clamping: $0) }
        log.last = row["last"].map { Int64(clamping: $0) }
        (log.up.rows, log.up.bytes) = (row.integer("up.rows"), row.integer("up.bytes"))
        (log.down.rows, log.down.bytes) = (row.integer("down.rows"), row.integer("down.bytes"))
        return log
    }

    private func addQuestions(to result: inout AccuracyResult) {
        result.parts = part.rows(.part).compactMap { names, row in
            guard names.count == 3, let source = places[names[0]], let direction = Direction(rawValue: names[1]),
                let name = MessagePart(rawValue: names[2])
            else { return nil }
            var part = PartRow(source: source, direction: direction, part: name)
            part.calls = row.integer("calls")
            part.exactCalls = row.integer("exact_calls")
            part.truth = row.integer("truth")
            part.estimate = row.integer("estimate")
            part.maximum = row.integer("max")
            return part
        }.sorted { place($0.source, $0.direction, $0.part == .head) < place($1.source, $1.direction, $1.part == .head) }
        result.encryption = part.rows(.encryption).compactMap { names, row in
            guard names.count == 2, let source = places[names[0]], let direction = Direction(rawValue: names[1]) else {
                return nil
            }
            var sums = EncryptionRow(source: source, direction: direction)
            sums.calls = row.integer("calls")
            sums.estimate = row.integer("estimate")
            sums.before = row.integer("before")
            sums.after = row.integer("after")
            return sums
        }.sorted { place($0.source, $0.direction, true) < place($1.source, $1.direction, true) }
        result.screens = part.rows(.screen).compactMap { names, row in
            guard names.count == 3, let source = places[names[0]] else { return nil }
            var screen = ScreenRow(source: source, host: names[1], path: names[2])
            for direction in Direction.allCases { screen[direction] = screenSide(row, direction.rawValue) }
            return screen
        }.sorted { left, right in
            let (one, other) = (left.up.rows + left.down.rows, right.up.rows + right.down.rows)
            return (left.source, -one, ExactName(left.host), ExactName(left.path))
                < (right.source, -other, ExactName(right.host), ExactName(right.path))
        }
    }

    private func place(_ source: Int, _ direction: Direction, _ isFirst: Bool) -> (Int, Int, Int) {
        (source, direction == .up ? 0 : 1, isFirst ? 0 : 1)
    }

    private func screenSide(_ row: PartialRow, _ name: String) -> ScreenRow.Side {
        var side = ScreenRow.Side()
        side.rows = row.integer(name + ".rows")
        side.length = row.integer(name + ".length")
        side.unreadRows = row.integer(name + ".unread_rows")
        side.messages = row.integer(name + ".messages")
        side.messageBytes = row.integer(name + ".message_bytes")
        return side
    }
}
