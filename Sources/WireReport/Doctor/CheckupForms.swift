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

/// The same as one line of JSON, schema `wireaudit.doctor/1`.
public func checkupJSON(_ checkup: SessionCheckup) -> OutputBuffer {
    var json = JSONFields()
    json.beginElement()
    json.constant("schema", "wireaudit.doctor/1")
    json.beginArray("files")
    for file in checkup.files {
        json.beginElement()
        json.text("path", file.path)
        json.text("kind", file.kind.rawValue)
        json.text("note", file.words)
        json.end()
    }
    json.endArray()
    json.lines("parts", checkup.parts)
    json.lines("reports", checkup.reports)
    json.end()
    json.endLine()
    return json.finished()
}

extension JSONFields {
    fileprivate mutating func lines(_ name: StaticString, _ lines: [SessionCheckup.Line]) {
        beginArray(name)
        for line in lines {
            beginElement()
            text("name", line.name)
            text("grade", line.grade.rawValue)
            text("words", line.words)
            text("advice", line.advice)
            end()
        }
        endArray()
    }
}
