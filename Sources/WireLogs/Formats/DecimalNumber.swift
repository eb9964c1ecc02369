/// A decimal number as it is written in a log: ± digits × 10^exponent, without any rounding up to 19 digits.
package struct DecimalNumber: Equatable, Sendable {
    package var isNegative = false
    package var digits: UInt64 = 0
    package var exponent = 0

    private static let exponentLimit = 10_000

    init(_ value: Int) {
        isNegative = value < 0
        digits = UInt64(value.magnitude)
    }

    /// The shortest decimal number that stands for the same value; nil for what is no number.
    init?(_ value: Double) {
        guard value.isFinite else { return nil }
        // Most times have microseconds at most: then no text is needed.
        let micro = (value * 1e6).rounded()
        if micro.magnitude < 9e15, micro / 1e6 == value {
            self.init(Int(micro))
            exponent = -6
        } else {
            self.init(Array(value.description.utf8)[...])
        }
    }

    /// Reads `-12.5e3` and the like, with white space around it; nil where anything else is in the text.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = text.trimmingSpaces
        if let sign = rest.first, sign == 0x2D || sign == 0x2B {
            isNegative = sign == 0x2D
            rest.removeFirst()
        }
        var hasDigits = false
        var isFraction = false
        while let byte = rest.first {
            if byte == 0x2E, !isFraction {
                isFraction = true
            } else if 0x30...0x39 ~= byte {
                hasDigits = true
                add(UInt64(byte - 0x30), isFraction: isFraction)
            } else {
                break
            }
            rest.removeFirst()
        }
        guard hasDigits else { return nil }
        guard let mark = rest.first else { return }
        guard mark | 0x20 == 0x65, let power = DecimalNumber.power(rest.dropFirst()) else { return nil }
        exponent = max(-DecimalNumber.exponentLimit, min(exponent + power, DecimalNumber.exponentLimit))
    }

    /// Digits beyond the nineteenth are dropped: they do not matter for anything that a log states.
    private mutating func add(_ digit: UInt64, isFraction: Bool) {
        guard digits < 1_000_000_000_000_000_000 else {
            if !isFraction { exponent = min(exponent + 1, DecimalNumber.exponentLimit) }
            return
        }
        digits = digits * 10 + digit
        if isFraction { exponent -= 1 }
    }

    /// An exponent: ± digits, clamped far beyond what any number needs.
    private static func power(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text
        let sign = rest.first
        if sign == 0x2D || sign == 0x2B { rest.removeFirst() }
        guard !rest.isEmpty else { return nil }
        var power = 0
        for byte in rest {
            guard 0x30...0x39 ~= byte else { return nil }
            power = min(power * 10 + Int(byte - 0x30), exponentLimit)
        }
        return sign == 0x2D ? -power : power
    }

    /// The value × 10^power as an integer, rounded towards zero; nil where it does not fit.
    package func scaled(by power: Int) -> Int? {
        var value = digits
        var shift = exponent + power
        while shift > 0, value > 0 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
            shift -= 1
        }
        while shift < 0, value > 0 {
            value /= 10
            shift += 1
        }
        guard let result = Int(exactly: value) else { return nil }
        return isNegative ? -result : result
    }

    /// The value × factor, rounded to the nearest integer; nil where it does not fit.
    func rounded(times factor: Int) -> Int? {
        var product = self
        let (digits, overflow) = digits.multipliedReportingOverflow(by: UInt64(factor))
        guard !overflow else { return nil }
        product.digits = digits
        guard let tenfold = product.scaled(by: 1) else { return nil }
        return tenfold / 10 + (abs(tenfold % 10) < 5 ? 0 : isNegative ? -1 : 1)
    }

    /// The value, if it is a whole number that fits.
    package var integer: Int? {
        var number = self
        while number.exponent < 0 {
            guard number.digits % 10 == 0 else { return number.digits == 0 ? 0 : nil }
            number.digits /= 10
            number.exponent += 1
        }
        return number.scaled(by: 0)
    }

    /// Whether the value has no digits behind the point.
    package var isWhole: Bool { exponent >= 0 || integer != nil || digits == 0 }

    /// Position of the first digit: the value is at least 10^magnitude, and less than ten times that. Of zero nil.
    package var magnitude: Int? {
        guard digits > 0 else { return nil }
        var count = -1
        var rest = digits
        while rest > 0 {
            rest /= 10
            count += 1
        }
        return count + exponent
    }
}
