import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

extension AccuracyBlocks {
    /// What each source gets wrong, and what would repair most, in words.
    var largestCauses: ReportSection {
        let verdicts = accuracyVerdicts(result)
        let silent = index.sources.filter { index.isSilent($0) }
        let items = index.sources.filter { !silent.contains($0) }.map { source in
            let sentences = verdicts.filter { $0.source == source }.map { verdict -> ReportText in
                let range = APIRange(index, source, verdict.direction).map { " \($0.sentence(result))" as ReportText }
                return "\(verdict.text)\(range ?? "")"
            }
            return ReportItem(title(source), details: sentences + missing(result.sources[source]))
        }
        let names = silent.map { "\(name: result.sources[$0].id)" as ReportText }.joined(separator: ", ")
        let none: [ReportBlock] = silent.isEmpty ? [] : [.sentence("No figure for any call: \(names).")]
        return ReportSection("words", "Largest causes", blocks: [.list(items)] + none)
    }

    private func missing(_ source: AccuracySource) -> [ReportText] {
        missingFiguresInWords(source).map { ReportText($0) }
            + (source.addedBytes > 0
                ? ["Observer: the SDK itself added \(counted(source.addedBytes, "byte")) of fields to requests."] : [])
    }

    private func title(_ source: Int) -> ReportText {
        let facts = result.sources[source]
        // What explains a log stands in its own section.
        let note: ReportText = facts.note.isEmpty || facts.kind == .log ? "" : ": \(name: facts.note, most: 2000)"
        let name: ReportText = facts.name.isEmpty ? "" : " · \(name: facts.name)"
        return "\(name: facts.id)\(name) · \(facts.origin)\(note)"
    }

    /// What the errors of each source are made of, in bytes per call.
    var causes: ReportSection {
        ReportSection(
            "causes", "Errors by cause", .folded,
            blocks: index.sources.compactMap { source in
                guard !index.isSilent(source), var table = causeTable(source, most: nil) else { return nil }
                table.title = "\(name: result.sources[source].id)"
                return .table(table)
            })
    }

    /// The causes of one source that weigh most, without what is below the messages.
    func causes(of source: Int, most: Int) -> ReportSection {
        ReportSection("causes", "Errors by cause", blocks: [causeTable(source, most: most).map { .table($0) }])
    }

    /// - Parameter most: causes that are listed; nil for all, and for what is below the messages.
    private func causeTable(_ source: Int, most: Int?) -> ReportTable? {
        let sides = Direction.allCases.map { direction in
            index.total(source, direction).map { ErrorBreakdown($0) }.flatMap { $0.calls == 0 ? nil : $0 }
        }
        let causes = AccuracyBlocks.causes(sides)
        guard !causes.isEmpty else { return nil }
        // A bar begins where the one before ended, so that all of a direction fill its column.
        var starts = [0.0, 0.0]
        var rows = causes.prefix(most ?? .max).map { cause in
            [ReportCell(cause.meaning)]
                + sides.indices.flatMap { AccuracyBlocks.cells(cause, sides[$0], start: &starts[$0]) }
        }
        func sum(_ label: String, _ tone: Tone, _ bytes: (ErrorBreakdown) -> Int) {
            let cells = sides.flatMap { side -> [ReportCell] in
                [ReportCell(side.flatMap { signedMeanText(bytes($0), of: $0.calls) }, tone), "", ""]
            }
            rows.append([ReportCell(label, tone)] + cells)
        }
        sum("= error against the message", .strong, \.net)
        if most == nil {
            sum("below HTTP (packets, TLS, set-up)", .plain, \.below)
            sum("= error against the wire", .strong, \.wireNet)
        }
        let left = causes.count - (most ?? causes.count)
        return ReportTable(
            unit: "B/call",
            columns: [.text("cause")]
                + Direction.allCases.flatMap { [.number($0.noun), .number("share", rank: 1), .picture("")] },
            rows: rows,
            isWhole: true, note: left > 0 ? "… and \(counted(left, "smaller cause")) (--full)" : "")
    }

    /// The causes of both directions, what weighs most first.
    private static func causes(_ sides: [ErrorBreakdown?]) -> [ErrorCause] {
        let all = ErrorCause.allCases.map { cause in
            let weight = sides.reduce(0.0) { sum, side in
                guard let side, let post = side.posts.first(where: { $0.cause == cause }) else { return sum }
                return sum + Double(post.bytes.magnitude) / Double(max(side.missing &+ side.surplus, 1))
            }
            return (cause: cause, weight: weight)
        }
        return all.filter { $0.weight > 0 }.enumerated().sorted { left, right in
            left.element.weight != right.element.weight
                ? left.element.weight > right.element.weight : left.offset < right.offset
        }.map(\.element.cause)
    }

    /// Number, share and bar of one direction.
    private static func cells(_ cause: ErrorCause, _ side: ErrorBreakdown?, start: inout Double) -> [ReportCell] {
        guard let side, let post = side.posts.first(where: { $0.cause == cause }) else { return ["", "", ""] }
        let whole = Double(max(side.missing &+ side.surplus, 1))
        let end = min(1, start + Double(post.bytes.magnitude) / whole)
        defer { start = end }
        let tone = Tone.of(post.bytes)
        return [
            ReportCell(signedMeanText(post.bytes, of: side.calls), tone), ReportCell(side.share(post)),
            ReportCell(bar: min(start, end)...end, tone),
        ]
    }

    // MARK: What to change

    /// What to change in the SDKs, what that repairs, and what it leaves.
    var advice: ReportSection {
        let all = index.advice
        let blocks = all.flatMap { advice -> [ReportBlock] in
            [.sentence("\(name: result.sources[advice.source].id):", .strong)]
                + changes(advice, most: SDKAdvice.most, isBrief: false) + allowances(advice)
        }
        return ReportSection(
            "advice", "What to change in the SDK",
            blocks: blocks.isEmpty ? [] : blocks + [.sentence(ReportText(adviceLegend), .faint)])
    }

    /// The changes of one source that repair most.
    func advice(of source: Int, most: Int) -> ReportSection {
        ReportSection(
            "advice", "What to change in the SDK: \(name: result.sources[source].id)",
            blocks: index.advice.filter { $0.source == source }.flatMap { changes($0, most: most, isBrief: true) })
    }

    func changes(_ advice: SDKAdvice, most: Int, isBrief: Bool) -> [ReportBlock] {
        let left = advice.changes.count - most
        let items = advice.changes.prefix(most).map { change in
            ReportItem(
                "\(change.advice) (\(change.causeNames))",
                details: (isBrief ? [change.effectInShort] : change.effects).map { ReportText($0) })
        }
        let place = isBrief ? "--full" : "--format json"
        return [.list(items, isNumbered: true)]
            + (left > 0 ? [.sentence("… and \(counted(left, "smaller change")) (\(place))")] : [])
            + (advice.remainder.map { [.sentence(ReportText($0))] } ?? [])
    }

    func allowances(_ advice: SDKAdvice) -> [ReportBlock] {
        guard !advice.allowances.isEmpty else { return [] }
        return [
            .sentence("No code in an app can count these bytes:"),
            .list(
                advice.allowances.map { allowance in
                    let causes = allowance.causes.map { "\($0.meaning) (\($0.name))" }.joined(separator: ", ")
                    return "\(causes): \(allowance.advice)"
                }),
        ]
    }
}
