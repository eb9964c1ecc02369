import WireCore
import WireLogs

/// One kind of bytes in one direction: what a comparison looks at by itself.
public struct CostCell: Hashable, Sendable {
    /// What the bytes are.
    public enum Part: Hashable, Sendable {
        case cause(Cause)
        /// Link and tunnel headers, where wire bytes include them.
        case link
        /// Inferred headers that offload hid, where wire bytes include them.
        case hidden
    }

    public let direction: Direction
    public let part: Part

    /// Bytes of it.
    public func bytes(in costs: Directions<CostVector>) -> Int {
        let vector = direction == .up ? costs.up : costs.down
        return switch part {
        case .cause(let cause): vector[cause]
        case .link: vector.link
        case .hidden: vector.offloadHidden
        }
    }
}

/// Which bytes count as wire bytes.
public struct CostMeasure: Sendable, Equatable {
    public var countsLink: Bool
    public var countsHidden: Bool

    public init(countsLink: Bool = false, countsHidden: Bool = false) {
        self.countsLink = countsLink
        self.countsHidden = countsHidden
    }

    /// All cells; their bytes add up to the wire bytes.
    public var cells: [CostCell] {
        Direction.allCases.flatMap { direction in
            Cause.allCases.map { CostCell(direction: direction, part: .cause($0)) }
                + (countsLink ? [CostCell(direction: direction, part: .link)] : [])
                + (countsHidden ? [CostCell(direction: direction, part: .hidden)] : [])
        }
    }

    /// Wraps instead of trapping: sums may come from a file.
    public func wire(_ costs: CostVector) -> Int {
        let internet = Cause.allCases.reduce(0) { $0 &+ costs[$1] }
        return internet &+ (countsLink ? costs.link : 0) &+ (countsHidden ? costs.offloadHidden : 0)
    }

    public func wire(_ costs: Directions<CostVector>) -> Int { wire(costs.up) &+ wire(costs.down) }
}
