/// Errors of many calls in little memory: sums, and how often each signed error occurred.
///
/// Up to `exactLimit` different errors are kept one by one. With one more they move into buckets of a relative width of
/// 1/64, each with its count and its exact sum. What is kept depends on the calls alone, not on their order nor on how
/// parts were merged. Sums are exact for any input; a single error beyond ±Int.max counts as ±Int.max.
///
/// An accumulator takes 48 bytes, and 16 for each different error. Many accumulators that shall share a bound on their
/// memory belong in an `ErrorPool`.
public struct ErrorAccumulator: Sendable {
    /// How often an error occurred.
    package struct Entry: KeyedCount, Sendable, Equatable {
        /// estimate − truth, bytes.
        package var key: Int
        package var count: Int

        mutating func absorb(_ other: Entry) { count &+= other.count }
    }

    /// How finely errors are kept. A pool chooses coarser ones as its memory fills.
    struct Resolution: Sendable, Equatable {
        /// Most different errors that are kept one by one.
        var exactLimit: Int
        /// Each doubling of |error| has 2 to this power buckets.
        var bits: Int

        static let finest = Resolution(exactLimit: ErrorAccumulator.exactLimit, bits: 6)
    }

    /// Most different errors that are kept one by one.
    public static let exactLimit = 1024

    package private(set) var truthTotal: Int128 = 0
    package private(set) var estimateTotal: Int128 = 0
    /// In ascending order of errors. Empty where `coarse` is not.
    private(set) var entries: [Entry] = []
    /// None or one: an array takes 8 bytes where there is none.
    private var coarse: [ErrorBuckets] = []

    public init() {}

    /// Takes one call. Any sizes will do, also negative ones, which some logs hold.
    public mutating func add(estimate: Int, truth: Int) {
        _ = add(estimate: estimate, truth: truth, resolution: .finest)
    }

    /// Takes all calls of the other.
    public mutating func merge(_ other: ErrorAccumulator) { merge(other, resolution: .finest) }

    public var isEmpty: Bool { entries.isEmpty && coarse.isEmpty }

    /// Calls.
    package var count: Int {
        coarse.isEmpty
            ? entries.reduce(0) { $0 &+ $1.count } : coarse[0].buckets.reduce(0) { $0 &+ $1.count }
    }

    /// The buckets, where errors are no longer kept one by one.
    package var buckets: ErrorBuckets? { coarse.first }

    /// Memory beyond the accumulator itself, in units of 16 bytes. It never shrinks when calls are added or merged: an
    /// accumulator with buckets counts as no smaller than it was before. So the sum over a pool depends on all calls
    /// alone, not on their order.
    func charge(_ resolution: Resolution) -> Int {
        coarse.isEmpty ? entries.count : max(resolution.exactLimit, 2 * coarse[0].buckets.count)
    }
}

// MARK: Adding

extension ErrorAccumulator {
    /// Returns by how much the charge grew.
    @inline(__always)
    mutating func add(estimate: Int, truth: Int, resolution: Resolution) -> Int {
        truthTotal += Int128(truth)
        estimateTotal += Int128(estimate)
        let error = signedError(estimate, truth)
        let index = entries.position(of: error)
        if index < entries.count, entries[index].key == error {
            entries[index].count &+= 1
            return 0
        }
        return addNew(error, at: index, resolution: resolution)
    }

    @inline(never)
    private mutating func addNew(_ error: Int, at index: Int, resolution: Resolution) -> Int {
        let before = charge(resolution)
        if coarse.isEmpty {
            entries.insert(Entry(key: error, count: 1), at: index)
            coarsen(to: resolution)
        } else {
            coarse[0].add(error, count: 1)
        }
        return charge(resolution) - before
    }
}

// MARK: Merging

extension ErrorAccumulator {
    mutating func merge(_ other: ErrorAccumulator, resolution: Resolution) {
        guard !other.isEmpty else { return }
        truthTotal &+= other.truthTotal
        estimateTotal &+= other.estimateTotal
        if coarse.isEmpty, other.coarse.isEmpty {
            entries = entries.merged(with: other.entries)
        } else {
            if coarse.isEmpty { moveToBuckets(bits: resolution.bits) }
            if let buckets = other.coarse.first { coarse[0].merge(buckets) }
            for entry in other.entries { coarse[0].add(entry.key, count: entry.count) }
        }
        coarsen(to: resolution)
    }

    /// Gives up detail that the resolution does not allow.
    mutating func coarsen(to resolution: Resolution) {
        if coarse.isEmpty, entries.count > resolution.exactLimit { moveToBuckets(bits: resolution.bits) }
        if !coarse.isEmpty { coarse[0].coarsen(bits: resolution.bits) }
    }

    /// From here on errors are in buckets, however few they are: what is merged from parts does not depend on how many
    /// different errors a part had.
    package mutating func useBuckets() {
        guard !isEmpty, coarse.isEmpty else { return }
        moveToBuckets(bits: Resolution.finest.bits)
    }

    private mutating func moveToBuckets(bits: Int) {
        var buckets = ErrorBuckets(bits: bits)
        for entry in entries { buckets.add(entry.key, count: entry.count) }
        entries = []
        coarse = [buckets]
    }
}

// MARK: As integers

extension ErrorAccumulator {
    /// What `init(integers:)` takes: both totals, then the buckets; nothing without calls. The accumulator must use
    /// buckets.
    package var integers: [Int128] {
        guard let buckets else { return [] }
        return [truthTotal, estimateTotal] + buckets.integers
    }

    /// Nil where the integers are of no accumulator.
    package init?(integers: [Int128]) {
        guard !integers.isEmpty else { return }
        guard integers.count > 2, let buckets = ErrorBuckets(integers: integers[2...]),
            integers[0].magnitude <= SumLimits.totals, integers[1].magnitude <= SumLimits.totals
        else { return nil }
        truthTotal = integers[0]
        estimateTotal = integers[1]
        coarse = [buckets]
    }
}

/// estimate − truth, held within ±Int.max.
@inline(__always)
private func signedError(_ estimate: Int, _ truth: Int) -> Int {
    let (difference, overflow) = estimate.subtractingReportingOverflow(truth)
    if overflow { return estimate < truth ? -Int.max : Int.max }
    return max(difference, -Int.max)
}
