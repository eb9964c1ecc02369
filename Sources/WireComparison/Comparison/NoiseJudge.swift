import WireCore
import WireStatistics

/// An API that both sides call.
struct MixPart {
    var before: ComparedAPI
    var after: ComparedAPI
    /// Nil where single calls are not known, or are too few.
    var spread: CallSpread?

    /// Weight of the API: as if both sides had made this many calls.
    var weight: Double { (Double(before.calls) + Double(after.calls)) / 2 }
}

/// How single calls of an API spread, both sides together.
struct CallSpread {
    /// Squared standard error of the difference of the sides' means, by column: the cells, and behind them the wire bytes.
    var variances: [Double]
    var freedom: Double
    /// How many standard errors the means of resampled calls differ by at most, except by the chance of one API.
    var resampled: Double
    /// Calls grouped by connection and by client.
    var groups: [GroupSpread]
}

/// Says what of a difference may be chance.
///
/// Under the assumption that nothing changed, the calls of both sides are drawn from one population. Three bounds of the
/// difference of means are computed, and the largest counts: Student's t with the pooled variance, which knows that a
/// variance from few calls is uncertain; a bootstrap of the calls, each with all its costs, which knows how skewed they
/// are; and Student's t of the connections' and clients' means, which knows that calls of one connection may be alike.
/// An API with too few connections borrows how header fields differ among them from the other APIs. All figures of a
/// comparison share one chance (Bonferroni).
struct NoiseJudge {
    private let measure: CostMeasure
    private let cells: [CostCell]
    private let apis: Int
    /// Of all APIs, by grouping.
    private var pooled: [GroupSpread] = []

    private static let resamples = 1000
    /// Calls drawn in all, over all APIs.
    private static let callsInAll = 20_000
    private static let fewestDrawn = 32
    /// Calls of the same size spread at least so much, in units of what their bytes come in.
    private static let roundingDeviation = 0.35
    /// Headers of a packet, and overhead of a TLS record, at least.
    private static let (packet, record) = (40.0, 22.0)
    /// A change of one byte per call is none: an identifier with a digit more does that.
    private static let resolution = 1.0

    init(_ measure: CostMeasure, apis: Int) {
        self.measure = measure
        self.apis = max(apis, 1)
        cells = measure.cells
    }

    /// The cells, and the wire bytes.
    private var columns: Int { cells.count + 1 }

    /// The chance of one figure: every API has its columns, and so has the total.
    private var ofFigure: Double { ChanceLevel.ofRun / Double((apis + 1) * columns) }

    // MARK: Spread

    /// Nil where there are too few calls.
    mutating func spread(_ before: ComparedAPI, _ after: ComparedAPI) -> CallSpread? {
        let most = max(NoiseJudge.callsInAll / apis / 2, NoiseJudge.fewestDrawn)
        let sides = [before, after].map { $0.sample.calls(limit: most) }
        let groups = [
            GroupSpread(sides, columns: columns) { $0.connection }, GroupSpread(sides, columns: columns) { $0.client },
        ]
        if pooled.isEmpty { pooled = groups } else { for index in groups.indices { pooled[index].pool(groups[index]) } }
        guard sides.allSatisfy({ $0.count >= CostComparison.fewestCalls }) else { return nil }
        let calls = Residuals(sides.map { $0.map(\.values) }, cells: cells.count)
        let scale = 1 / Double(before.calls) + 1 / Double(after.calls)
        let freedom = Double(calls.count - 2)
        let variances = calls.squares.enumerated().map { column, squares in
            let floor = NoiseJudge.roundingDeviation * quantum(column)
            return scale * max(squares / freedom, floor * floor)
        }
        return CallSpread(
            variances: variances, freedom: freedom,
            resampled: calls.largestDifference(
                resamples: NoiseJudge.resamples, chance: ChanceLevel.ofRun / Double(apis + 1)),
            groups: groups)
    }

