import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// The rows of a result by source, API and direction, and the orders in which reports show them.
struct AccuracyIndex {
    let result: AccuracyResult
    /// Logs first, since they were measured; else the order of the result.
    let sources: [Int]
    /// APIs that are selected, in the order of the result.
    let apis: [Int]
    private var totals: [Int]
    private var rows: [Int]

    init(_ result: AccuracyResult, _ options: ReportOptions) {
        self.result = result
        let all = result.sources.indices
        sources = all.filter { result.sources[$0].kind == .log } + all.filter { result.sources[$0].kind == .simulated }
        apis = result.apis.indices.filter { options.selection.includes(api: result.apis[$0]) }
        totals = Array(repeating: -1, count: result.sources.count * 2)
        rows = Array(repeating: -1, count: result.sources.count * result.apis.count * 2)
        // What a log lacks that is of another time or of other hosts says nothing about its SDK: it has no figures at all.
        let compared = Set(all).subtracting(result.mismatches.keys)
        for (index, row) in result.totals.enumerated() where compared.contains(row.source) {
            totals[row.source * 2 + AccuracyIndex.side(row.direction)] = index
        }
        for (index, row) in result.rows.enumerated() {
            guard compared.contains(row.source), let api = row.api, result.apis.indices.contains(api) else { continue }
            rows[place(row.source, api, row.direction)] = index
        }
    }

    func total(_ source: Int, _ direction: Direction) -> AccuracyRow? {
        let index = totals[source * 2 + AccuracyIndex.side(direction)]
        return index < 0 ? nil : result.totals[index]
    }

    func row(_ source: Int, _ api: Int, _ direction: Direction) -> AccuracyRow? {
        let index = rows[place(source, api, direction)]
        return index < 0 ? nil : result.rows[index]
    }

    /// Both directions of a source over all APIs, as far as it speaks of them.
    func totals(_ source: Int) -> [AccuracyRow] { Direction.allCases.compactMap { total(source, $0) } }

    /// A simulated source that there is nothing to tell of: it has no figure and misses no call.
    func isSilent(_ source: Int) -> Bool {
        result.sources[source].kind == .simulated && !result.sources[source].lacksFigures
            && totals(source).allSatisfy { $0.message.count == 0 && !$0.isPartial }
    }

    /// The sources that say anything about the direction: a figure, or that they do not see calls.
    func speaking(_ direction: Direction) -> [Int] {
        sources.filter { source in
            guard let total = total(source, direction) else { return false }
            return total.message.count > 0 || total.isPartial
        }
    }

    /// Selected APIs by the bytes that the worst of the sources has wrong or does not see in the direction, most first.
    func worstAPIs(_ direction: Direction, of sources: [Int]) -> [Int] {
        let losses = apis.map { api in
            (api: api, loss: sources.map { row($0, api, direction)?.loss ?? 0 }.max() ?? 0, name: result.apis[api])
        }
        return sorted(losses) { ($0.loss, $0.name) }.map(\.api)
    }

    /// Selected APIs by wire bytes, largest first, ties by name: the order of machine-readable rows.
    func apisByWire() -> [Int] {
        let sizes = apis.map { api in
            (api: api, name: result.apis[api], wire: result.sources.indices.map { wire($0, api) }.max() ?? 0)
        }
        return sorted(sizes) { ($0.wire, $0.name) }.map(\.api)
    }

    private func wire(_ source: Int, _ api: Int) -> Int {
        [Direction.up, .down].reduce(0) { $0 &+ (row(source, api, $1)?.coverage.wireBytes ?? 0) }
    }

    private func place(_ source: Int, _ api: Int, _ direction: Direction) -> Int {
        (source * result.apis.count + api) * 2 + AccuracyIndex.side(direction)
    }

    private static func side(_ direction: Direction) -> Int { direction == .up ? 0 : 1 }
}

extension AccuracyRow {
    /// Bytes that the recorded calls have wrong together, and those of calls that were not recorded.
    var loss: Int {
        Int(clamping: message.errorTotal.magnitude.addingReportingOverflow(unseen.sum.magnitude).partialValue)
    }

    /// What weighs most: a cause of the error, or the reason why calls are not recorded. Nil where nothing is wrong.
    var chiefCause: ErrorCause? {
        let errors = ErrorBreakdown(self)
        let unseen = unseen.posts.max { $0.bytes.magnitude < $1.bytes.magnitude }
        guard let unseen, unseen.bytes.magnitude > errors.chief?.bytes.magnitude ?? 0 else {
            return errors.chief?.cause
        }
        return unseen.cause
    }

    /// The source lacks some calls.
    var isPartial: Bool { coverage.recordedCalls < coverage.calls }
}

extension ErrorStatistics {
    /// |error| that nine of ten calls do not exceed, whole bytes, with `~` where it is from buckets. Nil without calls.
    var p90Text: String? { count == 0 ? nil : wholeBytes(p90).map { (isApproximate ? "~" : "") + $0 } }
    /// The median |error|, whole bytes, where the mean error is more than three times as large: a few calls make it.
    var telltaleMedian: Int? {
        guard count > 1, medianAbsolute.isFinite, bias.isFinite, abs(bias) >= 1, abs(bias) > 3 * medianAbsolute
        else { return nil }
        return nearest(medianAbsolute)
    }
    var medianText: String? { count == 0 ? nil : wholeBytes(medianAbsolute).map { (isApproximate ? "~" : "") + $0 } }
}

extension AccuracyResult {
    /// What `~` means, where there is one.
    var approximationInWords: String? {
        let worst = (totals + rows).reduce(0) { max($0, $1.message.isApproximate ? $1.message.quantileError : 0) }
        guard worst > 0, let percent = decimalText(worst * 100, places: 1) else { return nil }
        return "~: at most \(percent) % off."
    }
}

extension AccuracySource {
    /// What it is called beside its id; empty where that says nothing new.
    var name: String { title == id ? "" : title }

    /// How its figures came to be.
    var origin: String { kind == .log ? "measured by the app" : "simulated" }
}

extension Direction {
    var noun: String { self == .up ? "request" : "response" }
}

extension AccuracySource {
    /// There are calls that it speaks of without a figure.
    var lacksFigures: Bool { unknown > 0 || unstated > 0 }
}

/// Why there is no figure for some calls, a sentence for each reason.
func missingFiguresInWords(_ source: AccuracySource) -> [String] {
    var sentences: [String] = []
    if source.unknown > 0 {
        sentences.append(
            source.kind == .log
                ? "Unknown: \(counted(source.unknown, "matched row")) \(source.unknown == 1 ? "has" : "have") no usable "
                    + "figure, such as a length of -1."
                : "Unknown: the capture does not show what the formula needs for \(counted(source.unknown, "call")).")
    }
    if source.unstated > 0 {
        sentences.append(
            "No size logged: for \(counted(source.unstated, "response")) the SDK logs -1 (length unknown); "
                + "\(source.unstated == 1 ? "it is" : "they are") left out of the errors.")
    }
    return sentences
}
