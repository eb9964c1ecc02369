/// How the sizes of calls spread, on a logarithmic scale: a few large calls do not hide what the others do.
///
/// The scale is log2, in straight lines between powers of two, in units of 2^-12; sums are integers. Calls without a
/// byte are not counted.
package struct SizeSums: Sendable, Equatable {
    private var calls = 0
    private var sum = 0
    private var squares: Int128 = 0

    package init() {}

    package static let unit = 0x1p-12

    @inline(__always)
    package mutating func add(_ bytes: Int) {
        guard bytes > 0 else { return }
        let value = SizeSums.scaled(bytes)
        calls &+= 1
        sum &+= value
        squares &+= Int128(value &* value)
    }

    /// Nil without calls.
    package var spread: SizeSpread? {
        guard calls > 0 else { return nil }
        let exact = Int128(calls) &* squares &- Int128(sum) &* Int128(sum)
        let deviation = (Double(max(exact, 0))).squareRoot() / Double(calls)
        return SizeSpread(
            calls: calls, mean: Double(sum) / Double(calls) * SizeSums.unit, deviation: deviation * SizeSums.unit)
    }

    @inline(__always)
    package static func scaled(_ bytes: Int) -> Int {
        let exponent = 63 - bytes.leadingZeroBitCount
        let rest = bytes - 1 << exponent
        let part = exponent > 12 ? rest >> (exponent - 12) : rest << (12 - exponent)
        return exponent << 12 + part
    }
}

extension SizeSums {
    /// Takes all calls of the other.
    package mutating func merge(_ other: SizeSums) {
        calls &+= other.calls
        sum &+= other.sum
        squares &+= other.squares
    }

    package var integers: [Int128] { [Int128(calls), Int128(sum), squares] }

    /// Nil where the integers are of no sums.
    package init?(integers: [Int128]) {
        let numbers = integers.prefix(2).compactMap { Int(exactly: $0) }
        guard integers.count == 3, numbers.count == 2, numbers[0] >= 0 else { return nil }
        (calls, sum, squares) = (numbers[0], numbers[1], integers[2])
    }
}

/// Mean and spread of sizes on the scale of `SizeSums`.
public struct SizeSpread: Sendable, Equatable {
    public var calls: Int
    /// About log2 of a typical size in bytes.
    public var mean: Double
    /// Standard deviation of the calls themselves (divided by n).
    public var deviation: Double

    public init(calls: Int, mean: Double, deviation: Double) {
        self.calls = calls
        self.mean = mean
        self.deviation = deviation
    }

    /// How many times as large a typical size is after it moved so far on the scale.
    package static func factor(_ difference: Double, from mean: Double) -> Double {
        bytes(mean + difference) / bytes(mean)
    }

    private static func bytes(_ value: Double) -> Double {
        let exponent = max(0, min(62, value.rounded(.down)))
        return Double(1 << Int(exponent)) * (1 + value - exponent)
    }
}

/// What is known of the spread of a row's calls.
public struct RowSpread: Sendable, Equatable {
    /// Errors against the two truths; nil without calls that have one.
    public var message: ErrorSpread?
    public var wire: ErrorSpread?
    /// Wire bytes of all calls, recorded or not.
    public var size: SizeSpread?
    /// Errors against the messages call by call, failed calls apart; nil of all APIs together, and where an earlier
    /// version wrote the row.
    public var calls: CallErrors?
    /// Of rows that were merged from several sessions: how these differ; nil elsewhere.
    public var sessions: SessionSpread?
    /// The calls by time; empty of all APIs together, of merged rows, and where an earlier version wrote the row.
    public var blocks: [TimeBlock]

    public init(
        message: ErrorSpread? = nil, wire: ErrorSpread? = nil, size: SizeSpread? = nil, calls: CallErrors? = nil,
        sessions: SessionSpread? = nil, blocks: [TimeBlock] = []
    ) {
        self.blocks = blocks
        self.sessions = sessions
        self.calls = calls
        self.message = message
        self.wire = wire
        self.size = size
    }
}
