/// One of the two directions of a connection, named by the endpoint that sends it.
///
/// Which of the two is the client's is not known before a SYN, a hello or a request shows it; until then they are told
/// apart by the order of their addresses and ports (`ConnectionKey`).
struct Direction: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// 0 or 1.
    let index: Int

    /// The lowest bit counts: cheaper than a check of the range, and as safe.
    @inline(__always)
    init(_ index: Int) { self.index = index & 1 }

    @inline(__always)
    init(integerLiteral index: Int) { self.init(index) }

    /// - Parameter index: 0 or 1.
    @inline(__always)
    fileprivate init(checked index: Int) { self.index = index }

    @inline(__always)
    var opposite: Direction { Direction(checked: index ^ 1) }

    @inline(__always)
    static func == (one: Direction, other: Direction) -> Bool { one.index == other.index }

    @inline(__always)
    static var both: BothDirections { BothDirections() }

    var description: String { "\(index)" }
}

/// Gives the two directions in order.
struct BothDirections: Sequence, IteratorProtocol {
    private var position = 0

    @inline(__always)
    mutating func next() -> Direction? {
        guard position < 2 else { return nil }
        defer { position += 1 }
        return Direction(checked: position)
    }
}

/// A value for each of the two directions of a connection. For small values: an element is copied when it is read.
struct DirectionPair<Value> {
    private var first: Value
    private var second: Value

    @inline(__always)
    init(repeating value: Value) { (first, second) = (value, value) }

    @inline(__always)
    subscript(direction: Direction) -> Value {
        get { direction.index == 0 ? first : second }
        set { if direction.index == 0 { first = newValue } else { second = newValue } }
    }
}

extension DirectionPair: Sendable where Value: Sendable {}
