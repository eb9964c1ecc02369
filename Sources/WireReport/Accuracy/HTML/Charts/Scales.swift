import WireJoin

/// Decimal logarithm of a positive number, to nine digits: enough for any drawing, and the same on every platform.
func decimalLogarithm(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 0 }
    // ln m = 2 artanh((m − 1) / (m + 1)), and m < 2 makes the series short.
    let ratio = (value.significand - 1) / (value.significand + 1)
    var power = ratio
    var series = 0.0
    for odd in stride(from: 1.0, through: 21, by: 2) {
        series += power / odd
        power *= ratio * ratio
    }
    return (Double(value.exponent) * 0.693_147_180_559_945_3 + 2 * series) / 2.302_585_092_994_045_7
}

/// A logarithmic axis of sizes. What has no logarithm, zero and less, has a place of its own before the axis begins.
struct LogScale {
    /// Decimal exponents of the axis' ends.
    let low: Int
    let high: Int
    let hasGutter: Bool
    /// Share of the axis that the gutter takes.
    static let gutter = 0.12

    init(_ values: some Sequence<Int>) {
        var smallest = Int.max
        var largest = 0
        var hasGutter = false
        for value in values {
            if value > 0 {
                smallest = min(smallest, value)
                largest = max(largest, value)
            } else {
                hasGutter = true
            }
        }
        let exponent = largest == 0 ? 0 : nearest(decimalLogarithm(Double(smallest)) - 0.5 + 1e-9)
        low = max(exponent, 0)
        let end = largest == 0 ? 1 : nearest(decimalLogarithm(Double(largest)) + 0.5 - 1e-9)
        high = max(end, low + 1)
        self.hasGutter = hasGutter
    }

    /// From 0 to 1.
    func place(_ value: Int) -> Double {
        let start = hasGutter ? LogScale.gutter : 0
        guard value > 0 else { return start / 4 }
        let part = (decimalLogarithm(Double(value)) - Double(low)) / Double(high - low)
        return start + (1 - start) * min(max(part, 0), 1)
    }

    /// Powers of ten with their places; not more than fit.
    func ticks(atMost count: Int) -> [(label: String, place: Double)] {
        let step = max((high - low + count - 1) / count, 1)
        return stride(from: low, through: high, by: step).map { exponent in
            let start = hasGutter ? LogScale.gutter : 0
            return (powerOfTen(exponent), start + (1 - start) * Double(exponent - low) / Double(high - low))
        }
    }
}

/// An axis of errors: zero in the middle, logarithmic to both sides, almost linear below ten bytes.
struct SignedLogScale {
    /// Decimal exponent of both ends.
    let exponent: Int

    init(limit: Double) {
        exponent = max(nearest(decimalLogarithm(max(limit, 1)) + 0.5 - 1e-9), 1)
    }

    func place(_ value: Double) -> Double {
        let part = min(decimalLogarithm(1 + abs(value)) / decimalLogarithm(1 + tenToThe(exponent)), 1)
        return 0.5 + (value < 0 ? -part : part) / 2
    }

    /// Zero, and powers of ten on both sides.
    func ticks(perSide count: Int) -> [(label: String, place: Double)] {
        let step = max((exponent + count - 1) / count, 1)
        let sizes = Array(stride(from: exponent, to: 0, by: -step))
        return sizes.map { ("−" + powerOfTen($0), place(-tenToThe($0))) } + [("0", 0.5)]
            + sizes.reversed().map { ("+" + powerOfTen($0), place(tenToThe($0))) }
    }
}

private func tenToThe(_ exponent: Int) -> Double { (0..<max(exponent, 0)).reduce(1) { product, _ in product * 10 } }

/// `1`, `10`, `100`, `1 k`, … `1 G`.
func powerOfTen(_ exponent: Int) -> String {
    let units = ["", " k", " M", " G", " T", " P", " E"]
    let unit = min(max(exponent, 0) / 3, units.count - 1)
    return "1" + String(repeating: "0", count: max(exponent, 0) - unit * 3) + units[unit]
}
