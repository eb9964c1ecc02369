import WireComparison
import WireCore
import WireRecords
import WireStatistics

/// Sentences of a comparison, the same in every format.
struct ComparisonWords {
    let comparison: CostComparison

    // MARK: The verdict

    /// What the reader came for, what it does not say, and whether that is all of the traffic.
    var verdict: ReportText {
        (base.map { ReportText($0) } + [change] + outside + (doubts == nil ? [] : [ComparisonWords.isPart]))
            .joined(separator: " ")
    }

    static let isPart: ReportText = "Not all traffic was captured or read."

    private var change: ReportText {
        if comparison.choosesNothing { return "\(capitalized(CostComparison.Obstacle.nothingChosen.sentence))." }
        if comparison.isIdentical { return "No change: both sides cost the same, in every cause." }
        guard let total = comparison.total else {
            return "Nothing can be compared per call: no API has calls on both sides."
        }
        guard comparison.knowsNoise else { return "\(direction(total))\(reasons(total)). \(unknownNoise)" }
        guard let isCertain = total.isCertain else {
            return "\(direction(total))\(reasons(total)). Too few calls on each side: this may be chance."
        }
        if isCertain { return "\(direction(total))\(reasons(total))." }
        let rest = "(\(percent(total.percent)) per call; chance makes up to ±\(noisePercent(total)))"
        guard !changed.isEmpty else {
            return comparison.undecided.isEmpty
                ? "No change beyond chance \(rest)." : "Of APIs with enough calls no change beyond chance \(rest)."
        }
        let isOfCauses = changed.allSatisfy { $0.verdict == .shifted }
        let what = (isOfCauses ? "single causes of " : "") + counted(changed.count, "API")
        return "In total no change beyond chance \(rest), but \(what) changed: \(named(changed))."
    }

    /// Why the change of totals may be chance, of audits.
    private var unknownNoise: String {
        "An audit as JSON holds sums, not single calls, so chance cannot be told from change; compare the captures for that."
    }

    private func direction(_ total: CostChange) -> String {
        if total.isNothing { return "No change per call" }
        let word = total.change > 0 ? "dearer" : "cheaper"
        let size = total.percent.map { percentWords(abs($0)) } ?? "\(bytes(abs(total.change))) B"
        return "After is \(size) \(word) per call"
    }

    /// The APIs that the change comes from.
    private func reasons(_ total: CostChange) -> ReportText {
        let same = changed.filter { ($0.certainChange > 0) == (total.change > 0) && $0.certainChange != 0 }
        return same.isEmpty ? "" : ": \(named(same))"
    }

    /// Two at most. Those whose wire bytes changed beyond chance stand for all others, of which that is not known.
    private func named(_ changes: [APIChange]) -> ReportText {
        let certain = changes.filter { $0.wire?.isCertain == true }
        return (certain.isEmpty ? changes : certain).prefix(2).map {
            "\(name: $0.api) \(changeWords($0))" as ReportText
        }
        .joined(separator: ", ")
    }

    /// APIs that became larger, smaller, or shifted.
    var changed: [APIChange] { comparison.apis.filter { [.larger, .smaller, .shifted].contains($0.verdict) } }

    func apis(_ verdict: APIChange.Verdict) -> [APIChange] { comparison.apis.filter { $0.verdict == verdict } }

    /// How many APIs became what; nil where none was chosen.
    var counts: String? {
        if comparison.choosesNothing { return nil }
        let parts: [(APIChange.Verdict, String)] = [
            (.larger, "larger"), (.smaller, "smaller"), (.shifted, "changed in single causes only"), (.new, "new"),
            (.vanished, "vanished"),
            (.unchanged, comparison.knowsNoise ? "without a change beyond chance" : "unchanged"),
            (.tooFewCalls, "with too few calls to tell"), (.encrypted, "encrypted, compared in total only"),
        ]
        let words = parts.compactMap { verdict, word -> String? in
            let number = apis(verdict).count
            return number > 0 ? "\(grouped(number)) \(word)" : nil
        }
        return words.isEmpty ? "No API on either side." : "APIs: " + words.joined(separator: ", ") + "."
    }

