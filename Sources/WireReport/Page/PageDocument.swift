import WireCore
import WireRecords

/// A report as one HTML file that loads nothing: its head with the policy, its end with the data and the one script.
///
/// The content security policy allows the style sheet and the script by their hashes and nothing else.
struct PageDocument {
    var title: String
    var files: PageFiles

    /// - Parameter skip: identifier and name of what a reader with a keyboard may want to go to at once.
    func head(skip: (id: String, name: String)?) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src \(PageFiles.hash(of: files.style)); \
        \(files.script.isEmpty ? "" : "script-src \(PageFiles.hash(of: files.script)); " as Markup)\
        base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <meta name="generator" content="wireaudit \(toolVersion)">
        <title>\(title)</title>
        <style>\(files.style)</style>
        </head>
        <body>
        \(skip.map { "<a class=\"skip\" href=\"#\($0.id)\">\($0.name)</a>\n" as Markup } ?? "")

        """
    }

    /// The end of the file. `data` writes JSON.
    func end(_ buffer: inout OutputBuffer, data: (inout OutputBuffer) -> Void) {
        buffer.literal("<script type=\"application/json\" id=\"data\">")
        data(&buffer)
        buffer.literal("</script>\n<script>")
        buffer.markup(files.script)
        buffer.literal("</script>\n</body>\n</html>\n")
    }

    static func footer(_ name: String) -> Markup {
        """
        <footer><p>Made by wireaudit \(toolVersion) from \(name). This file loads nothing and sends nothing.</p>\
        </footer>

        """
    }

    /// A table that scrolls in a box of its own where the page is narrower, by keyboard too.
    static func scrolling(_ label: String, _ content: Markup) -> Markup {
        "<div class=\"scroll\" role=\"region\" aria-label=\"\(label)\" tabindex=\"0\">\n\(content)</div>\n"
    }

    /// A section with its heading; nothing where it has no content.
    static func section(_ id: Markup, _ title: Markup, _ content: Markup) -> Markup {
        content.isEmpty
            ? ""
            : "<section id=\"\(id)\" aria-labelledby=\"\(id)-h\">\n<h2 id=\"\(id)-h\">\(title)</h2>\n\(content)</section>\n"
    }

    /// A table that scrolls in a box of its own where the page is narrower.
    static func table(
        _ label: String, _ name: Markup, _ columns: [(title: String, isNumber: Bool)], _ rows: [[Markup]]
    ) -> Markup {
        let sides = columns.map { $0.isNumber ? " class=\"n\"" : "" as Markup }
        let heads = zip(columns, sides).map { "<th scope=\"col\"\($1)>\($0.title)</th>" as Markup }.joined()
        let body = rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td\(sides[column])>\(cell)</td>" as Markup
            }.joined()
            return "<tr>\(cells)</tr>\n" as Markup
        }.joined()
        let table: Markup = """
            <table class="\(name)">
            <thead><tr>\(heads)</tr></thead>
            <tbody>
            \(body)</tbody></table>

            """
        return scrolling(label, table)
    }

    /// The heads of columns of numbers by which the script sorts. Keys are those of the script's columns.
    static func sortableHeads(_ columns: [(key: String, name: String, note: String)], sorted: String) -> Markup {
        columns.map { column -> Markup in
            let isSorted: Markup = column.key == sorted ? " aria-sort=\"descending\"" : ""
            return """
                <th scope="col" class="n" data-key="\(column.key)" title="\(column.note)"\(isSorted)>\(column.name)</th>
                """
        }.joined()
    }

    /// A name of an API: method and host stand back behind the path.
    static func apiName(_ name: String) -> Markup {
        let parts = name.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return "<span class=\"api\">\(name)</span>" }
        return """
            <span class="api"><span class="method">\(parts[0])</span> <span class="host">\(parts[1])</span> \
            <span class="path">\(parts[2])</span></span>
            """
    }

    /// The longest name that a page shows; longer ones give way in the middle.
    static func shownName(_ name: String, most: Int = 240) -> String {
        shortened(displayText(name), to: most, ellipsis: "…")
    }
}

extension OutputBuffer {
    mutating func markup(_ markup: Markup) { string(markup.source) }
}

/// How a page speaks of the captures that it is about.
struct CaptureTitle {
    /// Names of the captures, without their folders where that leaves them different.
    private let names: [String]
    private let audit: AuditResult
    private let selection: Selection

    init(_ audit: AuditResult, _ options: ReportOptions) {
        selection = options.selection
        let paths = audit.files.isEmpty ? options.files : audit.files.map(\.path)
        let short = paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        names = (Set(short).count == short.count ? short : paths).map {
            shortened(displayText($0), to: 60, ellipsis: "…")
        }
        self.audit = audit
    }

    /// The capture's name, or how many there are.
    var name: String { names.count > 1 ? counted(names.count, "capture") : names.first ?? "capture" }

    /// Of several captures the first names; nil for one.
    var list: String? {
        guard names.count > 1 else { return nil }
        return names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and \(names.count - 6) more" : "")
    }

    /// The rows that were asked for; nil where all are.
    private var choice: Markup? {
        guard !selection.isEmpty else { return nil }
        let words =
            selection.hosts.map { "<code>--host \($0)</code>" as Markup }
            + selection.apis.map { "<code>--api \($0)</code>" as Markup }
            + selection.apps.map { "<code>--app \($0)</code>" as Markup }
        return "Selected: \(words.joined(" "))"
    }

    /// Packets, bytes, connections, exchanges and time.
    func facts(exchanges: Int) -> String {
        var facts = [
            counted(audit.files.reduce(0) { clampedSum($0, $1.packets) }, "packet"), sizeText(audit.ledger.bytes),
            counted(audit.connections, "connection"), counted(exchanges, "exchange"),
        ]
        if let first = audit.files.compactMap(\.first).min(), let last = audit.files.compactMap(\.last).max() {
            let moment = CalendarTime(nanoseconds: first)
            facts.append("\(durationInWords(UInt64(bitPattern: last &- first))) from \(moment.date) \(moment.time) UTC")
        }
        return facts.joined(separator: " · ")
    }

    /// The top of a page: what it is, what was captured, and the ways to its sections.
    func header(_ kicker: String, exchanges: Int, sections: [(id: String, name: String)]) -> Markup {
        let links = sections.map { "<a href=\"#\($0.id)\">\($0.name)</a>" as Markup }.joined(" ")
        return """
            <header>
            <p class="kicker">wireaudit · \(kicker)</p>
            <h1>\(name)</h1>
            \(list.map { "<p class=\"facts\">\($0)</p>\n" as Markup } ?? "")\
            <p class="facts">\(facts(exchanges: exchanges))</p>
            \(choice.map { "<p class=\"facts\">\($0)</p>\n" as Markup } ?? "")\
            <nav aria-label="Sections">\(links)</nav>
            </header>

            """
    }
}
