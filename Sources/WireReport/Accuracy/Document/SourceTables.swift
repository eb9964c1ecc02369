import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

extension AccuracyBlocks {
    /// The error of each source over all APIs: a table for requests and one for responses.
    var sourceTables: [ReportTable] {
        var tables = Direction.allCases.map(sourceTable)
        tables[1].note = sourceLegend
        return tables
    }

    private func sourceTable(_ direction: Direction) -> ReportTable {
        ReportTable(
            title: direction == .up ? "Requests" : "Responses",
            columns: [
                .text("source"), .text(""), .number("calls", rank: 1),
                .number("bytes", rank: 2), .number("error/call"), .number("error"), .number("95 % interval", rank: 3),
                .number("median"), .number("p90"), .number("wire"),
            ],
            rows: index.sources.map { source in
                let facts = result.sources[source]
                return [ReportCell(name: facts.id), ReportCell(facts.kind == .log ? "measured" : "simulated")]
                    + sourceCells(index.total(source, direction))
            }, noun: "source", isWhole: true)
    }

    private func sourceCells(_ row: AccuracyRow?) -> [ReportCell] {
        guard let row else { return Array(repeating: .unknown, count: 8) }
        let (coverage, message) = (row.coverage, row.message)
        let tone = message.count == 0 ? .plain : Tone.of(message)
        return [
            ReportCell(shareText(coverage.recordedCalls, of: coverage.calls)),
            ReportCell(shareText(coverage.recordedMessageBytes, of: coverage.messageBytes)),
            ReportCell(signedMeanText(message.errorTotal, of: message.count), tone),
            ReportCell(message.count == 0 ? nil : signedPercent(message.errorTotal, of: message.truthTotal), tone),
            ReportCell(interval(message)), ReportCell(message.medianText), ReportCell(message.p90Text),
            ReportCell(row.wire.count == 0 ? nil : signedPercent(row.wire.errorTotal, of: row.wire.truthTotal)),
        ]
    }

    private func interval(_ statistics: ErrorStatistics) -> String? {
        func signed(_ value: Double) -> String? {
            wholeBytes(abs(value)).map { ($0 == "0" ? "" : value < 0 ? "-" : "+") + $0 }
        }
        guard statistics.count > 0, let low = signed(statistics.biasLow), let high = signed(statistics.biasHigh)
        else { return nil }
        return low == high ? low : "\(low) to \(high)"
    }

    private var sourceLegend: ReportText {
        let wire = options.layer == .link ? "all IP, link and tunnel bytes" : "all IP bytes"
        let approximation = result.approximationInWords.map { " " + $0 } ?? ""
        return """
            measured: by the app; simulated: from the capture. calls, bytes: share of the calls, and of their message bytes, that \
            the source recorded. error: estimate minus message, as the mean of a call in bytes and as % of all message bytes. \
            median, p90: half, or 90 %, of the calls have at most this absolute error. wire: estimate minus \(wire) of the calls, \
            in %. 95 % interval: of the mean error, by bootstrap.\(approximation)
            """
    }

    // MARK: APIs

    /// The error of each source for each API, worst APIs first: a section for each direction.
    ///
    /// - Parameter source: the only source that is shown; nil for all. What the columns mean is then left to the full report.
    func worst(of source: Int?) -> [ReportSection] {
        guard !index.apis.isEmpty else {
            return options.selection.isEmpty
                ? [] : [ReportSection("apis", blocks: [.sentence("No API matches the selection.")])]
        }
        var sections: [ReportSection] = []
        var exact: [Direction: [Int]] = [:]
        var named: Set<ErrorCause> = []
        for direction in Direction.allCases {
            let speaking = index.speaking(direction).filter { source == nil || $0 == source }
            // What is right everywhere needs no column.
            let sources = speaking.filter { !isExact($0, direction) }
            if !speaking.isEmpty { exact[direction] = speaking.filter { isExact($0, direction) } }
            guard let first = sources.first else { continue }
            let apis = index.worstAPIs(direction, of: sources)
            let table = sources.count == 1 ? single(first, apis, direction) : matrix(sources, apis, direction)
            if sources.count == 1 {
                named.formUnion(
                    apis.prefix(options.top ?? .max).compactMap { index.row(first, $0, direction)?.chiefCause })
            }
            let title: ReportText = direction == .up ? "Worst APIs: requests" : "Worst APIs: responses"
            sections.append(ReportSection("apis-\(direction.rawValue)", title, .folded, blocks: [.table(table)]))
        }
        guard !sections.isEmpty, source == nil else { return sections }
        sections[sections.count - 1].blocks.append(.sentence(worstLegend(exact, named), .faint))
        return sections
    }

