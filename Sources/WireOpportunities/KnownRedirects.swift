import WireCore
import WireNative

/// Redirects that a client need not have followed, because it had got the same one before, and could remember it
/// (RFC 9111 §3): a permanent one as long as it does not say otherwise, a temporary one as long as it says that it is fresh.
struct KnownRedirects {
    /// What a client could remember of a redirect.
    private struct Redirect {
        var place: [UInt8]
        /// The URL that it leads to; nil where that is none of HTTP.
        var destination: [UInt8]?
        /// When it had come, and until when it may be used: nanoseconds since the epoch.
        var since: Int64
        var freshUntil: Int64
        /// When it was 0 seconds old (RFC 9111 §4.2.3).
        var born: Int64
        var varied: [[UInt8]?]
    }

    /// URLs whose redirects are remembered; beyond it all are forgotten.
    private static let limit = 65_536
    /// Redirects in a row that clients follow.
    private static let mostHops = 20
    private static let second: Int64 = 1_000_000_000

    private var known: [[UInt8]: Redirect] = [:]
    /// URLs that were answered last with something else than a redirect. What else a URL would cost nobody knows.
    private var ends: Set<[UInt8]> = []

    /// Takes a call; calls must come in the order of their times. True where the call need not have been made. One that changes
    /// something, sets a cookie, or leads to no URL that the client got an answer from is needed.
    mutating func take(_ record: ExchangeRecord) -> Bool {
        guard let method = record.method, let target = record.target else { return false }
        let url = RedirectURL(record, target)
        guard ["GET", "HEAD"].contains(String(decoding: method, as: UTF8.self)) else {
            // What was changed is asked for anew (RFC 9111 §4.4).
            if !["OPTIONS", "TRACE"].contains(String(decoding: method, as: UTF8.self)) {
                for reading in ["GET ", "HEAD "] { known[reading.utf8 + url.text] = nil }
            }
            return false
        }
        let key = method + [0x20] + url.text
        note(record.status, of: url)
        guard let redirect = KnownRedirects.redirect(record, url) else {
            if record.status != nil { known[key] = nil }
            return false
        }
        if let before = known[key], before.place == redirect.place, before.varied == redirect.varied {
            // What had not come yet could not be used, and what comes a second time is no news.
            guard record.time >= before.since else { return false }
            if KnownRedirects.isAllowed(before, record), leadsOn(redirect, method, url) { return true }
        }
        if known.count >= KnownRedirects.limit { known.removeAll() }
        known[key] = redirect
        return false
    }

    /// Nil where a client may remember nothing.
    private static func redirect(_ record: ExchangeRecord, _ url: RedirectURL) -> Redirect? {
        guard let status = record.status, let request = record.requestHead, let response = record.responseHead,
            let place = response.value("location"), !response.has("set-cookie"),
            let received = record.responseEnd, !RequestFreshness(request).mustNotStore
        else { return nil }
        let freshness = ResponseFreshness(response, received: received)
        guard freshness.isStorable else { return nil }
        let born = freshness.born(requested: record.time, received: received)
        var redirect = Redirect(
            place: place, destination: url.following(place)?.text, since: received, freshUntil: .max, born: born,
            varied: StoredResponses.varied(response, request))
        let isPermanent = status == 301 || status == 308
        guard isPermanent || status == 302 || status == 307 else { return nil }
        if isPermanent, freshness.isSilent { return redirect }
        let (until, isFar) = born.addingReportingOverflow(Int64(freshness.seconds) * second)
        redirect.freshUntil = isFar ? .max : until
        return redirect.freshUntil > received ? redirect : nil
    }

    private static func isAllowed(_ before: Redirect, _ record: ExchangeRecord) -> Bool {
        guard let request = record.requestHead, record.time < before.freshUntil else { return false }
        let age = record.time.subtractingReportingOverflow(before.born).partialValue / second
        let freshFor = (before.freshUntil.subtractingReportingOverflow(record.time).partialValue) / second
        return RequestFreshness(request).allows(age: Int(age), freshFor: Int(freshFor))
    }

