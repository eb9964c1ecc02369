import WireCore
import WireRecords

/// The latest answered exchanges, the last one first.
struct LiveExchanges {
    let options: ReportOptions
    let style: TerminalStyle
    private let ranking: Ranking<CallRows.Entry>
    /// They are the rows that the selection moves in.
    private let selection: LiveSelection?

    /// - Parameter isMain: the selection is among them.
    init(state: LiveState, options: ReportOptions, style: TerminalStyle, isMain: Bool = false) {
        self.options = options
        self.style = style
        ranking = CallRows(state: state, options: options).ranking
        selection = isMain ? state.place.selection : nil
    }

    var count: Int { ranking.count }

    // MARK: Columns

    private enum Column: CaseIterable {
        case time, connection, tls, status, firstByte, milliseconds, up, down, wire

        var title: String {
            switch self {
            case .time: "time UTC"
            case .connection: "conn"
            case .tls: "TLS"
            case .status: "code"
            case .firstByte: "ttfb"
            case .milliseconds: "ms"
            case .up: "up"
            case .down: "down"
            case .wire: "wire"
            }
        }
    }

    private var columns: [(column: Column, width: Int)] {
        switch style.width {
        case 150...:
            [
                (.time, 12), (.connection, 9), (.tls, 3), (.status, 4), (.firstByte, 9), (.milliseconds, 9), (.up, 11),
                (.down, 11),
            ]
        case 110...: [(.time, 12), (.status, 4), (.milliseconds, 9), (.up, 11), (.down, 11)]
        case 72...: [(.time, 8), (.status, 4), (.milliseconds, 8), (.wire, 11)]
        case 48...: [(.status, 4), (.milliseconds, 8), (.wire, 9)]
        default: [(.status, 4), (.wire, 7)]
        }
    }

    // MARK: Lines

    /// A heading and rows, at most `height` lines.
    func lines(height: Int) -> [String] {
        guard height >= 2, count > 0 else { return [] }
        let columns = self.columns
        let title = style.width < 48 ? "LAST" : "LAST EXCHANGES"
        let titles = columns.map { $0.column == .time && $0.width > 10 ? "time (UTC)" : $0.column.title }
        let heading = RecordTable.aligned(titles, columns.map(\.width)) + "   " + title
        let shown = ranking.window(around: selection?.rank ?? 0, height: height - 1)
        return [style.paint(heading, .heading)]
            + shown.map { entry in
                let isSelected = selection?.item == entry.item
                let line = line(entry.record, isFinal: entry.isFinal, isSelected: isSelected, columns)
                return isSelected ? style.highlighted(line) : line
            }
    }

    private func line(
        _ record: ExchangeRecord, isFinal: Bool, isSelected: Bool, _ columns: [(column: Column, width: Int)]
    ) -> String {
        let cells = columns.map { painted(cell($0.column, $0.width, record), $0.column, $0.width, record) }
        let flags = record.flags.names
        let mark = isSelected && !style.color ? ">" : flags.isEmpty ? isFinal ? " " : "~" : "!"
        let start = cells.joined(separator: " ") + " " + style.paint(mark, flags.isEmpty ? .faint : .warning) + " "
        let room = style.width - paintedWidth(start)
        guard room > 0 else { return start }
        let text = RecordTable.fitted(RecordTable.request(options.redacted(record), style), flags, to: room, style)
        return start + text
    }

    private func cell(_ column: Column, _ width: Int, _ record: ExchangeRecord) -> String {
        switch column {
        case .time:
            return String(CalendarTime(nanoseconds: record.responseEnd ?? record.time).time.prefix(width))
        case .connection:
            return fittingCount(record.connection, width) + (record.stream.map { "/\($0)" } ?? "")
        case .tls: return shortVersion(record.tlsVersion) ?? style.dash
        case .status: return record.status.map { String($0) } ?? style.dash
        case .firstByte: return record.timeToFirstByte.map { time($0, width) } ?? style.dash
        case .milliseconds: return record.knownDuration.map { time($0, width) } ?? style.dash
        case .up: return fittingBytes(options.wire(record.costs.up), width)
        case .down: return fittingBytes(options.wire(record.costs.down), width)
        case .wire: return fittingBytes(options.wire(record.costs), width)
        }
    }

    private func time(_ nanoseconds: Int64, _ width: Int) -> String {
        let text = milliseconds(nanoseconds)
        return text.utf8.count <= width ? text : String(text.dropLast(2))
    }

    private func painted(_ text: String, _ column: Column, _ width: Int, _ record: ExchangeRecord) -> String {
        let cell = padded(text, width, right: true)
        switch (column, record.status ?? 0) {
        case (.time, _), (.connection, _), (.tls, _): return style.paint(cell, .faint)
        case (.status, 500...): return style.paint(cell, .loss)
        case (.status, 400...): return style.paint(cell, .warning)
        default: return cell
        }
    }
}
