import WireEstimates
import WireRecords

extension AccuracyMarkdown {
    /// What to change in the SDK whose log was read, what that repairs, and what it leaves.
    func advice(_ page: inout MarkdownText) {
        let all = index.advice
        guard !all.isEmpty else { return }
        page.heading("What to change in the SDK", level: 3)
        for advice in all {
            page.paragraph(markdownCode(index.result.sources[advice.source].id) + ":")
            for change in advice.shown {
                page.bullet("\(markdownWords(change.advice)) \(markdownCode(change.causeNames))")
                for effect in change.effects { page.bullet(markdownWords(effect), level: 1) }
            }
            let left = advice.changes.count - advice.shown.count
            if left > 0 { page.bullet("… and \(counted(left, "smaller change")) (in the JSON report)") }
            if let remainder = advice.remainder { page.bullet(markdownWords(remainder)) }
            page.endList()
            guard !advice.allowances.isEmpty else { continue }
            page.paragraph("No code in an app can count these bytes:")
            for allowance in advice.allowances {
                let causes = allowance.causes.map { "\(markdownWords($0.meaning)) \(markdownCode($0.name))" }
                page.bullet("\(causes.joined(separator: ", ")): \(markdownWords(allowance.advice))")
            }
            page.endList()
        }
        page.paragraph("<sub>\(markdownWords(adviceLegend))</sub>")
    }
}
