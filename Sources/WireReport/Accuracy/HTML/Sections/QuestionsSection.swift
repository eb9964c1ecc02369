import WireRecords

/// What the users of one kind of SDK ask, each answer folded away.
struct QuestionsSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        let tables = index.questionTables(options)
        guard !tables.isEmpty else { return "" }
        return """
            <section id="questions" aria-labelledby="questions-h">
            <h2 id="questions-h">Sizes as the SDK shows them</h2>
            \(tables.map(questionDetails).joined())</section>

            """
    }

    private func questionDetails(_ question: QuestionTable) -> Markup {
        """
        <details><summary>\(question.title), \(mark(question.source).swatch) \(label(question.source))</summary>
        \(page.table(question))</details>

        """
    }
}

extension AccuracyPage {
    /// The table of a question, with what must be known to read it.
    func table(_ question: QuestionTable) -> Markup {
        let heads = question.columns.map { "<th scope=\"col\" class=\"n\">\($0)</th>" as Markup }.joined()
        let rows = question.rows.map { row -> Markup in
            let cells = row.cells.map { "<td class=\"n\">\($0.map(typographic) ?? "–")</td>" as Markup }.joined()
            return
                "<tr><th scope=\"row\">\(shortened(displayText(row.name), to: 200, ellipsis: "…"))</th>\(cells)</tr>\n"
        }.joined()
        let table: Markup = """
            <table class="question"><thead><tr><th scope="col"><span class="hidden">Part</span></th>\(heads)</tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        let more = question.more > 0 ? "\(counted(question.more, "more row")) (--top all). " : ""
        let note = more + (question.note ?? "")
        return """
            \(PageDocument.scrolling(question.title, table))\(note.isEmpty ? "" : "<p class=\"legend\">\(note)</p>\n" as Markup)
            """
    }
}
