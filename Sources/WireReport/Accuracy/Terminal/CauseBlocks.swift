import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

/// For each source what its errors are made of, in bytes a call, and in words what would repair most.
struct CauseBlocks {
    let index: AccuracyIndex
    let style: TerminalStyle
    private let verdicts: [AccuracyVerdict]
    private let labelWidth: Int
    private let numberWidth: Int
    private let showsShares: Bool
    /// Cells of the bar of each direction; 0 where they do not fit.
    private let barWidth: Int
    private static let shareWidth = 5
    private static let smallestBar = 8
    private static let leastLabel = 24
    private static let longestName = 60

    init(index: AccuracyIndex, style: TerminalStyle) {
        self.index = index
        self.style = style
        verdicts = accuracyVerdicts(index.result)
        let all = index.result.totals.map { ErrorBreakdown($0) }
        numberWidth = all.reduce("response".count) { max($0, CauseBlocks.widestNumber($1)) }
        showsShares = style.width - 2 * (numberWidth + CauseBlocks.shareWidth + 3) >= CauseBlocks.leastLabel
        let numbers = 2 * (numberWidth + (showsShares ? CauseBlocks.shareWidth + 3 : 2))
        let labels = Set(all.flatMap { $0.posts.map(\.cause) }).map(\.meaning)
        let longest = (labels + [CauseBlocks.below]).reduce(0) { max($0, $1.count) } + 2
        labelWidth = min(longest, max(style.width - numbers, CauseBlocks.leastLabel / 2))
        let room = min((style.width - labelWidth - numbers) / 2 - 2, 24)
        barWidth = room < CauseBlocks.smallestBar ? 0 : room
    }

    func render() -> [[String]] {
        let silent = index.sources.filter { index.isSilent($0) }
        var blocks = index.sources.filter { !silent.contains($0) }.map { block($0) }
        if !blocks.isEmpty { blocks[0].insert(heading, at: 0) }
        if !silent.isEmpty { blocks.append(silence(silent)) }
        return blocks
    }

    /// The causes of one source that weigh most, without what is below the messages.
    func brief(_ source: Int, most: Int) -> [[String]] {
        let sides = [Direction.up, .down].map { index.total(source, $0).map { ErrorBreakdown($0) } }
        guard sides.contains(where: { $0?.posts.isEmpty == false }) else { return [] }
        return [[heading] + table(sides, most: most)]
    }

    /// Sources without any figure, in one sentence.
    private func silence(_ sources: [Int]) -> [String] {
        let names = sources.map { style.safe(index.result.sources[$0].id) }
        return wrappedSentence(
            "No figure for any call: " + names.joined(separator: ", ") + ".", width: style.width, indent: 2)
    }

    private static func widestNumber(_ errors: ErrorBreakdown) -> Int {
        ([errors.net, errors.below, errors.wireNet] + errors.posts.map(\.bytes))
            .reduce(0) { max($0, signedMeanText($1, of: errors.calls)?.count ?? 0) }
    }

    private static let below = "below HTTP (packets, TLS, set-up)"

    private var heading: String {
        style.paint(
            line(
                "ERRORS BY CAUSE",
                [Cell(number: "request", share: "share"), Cell(number: "response", share: "share")]), .heading)
    }

    // MARK: One source

    private func block(_ source: Int) -> [String] {
        let facts = index.result.sources[source]
        var lines = title(facts)
        let sides = [Direction.up, .down].map { index.total(source, $0).map { ErrorBreakdown($0) } }
        if sides.contains(where: { $0?.posts.isEmpty == false }) { lines += table(sides) }
        for verdict in verdicts where verdict.source == source {
            let range = APIRange(index, source, verdict.direction).map {
                " " + $0.sentence(name: name, number: style.plain)
            }
            lines += sentences(verdict.text + (range ?? ""))
        }
        for sentence in missingFiguresInWords(facts) { lines += sentences(sentence) }
        if facts.addedBytes > 0 {
            let added = counted(facts.addedBytes, "byte")
            lines += sentences("Observer: the SDK itself added \(added) of fields to requests.")
        }
        return lines
    }

    private func name(_ api: Int) -> String {
        shortened(style.safe(index.result.apis[api]), to: CauseBlocks.longestName, ellipsis: style.ellipsis)
    }

