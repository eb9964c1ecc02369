import WireAccuracy
import WireLogs
import WireRecords

/// What makes the bounds of one row of each log, for a person at a terminal.
public func boundsExplanationText(_ result: AccuracyResult, row: Int, style: TerminalStyle) -> OutputBuffer {
    textBuffer(result.logs.flatMap { BoundsExplanationLines(log: $0, style: style).render(row: row) }, style)
}

/// Its time, and the records and the rows in it.
private struct BoundsExplanationLines {
    let log: LogSummary
    let style: TerminalStyle

    /// - Parameter row: as it was asked for.
    func render(row: Int) -> [[String]] {
        let title = style.paint("BOUNDS OF ROW \(row): \(style.safe(log.path))", .heading)
        guard let explanation = log.explanation else {
            return [
                [title]
                    + wrapped(
                        "There is no such row of a call that was not read. Rows of calls that were read are compared with them; "
                            + "--format ndjson says of each row what became of it.", width: style.width, indent: 2)
            ]
        }
        var sections = [[title] + facts(explanation)]
        if !explanation.records.isEmpty { sections.append(records(explanation)) }
        if !explanation.neighbours.isEmpty { sections.append(neighbours(explanation)) }
        return sections
    }

    private func facts(_ explanation: BoundsExplanation) -> [String] {
        var sentences = [style.safe(explanation.name)]
        for direction in Direction.allCases {
            guard let figure = direction == .up ? explanation.figures.up : explanation.figures.down else { continue }
            sentences.append("\(direction.noun): \(words(figure))")
        }
        if let time = explanation.time { sentences.append("by the log's clock: \(words(time))") }
        if let window = explanation.window, let clock = log.bounds?.clock {
            sentences.append(
                "by the capture's clock: \(words(window)); the log's clock is \(clockRangeInWords(clock)) ahead, and "
                    + "\(durationInWords(LogBounds.jitter.magnitude)) more are allowed on both sides")
        }
        sentences.append("why: \(words(explanation.basis))")
        sentences += explanation.connections.map { connection in
            let calls = connection.calls.map { counted($0, "call") } ?? "calls not told apart"
            return "connection \(connection.number), client port \(connection.clientPort): \(calls)"
        }
        return sentences.flatMap { wrapped(style.plain($0), width: style.width, indent: 2) }
    }

    private func words(_ figure: LogBounds.Figure) -> String {
        let (low, high) = (figure.message.lowerBound, figure.message.upperBound)
        let message = figure.isExact ? "\(grouped(low)) bytes" : "\(grouped(low)) to \(grouped(high)) bytes"
        let verdict =
            figure.certainty != .refuted
            ? "" : figure.logged > high ? "; the figure is too high" : "; the figure is too low"
        let bodies =
            figure.mostGivenBodies < high
            ? "; at most \(grouped(figure.mostGivenBodies)) if the log has the bodies of the other rows as they were sent"
            : ""
        return "logged \(grouped(figure.logged)), the message has \(message)\(bodies)\(verdict)"
    }

    private func words(_ basis: BoundsExplanation.Basis) -> String {
        switch basis {
        case .place(let place, let count):
            "the rows that name this connection are as many as its calls, \(count), and in the order of their ends each "
                + "row's time holds its call: this is number \(place)"
        case .callsInTime:
            "at most all that was sent in this time; at least what the smallest call has that lies in it as a whole"
        case .recordsInTime:
            "at most all that was sent in this time; there is no least, because records do not tell calls apart"
        case .alone:
            "no other row's call went on at this time: at least what is left of its records without frames of the "
                + "connection that may be in them, if the log has every call; at most all that was sent in this time"
        case .none(let reason): "no bounds: \(unboundedInWords(reason))"
        }
    }

    private func words(_ range: ClosedRange<Int64>) -> String {
        let (start, end) = (CalendarTime(nanoseconds: range.lowerBound), CalendarTime(nanoseconds: range.upperBound))
        return "\(start.date) \(start.time) to \(end.time) UTC"
    }

    private func records(_ explanation: BoundsExplanation) -> [String] {
        var table = TextTable(text: "time (UTC), and why", numbers: ["conn", "sent by", "record", "counted"])
        for record in explanation.records {
            table.add([
                "  " + CalendarTime(nanoseconds: record.time).time + " " + words(record.reason),
                String(record.connection), record.direction == .up ? "client" : "server", grouped(record.bytes),
                grouped(record.content),
            ])
        }
        return [style.paint("RECORDS THAT MAY BE ITS", .heading)] + table.lines(style)
    }

    private func words(_ reason: BoundsExplanation.Record.Reason) -> String {
        switch reason {
        case .inTime(others: 0): "in its time alone"
        case .inTime(let others): "in its time and that of \(counted(others, "other row"))"
        case .credit: "later: may be a WINDOW_UPDATE of it"
        case .otherCall: "of another call of the connection"
        }
    }

    private func neighbours(_ explanation: BoundsExplanation) -> [String] {
        var table = TextTable(text: "row", numbers: ["from", "to"])
        for row in explanation.neighbours {
            let ends = [row.window.lowerBound, row.window.upperBound].map { CalendarTime(nanoseconds: $0).time }
            table.add(["  \(row.row) \(style.safe(row.name))"] + ends)
        }
        return [style.paint("OTHER ROWS IN THIS TIME", .heading)] + table.lines(style)
    }
}
