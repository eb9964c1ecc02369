import WireRecords

/// The three forms of a report for people.
extension ReportDocument {
    public func text(_ style: TerminalStyle) -> OutputBuffer { TerminalForm.render(self, style) }
    public func markdown() -> OutputBuffer { MarkdownForm.render(self) }
    public func html() -> OutputBuffer { PageForm.render(self) }
}
