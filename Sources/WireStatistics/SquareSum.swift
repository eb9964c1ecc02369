/// Sum of squared errors, exact for any errors.
struct SquareSum: Sendable, Equatable {
    /// The lower 128 bits, and how often they ran over.
    private var low: UInt128 = 0
    private var high: UInt64 = 0

    mutating func add(_ error: Int, count: Int) {
        let square = UInt128(error.magnitude) &* UInt128(error.magnitude)
        let product = square.multipliedFullWidth(by: UInt128(count.magnitude))
        add(low: product.low, high: UInt64(truncatingIfNeeded: product.high))
    }

    static func += (left: inout SquareSum, right: SquareSum) { left.add(low: right.low, high: right.high) }

    /// The double next to the sum, or its neighbour.
    var value: Double { Double(high) * 0x1p128 + Double(low) }

    private mutating func add(low moreLow: UInt128, high moreHigh: UInt64) {
        let (sum, isOver) = low.addingReportingOverflow(moreLow)
        low = sum
        high &+= moreHigh &+ (isOver ? 1 : 0)
    }
}

extension SquareSum {
    /// The sum in three words of 64 bits, the lowest first.
    var words: [Int128] {
        [Int128(UInt64(truncatingIfNeeded: low)), Int128(UInt64(truncatingIfNeeded: low >> 64)), Int128(high)]
    }

    /// Nil unless there are three words.
    init?(words: ArraySlice<Int128>) {
        let parts = words.compactMap { UInt64(exactly: $0) }
        guard parts.count == 3, words.count == 3 else { return nil }
        low = UInt128(parts[1]) << 64 | UInt128(parts[0])
        high = parts[2]
    }
}