    private func isExact(_ source: Int, _ direction: Direction) -> Bool {
        guard let total = index.total(source, direction) else { return false }
        return total.message.count > 0 && total.message.maximum == 0 && !total.isPartial
    }

    private func matrix(_ sources: [Int], _ apis: [Int], _ direction: Direction) -> ReportTable {
        ReportTable(
            columns: [.api("API"), .number("message")]
                + sources.map { .number(shortened(displayText(result.sources[$0].id), to: 13, ellipsis: "…")) },
            rows: apis.map { api in
                [ReportCell(name: result.apis[api]), size(api, sources, direction)]
                    + sources.map { errorCell(index.row($0, api, direction)) }
            }, noun: "API", pinned: 2)
    }

    /// One source leaves room for more than its error.
    private func single(_ source: Int, _ apis: [Int], _ direction: Direction) -> ReportTable {
        ReportTable(
            columns: [
                .api("API"), .number("calls"), .number("message", rank: 2), .number("error/call"), .number("error"),
                .number("p90", rank: 1), .number("chiefly", rank: 3),
            ],
            rows: apis.map { api in
                let row = index.row(source, api, direction)
                let message = row?.message ?? ErrorStatistics()
                let cell = errorCell(row)
                return [
                    ReportCell(name: result.apis[api]), ReportCell(count: row?.coverage.calls ?? 0),
                    size(api, [source], direction),
                    ReportCell(signedMeanText(message.errorTotal, of: message.count), cell.tone), cell,
                    ReportCell(message.p90Text), ReportCell(row?.chiefCause?.name),
                ]
            }, noun: "API")
    }

    private func errorCell(_ row: AccuracyRow?) -> ReportCell {
        guard let row, row.coverage.calls > 0 else { return .unknown }
        guard row.message.count > 0 else { return row.isPartial ? "not seen" : .unknown }
        let error = signedPercent(row.message.errorTotal, of: row.message.truthTotal)
        return ReportCell(error.map { $0 + (row.isPartial ? "*" : " ") }, Tone.of(row.message))
    }

    /// Message bytes of a call: the scale of the percentages.
    private func size(_ api: Int, _ sources: [Int], _ direction: Direction) -> ReportCell {
        let rows = sources.compactMap { index.row($0, api, direction) }
        let coverage = rows.lazy.map(\.coverage).first { $0.calls > 0 }
        return ReportCell(coverage.flatMap { meanText($0.messageBytes, of: $0.calls) })
    }

    private func worstLegend(_ exact: [Direction: [Int]], _ named: Set<ErrorCause>) -> ReportText {
        var text: [ReportText] = [
            """
            message: mean bytes of a call. %: estimate minus message, in % of the message. Most wrong or unrecorded bytes first.
            """
        ]
        if result.rows.contains(where: { $0.message.count > 0 && $0.isPartial }) {
            text.append("*: of the recorded calls; others are not recorded.")
        }
        if result.rows.contains(where: { $0.message.count == 0 && $0.isPartial }) {
            text.append("not seen: the source records no such call.")
        }
        for direction in Direction.allCases {
            guard let sources = exact[direction], !sources.isEmpty else { continue }
            let names = sources.map { "\(name: result.sources[$0].id)" as ReportText }.joined(separator: ", ")
            text.append("Exact for all \(direction.nouns): \(names).")
        }
        text += ErrorCause.allCases.filter(named.contains).map { "\($0.name): \($0.meaning)." }
        return text.joined(separator: " ")
    }
}

extension Tone {
    /// Exact in every call, too much, or too little.
    static func of(_ statistics: ErrorStatistics) -> Tone {
        guard statistics.count > 0 else { return .plain }
        return statistics.maximum == 0 ? .good : of(statistics.errorTotal)
    }

    static func of(_ error: Int) -> Tone { error == 0 ? .plain : error < 0 ? .less : .more }
}
