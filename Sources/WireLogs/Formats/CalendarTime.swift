/// A time written as date and clock time.
struct CalendarTime: Equatable {
    enum Zone: Equatable {
        /// Seconds that local time is ahead of UTC.
        case offset(Int)
        case missing
        /// A name that says nothing to us.
        case unknown
    }

    /// Nanoseconds since the epoch; with a zone that is missing or unknown as if it were UTC.
    var time: Int64
    var zone: Zone

    /// A year that stands for any where the text has none; a leap year, so that every date is one.
    static let anyYear = 2000

    /// Consumes `2026-11-20 10:00:00.123456+0000`, `2026-11-20T10:00:00Z`, `2026-11-20 18:00:00 GMT+8` and the like off
    /// the start of the text; nil, with nothing taken, where none stands there.
    static func consume(from text: inout ArraySlice<UInt8>) -> CalendarTime? {
        var rest = text
        guard let year = rest.consumeNumber(upTo: 4), year > 999, let mark = rest.first, mark == 0x2D || mark == 0x2F
        else { return nil }
        rest.removeFirst()
        guard let month = rest.consumeNumber(upTo: 2), rest.consume(mark), let day = rest.consumeNumber(upTo: 2) else {
            return nil
        }
        guard rest.consume(0x20) || rest.consume(0x54) || rest.consume(0x74), let clock = consumeClock(&rest) else {
            return nil
        }
        let zone = consumeZone(&rest)
        guard let time = make(year, month, day, clock, zone) else { return nil }
        text = rest
        return CalendarTime(time: time, zone: zone)
    }

    /// Consumes `Nov 20 10:00:00` or `11-20 10:00:00`, with or without fraction, off the start of the text, in `anyYear`.
    static func consumeWithoutYear(from text: inout ArraySlice<UInt8>) -> CalendarTime? {
        var rest = text
        guard let month = consumeMonth(&rest), let day = rest.consumeNumber(upTo: 2), rest.consume(0x20),
            let clock = consumeClock(&rest), let time = make(anyYear, month, day, clock, .missing)
        else { return nil }
        text = rest
        return CalendarTime(time: time, zone: .missing)
    }

    /// Consumes a month with what separates it from its day: `Nov ` as syslog writes it, `11-` as logcat does.
    private static func consumeMonth(_ text: inout ArraySlice<UInt8>) -> Int? {
        if let month = text.consumeNumber(upTo: 2) { return text.consume(0x2D) ? month : nil }
        let name = text.prefix(3).map(\.lowercased)
        guard name.count == 3, let month = monthNames.firstIndex(of: name) else { return nil }
        text.removeFirst(3)
        guard text.consume(0x20) else { return nil }
        _ = text.consume(0x20)
        return month + 1
    }

    private static let monthNames = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].map { Array($0.utf8) }

    // MARK: Parts

    private struct Clock {
        var seconds: Int
        var nanoseconds: Int
    }

    private static func consumeClock(_ text: inout ArraySlice<UInt8>) -> Clock? {
        guard let hour = text.consumeNumber(upTo: 2), hour < 25, text.consume(0x3A),
            let minute = text.consumeNumber(upTo: 2),
            minute < 60
        else { return nil }
        var clock = Clock(seconds: hour * 3600 + minute * 60, nanoseconds: 0)
        guard text.consume(0x3A) else { return clock }
        // A leap second is 60.
        guard let second = text.consumeNumber(upTo: 2), second < 61 else { return nil }
        clock.seconds += second
        guard let mark = text.first, mark == 0x2E || mark == 0x2C, text.dropFirst().first?.isDigit == true else {
            return clock
        }
        text.removeFirst()
        var unit = 100_000_000
        while let digit = text.first, digit.isDigit {
            clock.nanoseconds += Int(digit - 0x30) * unit
            unit /= 10
            text.removeFirst()
        }
        return clock
    }

    private static func consumeZone(_ text: inout ArraySlice<UInt8>) -> Zone {
        var rest = text
        while rest.consume(0x20) {}
        let name = rest.prefix { $0.isLetter }.map(\.uppercased)
        rest.removeFirst(name.count)
        if name.isEmpty || zeroNames.contains(name), let offset = consumeOffset(&rest) {
            text = rest
            return .offset(offset)
        }
        guard !name.isEmpty else { return .missing }
        text = rest
        if zeroNames.contains(name) { return .offset(0) }
        return names[name].map { .offset($0 * 3600) } ?? .unknown
    }

    /// `+08:00`, `-0530`, `+8`.
    private static func consumeOffset(_ text: inout ArraySlice<UInt8>) -> Int? {
        var rest = text
        guard let sign = rest.first, sign == 0x2B || sign == 0x2D else { return nil }
        rest.removeFirst()
        let digits = rest.prefix { $0.isDigit }.count
        guard var hours = rest.consumeNumber(upTo: 4) else { return nil }
        var minutes = 0
        if digits > 2 {
            minutes = hours % 100
            hours /= 100
        } else if rest.first == 0x3A, rest.dropFirst().first?.isDigit == true {
            rest.removeFirst()
            minutes = rest.consumeNumber(upTo: 2) ?? 0
        }
        guard hours < 19, minutes < 60 else { return nil }
        text = rest
        return (sign == 0x2D ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static let zeroNames: Set<[UInt8]> = Set(["Z", "UTC", "GMT", "WET"].map { Array($0.utf8) })

    /// Abbreviations that Apple's date formatter prints, hours ahead of UTC. Where one has several meanings, the
    /// American.
    private static let names: [[UInt8]: Int] = Dictionary(
        uniqueKeysWithValues: [
            ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5), ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7),
            ("AKST", -9), ("AKDT", -8), ("HST", -10), ("AST", -4), ("ADT", -3), ("BST", 1), ("WEST", 1), ("CET", 1),
            ("CEST", 2), ("EET", 2), ("EEST", 3), ("MSK", 3), ("JST", 9), ("KST", 9), ("HKT", 8), ("SGT", 8),
            ("AEST", 10), ("AEDT", 11), ("NZST", 12), ("NZDT", 13),
        ].map { (Array($0.0.utf8), $0.1) })

    private static func make(_ year: Int, _ month: Int, _ day: Int, _ clock: Clock, _ zone: Zone) -> Int64? {
        guard 1...12 ~= month, 1...days(in: month, of: year) ~= day else { return nil }
        var seconds = daysSinceEpoch(year, month, day) * 86_400 + clock.seconds
        if case .offset(let offset) = zone { seconds -= offset }
        let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (time, carry) = whole.addingReportingOverflow(Int64(clock.nanoseconds))
        return overflow || carry ? nil : time
    }

    private static func days(in month: Int, of year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days from 1970-01-01 in the Gregorian calendar. Years are counted from March, so that leap days end them.
    static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        let daysBeforeEpoch = 719_468
        return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - daysBeforeEpoch
    }
}
