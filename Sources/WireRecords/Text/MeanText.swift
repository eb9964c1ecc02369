/// A mean of exact integers with one decimal, rounded to the nearest (half away from zero): `1,721.4`. Nil without
/// calls.
package func meanText(_ total: Int, of count: Int) -> String? {
    guard count > 0 else { return nil }
    let (sign, whole, tenth) = mean(total, of: count)
    return "\(sign)\(grouped(whole)).\(tenth)"
}

/// The same with a sign before what is not zero: an error that is too many bytes is `+`. Only nothing is `0.0`: what lies
/// between is `<+0.1` or `>-0.1`.
package func signedMeanText(_ total: Int, of count: Int) -> String? {
    guard let text = meanText(total, of: count), total != 0 else { return meanText(total, of: count) }
    if text == "0.0" { return total < 0 ? ">-0.1" : "<+0.1" }
    return total > 0 ? "+" + text : text
}

/// A mean as a sentence says it: without sign, in whole bytes from 100 on, without a decimal that is 0.
package func meanInWords(_ total: Int, of count: Int) -> String {
    guard count > 0 else { return "0" }
    let (_, whole, tenth) = mean(total, of: count)
    if whole >= 100 { return grouped(tenth >= 5 ? whole &+ 1 : whole) }
    if whole == 0, tenth == 0, total != 0 { return "less than 0.1" }
    return tenth == 0 ? grouped(whole) : "\(grouped(whole)).\(tenth)"
}

private func mean(_ total: Int, of count: Int) -> (sign: String, whole: Int, tenth: Int) {
    let (quotient, rest) = total.magnitude.quotientAndRemainder(dividingBy: count.magnitude)
    var whole = Int(clamping: quotient)
    let wide = rest.multipliedFullWidth(by: 10)
    var (tenth, left) = count.magnitude.dividingFullWidth((wide.high, wide.low))
    if left >= count.magnitude - left { tenth += 1 }
    if tenth == 10 {
        whole = whole == .max ? whole : whole + 1
        tenth = 0
    }
    return (total < 0 && (whole > 0 || tenth > 0) ? "-" : "", whole, Int(tenth))
}

/// `part` of `whole` in whole percent for a sentence; only all of it is 100 %, only nothing 0 %.
package func percentInWords(_ part: Int, of whole: Int) -> String {
    let text = wholePercent(part, of: whole)
    return switch text.first {
    case "<": "less than 1 %"
    case ">": "more than 99 %"
    default: text
    }
}

/// The same, below 10 % with one decimal as tables have it: 1.5 % is neither 1 % nor 2 %.
package func smallPercentInWords(_ part: Int, of whole: Int) -> String {
    let (tenfold, isLarge) = part.magnitude.multipliedReportingOverflow(by: 10)
    guard part != 0, !isLarge, tenfold < whole.magnitude, let text = percent(part, of: whole) else {
        return percentInWords(part, of: whole)
    }
    return text.hasPrefix("<") ? "less than " + text.dropFirst() : text
}

/// The same for a table: `57 %`, `<1 %`, `>99 %`. Signs are left out.
package func wholePercent(_ part: Int, of whole: Int) -> String {
    guard whole != 0, part != 0 else { return "0 %" }
    if part.magnitude == whole.magnitude { return "100 %" }
    let wide = part.magnitude.multipliedFullWidth(by: 100)
    guard wide.high < whole.magnitude else { return "—" }
    let (quotient, rest) = whole.magnitude.dividingFullWidth((wide.high, wide.low))
    let rounded = rest >= whole.magnitude - rest ? quotient &+ 1 : quotient
    if rounded == 0 { return "<1 %" }
    if rounded == 100, part.magnitude < whole.magnitude { return ">99 %" }
    return grouped(Int(clamping: rounded)) + " %"
}

/// Percent with one decimal of what a part should be all of: 100.0 % only where it is, 0.0 % only where it is nothing.
package func shareText(_ part: Int, of whole: Int) -> String? {
    guard let text = percent(part, of: whole) else { return nil }
    return text == "100.0 %" && part < whole ? ">99.9 %" : text
}

/// A signed error in percent of its truth with one decimal. Nil without a truth. An error of many times the truth is
/// cut to `>+99,999 %` or `<-99,999 %`.
package func signedPercent(_ error: Int, of truth: Int) -> String? {
    guard truth > 0 else { return nil }
    if error == 0 { return "0.0 %" }
    let sign = error < 0 ? "-" : "+"
    let (within, beyond) = error < 0 ? (">", "<") : ("<", ">")
    guard error.magnitude / 1000 < truth.magnitude, let text = percent(Int(clamping: error.magnitude), of: truth)
    else { return "\(beyond)\(sign)99,999 %" }
    return text.hasPrefix("<") ? "\(within)\(sign)\(text.dropFirst())" : sign + text
}

/// A floating-point number in plain digits with at most `places` decimals (up to 6), zeros at its end left out: the
/// same text for the same number on every machine. Nil for what is not finite.
package func decimalText(_ value: Double, places: Int) -> String? {
    guard value.isFinite else { return nil }
    guard let decimal = Decimal(value, places: places) else { return wholeText(value) }
    let whole = (decimal.isNegative ? "-" : "") + String(decimal.whole)
    guard decimal.width > 0 else { return whole }
    let digits = String(decimal.part)
    return whole + "." + String(repeating: "0", count: decimal.width - digits.count) + digits
}

private func wholeText(_ value: Double) -> String {
    Int(exactly: value.rounded()).map { String($0) } ?? "\(value)"
}

extension OutputBuffer {
    /// Writes what `decimalText` gives. False, and nothing written, for what is not finite.
    package mutating func decimal(_ value: Double, places: Int) -> Bool {
        guard value.isFinite else { return false }
        guard let decimal = Decimal(value, places: places) else {
            string(wholeText(value))
            return true
        }
        if decimal.isNegative { byte(0x2D) }
        digits(decimal.whole)
        if decimal.width > 0 {
            byte(0x2E)
            digits(decimal.part, width: decimal.width)
        }
        return true
    }
}

/// A number rounded to some decimals.
private struct Decimal {
    package var isNegative: Bool
    package var whole: UInt64
    /// The decimals without zeros at their end, and how many they are.
    package var part: UInt64
    package var width: Int

    /// Nil for numbers so large that a double has no such decimals any more.
    package init?(_ value: Double, places: Int) {
        var unit: UInt64 = 1
        for _ in 0..<places { unit *= 10 }
        let scaled = (value * Double(unit)).rounded()
        guard abs(scaled) < 9_007_199_254_740_992 else { return nil }
        isNegative = scaled < 0
        (whole, part) = UInt64(abs(scaled)).quotientAndRemainder(dividingBy: unit)
        width = part == 0 ? 0 : places
        while part > 0, part % 10 == 0 {
            part /= 10
            width -= 1
        }
    }
}

/// A size in whole bytes with its digits in groups. Nil for what is not finite.
package func wholeBytes(_ value: Double) -> String? {
    guard value.isFinite else { return nil }
    return Int(exactly: value.rounded()).map { grouped($0) }
}