    /// Text whose first word, up to a colon, stands out.
    private func sentences(_ text: String) -> [String] {
        var lines = wrappedSentence(text, width: style.width - 2, indent: 2)
        if let first = lines.first, let colon = first.firstIndex(of: ":") {
            lines[0] = style.paint(String(first[...colon]), .heading) + first[first.index(after: colon)...]
        }
        return lines.map { "  " + $0 }
    }

    private func title(_ source: AccuracySource) -> [String] {
        let name = style.safe(source.id)
        var facts = source.origin
        // What explains a log stands in its own section.
        if !source.note.isEmpty, source.kind == .simulated { facts += ": " + style.safe(source.note) }
        let text = ([name, style.safe(source.name)].filter { !$0.isEmpty } + [facts]).joined(
            separator: style.separator)
        let lines = wrappedSentence(text, width: style.width, indent: 2)
        guard let first = lines.first, first.hasPrefix(name) else { return lines }
        return [style.paint(name, .heading) + first.dropFirst(name.count)] + lines.dropFirst()
    }

    /// - Parameter most: causes that are listed; nil for all, and for what is below the messages.
    private func table(_ sides: [ErrorBreakdown?], most: Int? = nil) -> [String] {
        let known = sides.map { $0?.calls == 0 ? nil : $0 }
        var before = [0, 0]
        let causes = causes(known)
        var lines = causes.prefix(most ?? .max).map { cause in
            let cells = known.enumerated().map { number, side in
                let cell = cell(cause, side, after: before[number])
                before[number] &+= cell.bytes
                return cell
            }
            return line("  " + cause.meaning, cells)
        }
        let left = causes.count - lines.count
        if left > 0 { lines.append("  \(style.ellipsis) and \(counted(left, "smaller cause")) (--full)") }
        lines.append(style.paint(sumLine("= error against the message", known) { $0.net }, .heading))
        guard most == nil else { return lines }
        lines.append(sumLine("  " + CauseBlocks.below, known) { $0.below })
        lines.append(style.paint(sumLine("= error against the wire", known) { $0.wireNet }, .heading))
        return lines
    }

    /// The causes of both directions, what weighs most first.
    private func causes(_ sides: [ErrorBreakdown?]) -> [ErrorCause] {
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

    private func sumLine(_ label: String, _ sides: [ErrorBreakdown?], _ bytes: (ErrorBreakdown) -> Int) -> String {
        line(
            label,
            sides.map { side in
                Cell(number: side.flatMap { signedMeanText(bytes($0), of: $0.calls) } ?? style.dash)
            })
    }

    /// What one direction has for a line.
    private struct Cell {
        var number = ""
        var share = ""
        var bar = ""
        var paint: Paint?
        /// Without sign.
        var bytes = 0
    }

    /// A bar begins where the one before ended, so that all of a direction fill its column.
    private func cell(_ cause: ErrorCause, _ side: ErrorBreakdown?, after before: Int) -> Cell {
        guard let side, let post = side.posts.first(where: { $0.cause == cause }) else { return Cell() }
        let bytes = Int(clamping: post.bytes.magnitude)
        let bar = waterfallBar(
            start: before, length: bytes, of: side.missing &+ side.surplus, cells: barWidth, style: style)
        return Cell(
            number: signedMeanText(post.bytes, of: side.calls) ?? "", share: style.plain(side.share(post)), bar: bar,
            paint: ErrorPaint.of(post.bytes), bytes: bytes)
    }

    /// Label, then number, share and bar of each direction.
    private func line(_ label: String, _ cells: [Cell]) -> String {
        var text = padded(shortened(label, to: labelWidth, ellipsis: style.ellipsis), labelWidth, right: false)
        for cell in cells {
            let number = padded(cell.number, numberWidth, right: true)
            text += "  " + (cell.paint.map { style.paint(number, $0) } ?? number)
            if showsShares { text += " " + padded(cell.share, CauseBlocks.shareWidth, right: true) }
            guard barWidth > 0 else { continue }
            let space = String(repeating: " ", count: max(barWidth - displayWidth(cell.bar), 0))
            text += "  " + (cell.paint.map { style.paint(cell.bar, $0) } ?? cell.bar) + space
        }
        return text
    }
}
