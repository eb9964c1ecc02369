import WireAccuracy
import WireLogs
import WireRecords

/// A table about one source.
struct SourceTable {
    /// Index in `AccuracyResult.sources`.
    let source: Int
    var table: ReportTable

    /// - Parameters:
    ///   - title: what the table says of the source.
    ///   - columns: headings of the numbers; where a terminal has no room, the last are left out first.
    ///   - note: what must be known to read it; nil where headings say all.
    init(
        _ title: String, of source: Int, columns: [String], rows: [(name: String, cells: [String?])],
        note: String? = nil
    ) {
        self.source = source
        table = ReportTable(
            title: ReportText(title),
            columns: [.text("")] + columns.enumerated().map { .number($0.element, rank: $0.offset) },
            rows: rows.map { row in [ReportCell(name: row.name)] + row.cells.map { ReportCell($0) } },
            note: ReportText(note ?? ""))
    }
}

extension AccuracyIndex {
    /// The tables that fit: message parts and encryption for logs and for sources that somebody chose, screens for logs
    /// that have such rows.
    func questionTables(_ options: ReportOptions) -> [SourceTable] {
        let apart = sources.filter { options.hasChosenSources && tellsParts($0) }
        var tables = apart.compactMap(partTable) + sources.compactMap { encryptionTable($0, options) }
        tables += result.logs.flatMap { screenTables($0, options) }
        // Tables of one kind share the note of the last.
        for place in tables.indices.dropLast() where tables[place].table.note == tables[place + 1].table.note {
            tables[place].table.note = ""
        }
        return tables
    }

    /// The source stores sizes of heads and bodies apart, so that a right sum may hide two wrong sizes.
    private func tellsParts(_ source: Int) -> Bool {
        let facts = result.sources[source]
        return facts.kind == .log || facts.isExactOnHTTP1 || facts.id.hasPrefix("mtnm")
    }

    // MARK: Parts

    private func partTable(_ source: Int) -> SourceTable? {
        let parts = result.parts.filter { $0.source == source }
        guard totals(source).count > 0, !parts.isEmpty else { return nil }
        let rows = parts.map { part in
            let error = clampedDifference(part.estimate, part.truth)
            return (
                name: "\(part.direction.noun) \(part.part.rawValue)",
                cells: [
                    grouped(part.calls), grouped(part.exactCalls), grouped(part.truth), grouped(part.estimate),
                    signedBytes(error), signedPercent(error, of: part.truth), grouped(part.maximum),
                ] as [String?]
            )
        }
        return SourceTable(
            "Head and body sizes", of: source,
            columns: ["calls", "exact", "message", "counted", "error", "%", "largest"], rows: rows,
            note: "calls: those that the source has a figure for; head: start line and header fields; body: as "
                + "transferred, with chunk framing; exact: calls without error; largest: the largest error of a call.")
    }

    // MARK: Encryption

    private func encryptionTable(_ source: Int, _ options: ReportOptions) -> SourceTable? {
        let facts = result.sources[source]
        // Without a choice for the SDK that exists to encrypt.
        guard options.hasChosenSources || facts.id.hasPrefix("dada") else { return nil }
        let own = result.encryption.filter { $0.source == source }
        guard totals(source).count > 0, !own.isEmpty else { return nil }
        let rows = own.map { row in
            let (before, after) = (
                clampedDifference(row.estimate, row.before), clampedDifference(row.estimate, row.after)
            )
            return (
                name: row.direction.noun + "s",
                cells: [
                    grouped(row.calls), grouped(row.estimate), grouped(row.before), signedBytes(before),
                    signedPercent(before, of: row.before), grouped(row.after), signedBytes(after),
                    signedPercent(after, of: row.after),
                ] as [String?]
            )
        }
        return SourceTable(
            "Before and after encryption", of: source,
            columns: ["calls", "counted", "before", "error", "%", "after", "error", "%"], rows: rows,
            note: "before: messages of calls over TLS; after: the same with their TLS records. Data that the app "
                + "encrypts itself is part of the message.")
    }

    // MARK: Screens

    /// A table of requests and one of responses.
    private func screenTables(_ log: LogSummary, _ options: ReportOptions) -> [SourceTable] {
        guard options.selection.apis.isEmpty else { return [] }
        let screens = result.screens.filter { row in
            row.source == log.source && options.selection.includes(host: Array(row.host.utf8))
        }
        guard !screens.isEmpty, result.sources.indices.contains(log.source) else { return [] }
        return Direction.allCases.map { direction in
            let rows = screens.map { row in
                (name: "\(row.host) \(row.path)", cells: screenCells(row[direction]))
            }
            return SourceTable(
                "Log rows summed by host and path: \(direction.noun)s", of: log.source,
                columns: ["rows", "calls", "surplus rows", "length", "message", "error", "%"], rows: rows,
                note: direction == .up
                    ? nil
                    : "rows, length: all log rows of this path, as the SDK's own screen sums them, with duplicates and rows "
                        + "from before or after the capture; calls, message: from the capture; surplus rows: rows minus "
                        + "calls; —: calls of these rows were not read, so that the rows are not judged.")
        }
    }

    private func screenCells(_ side: ScreenRow.Side) -> [String?] {
        guard side.unreadRows == 0 else {
            return [grouped(side.rows), nil, nil, grouped(side.length), nil, nil, nil]
        }
        let error = clampedDifference(side.length, side.messageBytes)
        return [
            grouped(side.rows), grouped(side.messages), signedBytes(clampedDifference(side.rows, side.messages)),
            grouped(side.length), grouped(side.messageBytes), signedBytes(error),
            signedPercent(error, of: side.messageBytes),
        ]
    }
}

/// A number of bytes or rows with its sign; `0` for nothing.
func signedBytes(_ bytes: Int) -> String { (bytes > 0 ? "+" : "") + grouped(bytes) }
