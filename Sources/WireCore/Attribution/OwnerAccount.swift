/// Where the bytes of an owner lie in one direction.
struct OwnedRange: Sendable {
    /// `never` while the direction has nothing of the owner.
    var start = StreamPosition.never
    /// `never` while more may come.
    var end = StreamPosition.never

    var isPresent: Bool { start != .never }
}

/// Costs by direction of the connection (not yet up and down: who is the client may show later).
struct DirectionCosts: Sendable {
    private var zero = CostVector()
    private var one = CostVector()

    subscript(direction: Direction) -> CostVector {
        get { direction.index == 0 ? zero : one }
        set { if direction.index == 0 { zero = newValue } else { one = newValue } }
    }

    /// Adds without copying the vector.
    @inline(__always)
    mutating func add(_ cause: Cause, _ bytes: Int, _ direction: Direction) {
        if direction.index == 0 { zero[cause] += bytes } else { one[cause] += bytes }
    }

    /// Adds those of one direction to others.
    @inline(__always)
    func add(to sum: inout CostVector, _ direction: Direction) {
        if direction.index == 0 { sum += zero } else { sum += one }
    }

    @inline(__always)
    mutating func addLink(_ bytes: Int, _ direction: Direction) {
        if direction.index == 0 { zero.link += bytes } else { one.link += bytes }
    }

    mutating func clear() {
        zero.clear()
        one.clear()
    }

    @inline(__always)
    func bytes(_ cause: Cause, _ direction: Direction) -> Int {
        direction.index == 0 ? zero[cause] : one[cause]
    }
}

/// What an owner of bytes has cost so far, and which bytes are its own.
///
/// - Invariant: in each direction the ranges of a connection's owners do not overlap, and later owners have later ranges.
struct OwnerAccount: Sendable {
    /// Tells the owner from a later one with the same index.
    var serial: UInt32 = 0
    /// Neighbours in the connection's chain; below 0 at its ends.
    var previous: Int32 = -1
    var following: Int32 = -1
    /// When the last of its bytes was delivered: nanoseconds.
    var lastTime: Int64 = 0
    /// Its bytes that no packet held.
    var unseen = 0
    var ranges = DirectionPair(repeating: OwnedRange())
    var costs = DirectionCosts()

    /// Makes it a new one, field by field: making one beside it and moving that here takes several times as long.
    mutating func renew() {
        serial = 0
        (previous, following) = (-1, -1)
        (lastTime, unseen) = (0, 0)
        ranges = DirectionPair(repeating: OwnedRange())
        costs.clear()
    }
}
