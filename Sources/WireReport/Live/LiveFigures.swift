import WireRecords

/// A number in at most `width` columns where that can be: its digits, else in larger units.
func fittingBytes(_ value: Int, _ width: Int) -> String {
    let digits = grouped(value)
    return digits.utf8.count <= width ? digits : sizeInWords(value) ?? digits
}

/// A count in at most `width` columns where that can be: its digits, else in thousands or more, such as `12.3 M`.
func fittingCount(_ value: Int, _ width: Int) -> String {
    let digits = grouped(value)
    guard digits.utf8.count > width, let words = sizeInWords(value) else { return digits }
    return String(words.dropLast())
}

/// `1.21 MB/s`, `812 B/s`.
func rateInWords(_ bytes: Int) -> String { (sizeInWords(bytes) ?? "\(bytes) B") + "/s" }

/// Hours, minutes and seconds: `0:01:24`; days before them where there are any. Unlike a duration in words it keeps its
/// width while it runs.
func clockTime(_ nanoseconds: Int64) -> String {
    let seconds = Int(max(nanoseconds, 0) / 1_000_000_000)
    let hours = seconds / 3600
    let clock = "\(hours % 24):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    return hours < 24 ? clock : "\(grouped(hours / 24)) d " + clock
}

/// One cell for each number, its height by the largest of them.
func sparkline(_ values: some Collection<Int>, style: TerminalStyle) -> String {
    let levels: [Character] =
        style.unicode ? ["▂", "▃", "▄", "▅", "▆", "▇", "█"] : [".", ":", "-", "=", "+", "*", "#"]
    let peak = values.max() ?? 0
    return String(
        values.map { value in
            guard value > 0 else { return style.unicode ? "▁" : "_" }
            return levels[max(scaled(value, of: peak, to: levels.count), 1) - 1]
        })
}
