import WireAccuracy
import WireEstimates
import WireLogs

/// From an accuracy result to sums.
extension PartialResult {
    /// Takes the accuracy of one session.
    ///
    /// A log is named by its format, since each session has a log of its own; of several logs of one format the second
    /// is numbered, and so on, in the order of the command line.
    /// - Parameter sums: what the rows of the result were computed from.
    public mutating func take(_ result: AccuracyResult, sums: [CallKey: CallSums]) {
        let names = PartialResult.sourceNames(result)
        rows[PartialKey(.capture)]?.set("compared", result.counted)
        rows[PartialKey(.capture)]?.set("read_exchanges", result.exchanges)
        for (api, count) in zip(result.apis, result.apiCalls) { add(.calls, [api]) { $0.set("count", count) } }
        for (reason, count) in result.leftOut { add(.leftOut, [reason]) { $0.set("count", count) } }
        for (index, source) in result.sources.enumerated() { addSource(source, names[index]) }
        for log in result.logs { addLog(log, names[log.source], result) }
        addHosts(result, names)
        addQuestions(result, names)
        addWork(result.work)
        for (key, sum) in sums {
            let index = result.sources.firstIndex { $0.id == key.source }
            guard index != nil || key.source == CallKey.packets else { continue }
            var key = key
            if let index { key.source = names[index] }
            calls[key] = sum
        }
    }

    private static func sourceNames(_ result: AccuracyResult) -> [String] {
        var counts: [String: Int] = [:]
        return result.sources.indices.map { index in
            guard let log = result.logs.first(where: { $0.source == index }) else { return result.sources[index].id }
            let count = (counts[log.format.rawValue] ?? 0) + 1
            counts[log.format.rawValue] = count
            return "log:\(log.format.rawValue)" + (count == 1 ? "" : "#\(count)")
        }
    }

    private mutating func addSource(_ source: AccuracySource, _ name: String) {
        let isLog = source.kind == .log
        add(.source, [name, isLog ? name : source.title, isLog ? "" : source.note]) { row in
            row["is_log"] = isLog ? 1 : 0
            row["is_exact_on_http1"] = source.isExactOnHTTP1 ? 1 : 0
            row["sessions"] = 1
            row.set("unknown", source.unknown)
            row.set("unstated", source.unstated)
            row.set("added_bytes", source.addedBytes)
        }
        for formula in source.formulas {
            let key = [name, formula.kind.rawValue, formula.direction.rawValue, formula.id, formula.parameters]
            add(.formula, key) { row in
                row["sessions"] = 1
                row.set("fitting_exact", formula.fittingExact)
                row.set("fitting_compared", formula.fittingCompared)
                row.set("confirming_exact", formula.confirmingExact)
                row.set("confirming_compared", formula.confirmingCompared)
                row.set("guessed_reasons", formula.guessedReasons)
            }
        }
    }

    private mutating func addLog(_ log: LogSummary, _ name: String, _ result: AccuracyResult) {
        add(.log, [name, log.format.rawValue]) { row in
            row["incomplete"] = log.isIncomplete ? 1 : 0
            row["sessions"] = 1
            row["doubted"] = log.sessionDoubt == nil ? 0 : 1
            for (column, path) in PartialResult.logPaths { row.set(column, log[keyPath: path]) }
            for direction in Direction.allCases {
                let range = PartialResult.bounds(log, direction, result)
                row.set("ambiguous_\(direction.rawValue)_low", range?.lowerBound)
                row.set("ambiguous_\(direction.rawValue)_high", range?.upperBound)
            }
        }
        for problem in log.problems { add(.problem, [name, problem.what]) { $0.set("count", problem.count) } }
    }

    /// Bounds of the session's error in total: where no row is ambiguous it is the error itself.
    private static func bounds(
        _ log: LogSummary, _ direction: Direction, _ result: AccuracyResult
    ) -> ClosedRange<Int>? {
        if let range = log.ambiguousBounds?[direction] { return range }
        guard log.ambiguous == 0 || log.ambiguousBounds != nil else { return nil }
        let total = result.totals.first { $0.source == log.source && $0.direction == direction }
        let error = total?.message.errorTotal ?? 0
        return error...error
    }