    /// Bytes that come together: a packet more or less is chance where a byte more or less is none.
    private func quantum(_ column: Int) -> Double {
        guard column < cells.count else { return NoiseJudge.packet }
        return switch cells[column].part {
        case .cause(.startLine), .cause(.headers), .cause(.framing), .cause(.body): 1
        case .cause(.tlsRecords): NoiseJudge.record
        default: NoiseJudge.packet
        }
    }

    // MARK: One API

    func compare(_ before: ComparedAPI, _ after: ComparedAPI, _ spread: CallSpread?) -> (
        CostChange, [CellChange]
    ) {
        let changes = cells.enumerated().map { index, cell in
            var change = CostChange(
                before: Double(cell.bytes(in: before.costs)) / Double(before.calls),
                after: Double(cell.bytes(in: after.costs)) / Double(after.calls))
            change.noise = spread.map { noise(index, $0) }
            return CellChange(cell: cell, change: change)
        }
        let wire = CostChange(
            before: before.wirePerCall(measure) ?? 0, after: after.wirePerCall(measure) ?? 0,
            noise: spread.map { noise(cells.count, $0) })
        return (wire, changes)
    }

    private func noise(_ column: Int, _ spread: CallSpread) -> Double {
        let limit = max(StudentT.limit(bothTails: ofFigure, freedom: spread.freedom), spread.resampled)
        var noise = limit * spread.variances[column].squareRoot()
        for (grouping, group) in spread.groups.enumerated() {
            if let variance = group.variance(column) {
                noise = max(noise, StudentT.limit(bothTails: ofFigure, freedom: group.freedom) * variance.squareRoot())
            }
            noise = max(noise, borrowed(column, grouping, group.share))
        }
        return noise + NoiseJudge.resolution
    }

    /// What header fields differ by among groups of all APIs; they are much the same in all APIs of a client.
    private func borrowed(_ column: Int, _ grouping: Int, _ share: Double) -> Double {
        let all = pooled[grouping]
        guard all.freedom >= 2 else { return 0 }
        let isWire = column == cells.count
        guard isWire || cells[column].part == .cause(.headers) else { return 0 }
        let headers = isWire ? cells.indices.filter { cells[$0].part == .cause(.headers) } : [column]
        let squares = headers.reduce(0) { $0 + all.squares[$1] } / all.freedom * share
        return StudentT.limit(bothTails: ofFigure, freedom: all.freedom) * squares.squareRoot()
    }

    // MARK: All APIs together

    func mix(_ parts: [MixPart]) -> (CostChange, [CellChange]) {
        let changes = cells.enumerated().map { index, cell in
            CellChange(cell: cell, change: mix(parts, index) { cell.bytes(in: $0.costs) })
        }
        return (mix(parts, cells.count) { measure.wire($0.costs) }, changes)
    }

    private func mix(_ parts: [MixPart], _ column: Int, _ bytes: (ComparedAPI) -> Int) -> CostChange {
        let whole = parts.reduce(0) { $0 + $1.weight }
        var sum = CostChange()
        var (squares, freedom) = (0.0, 0.0)
        var isKnown = true
        for part in parts {
            let share = part.weight / whole
            sum.before += share * Double(bytes(part.before)) / Double(part.before.calls)
            sum.after += share * Double(bytes(part.after)) / Double(part.after.calls)
            guard let spread = part.spread else {
                isKnown = false
                continue
            }
            let variance = spread.groups.reduce(spread.variances[column]) { max($0, $1.variance(column) ?? 0) }
            let own = share * share * variance
            squares += own
            freedom += own * own / spread.freedom
        }
        guard isKnown, freedom > 0 else { return sum }
        // Degrees of freedom by Welch and Satterthwaite.
        let limit = StudentT.limit(bothTails: ofFigure, freedom: squares * squares / freedom)
        sum.noise = limit * squares.squareRoot() + NoiseJudge.resolution
        return sum
    }
}