    private mutating func note(_ status: Int?, of url: RedirectURL) {
        guard let status else { return }
        if (300..<400).contains(status), status != 304 {
            ends.remove(url.text)
        } else {
            if ends.count >= KnownRedirects.limit { ends.removeAll() }
            ends.insert(url.text)
        }
    }

    /// A client that went where it leads, and on by redirects that it knows, would get an answer.
    private func leadsOn(_ redirect: Redirect, _ method: [UInt8], _ url: RedirectURL) -> Bool {
        var next = redirect.destination
        for _ in 0..<KnownRedirects.mostHops {
            guard let place = next, place != url.text else { return false }
            if ends.contains(place) { return true }
            next = known[method + [0x20] + place]?.destination
        }
        return false
    }
}

/// A URL of one client: what a redirect leads from, or to.
private struct RedirectURL {
    var client: String
    var scheme: [UInt8]
    /// With its port where that is not the scheme's own.
    var host: [UInt8]
    /// Path and query.
    var target: [UInt8]

    init(_ record: ExchangeRecord, _ target: [UInt8]) {
        client = record.client.address.description
        scheme = Array((record.tlsVersion == nil ? "http" : "https").utf8)
        host = RedirectURL.host(record.host, scheme)
        self.target = target
        // A proxy gets a whole URL (RFC 9112 §3.2.2).
        if target.first != 0x2F, let whole = following(target) { self = whole }
    }

    var text: [UInt8] {
        var text = Array(client.utf8)
        for part in [scheme, host, target] { text += [0x20] + part }
        return text
    }

    private static func host(_ text: some Collection<UInt8>, _ scheme: [UInt8]) -> [UInt8] {
        let authority = Authority(Array(text))
        let name = authority.hostInURL
        let usual: UInt16 = scheme.elementsEqual("http".utf8) ? 80 : 443
        guard let port = authority.port, port != usual else { return name }
        return name + ":\(port)".utf8
    }

    /// Where a Location leads (RFC 3986 §5.2); nil where that is not HTTP.
    func following(_ place: [UInt8]) -> RedirectURL? {
        var url = self
        var rest = place.prefix { $0 != 0x23 }[...]
        if let colon = rest.firstIndex(where: { [0x3A, 0x2F, 0x3F].contains($0) }), rest[colon] == 0x3A {
            url.scheme = rest[..<colon].map { $0 | 0x20 }
            guard ["http", "https"].contains(where: { url.scheme.elementsEqual($0.utf8) }) else { return nil }
            rest = rest[(colon + 1)...]
            guard rest.starts(with: "//".utf8) else { return nil }
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
            url.host = RedirectURL.host(rest[..<end], url.scheme)
            rest = rest[end...]
            url.target = rest.first == 0x2F ? Array(rest) : [0x2F] + Array(rest)
            return url
        }
        let path = target.prefix { $0 != 0x3F }
        switch rest.first {
        case nil: break
        case 0x2F: url.target = Array(rest)
        case 0x3F: url.target = Array(path) + rest
        default: url.target = (path.lastIndex(of: 0x2F).map { Array(path[...$0]) } ?? [0x2F]) + rest
        }
        url.target = RedirectURL.withoutDots(url.target)
        return url
    }

    /// RFC 3986 §5.2.4.
    private static func withoutDots(_ target: [UInt8]) -> [UInt8] {
        let path = target.prefix { $0 != 0x3F }
        var segments: [ArraySlice<UInt8>] = []
        let parts = path.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            let isUp = part.elementsEqual("..".utf8)
            guard isUp || part.elementsEqual(".".utf8) else {
                segments.append(part)
                continue
            }
            if isUp, !segments.isEmpty { segments.removeLast() }
            if number == parts.count - 1 { segments.append([]) }
        }
        var clean: [UInt8] = [0x2F]
        clean += segments.joined(separator: [0x2F])
        return clean + target[path.endIndex...]
    }
}