    // MARK: The bound

    /// One line for each bound that is exceeded; empty without a bound.
    var violations: [ReportText] {
        guard let bound = comparison.maximumGrowth else { return [] }
        let limit = percentWords(bound)
        var lines: [ReportText] = []
        if comparison.totalIsExceeded, let total = comparison.total {
            let causes = self.causes(
                comparison.cells.filter { $0.change.isCertain != false && $0.change.change > 0 }
                    .sorted { $0.change.change > $1.change.change })
            lines.append("all APIs: \(percent(total.percent)) wire bytes per call, \(limit) allowed\(causes)")
        }
        for change in comparison.exceeded {
            let growth = change.wire.map { $0.before > 0 ? change.certainChange / $0.before * 100 : 0 }
            let causes = causes(change.causes.filter { $0.change.change > 0 })
            // Of the call's own change nobody can tell how much of it is chance.
            let what =
                change.wire?.isCertain == false
                ? "of its wire bytes per call beyond chance" : "wire bytes per call"
            lines.append("\(name: change.api): \(percent(growth)) \(what), \(limit) allowed\(causes)")
        }
        return lines
    }

    private func causes(_ cells: [CellChange]) -> String {
        cells.isEmpty ? "" : "; " + cells.prefix(3).map(cellWords).joined(separator: ", ")
    }

    /// The verdict of the bound; nil without one.
    var boundVerdict: ReportText? {
        guard let bound = comparison.maximumGrowth else { return nil }
        let limit = percentWords(bound)
        let number = violations.count
        if let obstacle = comparison.obstacle {
            return "Not judged: \(obstacle.sentence), so nothing was held against the bound."
        }
        let beyond = comparison.knowsNoise ? "beyond chance " : ""
        if number == 0, let unjudgedGrowth {
            let rest = ["Nothing else grew \(beyond)by more than \(limit) per call."] + unread + self.rest
            return "Not judged in part: \(unjudgedGrowth). \(rest.joined(separator: " "))"
        }
        let judged =
            number > 0
            ? "Exceeded: \(counted(number, "row")) grew by more than \(limit) per call."
            : "Within the bound: \(beyond)nothing grew by more than \(limit) per call."
        let few = apis(.tooFewCalls).count
        let unjudged =
            few > 0 ? ["\(counted(few, "API")) with too few calls \(few == 1 ? "is" : "are") not judged."] : []
        return ReportText(([judged] + unjudged + unread + rest).joined(separator: " "))
    }

    // MARK: Figures

    /// What an API's bytes per call changed by, and the cause that changed most: `+40 B of headers up` where that is all,
    /// `+222 B, of them +76 B of headers up` where it is a part.
    private func changeWords(_ change: APIChange) -> String {
        let main = mainCause(change)
        guard change.verdict != .shifted, let wire = change.wire else {
            return main + (change.causes.count > 1 ? " among others" : "")
        }
        let whole = "\(signed(wire.change)) B"
        return change.causes.isEmpty || main.hasPrefix(whole + " of ") ? main : "\(whole), of them \(main)"
    }

    /// The causes of a change for a table, `most` at most; where they alone changed, that is said.
    func causeWords(_ change: APIChange, most: Int) -> String {
        let causes = change.causes.prefix(most).map(cellWords).joined(separator: ", ")
        return change.wire?.isCertain == false && !causes.isEmpty ? "\(causes) (the sum is within chance)" : causes
    }

