import WireCore

/// How long a private cache may use a response without asking, as far as the response says so (RFC 9111 §4.2). Heuristics
/// of caches are not applied.
struct ResponseFreshness: Equatable {
    /// A cache may keep it.
    var isStorable = true
    /// Seconds from the response's end for which it may be used without asking; 0 where it says nothing.
    var seconds = 0
    /// It has what a client could ask with whether it changed.
    var hasValidator = false
    /// Bytes that a conditional request adds: its If-None-Match or If-Modified-Since line.
    var conditionBytes = 0

    /// Longer is not believed (RFC 9111 §1.2.2).
    private static let mostSeconds = Int(Int32.max)

    init(_ head: MessageHead) {
        readValidators(head)
        let directives = head.value("cache-control").map(listMembers) ?? []
        if directives.contains("no-store") { isStorable = false }
        if head.value("vary").map(listMembers)?.contains("*") == true { isStorable = false }
        if directives.contains(where: { $0 == "no-cache" || $0.hasPrefix("no-cache=") }) { return }
        let age = head.value("age").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        let lifetime = ResponseFreshness.maxAge(directives) ?? ResponseFreshness.expiry(head) ?? 0
        seconds = min(max(lifetime - max(age, 0), 0), ResponseFreshness.mostSeconds)
    }

    private mutating func readValidators(_ head: MessageHead) {
        if let tag = head.value("etag") {
            hasValidator = true
            conditionBytes = "If-None-Match: \r\n".utf8.count + tag.count
        } else if let date = head.value("last-modified") {
            hasValidator = true
            conditionBytes = "If-Modified-Since: \r\n".utf8.count + date.count
        }
    }

    private static func maxAge(_ directives: [String]) -> Int? {
        guard let directive = directives.first(where: { $0.hasPrefix("max-age=") }) else { return nil }
        let digits = directive.dropFirst("max-age=".count).filter { $0 != "\"" }
        return Int(digits).map { min($0, mostSeconds) }
    }

    /// Expires minus Date. An Expires that is no date is in the past.
    private static func expiry(_ head: MessageHead) -> Int? {
        guard let expires = head.value("expires") else { return nil }
        guard let end = HTTPDate(expires), let begin = head.value("date").flatMap(HTTPDate.init) else { return 0 }
        return end.seconds - begin.seconds
    }
}

/// An IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7). The two obsolete formats are not read.
struct HTTPDate: Equatable {
    /// Since the epoch.
    var seconds: Int

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    init?(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = HTTPDate.months.firstIndex(of: String(words[2])), (1...31).contains(day),
            (1...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0..<61).contains(clock[2])
        else { return nil }
        seconds = HTTPDate.days(year, month + 1, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years begin in March, so that a leap day is the last of its year.
        let shifted = month <= 2 ? year - 1 : year
        let century = shifted >= 0 ? shifted / 400 : (shifted - 399) / 400
        let yearOfCentury = shifted - century * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return century * 146_097 + yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear - 719_468
    }
}
