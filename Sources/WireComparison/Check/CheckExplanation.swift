import WireAccuracy
import WireCore
import WireEstimates
import WireLogs

/// What a violated figure is made of: its largest parts, and of a total the API that it comes from most.
public struct CheckExplanation: Sendable, Equatable {
    public enum Part: Sendable, Equatable {
        case error(ErrorCause)
        /// Of wire bytes.
        case bytes(Cause)
    }

    public struct Share: Sendable, Equatable {
        public var part: Part
        /// Above 0, at most 1.
        public var share: Double

        public init(_ part: Part, _ share: Double) {
            self.part = part
            self.share = share
        }
    }

    /// What the shares are shares of.
    public enum Whole: Sendable, Equatable {
        /// All causes that make the figure larger; those that make up for them are left out.
        case figure
        /// The change since the baseline.
        case change
        /// The message bytes of calls that were not recorded.
        case missing
    }

    public var whole: Whole
    /// The largest first, at most two.
    public var shares: [Share]
    /// Nil where one API was judged, or where there is one only.
    public var api: String?
    public var apiShare = 0.0

    public init(_ whole: Whole, shares: [Share]) {
        self.whole = whole
        self.shares = shares
    }

    /// A part below this share is not named beside a larger one.
    private static let smallestSecond = 0.15

    /// Of positive weights. Nil where there are none.
    package init?(_ whole: Whole, weights: [(part: Part, weight: Double)]) {
        let weights = weights.filter { $0.weight > 0 }
        let sum = weights.reduce(0) { $0 + $1.weight }
        guard sum > 0 else { return nil }
        // Equal parts stay in the order of the taxonomy.
        let sorted = weights.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }.map { Share($0.element.part, $0.element.weight / sum) }
        self.init(
            whole, shares: sorted.prefix(1) + sorted.dropFirst().prefix(1).filter { $0.share >= Self.smallestSecond })
    }

    /// Of bytes by cause: those of the sign, or of either sign for 0.
    package init?(_ whole: Whole, _ ledger: CauseLedger, sign: Int) {
        self.init(
            whole,
            weights: ledger.posts.map { post in
                let bytes = Double(post.bytes)
                return (.error(post.cause), sign == 0 ? abs(bytes) : bytes * Double(sign))
            })
    }

    /// Of wire bytes.
    package init?(_ costs: Directions<CostVector>, _ direction: Direction?) {
        self.init(
            .figure,
            weights: Cause.allCases.map { cause in
                let up = direction == .down ? 0 : costs.up[cause]
                let down = direction == .up ? 0 : costs.down[cause]
                return (.bytes(cause), Double(up) + Double(down))
            })
    }
}

// MARK: Figures of sources

extension PolicyEvaluation {
    /// Why the figure of a row is what it is. Nil where the causes are not known, as after a calibration.
    func explanation(_ figure: CheckFigure, _ row: AccuracyRow) -> CheckExplanation? {
        let isCoverage = figure.metric == .coverage
        let statistics = figure.truth == .message ? row.message : row.wire
        let causes = figure.truth == .message ? row.messageCauses : row.causes
        let sign = figure.metric == .bias ? statistics.errorTotal.signum() : 0
        guard isCoverage || causes.sum == statistics.errorTotal else { return nil }
        let explained =
            isCoverage
            ? CheckExplanation(.missing, row.unseen, sign: -1) : CheckExplanation(.figure, causes, sign: sign)
        guard var explained else { return nil }
        if row.api == nil { name(&explained, row) { contribution($0, figure, sign) } }
        return explained
    }

    /// Names the API that the most comes from, of those that add to it.
    private func name(_ explanation: inout CheckExplanation, _ total: AccuracyRow, _ weight: (AccuracyRow) -> Double) {
        guard result.apis.count > 1 else { return }
        var (whole, most) = (0.0, (api: Int?.none, weight: 0.0))
        for api in result.apis.indices {
            guard let row = row(total.source, api, total.direction) else { continue }
            let part = max(weight(row), 0)
            whole += part
            if part > most.weight { most = (api, part) }
        }
        guard let api = most.api else { return }
        explanation.api = result.apis[api]
        explanation.apiShare = most.weight / whole
    }

    private func contribution(_ row: AccuracyRow, _ figure: CheckFigure, _ sign: Int) -> Double {
        if figure.metric == .coverage {
            return figure.unit == .percentOfBytes
                ? Double(row.coverage.messageBytes &- row.coverage.recordedMessageBytes)
                : Double(row.coverage.calls &- row.coverage.recordedCalls)
        }
        let statistics = figure.truth == .message ? row.message : row.wire
        return sign == 0
            ? statistics.meanAbsolute * Double(statistics.count) : Double(statistics.errorTotal) * Double(sign)
    }

    /// What a figure's change since the baseline is made of: by how much each cause's share of the truth changed.
    func explanation(_ figure: CheckFigure, _ now: AccuracyRow, before: AccuracyRow)
        -> CheckExplanation?
    {
        if figure.metric == .coverage { return explanation(figure, now) }
        let isMessage = figure.truth == .message
        let (nowCauses, thenCauses) =
            isMessage ? (now.messageCauses, before.messageCauses) : (now.causes, before.causes)
        let (new, old) = isMessage ? (now.message, before.message) : (now.wire, before.wire)
        guard nowCauses.sum == new.errorTotal, thenCauses.sum == old.errorTotal, new.truthTotal > 0,
            old.truthTotal > 0
        else { return nil }
        let (nowTruth, thenTruth) = (Double(new.truthTotal), Double(old.truthTotal))
        func change(_ now: Int, _ then: Int) -> Double { Double(now) / nowTruth - Double(then) / thenTruth }
        let sign = change(nowCauses.sum, thenCauses.sum) < 0 ? -1.0 : 1.0
        return CheckExplanation(
            .change, weights: ErrorCause.allCases.map { (.error($0), change(nowCauses[$0], thenCauses[$0]) * sign) })
    }
}
