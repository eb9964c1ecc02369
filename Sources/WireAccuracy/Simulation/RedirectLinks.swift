import WireCore
import WireEstimates
import WireJoin

/// Where an exchange stands in the capture.
struct ExchangePlace: Hashable {
    var connection: Int
    var exchange: Int

    init(_ record: ExchangeRecord) { (connection, exchange) = (record.connection, record.exchange) }
}

/// Remembers redirections, to recognise the request that follows one: the same client asks for what Location named
/// (RFC 9110 §10.2.2).
package struct RedirectLinks {
    /// A request that was redirected.
    struct Origin {
        var request: ObservedRequest
        var place: ExchangePlace
    }

    /// What is known of where a request came from.
    package struct Finding {
        /// The request whose redirection this one follows.
        var origin: Origin?
        /// An earlier request for the same target: this one may have followed its redirection instead.
        var rival: ExchangePlace?
    }

    private struct Link {
        var origin: Origin
        var time: Int64
    }

    /// The redirection that was followed last, of those to one target.
    private struct Followed {
        var link: Link
        var follower: ExchangePlace
        var time: Int64

        /// Whether a second request for the target, at this time, may have been the one that followed.
        func hasRival(at other: Int64) -> Bool {
            other - link.time <= RedirectWait.longest(usual: time - link.time)
        }
    }

    /// Redirections that wait for their request; the oldest are given up.
    private static let limit = 1024
    /// A client follows at once; a request that comes later is another.
    private static let patience: Int64 = 60_000_000_000
    /// By client and target, the oldest first: the same redirection may be under way several times.
    private var waiting: [[UInt8]: [Link]] = [:]
    private var followed: [[UInt8]: Followed] = [:]
    private var order: [(key: [UInt8], time: Int64)] = []

    /// Which redirection the request follows, if any.
    package mutating func find(_ record: ExchangeRecord) -> Finding {
        guard !waiting.isEmpty || !followed.isEmpty, let target = record.target else { return Finding() }
        let key = RedirectLinks.key(record, host: record.host, target: target[...])
        let last = followed[key]
        let link = takeLink(key, record)
        if let link { followed[key] = Followed(link: link, follower: ExchangePlace(record), time: record.time) }
        let rival = last.flatMap {
            $0.hasRival(at: record.time) || $0.time >= link?.time ?? .max ? $0.follower : nil
        }
        return Finding(origin: link?.origin, rival: rival)
    }

    private mutating func takeLink(_ key: [UInt8], _ record: ExchangeRecord) -> Link? {
        guard var links = waiting[key] else { return nil }
        links.removeAll { record.time - $0.time > RedirectLinks.patience }
        // A client that follows on the same connection needs no other.
        let candidates = links.indices.filter { record.time >= links[$0].time }
        let found = candidates.first { links[$0].origin.place.connection == record.connection } ?? candidates.first
        let link = found.map { links.remove(at: $0) }
        waiting[key] = links.isEmpty ? nil : links
        return link
    }

    package mutating func recordRedirect(_ record: ExchangeRecord, _ exchange: ObservedExchange) {
        guard let response = exchange.response, response.isRedirect, let request = exchange.request,
            let location = response.fields.first(.location), let end = record.responseEnd,
            let (host, target) = RedirectLinks.resolve(
                response.fields.value(location), host: record.host, path: request.path)
        else { return }
        let key = RedirectLinks.key(record, host: host, target: target[...])
        order.append((key, end))
        waiting[key, default: []].append(
            Link(origin: Origin(request: request, place: ExchangePlace(record)), time: end))
        if order.count > RedirectLinks.limit { giveUpOldest() }
    }

    private mutating func giveUpOldest() {
        for (key, time) in order.prefix(RedirectLinks.limit / 2) {
            let links = waiting[key]?.filter { $0.time > time } ?? []
            waiting[key] = links.isEmpty ? nil : links
            if let last = followed[key], last.link.time <= time { followed[key] = nil }
        }
        order.removeFirst(RedirectLinks.limit / 2)
    }

    private static func key(_ record: ExchangeRecord, host: [UInt8], target: ArraySlice<UInt8>) -> [UInt8] {
        var key = Array(record.client.address.description.utf8)
        key.append(0x20)
        key += host
        key += target.prefix { $0 != 0x23 }
        return key
    }

    /// Host and target of a Location: absolute, with a path from the root, or relative to the path asked for.
    private static func resolve(
        _ location: ArraySlice<UInt8>, host: [UInt8], path: [UInt8]
    ) -> (host: [UInt8], target: [UInt8])? {
        if let authority = authority(location) {
            let rest = location[authority.endIndex...]
            var name = authority.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
            // A host of a record has no port that its scheme implies.
            let port = location.starts(with: "https:".utf8) ? ":443" : ":80"
            if name.suffix(port.utf8.count).elementsEqual(port.utf8) { name.removeLast(port.utf8.count) }
            return (name, rest.first == 0x2F ? Array(rest) : [0x2F] + rest)
        }
        guard let first = location.first else { return nil }
        if first == 0x2F { return (host, Array(location)) }
        let folder = path.lastIndex(of: 0x2F).map { Array(path[...$0]) } ?? [0x2F]
        return (host, folder + Array(location))
    }

    /// What stands between `//` and the path, after a scheme or without one.
    private static func authority(_ location: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = location
        if let colon = rest.firstIndex(of: 0x3A), rest[..<colon].allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }) {
            rest = rest[(colon + 1)...]
        }
        guard rest.prefix(2).elementsEqual("//".utf8) else { return nil }
        rest = rest.dropFirst(2)
        return rest.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
    }
}
