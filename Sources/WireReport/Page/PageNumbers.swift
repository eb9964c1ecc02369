import WireRecords

/// Numbers as a reader of the page sees them. A minus is U+2212, as wide as a plus.
func signed(_ value: Int) -> String {
    value > 0 ? "+" + grouped(value) : typographic(grouped(value))
}

/// The same number with that minus, wherever it stands (`>-0.1 %`).
func typographic(_ number: String) -> String {
    String(number.map { $0 == "-" ? "−" : $0 })
}

/// Sentences with that minus before numbers, and with the hyphens that they have.
func withMinusSigns(_ text: String) -> String {
    let characters = Array(text)
    var shown = ""
    for (place, character) in characters.enumerated() {
        let isBeforeNumber = place + 1 < characters.count && characters[place + 1].isNumber
        let isInWord = place > 0 && (characters[place - 1].isLetter || characters[place - 1].isNumber)
        shown.append(character == "-" && isBeforeNumber && !isInWord ? "−" : character)
    }
    return shown
}

/// Signed share in percent, such as `−4.2 %`; a dash where there is nothing to divide by.
func errorShare(_ error: Int, of truth: Int) -> String {
    signedPercent(error, of: truth).map(typographic) ?? "–"
}

/// Share of something that is counted, such as `94.2 %`.
func portion(_ part: Int, of whole: Int) -> String { shareText(part, of: whole) ?? "–" }

/// A size for people: `12.3 kB`, `319 B`.
func sizeText(_ bytes: Int) -> String {
    let magnitude = Int(clamping: bytes.magnitude)
    let text = sizeInWords(magnitude) ?? "\(magnitude) B"
    return bytes < 0 ? "−" + text : text
}

/// The nearest whole number; limits for what no number can hold, 0 for no number at all.
func nearest(_ value: Double) -> Int {
    guard !value.isNaN else { return 0 }
    return Int(exactly: value.rounded()) ?? (value < 0 ? .min / 4 : .max / 4)
}

/// A coordinate of a drawing with one decimal, without exponent.
func coordinate(_ value: Double) -> String {
    let tenths = nearest(min(max(value, -1e6), 1e6) * 10)
    let sign = tenths < 0 ? "-" : ""
    let rest = tenths.magnitude % 10
    return "\(sign)\(tenths.magnitude / 10)\(rest == 0 ? "" : ".\(rest)")"
}

/// A place between 0 and 1 as a percentage with two decimals, for drawings that are as wide as their page.
func placeText(_ place: Double) -> String {
    let hundredths = nearest(min(max(place, 0), 1) * 10_000)
    return "\(hundredths / 100).\(twoDigits(hundredths % 100))%"
}

/// Sums and differences of figures that a hostile log may have chosen: they stop at the limits.
func clampedSum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (right < 0 ? .min / 4 : .max / 4) : sum
}

func clampedDifference(_ left: Int, _ right: Int) -> Int {
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? (left < right ? .min / 4 : .max / 4) : difference
}
