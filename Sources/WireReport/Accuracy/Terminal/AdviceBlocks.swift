import WireEstimates
import WireRecords

/// What to change in the SDK whose log was read, what that repairs, and what it leaves.
struct AdviceBlocks {
    let index: AccuracyIndex
    let style: TerminalStyle
    /// Changes that are listed of each source; more are in the JSON.
    var most = SDKAdvice.most

    /// - Parameter source: the only source whose changes are shown; nil for all.
    func render(of source: Int? = nil) -> [[String]] {
        let chosen = index.advice.filter { source == nil || $0.source == source }
        var blocks = chosen.map { block($0, isBrief: source != nil) }
        guard source == nil else { return blocks }
        if !blocks.isEmpty {
            blocks[blocks.count - 1] += wrappedSentence(style.plain(adviceLegend), width: style.width, indent: 0)
                .map { style.paint($0, .faint) }
        }
        return blocks
    }

    private func block(_ advice: SDKAdvice, isBrief: Bool) -> [String] {
        let title = "WHAT TO CHANGE IN THE SDK: " + style.safe(index.result.sources[advice.source].id)
        var lines = [style.paint(shortened(title, to: style.width, ellipsis: style.ellipsis), .heading)]
        for (number, change) in advice.changes.prefix(most).enumerated() {
            lines += text("\(number + 1). \(change.advice) (\(change.causeNames))", indent: 5)
            let effects = isBrief ? [change.effectInShort] : change.effects
            for effect in effects { lines += text("   " + effect, indent: 7).map { " " + $0 } }
        }
        let left = advice.changes.count - most
        if left > 0 {
            let place = isBrief ? "--full" : "--format json"
            lines.append("  \(style.ellipsis) and \(counted(left, "smaller change")) (\(place))")
        }
        if let remainder = advice.remainder { lines += text(remainder, indent: 4) }
        if !isBrief, !advice.allowances.isEmpty {
            lines.append("  No code in an app can count these bytes:")
            for allowance in advice.allowances {
                let causes = allowance.causes.map { "\($0.meaning) (\($0.name))" }.joined(separator: ", ")
                lines += text("  \(causes): \(allowance.advice)", indent: 6)
            }
        }
        return lines
    }

    /// Two columns from the left; lines after the first begin at `indent`.
    private func text(_ words: String, indent: Int) -> [String] {
        let lead = words.prefix { $0 == " " }.count + 2
        let lines = wrappedSentence(
            style.plain(words), width: max(style.width - lead, 20), indent: max(indent - lead, 0))
        return lines.map { String(repeating: " ", count: lead) + $0 }
    }
}
