import WireRecords

/// The check-up for a person.
public func checkupText(_ checkup: SessionCheckup, style: TerminalStyle) -> OutputBuffer {
    let files =
        [style.paint("FILES", .heading)]
        + checkup.files.map { file in
            "  " + padded(file.kind.rawValue, 9, right: false)
                + style.safe(file.path + (file.words.map { " (\($0))" } ?? ""))
        }
    func lines(_ title: String, _ rows: [SessionCheckup.Line]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return [style.paint(title, .heading)]
            + rows.flatMap { row in
                let paint: Paint = row.grade == .ready ? .message : row.grade == .partly ? .warning : .loss
                let text =
                    "\(row.name): \(row.words)"
                    + (row.advice.map { ". " + $0.prefix(1).uppercased() + $0.dropFirst() } ?? "")
                let wrappedText = wrapped(style.safe(text), width: style.width - 11, indent: 2)
                return wrappedText.enumerated().map { index, line in
                    "  "
                        + (index == 0
                            ? style.paint(padded(row.grade.rawValue, 9, right: false), paint)
                            : padded("", 9, right: false))
                        + line
                }
            }
    }
    return textBuffer([files, lines("SESSION", checkup.parts), lines("REPORTS", checkup.reports)], style)
}

/// The same as one line of JSON.
public func checkupJSON(_ checkup: SessionCheckup) -> OutputBuffer { checkupOutput.json(checkup) }

let checkupOutput = Output<SessionCheckup>(
    "doctor", version: 1, about: "Whether the files of a session fit, and what each report can say.",
    command: "wireaudit doctor --format json",
    fields: [
        .list("files", of: fileFields, "Files that were looked at.") { $0.files },
        .list("parts", of: lineFields, "What a session consists of.") { $0.parts },
        .list("reports", of: lineFields, "What reports can say of it; empty without a capture.") { $0.reports },
    ])

private let fileFields: [Field<SessionCheckup.File>] = [
    .text("path", "Path.") { $0.path }, .word("kind", "What it is, by its content.") { $0.kind },
    .text("note", "Format of a log; why it is nothing that is known.") { $0.words }.orNull,
]

private let lineFields: [Field<SessionCheckup.Line>] = [
    .text("name", "The part, or the report.") { $0.name },
    .word("grade", "ready, partly or missing.") { $0.grade }, .text("words", "What was found.") { $0.words },
    .text("advice", "What to do; null where nothing is.") { $0.advice }.orNull,
]
