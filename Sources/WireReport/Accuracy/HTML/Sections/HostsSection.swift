import WireLogs
import WireRecords

/// What is known of calls that were not read: bounds, and totals by host.
struct HostsSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        let comparisons = index.hostComparisons(options)
        guard !comparisons.isEmpty else { return "" }
        return PageDocument.section(
            "hosts", "Hosts that were not read",
            index.boundsTables(options).map(page.table).joined() + page.blocks(page.report.hosts.blocks))
    }
}

/// What the users of one kind of SDK ask, each answer folded away.
struct QuestionsSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        let tables = index.questionTables(options).map { part -> Markup in
            var plain = part
            plain.table.title = ""
            return """
                <details><summary>\(part.table.title.plain), \(mark(part.source).swatch) \(label(part.source))</summary>
                \(page.blocks([.table(plain.table)], part.table.title))</details>

                """
        }
        return PageDocument.section("questions", "Sizes as the SDK shows them", tables.joined())
    }
}

/// What to change in the SDK whose log was read, what that repairs, and what it leaves.
struct AdviceSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        PageDocument.section("advice", "What to change in the SDK", page.blocks(page.report.advice.blocks))
    }
}

extension AccuracyPage {
    /// The parts that the page shows as the other forms do.
    var report: AccuracyBlocks { AccuracyBlocks(result, audit, options) }

    func blocks(_ blocks: [ReportBlock], _ title: ReportText = "") -> Markup {
        blocks.map { PageForm(limits: RowLimits(top: options.top)).block($0, title) }.joined()
    }

    /// A table under its name and its source's.
    func table(_ part: SourceTable) -> Markup {
        let heading: Markup = "<h3>\(part.table.title.plain), \(mark(part.source).swatch) \(label(part.source))</h3>\n"
        return heading + blocks([.table(part.table)])
    }
}