    static var logPaths: [(String, WritableKeyPath<LogSummary, Int>)] {
        [
            ("rows", \.rows), ("matched", \.matched), ("ambiguous", \.ambiguous), ("duplicates", \.duplicates),
            ("without_exchange", \.withoutExchange), ("foreign_host", \.foreignHost), ("host_total", \.hostTotal),
            ("partly_read", \.partlyRead),
            ("outside_capture", \.outsideCapture), ("tls_failed", \.tlsFailed), ("not_selected", \.notSelected),
            ("rejected", \.rejected), ("exchanges_unseen", \.exchangesUnseen), ("exchanges_total", \.exchangesTotal),
            ("unseen_message_bytes", \.unseenMessageBytes), ("unseen_wire_bytes", \.unseenWireBytes),
            ("explained_figures", \.explainedFigures), ("compared_figures", \.comparedFigures),
            ("exchanges_not_joined", \.exchangesNotJoined), ("exchanges_invisible", \.exchangesInvisible),
            ("exchanges_foreign_host", \.exchangesForeign), ("foreign_host_wire_bytes", \.foreignWireBytes),
            ("merged_hops", \.mergedHops),
        ]
    }

    private mutating func addHosts(_ result: AccuracyResult, _ names: [String]) {
        for host in result.hosts {
            add(.unreadHost, [host.host]) { row in
                row["first"] = Int128(host.first)
                row["last"] = Int128(host.last)
                row.set("connections", host.connections)
                for direction in Direction.allCases {
                    row.set("\(direction.rawValue).wire", host[direction].wire)
                    row.set("\(direction.rawValue).setup", host[direction].setup)
                    row.set("\(direction.rawValue).application", host[direction].application)
                }
            }
            for port in host.ports { add(.port, [host.host, String(port)]) { $0["sessions"] = 1 } }
        }
        for log in result.hostLogs {
            add(.hostLog, [names[log.source], result.hosts[log.host].host]) { row in
                row["first"] = log.first.map { Int128($0) }
                row["last"] = log.last.map { Int128($0) }
                row.set("rows", log.rows)
                row.set("rows_outside", log.rowsOutside)
                for direction in Direction.allCases {
                    row.set("\(direction.rawValue).rows", log[direction].rows)
                    row.set("\(direction.rawValue).bytes", log[direction].bytes)
                }
            }
        }
        for host in result.failedHandshakes {
            add(.failed, [host.host]) { row in
                row.set("connections", host.connections)
                row.set("alerts", host.alerts)
                row.set("wire_up", host.wireUp)
                row.set("wire_down", host.wireDown)
            }
        }
    }

    private mutating func addQuestions(_ result: AccuracyResult, _ names: [String]) {
        for part in result.parts {
            add(.part, [names[part.source], part.direction.rawValue, part.part.rawValue]) { row in
                row.set("max", part.maximum)
                row.set("calls", part.calls)
                row.set("exact_calls", part.exactCalls)
                row.set("truth", part.truth)
                row.set("estimate", part.estimate)
            }
        }
        for row in result.encryption {
            add(.encryption, [names[row.source], row.direction.rawValue]) { sums in
                sums.set("calls", row.calls)
                sums.set("estimate", row.estimate)
                sums.set("before", row.before)
                sums.set("after", row.after)
            }
        }
        for screen in result.screens {
            add(.screen, [names[screen.source], screen.host, screen.path]) { row in
                for direction in Direction.allCases {
                    let side = screen[direction]
                    row.set("\(direction.rawValue).rows", side.rows)
                    row.set("\(direction.rawValue).length", side.length)
                    row.set("\(direction.rawValue).unread_rows", side.unreadRows)
                    row.set("\(direction.rawValue).messages", side.messages)
                    row.set("\(direction.rawValue).message_bytes", side.messageBytes)
                }
            }
        }
    }

    private mutating func addWork(_ work: ContentWork) {
        add(.work) { row in for (name, path) in PartialResult.workPaths { row.set(name, work[keyPath: path]) } }
    }

    static var workPaths: [(String, WritableKeyPath<ContentWork, Int>)] {
        [
            ("decoded_bodies", \.decodedBodies), ("coded_bytes", \.codedBytes), ("decoded_bytes", \.decodedBytes),
            ("recompressed_bodies", \.recompressedBodies), ("recompressed_bytes", \.recompressedBytes),
            ("remembered", \.remembered), ("undecodable", \.undecodable),
        ]
    }
}
