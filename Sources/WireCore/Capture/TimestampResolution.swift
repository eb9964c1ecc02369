/// Turns the timestamps of one pcapng interface into nanoseconds since the epoch, in integers and without overflow.
struct TimestampResolution: Sendable {
    private enum Unit: Sendable {
        /// A tick is so many nanoseconds.
        case nanoseconds(UInt64)
        /// A nanosecond is so many ticks.
        case ticksPerNanosecond(UInt64)
        /// A second is two to this power of ticks.
        case binary(UInt8)
        /// A nanosecond is more ticks than 64 bits can count: every time is 0.
        case vanishing
    }

    private var unit = Unit.nanoseconds(1000)
    private var offset: Int64 = 0

    /// Microseconds since the epoch: what holds without options.
    init() {}

    /// - Parameters:
    ///   - code: `if_tsresol`. The top bit clear: ticks are ten to the minus `code` seconds; set: two to the minus the
    ///     other seven bits.
    ///   - offset: `if_tsoffset`, whole seconds to add.
    init(code: UInt8, offset seconds: Int64) {
        let exponent = code & 0x7f
        if code & 0x80 != 0 {
            unit = .binary(exponent)
        } else if exponent <= 9 {
            unit = .nanoseconds(Self.powerOfTen(9 - exponent))
        } else if exponent <= 28 {
            unit = .ticksPerNanosecond(Self.powerOfTen(exponent - 9))
        } else {
            unit = .vanishing
        }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        offset = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// A time too far away to be told in 64 bits becomes the nearest that can be.
    func nanoseconds(high: UInt32, low: UInt32) -> Int64 {
        let ticks = UInt64(high) << 32 | UInt64(low)
        let elapsed: Int64
        switch unit {
        case .nanoseconds(let factor):
            let (product, overflow) = ticks.multipliedReportingOverflow(by: factor)
            elapsed = overflow ? .max : Int64(clamping: product)
        case .ticksPerNanosecond(let divisor):
            elapsed = Int64(clamping: ticks / divisor)
        case .binary(let exponent):
            elapsed = Int64(clamping: (UInt128(ticks) * 1_000_000_000) >> UInt128(exponent))
        case .vanishing:
            elapsed = 0
        }
        let (sum, overflow) = elapsed.addingReportingOverflow(offset)
        return overflow ? (offset < 0 ? .min : .max) : sum
    }

    private static func powerOfTen(_ exponent: UInt8) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
