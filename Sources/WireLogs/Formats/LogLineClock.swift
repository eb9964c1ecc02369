/// Reads the time at the start of console lines, as `log`, Xcode, Console and syslog write them.
struct LogLineClock {
    /// Some line had no year; all years are the same one then.
    private(set) var hasNoYear = false
    /// Some line had the time of day only; days are counted from the first such line.
    private(set) var hasNoDate = false
    private var day: Int64 = 0
    private var lastTimeOfDay: Int64 = 0

    private static let dayLength: Int64 = 86_400_000_000_000
    /// The first day of `CalendarTime.anyYear`, nanoseconds since the epoch.
    private static let firstDay =
        Int64(CalendarTime.daysSinceEpoch(CalendarTime.anyYear, 1, 1)) * LogLineClock.dayLength

    mutating func time(_ line: [UInt8]) -> Int64? {
        var text = line[...].trimmingSpaces
        if let full = CalendarTime.consume(from: &text) { return full.time }
        if let short = CalendarTime.consumeWithoutYear(from: &text) {
            hasNoYear = true
            return short.time
        }
        // Console copies lines with their level first.
        let word = text.prefix { $0.isLetter }
        if !word.isEmpty { text = text[word.endIndex...].trimmingSpaces }
        return timeOfDay(text)
    }

    private mutating func timeOfDay(_ text: ArraySlice<UInt8>) -> Int64? {
        var date = Array("\(CalendarTime.anyYear)-01-01 ".utf8)[...]
        date += text.prefix(32)
        guard let time = CalendarTime.consume(from: &date) else { return nil }
        hasNoDate = true
        let timeOfDay = time.time - LogLineClock.firstDay
        // Lines come in order, nearly: far back means that midnight passed.
        if timeOfDay < lastTimeOfDay - LogLineClock.dayLength / 2 { day += 1 }
        lastTimeOfDay = timeOfDay
        return time.time + day * LogLineClock.dayLength
    }
}
