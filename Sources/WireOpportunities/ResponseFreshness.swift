import WireCore

/// How long a private cache may use a response without asking, as far as the response says so (RFC 9111 §4.2). Heuristics
/// of caches are not applied.
struct ResponseFreshness: Equatable {
    /// A cache may keep it.
    var isStorable = true
    /// Seconds of age up to which it may be used without asking; 0 where it says nothing.
    var seconds = 0
    /// It says nothing of how long it may be used, and does not forbid it, so that caches may guess (RFC 9111 §4.2.2).
    var isSilent = false
    /// Seconds that it was old already when it came.
    var age = 0
    /// When the server made it, by its own clock: seconds since the epoch.
    private var date: Int?
    /// What a client could ask with whether it changed: its ETag, else its Last-Modified. Nil where it has neither, and
    /// then no client can ask.
    var validator: [UInt8]?
    /// Bytes that a conditional request adds: its If-None-Match or If-Modified-Since line.
    var conditionBytes = 0

    /// Longer is not believed (RFC 9111 §1.2.2).
    fileprivate static let mostSeconds = Int(Int32.max)

    /// - Parameter received: when it had come, nanoseconds since the epoch: its Date where it has none (RFC 9110 §6.6.1).
    init(_ head: MessageHead, received: Int64? = nil) {
        readValidators(head)
        let directives = head.value("cache-control").map(listMembers) ?? []
        if directives.contains("no-store") { isStorable = false }
        if head.value("vary").map(listMembers)?.contains("*") == true { isStorable = false }
        if directives.contains(where: { $0 == "no-cache" || $0.hasPrefix("no-cache=") }) { return }
        age = head.value("age").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        age = min(max(age, 0), ResponseFreshness.mostSeconds)
        let lifetime = cacheSeconds("max-age", directives) ?? ResponseFreshness.expiry(head, received)
        seconds = min(max(lifetime ?? 0, 0), ResponseFreshness.mostSeconds)
        let forbids = directives.contains { $0.hasPrefix("max-age") || $0 == "must-revalidate" }
        isSilent = lifetime == nil && !forbids && head.value("pragma").map(listMembers)?.contains("no-cache") != true
        date = head.value("date").flatMap(HTTPDate.init)?.seconds
    }

    /// When it was 0 seconds old: its Date, or its request less its Age, whichever is earlier (RFC 9111 §4.2.3). Nanoseconds
    /// since the epoch, as the times of its request and of its end are.
    func born(requested: Int64, received: Int64) -> Int64 {
        let asked = requested.subtractingReportingOverflow(Int64(age) * 1_000_000_000).partialValue
        guard let date, abs(date) < ResponseFreshness.mostSeconds * 4 else { return min(asked, received) }
        return min(asked, received, Int64(date) * 1_000_000_000)
    }

    private mutating func readValidators(_ head: MessageHead) {
        if let tag = head.value("etag") {
            // Whether it is weak makes no difference for If-None-Match (RFC 9110 §13.1.2).
            validator = tag.starts(with: "W/".utf8) ? Array(tag.dropFirst(2)) : tag
            conditionBytes = "If-None-Match: \r\n".utf8.count + tag.count
        } else if let date = head.value("last-modified") {
            validator = date
            conditionBytes = "If-Modified-Since: \r\n".utf8.count + date.count
        }
    }

    /// Expires minus Date. An Expires that is no date is in the past.
    private static func expiry(_ head: MessageHead, _ received: Int64?) -> Int? {
        guard let expires = head.value("expires") else { return nil }
        let begin: Int?
        if let date = head.value("date") {
            begin = HTTPDate(date)?.seconds
        } else {
            begin = received.map { Int($0 / 1_000_000_000) }
        }
        guard let end = HTTPDate(expires), let begin else { return 0 }
        return end.seconds - begin
    }
}

/// What a request lets a cache answer without asking the server (RFC 9111 §5.2.1).
struct RequestFreshness: Equatable {
    /// It wants an answer of the server.
    var mustAsk = false
    /// It wants nothing to be kept: no cache has a part in it.
    var mustNotStore = false
    /// Oldest response that it takes, and how long it must stay fresh: seconds.
    var mostAge: Int?
    var leastFresh = 0

    init(_ head: MessageHead) {
        guard let value = head.value("cache-control") else {
            mustAsk = head.value("pragma").map(listMembers)?.contains("no-cache") == true
            return
        }
        let directives = listMembers(value)
        mostAge = cacheSeconds("max-age", directives)
        // As a user reloads a page.
        mustAsk = directives.contains("no-cache") || mostAge == 0
        mustNotStore = directives.contains("no-store")
        leastFresh = cacheSeconds("min-fresh", directives) ?? 0
    }

    /// A copy of this age that stays fresh for so long may answer.
    func allows(age: Int, freshFor seconds: Int) -> Bool {
        !mustAsk && !mustNotStore && age <= mostAge ?? .max && seconds >= leastFresh
    }
}

/// The seconds that a directive of Cache-Control names; nil where it is not there or names none.
private func cacheSeconds(_ name: String, _ directives: [String]) -> Int? {
    guard let directive = directives.first(where: { $0.hasPrefix(name + "=") }) else { return nil }
    let digits = directive.dropFirst(name.count + 1).filter { $0 != "\"" }
    return Int(digits).map { min($0, ResponseFreshness.mostSeconds) }
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
