import WireJoin

/// Digits in groups of three: `1,234,567`.
package func grouped(_ value: Int) -> String {
    let digits = Array(String(value.magnitude).utf8)
    var text: [UInt8] = value < 0 ? [0x2D] : []
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text.append(0x2C) }
        text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
}

/// A number and its noun: `1 packet`, `2 packets`, `2 bodies`.
///
/// - Parameter plural: where it is not the noun with an s.
package func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    grouped(number) + " " + (number == 1 ? noun : plural ?? noun + "s")
}

/// `a`, `a and b`, `a, b and c`, `a, b, c and 4 more`.
package func listed(_ names: [String], most: Int) -> String {
    guard names.count > 1 else { return names.first ?? "" }
    guard names.count <= most else {
        return names.prefix(most).joined(separator: ", ") + " and \(grouped(names.count - most)) more"
    }
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
}

/// A written number of bytes and its noun: `1 byte`, `-1 byte`, `0.5 bytes`.
package func bytesInWords(_ number: String) -> String {
    number + (number.drop { "+-−".contains($0) } == "1" ? " byte" : " bytes")
}

/// `part` of `whole` in percent with one decimal, rounded from the exact integers; a part that would round to nothing
/// is shown as less than 0.1 %. Nil without a whole.
package func percent(_ part: Int, of whole: Int) -> String? {
    guard whole > 0 else { return nil }
    if part == 0 { return "0.0 %" }
    let divisor = UInt64(whole)
    let wide = part.magnitude.multipliedFullWidth(by: 1000)
    let (carry, low) = (wide.high, UInt64(wide.low))
    guard carry < divisor else { return "—" }
    var (tenths, rest) = divisor.dividingFullWidth((UInt64(carry), low))
    if rest >= divisor - rest { tenths += 1 }
    let sign = part < 0 ? "-" : ""
    if tenths == 0 { return sign + "<0.1 %" }
    return "\(sign)\(grouped(Int(tenths / 10))).\(tenths % 10) %"
}

/// A size in the unit that a person would say, with three digits: `9.88 MB`. Units are powers of 1000. Nil below 1 kB,
/// where the exact number is short enough.
package func sizeInWords(_ bytes: Int) -> String? {
    guard bytes >= 1000 else { return nil }
    var unit = 1000
    for name in ["kB", "MB", "GB", "TB", "PB"] {
        let hundredths = rounded(bytes, per: unit, parts: 100)
        let tenths = rounded(bytes, per: unit, parts: 10)
        let ones = rounded(bytes, per: unit, parts: 1)
        if hundredths < 1000 { return "\(hundredths / 100).\(twoDigits(hundredths % 100)) \(name)" }
        if tenths < 1000 { return "\(tenths / 10).\(tenths % 10) \(name)" }
        if ones < 1000 || name == "PB" { return "\(ones) \(name)" }
        unit *= 1000
    }
    return nil
}

/// How many `parts` of a unit the value is, rounded to the nearest.
private func rounded(_ value: Int, per unit: Int, parts: Int) -> Int {
    let (whole, rest) = value.quotientAndRemainder(dividingBy: unit)
    return whole * parts + (rest * parts + unit / 2) / unit
}

/// A length of time in one or two units: `12.3 ms`, `84.2 s`, `1 min 24 s`, `2 h 3 min`, `4 d 5 h`.
package func durationInWords(_ nanoseconds: UInt64) -> String {
    let second: UInt64 = 1_000_000_000
    if nanoseconds == 0 { return "0 s" }
    if nanoseconds < 1000 { return "\(nanoseconds) ns" }
    if nanoseconds < 999_950 { return "\(oneDecimal(nanoseconds, unit: 1000)) µs" }
    if nanoseconds < 999_950_000 { return "\(oneDecimal(nanoseconds, unit: 1_000_000)) ms" }
    if nanoseconds < 119_950_000_000 { return "\(oneDecimal(nanoseconds, unit: second)) s" }
    let seconds = nanoseconds / second + (nanoseconds % second >= second / 2 ? 1 : 0)
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    let minutes = (seconds + 30) / 60
    if minutes < 48 * 60 { return "\(minutes / 60) h \(minutes % 60) min" }
    let hours = (minutes + 30) / 60
    return "\(hours / 24) d \(hours % 24) h"
}

/// Milliseconds with one decimal, the same unit in every row.
package func milliseconds(_ nanoseconds: Int64) -> String {
    (nanoseconds < 0 ? "-" : "") + oneDecimal(nanoseconds.magnitude, unit: 1_000_000)
}

private func oneDecimal(_ value: UInt64, unit: UInt64) -> String {
    let tenths = (value + unit / 20) / (unit / 10)
    return "\(grouped(Int(tenths / 10))).\(tenths % 10)"
}

package func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

/// A moment in UTC: date and time of day.
package struct CalendarTime {
    package var date: String
    /// `12:00:00.123`; the milliseconds are cut, not rounded.
    package var time: String

    package init(nanoseconds: Int64) {
        let second = Int64(1_000_000_000)
        let seconds = Int(floorDivide(nanoseconds, second))
        let fraction = Int(nanoseconds &- Int64(seconds) &* second)
        let days = Int(floorDivide(Int64(seconds), 86_400))
        let ofDay = seconds - days * 86_400
        let thousandths = String(1000 + fraction / 1_000_000).dropFirst()
        time = "\(twoDigits(ofDay / 3600)):\(twoDigits(ofDay / 60 % 60)):\(twoDigits(ofDay % 60)).\(thousandths)"
        date = CalendarTime.date(daysSinceEpoch: days)
    }

    /// The proleptic Gregorian calendar, counted in years that begin in March, so that the leap day is the last of its
    /// year.
    private static func date(daysSinceEpoch days: Int) -> String {
        let shifted = days + 719_468
        let era = Int(floorDivide(Int64(shifted), 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}
