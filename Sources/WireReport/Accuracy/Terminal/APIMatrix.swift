import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// The error of each source for each API in percent of its messages, worst APIs first. Sources that do not fit the
/// width follow in a table of their own.
struct APIMatrix {
    let index: AccuracyIndex
    let options: ReportOptions
    let style: TerminalStyle
    /// The only source that is shown; nil for all. What the columns mean is then left to the full report.
    var only: Int?
    private static let smallestName = 24
    private static let longestTitle = 13

    func render() -> [[String]] {
        guard !index.apis.isEmpty else {
            return options.selection.isEmpty ? [] : [["No API matches the selection."]]
        }
        var sections: [[String]] = []
        var exact: [Direction: [Int]] = [:]
        var named: [ErrorCause] = []
        for direction in [Direction.up, .down] {
            let speaking = index.speaking(direction).filter { only == nil || $0 == only }
            // What is right everywhere needs no column.
            let sources = speaking.filter { !isExact($0, direction) }
            if !speaking.isEmpty { exact[direction] = speaking.filter { isExact($0, direction) } }
            guard !sources.isEmpty else { continue }
            guard sources.count == 1 else {
                sections += matrix(sources, direction)
                continue
            }
            sections.append(single(sources[0], direction))
            named += shown(index.worstAPIs(direction, of: sources)).compactMap {
                index.row(sources[0], $0, direction)?.chiefCause
            }
        }
        guard !sections.isEmpty else { return [] }
        if only == nil { sections[sections.count - 1] += legend(exact, named).map { style.paint($0, .faint) } }
        return sections
    }

    private func isExact(_ source: Int, _ direction: Direction) -> Bool {
        guard let total = index.total(source, direction) else { return false }
        return total.message.count > 0 && total.message.maximum == 0 && !total.isPartial
    }

    private func title(_ direction: Direction) -> String {
        direction == .up ? "WORST APIs: REQUESTS" : "WORST APIs: RESPONSES"
    }

    private func shown(_ apis: [Int]) -> ArraySlice<Int> { options.top.map { apis.prefix($0) } ?? apis[...] }

    private func more(_ left: Int) -> [String] {
        guard left > 0 else { return [] }
        return ["\(style.ellipsis) and \(counted(left, "more API")) (\(options.isBrief ? "--full" : "--top all"))"]
    }

    // MARK: Many sources

    private func matrix(_ sources: [Int], _ direction: Direction) -> [[String]] {
        let apis = index.worstAPIs(direction, of: sources)
        let shown = shown(apis)
        let facts = shown.map { size($0, sources, direction) }
        let columns = sources.map { source in
            Column(title: name(source), cells: shown.map { cell(index.row(source, $0, direction)) })
        }
        let room = style.width - APIMatrix.smallestName - 2 - facts.reduce("message".count) { max($0, $1.count) }
        return split(columns, room: room).enumerated().map { number, part in
            let title = title(direction) + (number > 0 ? ", continued" : "")
            var table = TextTable(text: title, numbers: ["message"] + part.map(\.title))
            table.namesAPIs = true
            for (row, api) in shown.enumerated() {
                let cells = part.map { $0.cells[row] }
                table.add(
                    [style.safe(index.result.apis[api]), facts[row]] + cells.map(\.text),
                    paints: [nil, nil] + cells.map(\.paint))
            }
            return table.lines(style) + more(apis.count - shown.count)
        }
    }

    /// The columns in as few tables as they fit, about as many in each where that fits too.
    private func split(_ columns: [Column], room: Int) -> [[Column]] {
        var tables: [[Column]] = []
        var left = 0
        for column in columns {
            left -= column.width + 2
            if left < 0 || tables.isEmpty {
                tables.append([])
                left = room - column.width - 2
            }
            tables[tables.count - 1].append(column)
        }
        let size = max((columns.count + tables.count - 1) / max(tables.count, 1), 1)
        let even = stride(from: 0, to: columns.count, by: size).map {
            Array(columns[$0..<min($0 + size, columns.count)])
        }
        return even.allSatisfy { $0.reduce(0) { $0 + $1.width + 2 } <= room } ? even : tables
    }

    private struct Column {
        var title: String
        var cells: [Cell]
        var width: Int { cells.reduce(displayWidth(title)) { max($0, displayWidth($1.text)) } }
    }

    private struct Cell {
        var text: String
        var paint: Paint?
    }

    private func cell(_ row: AccuracyRow?) -> Cell {
        guard let row, row.coverage.calls > 0 else { return Cell(text: style.dash) }
        guard row.message.count > 0 else { return Cell(text: row.isPartial ? "not seen" : style.dash) }
        let error = signedPercent(row.message.errorTotal, of: row.message.truthTotal) ?? style.dash
        return Cell(text: style.plain(error) + (row.isPartial ? "*" : " "), paint: ErrorPaint.of(row.message))
    }

    private func name(_ source: Int) -> String {
        shortened(style.safe(index.result.sources[source].id), to: APIMatrix.longestTitle, ellipsis: style.ellipsis)
    }

    /// Message bytes of a call: the scale of the percentages.
    private func size(_ api: Int, _ sources: [Int], _ direction: Direction) -> String {
        let coverage = sources.lazy.compactMap { index.row($0, api, direction)?.coverage }.first { $0.calls > 0 }
        return coverage.flatMap { meanText($0.messageBytes, of: $0.calls) } ?? style.dash
    }

    // MARK: One source

    private func single(_ source: Int, _ direction: Direction) -> [String] {
        let apis = index.worstAPIs(direction, of: [source])
        let shown = shown(apis)
        var table = TextTable(
            text: title(direction),
            numbers: ["calls", "message", "error/call", "error", "p90"] + (only == nil ? ["chiefly"] : []))
        table.namesAPIs = true
        for api in shown {
            let row = index.row(source, api, direction)
            let cell = cell(row)
            let message = row?.message ?? ErrorStatistics()
            let chief = row?.chiefCause?.name ?? style.dash
            table.add(
                [
                    style.safe(index.result.apis[api]), grouped(row?.coverage.calls ?? 0),
                    size(api, [source], direction),
                    signedMeanText(message.errorTotal, of: message.count) ?? style.dash, cell.text,
                    message.p90Text ?? style.dash,
                ] + (only == nil ? [chief] : []), paints: [nil, nil, nil, cell.paint, cell.paint])
        }
        return table.lines(style) + more(apis.count - shown.count)
    }

    private func legend(_ exact: [Direction: [Int]], _ named: [ErrorCause]) -> [String] {
        var text =
            "message: mean bytes of a call. %: estimate minus message, in % of the message. Most wrong or unrecorded bytes "
            + "first."
        let rows = index.result.rows
        if rows.contains(where: { $0.message.count > 0 && $0.isPartial }) {
            text += " *: of the recorded calls; others are not recorded."
        }
        if rows.contains(where: { $0.message.count == 0 && $0.isPartial }) {
            text += " not seen: the source records no such call."
        }
        for (direction, noun) in [(Direction.up, "requests"), (.down, "responses")] {
            guard let names = exact[direction]?.map({ style.safe(index.result.sources[$0].id) }), !names.isEmpty
            else { continue }
            text += " Exact for all \(noun): \(names.joined(separator: ", "))."
        }
        for cause in ErrorCause.allCases where named.contains(cause) { text += " \(cause.name): \(cause.meaning)." }
        return wrappedSentence(text, width: style.width, indent: 0)
    }
}