    /// `+40 B of headers up`.
    func mainCause(_ change: APIChange) -> String {
        guard let first = change.causes.first else { return signed(change.certainChange) + " B" }
        // Opposite causes: the one that the API's change goes with.
        let sign = change.certainChange < 0
        let cell = change.causes.first { ($0.change.change < 0) == sign } ?? first
        return "\(signed(cell.change.change)) B of \(name(cell.cell))"
    }

    func cellWords(_ cell: CellChange) -> String { "\(name(cell.cell)) \(signed(cell.change.change)) B" }

    func name(_ cell: CostCell) -> String {
        let word =
            switch cell.part {
            case .cause(let cause): cause.inComparison
            case .link: "link headers"
            case .hidden: "headers hidden by offload"
            }
        return "\(word) \(cell.direction.rawValue)"
    }

    func signed(_ value: Double) -> String {
        let text = bytes(abs(value))
        guard text == "0" else { return (value > 0 ? "+" : "-") + text }
        return value == 0 ? "0" : value > 0 ? "<+0.1" : ">-0.1"
    }

    /// Bytes of a mean: whole ones from 100 on, else with a decimal.
    func bytes(_ value: Double) -> String {
        guard value.isFinite else { return "any" }
        if abs(value) >= 99.95 { return wholeBytes(value) ?? "any" }
        return decimalText(value, places: 1) ?? "any"
    }

    /// With a sign.
    func percent(_ value: Double?) -> String {
        guard let value else { return "—" }
        let text = percentWords(abs(value))
        guard text.hasPrefix("<") else { return value == 0 ? text : (value > 0 ? "+" : "-") + text }
        return value > 0 ? "<+" + text.dropFirst() : ">-" + text.dropFirst()
    }

    func percentWords(_ value: Double) -> String {
        guard value.isFinite else { return "any %" }
        if value > 0, value < 0.05 { return "<0.1 %" }
        guard value < 100_000 else { return ">99,999 %" }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(grouped(tenths / 10)) %" : "\(grouped(tenths / 10)).\(tenths % 10) %"
    }

    private func noisePercent(_ change: CostChange) -> String {
        guard let noise = change.noise, change.before > 0 else { return "—" }
        return percentWords(noise / change.before * 100)
    }

    // MARK: Sides and method

    func side(_ side: ComparedSide) -> ReportText {
        let paths = side.captures + side.audits
        let names: ReportText =
            paths.count > 3
            ? "\(counted(paths.count, "file"))" : paths.map { "\(name: $0)" as ReportText }.joined(separator: ", ")
        let calls = side.knownCalls.map { counted($0, "call") } ?? "calls not known"
        return "\(names): \(calls), \(size(side.wire(comparison.measure))) on the wire"
    }

    /// How the figures came to be.
    var method: [String] {
        guard comparison.total != nil else { return [] }
        var lines = [
            "Per call: all wire bytes of an API by the number of its calls. All APIs together are weighted by the calls of both "
                + "sides (\(grouped(comparison.totalCalls.before)) and \(grouped(comparison.totalCalls.after))), so that "
                + "another mix of calls is no change."
        ]
        if comparison.knowsNoise {
            lines.append(
                "Chance: how far means differ between runs in which nothing changed, from the spread of the calls of both sides "
                    + "(bootstrap of the calls, and Student's t for few; \(CostComparison.fewestCalls) calls on each side are "
                    + "needed; a byte per call is no change). 1 unchanged comparison in 25 exceeds it somewhere.")
        } else {
            lines.append("Chance: not known. " + unknownNoise)
        }
        if let bound = comparison.maximumGrowth {
            lines.append(
                "Bound: wire bytes per call of each API, and of all together, may grow by \(percentWords(bound))"
                    + (comparison.knowsNoise ? "; growth within chance does not count" : "")
                    + ". New APIs have no growth.")
        }
        return lines
    }
}

extension Cause {
    /// As what a sentence of a comparison calls it.
    var inComparison: String {
        switch self {
        case .headers: "headers"
        case .teardown: "closing"
        default: title
        }
    }
}
