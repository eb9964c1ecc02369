/// A mean per call on both sides, and how much it may differ by chance.
public struct CostChange: Sendable, Equatable {
    /// Mean bytes of a call.
    public var before: Double
    public var after: Double
    /// Differences up to ± this happen between runs in which nothing changed; nil where it cannot be told.
    public var noise: Double?

    public init(before: Double = 0, after: Double = 0, noise: Double? = nil) {
        (self.before, self.after, self.noise) = (before, after, noise)
    }

    public var change: Double { after - before }

    /// Percent of `before`; nil where that is nothing.
    public var percent: Double? { before > 0 ? change / before * 100 : nil }

    /// More than chance; nil where that cannot be told.
    public var isCertain: Bool? { noise.map { abs(change) > $0 * (1 + 1e-12) } }

    /// The same to the last byte.
    public var isNothing: Bool { before == after }
}

/// A change of one kind of bytes.
public struct CellChange: Sendable, Equatable {
    public var cell: CostCell
    public var change: CostChange
}

/// What became of an API.
public struct APIChange: Sendable {
    public enum Verdict: String, Sendable, CaseIterable {
        /// More bytes per call, and fewer: beyond chance where that can be told.
        case larger, smaller
        /// Kinds of bytes changed beyond chance; they cancel each other out, or their sum is within the chance of all bytes.
        case shifted
        /// No change beyond chance, or none at all.
        case unchanged
        /// Too few calls on a side to tell chance from change.
        case tooFewCalls = "too-few-calls"
        /// Only one of the sides has it.
        case new, vanished
        /// TLS that was not read: calls are not known, so totals are all there is.
        case encrypted
    }

    public var api: String
    public var verdict: Verdict
    /// Nil on the side that has none.
    public var before: ComparedAPI?
    public var after: ComparedAPI?
    /// Wire bytes per call; nil without calls on both sides.
    public var wire: CostChange?
    /// By kind, all of them; they add up to `wire`. Empty without calls on both sides.
    public var cells: [CellChange] = []
    /// Wire bytes per call grew by more than the bound.
    public var isExceeded = false

    /// The kinds that changed beyond chance, the largest change first. Where chance cannot be told: all that changed.
    public var causes: [CellChange] {
        cells.filter { !$0.change.isNothing && $0.change.isCertain != false }
            .sorted { (abs($0.change.change), $0.cell.order) > (abs($1.change.change), $1.cell.order) }
    }

    /// Bytes per call by which it certainly changed: of the wire bytes where those did, else of the kinds that did.
    public var certainChange: Double {
        guard let wire else { return 0 }
        if wire.isCertain != false { return wire.change }
        return causes.reduce(0) { $0 + $1.change.change }
    }
}

extension CostCell {
    /// Earlier cells first where changes are equal.
    fileprivate var order: Int {
        let place =
            switch part {
            case .cause(let cause): cause.rawValue
            case .link: 100
            case .hidden: 101
            }
        return -place * 2 - (direction == .up ? 0 : 1)
    }
}

/// A host on both sides.
public struct HostChange: Sendable {
    public var host: String
    /// Nil on the side that has none.
    public var before: ComparedHost?
    public var after: ComparedHost?
}
