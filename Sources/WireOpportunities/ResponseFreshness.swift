import WireCore

/// How long a private cache may use a response without asking, as far as the response says so (RFC 9111 §4.2). Heuristics
/// of caches are not applied.
struct ResponseFreshness: Equatable {
    /// What Cache-Control says (RFC 9111 §5.2.2).
    private struct Control: Equatable {
        var forbidsStoring = false
        var forbidsUse = false
        var forbidsGuesses = false
        var seconds: Int?
        var isPrivate = false
        var isPublic = false

        init(_ value: [UInt8]) {
            let directives = listMembers(value)
            forbidsStoring = directives.contains("no-store")
            forbidsUse = directives.contains { $0 == "no-cache" || $0.hasPrefix("no-cache=") }
            forbidsGuesses = directives.contains { $0.hasPrefix("max-age") || $0 == "must-revalidate" }
            seconds = cacheSeconds("max-age", directives)
            isPrivate = directives.contains { $0 == "private" || $0.hasPrefix("private=") }
            isPublic = directives.contains("public")
        }
    }

    /// A time that a field names.
    private enum Time: Equatable {
        case none
        case broken
        /// Since the epoch.
        case seconds(Int)

        init(_ value: [UInt8]?) {
            guard let value else {
                self = .none
                return
            }
            self = HTTPDate(value).map { .seconds($0.seconds) } ?? .broken
        }
    }

    /// Nil where it has no Cache-Control.
    private var control: Control?
    private var expires: Time
    /// When the server made it, by its own clock.
    private var date: Time
    /// Nil where it has no Vary.
    private var variesByAll: Bool?
    /// It has Pragma: no-cache.
    private var hasPragma: Bool
    /// Seconds that it was old already when it came; nil where it does not say.
    private var toldAge: Int?
    /// When it had come, nanoseconds since the epoch: its Date where it has none (RFC 9110 §6.6.1).
    private var received: Int64?
    /// Its ETag, without the mark of a weak one, which makes no difference for If-None-Match (RFC 9110 §13.1.2).
    private(set) var tag: [UInt8]?
    /// Its Last-Modified.
    private(set) var modified: [UInt8]?
    /// Bytes that a conditional request adds: its If-None-Match or If-Modified-Since line.
    private(set) var conditionBytes = 0

    /// Longer is not believed (RFC 9111 §1.2.2).
    fileprivate static let mostSeconds = Int(Int32.max)

    init(_ head: MessageHead, received: Int64? = nil) {
        self.received = received
        control = head.value("cache-control").map(Control.init)
        (expires, date) = (Time(head.value("expires")), Time(head.value("date")))
        variesByAll = head.value("vary").map { listMembers($0).contains("*") }
        hasPragma = head.value("pragma").map(listMembers)?.contains("no-cache") == true
        toldAge = head.value("age").flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        if let tag = head.value("etag") {
            self.tag = tag.starts(with: "W/".utf8) ? Array(tag.dropFirst(2)) : tag
            conditionBytes = "If-None-Match: \r\n".utf8.count + tag.count
        }
        modified = head.value("last-modified")
        if let modified, tag == nil { conditionBytes = "If-Modified-Since: \r\n".utf8.count + modified.count }
    }

    /// What is kept of the response behind a 304, whose fields replace those of the same names (RFC 9111 §4.3.4).
    func updated(by newer: ResponseFreshness) -> ResponseFreshness {
        var updated = self
        updated.control = newer.control ?? control
        if newer.expires != .none { updated.expires = newer.expires }
        // Without a Date that of its receipt is appended, which replaces the old one (RFC 9110 §6.6.1).
        (updated.date, updated.received) = (newer.date, newer.received)
        updated.variesByAll = newer.variesByAll ?? variesByAll
        updated.toldAge = newer.toldAge ?? toldAge
        if newer.tag != nil { (updated.tag, updated.conditionBytes) = (newer.tag, newer.conditionBytes) }
        updated.modified = newer.modified ?? modified
        return updated
    }

    /// A cache may keep it.
    var isStorable: Bool { control?.forbidsStoring != true && variesByAll != true }

    /// Only for the user who asked for it, where the request has an Authorization (RFC 9111 §3.5) or not.
    func isPrivate(authorized: Bool) -> Bool {
        control?.isPrivate == true || (authorized && control?.isPublic != true)
    }

    /// Seconds of age up to which it may be used without asking; 0 where it says nothing.
    var seconds: Int {
        control?.forbidsUse == true ? 0 : min(max(lifetime ?? 0, 0), ResponseFreshness.mostSeconds)
    }

    /// It says nothing of how long it may be used, and does not forbid it, so that caches may guess (RFC 9111 §4.2.2).
    var isSilent: Bool {
        lifetime == nil && control?.forbidsGuesses != true && control?.forbidsUse != true && !hasPragma
    }

    /// What a client could ask with whether it changed: its ETag, else its Last-Modified. Nil where it has neither, and
    /// then no client can ask.
    var validator: [UInt8]? { tag ?? modified }

    /// When it was 0 seconds old: its Date, or its request less its Age, whichever is earlier (RFC 9111 §4.2.3). Nanoseconds
    /// since the epoch, as the times of its request and of its end are.
    func born(requested: Int64, received: Int64) -> Int64 {
        let age = min(max(toldAge ?? 0, 0), ResponseFreshness.mostSeconds)
        let asked = requested.subtractingReportingOverflow(Int64(age) * 1_000_000_000).partialValue
        guard case .seconds(let date) = date, abs(date) < ResponseFreshness.mostSeconds * 4 else {
            return min(asked, received)
        }
        return min(asked, received, Int64(date) * 1_000_000_000)
    }

    /// The request asks whether it has changed, by its ETag, or without one by its Last-Modified (RFC 9110 §13.2.2).
    func isAsked(by request: MessageHead) -> Bool {
        guard let tags = request.value("if-none-match") else {
            return modified != nil && request.value("if-modified-since") == modified
        }
        return tag.map { ResponseFreshness.lists(tags, $0) } ?? false
    }

    /// A 304 to the request is about it, or about another response; nil where nothing tells.
    func isMeant(by response: ResponseFreshness, to request: MessageHead) -> Bool? {
        if let tag, let told = response.tag { return tag == told }
        if request.has("if-none-match") { return isAsked(by: request) }
        if let modified, let told = response.modified { return modified == told }
        return isAsked(by: request) ? true : nil
    }

    /// A list of entity tags has this one. Commas may be part of a tag (RFC 9110 §8.8.3).
    private static func lists(_ value: [UInt8], _ tag: [UInt8]) -> Bool {
        var isQuoted = false
        let members = value.split { byte in
            if byte == 0x22 { isQuoted.toggle() }
            return byte == 0x2C && !isQuoted
        }
        return members.contains { member in
            let start = member.drop { $0 == 0x20 || $0 == 0x09 }
            let bare = start.starts(with: "W/".utf8) ? start.dropFirst(2) : start
            return bare.starts(with: tag) && bare.dropFirst(tag.count).allSatisfy { $0 == 0x20 || $0 == 0x09 }
        }
    }

    private var lifetime: Int? { control?.seconds ?? expiry }

    /// Expires minus Date. An Expires that is no date is in the past.
    private var expiry: Int? {
        switch (expires, date) {
        case (.none, _): nil
        case (.seconds(let end), .seconds(let begin)): end - begin
        case (.seconds(let end), .none): received.map { end - Int($0 / 1_000_000_000) } ?? 0
        default: 0
        }
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
