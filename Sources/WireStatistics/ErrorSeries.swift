/// Errors of single calls with the sizes that they belong to, in little memory: what two runs of an API are compared by.
///
/// Calls with the same error share an entry, because the error of a formula is nearly always a constant number of bytes.
/// With more than `limit` different errors, neighbours share one: the key loses low bits until the entries fit. What is
/// kept depends on the calls alone, not on their order. Calls without a byte of truth are not counted. Sums wrap instead
/// of trapping: sizes come from files.
package struct ErrorSums: Sendable, Equatable {
    private struct Entry: KeyedCount, Sendable, Equatable {
        /// The error without its low bits.
        var key: Int
        var count: Int
        var errors: Int
        /// Sums of 1 / truth and its square, in units of 2^-36 and 2^-72.
        var inverses: Int
        var inverseSquares: Int128

        mutating func absorb(_ other: Entry) {
            count &+= other.count
            errors &+= other.errors
            inverses &+= other.inverses
            inverseSquares &+= other.inverseSquares
        }
    }

    package static let limit = 24

    private var entries: [Entry] = []
    private var dropped = 0

    package init() {}

    package mutating func add(error: Int, truth: Int) {
        guard truth > 0 else { return }
        let inverse = (1 << 36) / truth
        let entry = Entry(
            key: error >> dropped, count: 1, errors: error, inverses: inverse,
            inverseSquares: Int128(inverse) &* Int128(inverse))
        let index = entries.position(of: entry.key)
        if index < entries.count, entries[index].key == entry.key { return entries[index].absorb(entry) }
        entries.insert(entry, at: index)
        while entries.count > ErrorSums.limit { coarsen() }
    }

    private mutating func coarsen() {
        dropped += 1
        var coarse: [Entry] = []
        for var entry in entries {
            entry.key >>= 1
            if let last = coarse.last, last.key == entry.key {
                coarse[coarse.count - 1].absorb(entry)
            } else {
                coarse.append(entry)
            }
        }
        entries = coarse
    }

    package var series: ErrorSeries {
        ErrorSeries(
            groups: entries.map {
                ErrorSeries.Group(
                    error: Double($0.errors) / Double($0.count), calls: $0.count,
                    inverses: Double($0.inverses) * 0x1p-36,
                    inverseSquares: Double($0.inverseSquares) * 0x1p-72)
            })
    }
}

extension ErrorSums {
    /// Takes all calls of the other. The result is that of all calls one after the other, in any order: how many low
    /// bits are dropped follows from the different errors alone.
    package mutating func merge(_ other: ErrorSums) {
        var other = other
        while dropped < other.dropped { coarsen() }
        while other.dropped < dropped { other.coarsen() }
        entries = entries.merged(with: other.entries)
        while entries.count > ErrorSums.limit { coarsen() }
    }

    /// Bits that were dropped; then key, count and the three sums of each entry.
    package var integers: [Int128] {
        [Int128(dropped)]
            + entries.flatMap {
                [Int128($0.key), Int128($0.count), Int128($0.errors), Int128($0.inverses), $0.inverseSquares]
            }
    }

    /// Nil where the integers are of no sums.
    package init?(integers: [Int128]) {
        guard integers.count % 5 == 1, integers.count <= 1 + 5 * ErrorSums.limit, 0..<64 ~= integers[0] else {
            return nil
        }
        dropped = Int(integers[0])
        for place in stride(from: 1, to: integers.count, by: 5) {
            let numbers = integers[place..<place + 4].compactMap { Int(exactly: $0) }
            guard numbers.count == 4, numbers[1] > 0 else { return nil }
            if let last = entries.last, last.key >= numbers[0] { return nil }
            entries.append(
                Entry(
                    key: numbers[0], count: numbers[1], errors: numbers[2], inverses: numbers[3],
                    inverseSquares: integers[place + 4]))
        }
    }
}

/// The calls of a row by their errors, in ascending order.
public struct ErrorSeries: Sendable, Equatable {
    /// Calls with the same error, or with neighbouring ones.
    public struct Group: Sendable, Equatable {
        /// Mean of estimate − truth, bytes.
        public var error: Double
        public var calls: Int
        /// Sums of 1 / truth and of its square over the calls.
        public var inverses: Double
        public var inverseSquares: Double

        public init(error: Double, calls: Int, inverses: Double, inverseSquares: Double) {
            self.error = error
            self.calls = calls
            self.inverses = inverses
            self.inverseSquares = inverseSquares
        }
    }

    public var groups: [Group]

    public init(groups: [Group] = []) { self.groups = groups }

    public var calls: Int { groups.reduce(0) { $0 &+ $1.calls } }

    /// The error that half of the calls do not exceed; 0 without calls.
    package var median: Double {
        let half = (calls &+ 1) / 2
        var seen = 0
        for group in groups {
            seen &+= group.calls
            if seen >= half { return group.error }
        }
        return 0
    }

    /// Of (error − center) / truth of each call: count, mean and the sum of squared deviations from the mean. With
    /// `isAbsolute` of its absolute value.
    package func moments(around center: Double, isAbsolute: Bool = false) -> (
        calls: Double, mean: Double, squares: Double
    ) {
        var (sum, squares) = (0.0, 0.0)
        for group in groups {
            let distance = isAbsolute ? abs(group.error - center) : group.error - center
            sum += distance * group.inverses
            squares += distance * distance * group.inverseSquares
        }
        let count = Double(calls)
        let mean = count > 0 ? sum / count : 0
        return (count, mean, max(0, squares - count * mean * mean))
    }

    /// Sum of 1 / truth.
    package var inverses: Double { groups.reduce(0) { $0 + $1.inverses } }
}

/// What single recorded calls of a row add up to for comparisons with other runs.
public struct CallErrors: Sendable, Equatable {
    /// Calls that came whole and that the source recorded as such.
    public var completed: ErrorSeries
    /// The same errors without what the contents of bodies made of them (`ErrorCause.dependsOnBody`).
    public var withoutBodies: ErrorSeries
    /// Calls that were cut off or failed, or that the source recorded as failed.
    public var failed: ErrorSeries

    public init(
        completed: ErrorSeries = ErrorSeries(), withoutBodies: ErrorSeries = ErrorSeries(),
        failed: ErrorSeries = ErrorSeries()
    ) {
        self.completed = completed
        self.withoutBodies = withoutBodies
        self.failed = failed
    }
}
