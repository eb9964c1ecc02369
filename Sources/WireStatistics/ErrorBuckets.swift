/// Signed errors in buckets whose width grows with the error: below 2^(bits + 1) one bucket for each value, above it
/// 2^bits buckets for each doubling, so that a bucket is at most 1/2^bits as wide as its smallest |error|.
///
/// Positive and negative errors have mirrored buckets. Sums, squares, the smallest and the largest error are exact.
package struct ErrorBuckets: Sendable, Equatable {
    struct Bucket: KeyedCount, Sendable, Equatable {
        /// Sum of the errors.
        var sum: Int128
        var count: Int
        /// Number of the bucket of |error|, with the error's sign.
        var key: Int32

        mutating func absorb(_ other: Bucket) {
            sum &+= other.sum
            count &+= other.count
        }
    }

    private(set) var bits: Int
    /// In ascending order of keys, none of them empty.
    private(set) var buckets: [Bucket] = []
    private(set) var squares = SquareSum()
    /// Smallest and largest error; nil without errors.
    private(set) var range: ClosedRange<Int>?

    init(bits: Int) { self.bits = bits }

    /// |error| must not be above Int.max.
    package mutating func add(_ error: Int, count: Int) {
        let key = key(error)
        let bucket = Bucket(sum: Int128(error) * Int128(count), count: count, key: key)
        let index = buckets.position(of: key)
        if index < buckets.count, buckets[index].key == key {
            buckets[index].absorb(bucket)
        } else {
            buckets.insert(bucket, at: index)
        }
        extend(to: error...error)
        squares.add(error, count: count)
    }

    /// The result is as coarse as the coarser of the two.
    package mutating func merge(_ other: ErrorBuckets) {
        var other = other
        coarsen(bits: other.bits)
        other.coarsen(bits: bits)
        buckets = buckets.merged(with: other.buckets)
        if let range = other.range { extend(to: range) }
        squares += other.squares
    }

    private mutating func extend(to other: ClosedRange<Int>) {
        range = range.map { min($0.lowerBound, other.lowerBound)...max($0.upperBound, other.upperBound) } ?? other
    }

    /// Joins neighbours until there are 2^bits buckets for each doubling, unless there are no more already.
    mutating func coarsen(bits newBits: Int) {
        guard newBits < bits else { return }
        var joined: [Bucket] = []
        for var bucket in buckets {
            let magnitude = ErrorBuckets.lowest(Int(bucket.key.magnitude), bits: bits)
            let number = ErrorBuckets.number(magnitude, bits: newBits)
            bucket.key = bucket.key < 0 ? -number : number
            if let last = joined.indices.last, joined[last].key == bucket.key {
                joined[last].absorb(bucket)
            } else {
                joined.append(bucket)
            }
        }
        buckets = joined
        bits = newBits
    }
}

// MARK: Bucket numbers

extension ErrorBuckets {
    private func key(_ error: Int) -> Int32 {
        let number = ErrorBuckets.number(UInt64(error.magnitude), bits: bits)
        return error < 0 ? -number : number
    }

    /// The bucket of a magnitude. Numbers ascend with magnitudes, and a bucket of fewer bits is made of whole buckets
    /// of more bits.
    package static func number(_ magnitude: UInt64, bits: Int) -> Int32 {
        let doublings = max(63 - magnitude.leadingZeroBitCount - bits, 0)
        return Int32(truncatingIfNeeded: (doublings << bits) &+ Int(truncatingIfNeeded: magnitude >> UInt64(doublings)))
    }

    /// The smallest magnitude in a bucket.
    package static func lowest(_ number: Int, bits: Int) -> UInt64 {
        let doublings = max((number >> bits) - 1, 0)
        return UInt64(number - (doublings << bits)) << UInt64(doublings)
    }
}

extension ErrorBuckets.Bucket {
    /// The sum of so many errors of the bucket can be this.
    fileprivate func isPossible(bits: Int) -> Bool {
        guard count <= SumLimits.counts else { return false }
        let number = Int(key.magnitude)
        let lowest = UInt128(ErrorBuckets.lowest(number, bits: bits)) * UInt128(count)
        // One bucket further begins where this one ends.
        let beyond = UInt128(ErrorBuckets.lowest(number + 1, bits: bits)) * UInt128(count)
        let isOfSign = key == 0 ? sum == 0 : (sum < 0) == (key < 0)
        return isOfSign && lowest <= sum.magnitude && (sum.magnitude < beyond || beyond <= lowest)
    }
}

// MARK: As integers

extension ErrorBuckets {
    /// What `init(integers:)` takes: bits, smallest and largest error, three words of squares, then key, count and sum
    /// of each bucket.
    package var integers: [Int128] {
        let range = range ?? 0...0
        let head = [Int128(bits), Int128(range.lowerBound), Int128(range.upperBound)] + squares.words
        return head + buckets.flatMap { [Int128($0.key), Int128($0.count), $0.sum] }
    }

    /// Nil where the integers are of no buckets: they come from files.
    init?(integers: ArraySlice<Int128>) {
        let numbers = Array(integers)
        guard numbers.count > 6, numbers.count % 3 == 0, 0...6 ~= numbers[0],
            let low = Int(exactly: numbers[1]), let high = Int(exactly: numbers[2]), low <= high, low > .min,
            let squares = SquareSum(words: numbers[3..<6])
        else { return nil }
        bits = Int(numbers[0])
        range = low...high
        self.squares = squares
        let largest = Int128(ErrorBuckets.number(UInt64(Int.max), bits: bits))
        for place in stride(from: 6, to: numbers.count, by: 3) {
            guard -largest...largest ~= numbers[place], let count = Int(exactly: numbers[place + 1]), count > 0 else {
                return nil
            }
            let key = Int32(truncatingIfNeeded: numbers[place])
            if let last = buckets.last, last.key >= key { return nil }
            let bucket = Bucket(sum: numbers[place + 2], count: count, key: key)
            guard bucket.isPossible(bits: bits) else { return nil }
            buckets.append(bucket)
        }
    }
}
