import WireAccuracy
import WireCore

/// What a row of sums is about, and which one it is.
public struct PartialKey: Hashable, Comparable, Sendable {
    public var kind: PartialKind
    /// Such as the name of an API.
    public var names: [String]

    public init(_ kind: PartialKind, _ names: [String] = []) {
        self.kind = kind
        self.names = names
    }

    /// By kind, then by the bytes of the names.
    public static func < (left: PartialKey, right: PartialKey) -> Bool {
        if left.kind != right.kind { return left.kind.order < right.kind.order }
        return left.exactNames.lexicographicallyPrecedes(right.exactNames)
    }

    public static func == (left: PartialKey, right: PartialKey) -> Bool {
        left.kind == right.kind && left.names.count == right.names.count
            && zip(left.names, right.names).allSatisfy { ExactName($0) == ExactName($1) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        for name in names { hasher.combine(ExactName(name)) }
    }

    private var exactNames: some Sequence<ExactName> { names.lazy.map { ExactName($0) } }
}

/// A row of exact sums: those of parts add up to those of the whole, in any order.
public struct PartialRow: Sendable, Equatable {
    package let kind: PartialKind
    /// In the order of the kind's columns; nil: not known.
    public internal(set) var values: [Int128?]

    /// Every sum is 0, and no least and greatest value is known.
    init(_ kind: PartialKind) {
        self.kind = kind
        values = kind.columns.map { $0.merging == .sum ? 0 : nil }
    }

    /// Values by the places of their columns; the others are not known.
    package init(_ kind: PartialKind, _ known: [Int: Int128?]) {
        self.kind = kind
        values = kind.columns.indices.map { known[$0] ?? nil }
    }

    /// A column that the kind must have.
    subscript(column: String) -> Int128? {
        get { kind.place(column).flatMap { values[$0] } }
        set { if let place = kind.place(column) { values[place] = newValue } }
    }

    /// As an integer of outputs, held within its limits; 0 where it is not known.
    package func integer(_ column: String) -> Int { Int(clamping: self[column] ?? 0) }

    func optionalInteger(_ column: String) -> Int? { self[column].map { Int(clamping: $0) } }

    package mutating func set(_ column: String, _ value: Int?) { self[column] = value.map { Int128($0) } }

    package mutating func merge(_ other: PartialRow) {
        for (place, column) in kind.columns.enumerated() {
            let (one, second) = (values[place], other.values[place])
            switch column.merging {
            case .sum: values[place] = one.flatMap { one in second.map { one &+ $0 } }
            case .least: values[place] = [one, second].compactMap(\.self).min()
            case .greatest: values[place] = [one, second].compactMap(\.self).max()
            }
        }
    }
}

// MARK: Costs

extension PartialRow {
    package mutating func set(_ name: String, _ costs: Directions<CostVector>) {
        for (side, costs) in [("up", costs.up), ("down", costs.down)] {
            for cause in Cause.allCases { set("\(name).\(side).\(cause.name)", costs[cause]) }
            set("\(name).\(side).link", costs.link)
            set("\(name).\(side).offload_hidden", costs.offloadHidden)
            set("\(name).\(side).handshake_headers", costs.handshakeHeaders)
            set("\(name).\(side).closing_records", costs.closingRecords)
        }
    }

    package func costs(_ name: String) -> Directions<CostVector> {
        func vector(_ side: String) -> CostVector {
            var costs = CostVector()
            for cause in Cause.allCases { costs[cause] = integer("\(name).\(side).\(cause.name)") }
            costs.link = integer("\(name).\(side).link")
            costs.offloadHidden = integer("\(name).\(side).offload_hidden")
            costs.handshakeHeaders = integer("\(name).\(side).handshake_headers")
            costs.closingRecords = integer("\(name).\(side).closing_records")
            return costs
        }
        return Directions(up: vector("up"), down: vector("down"))
    }
}
