import WireCore

/// The responses that a client's cache could hold: what was fetched last from each URL, by each user.
///
/// A request that asks for the same content again, without having had to, need not have been made, or need not have been
/// answered in full.
struct StoredResponses {
    /// What could have been spared of a call.
    enum Finding: Equatable {
        case nothing
        /// A fresh copy was there: the call itself.
        case call
        /// The content had not changed: the body. `condition`: bytes that asking for a change adds to the request; 0 where
        /// it asked, and the server sent the content all the same.
        case body(condition: Int)
        /// The content had not changed, but the response has nothing that a client could ask with.
        case noValidator
    }

    /// Copies that are remembered; beyond it all are forgotten.
    private static let limit = 65_536
    private static let second: Int64 = 1_000_000_000
    /// Methods that change nothing (RFC 9110 §9.2.1).
    private static let safeMethods = ["GET", "HEAD", "OPTIONS", "TRACE"].map { Array($0.utf8) }

    private var stored: [[UInt8]: StoredCopies] = [:]
    private var count = 0

    /// Takes a call; calls must come in the order of their times, those too that are incomplete.
    mutating func take(_ record: ExchangeRecord) -> Finding {
        guard let method = record.method, let target = record.target else { return .nothing }
        let key = StoredResponses.key(record, target)
        let before = stored[key] ?? StoredCopies()
        var copies = before
        var finding = Finding.nothing
        if method == StoredResponses.safeMethods[0] {
            finding = StoredResponses.take(record, &copies)
        } else if !StoredResponses.safeMethods.contains(method), record.status ?? 0 < 400 {
            // What was changed must be fetched again (RFC 9111 §4.4), unless an error says that it was not.
            copies = StoredCopies()
        }
        count += copies.count - before.count
        if count > StoredResponses.limit { (stored, count) = ([:], copies.count) }
        stored[key] = copies.count > 0 ? copies : nil
        return finding
    }

    /// Takes a GET.
    private static func take(_ record: ExchangeRecord, _ copies: inout StoredCopies) -> Finding {
        guard let request = record.requestHead else {
            if record.status != 304 { copies = StoredCopies() }
            return .nothing
        }
        let user = StoredResponses.user(request)
        if record.status == 304 {
            renew(record, request, user, &copies)
            return .nothing
        }
        guard let new = copy(record, request, user) else {
            copies.removeAll(of: user)
            return .nothing
        }
        let before = copies.newest(for: user, at: record.time)
        let finding = before.map { compare(record.time, request, new, with: $0) } ?? .nothing
        // A call that a cache answers brings no new copy: the old one is no fresher for it.
        if finding == .call { return finding }
        if new.freshness.isStorable, !RequestFreshness(request).mustNotStore {
            copies.keep(new, askedAt: record.time)
        } else {
            copies.removeAll(of: user)
        }
        return finding
    }

    /// What a cache would keep of the call; nil where its content did not come whole.
    private static func copy(_ record: ExchangeRecord, _ request: MessageHead, _ user: UInt64) -> StoredCopy? {
        // A range is not the content.
        guard let response = record.responseHead, let end = record.responseEnd, record.status == 200,
            !request.has("range"), record.response?.complete == true, let digest = record.responseBody?.facts.digest
        else { return nil }
        let freshness = ResponseFreshness(response, received: end)
        return StoredCopy(
            digest: digest, size: record.responseCosts[.body], since: end,
            born: freshness.born(requested: record.time, received: end), freshness: freshness,
            owner: owner(of: freshness, request, user), varied: varied(response, request))
    }

    /// A 304 tells the copy's freshness anew (RFC 9111 §4.3.4).
    private static func renew(
        _ record: ExchangeRecord, _ request: MessageHead, _ user: UInt64, _ copies: inout StoredCopies
    ) {
        guard let response = record.responseHead, let end = record.responseEnd,
            var copy = copies.newest(for: user, at: record.time), !RequestFreshness(request).mustNotStore
        else { return }
        let told = ResponseFreshness(response, received: end)
        guard let isMeant = copy.freshness.isMeant(by: told, to: request) else { return }
        copy.freshness = copy.freshness.updated(by: told)
        // The client holds another response, or none.
        guard isMeant, copy.freshness.isStorable else { return copies.removeAll(of: user) }
        (copy.since, copy.born) = (end, copy.freshness.born(requested: record.time, received: end))
        copy.owner = owner(of: copy.freshness, request, user)
        copies.keep(copy, askedAt: record.time)
    }

    private static func compare(
        _ time: Int64, _ request: MessageHead, _ new: StoredCopy, with before: StoredCopy
    ) -> Finding {
        guard before.digest == new.digest, before.size == new.size, before.varied == new.varied else { return .nothing }
        let wish = RequestFreshness(request)
        guard !wish.mustNotStore else { return .nothing }
        let age = Int(time.subtractingReportingOverflow(before.born).partialValue / second)
        let freshFor = Int(before.freshUntil.subtractingReportingOverflow(time).partialValue / second)
        if time < before.freshUntil, wish.allows(age: age, freshFor: freshFor) { return .call }
        let isAsked = before.freshness.isAsked(by: request)
        guard isAsked || !(request.has("if-none-match") || request.has("if-modified-since")) else { return .nothing }
        guard let validator = before.freshness.validator else {
            return new.freshness.validator == nil ? .noValidator : .nothing
        }
        // A server that names the same content otherwise sends it again.
        guard validator == new.freshness.validator else { return .nothing }
        return .body(condition: isAsked ? 0 : new.freshness.conditionBytes)
    }

    /// Who asks, as far as Authorization tells: its digest.
    private static func user(_ request: MessageHead) -> UInt64 {
        request.value("authorization").map { UInt64(truncatingIfNeeded: $0.hashValue) } ?? 0
    }

    /// Whose copy it is; nil where it is for all.
    private static func owner(of freshness: ResponseFreshness, _ request: MessageHead, _ user: UInt64) -> UInt64? {
        freshness.isPrivate(authorized: request.has("authorization")) ? user : nil
    }

    private static func key(_ record: ExchangeRecord, _ target: [UInt8]) -> [UInt8] {
        var key = Array(record.client.address.description.utf8)
        key.append(0x20)
        key += record.tlsVersion == nil ? "http ".utf8 : "https ".utf8
        key += record.host
        key.append(0x20)
        key += target
        return key
    }

    /// What the fields that the response varies by were in the request (RFC 9111 §4.1).
    static func varied(_ response: MessageHead, _ request: MessageHead) -> [[UInt8]?] {
        guard let names = response.value("vary").map(listMembers) else { return [] }
        return names.sorted().map { name in
            var value: [UInt8]?
            request.forEachField { field in
                let own = String(decoding: request.bytes[field.name], as: UTF8.self).lowercased()
                guard own == name else { return }
                // Several fields of a name are one list (RFC 9110 §5.3).
                value = (value.map { $0 + [0x2C] } ?? []) + request.bytes[field.value]
            }
            return value
        }
    }
}
