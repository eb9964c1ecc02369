import WireCore

/// The responses that a client's cache could hold: what was fetched last from each URL.
///
/// A request that asks for the same content again, without having had to, need not have been made, or need not have been
/// answered in full.
struct StoredResponses {
    /// What could have been spared of a call.
    enum Finding: Equatable {
        case nothing
        /// A fresh copy was there: the call itself.
        case call
        /// The content had not changed: the body. `condition`: bytes that asking for a change adds to the request.
        case body(condition: Int)
        /// The content had not changed, but the response has nothing that a client could ask with.
        case noValidator
    }

    private struct Stored {
        var digest: UInt64
        var size: Int
        /// When it had come, nanoseconds since the epoch.
        var since: Int64
        var freshUntil: Int64
        /// When it was 0 seconds old (RFC 9111 §4.2.3).
        var born: Int64
        var validator: [UInt8]?
        var varied: [[UInt8]?]
    }

    /// Responses that are remembered; beyond it all are forgotten.
    private static let limit = 65_536
    private static let second: Int64 = 1_000_000_000
    /// Methods that change nothing (RFC 9110 §9.2.1).
    private static let safeMethods = ["GET", "HEAD", "OPTIONS", "TRACE"].map { Array($0.utf8) }

    private var stored: [[UInt8]: Stored] = [:]

    /// Takes a call; calls must come in the order of their times, those too that are incomplete.
    mutating func take(_ record: ExchangeRecord) -> Finding {
        guard let method = record.method, let target = record.target else { return .nothing }
        let key = StoredResponses.key(record, target)
        guard method == StoredResponses.safeMethods[0] else {
            // What was changed must be fetched again (RFC 9111 §4.4), unless an error says that it was not.
            let isError = record.status.map { $0 >= 400 } ?? false
            if !StoredResponses.safeMethods.contains(method), !isError { stored[key] = nil }
            return .nothing
        }
        guard let found = response(record) else {
            if record.status != 304 { stored[key] = nil }
            return .nothing
        }
        let before = stored[key]
        let finding = before.map { compare(record, found.new, with: $0) } ?? .nothing
        // A call that a cache answers brings no new copy: the old one is no fresher for it.
        if finding == .call { return finding }
        if stored.count >= StoredResponses.limit { stored.removeAll() }
        stored[key] = found.isStorable ? found.new : nil
        return finding
    }

    /// What a cache would keep of the call; nil where its content did not come whole.
    private func response(_ record: ExchangeRecord) -> (new: Stored, isStorable: Bool)? {
        // A range is not the content.
        guard let request = record.requestHead, let response = record.responseHead, let end = record.responseEnd,
            record.status == 200, !request.has("range"), record.response?.complete == true,
            let digest = record.responseBody?.facts.digest
        else { return nil }
        let freshness = ResponseFreshness(response, received: end)
        let born = freshness.born(requested: record.time, received: end)
        let (until, overflow) = born.addingReportingOverflow(Int64(freshness.seconds) * StoredResponses.second)
        let new = Stored(
            digest: digest, size: record.responseCosts[.body], since: end, freshUntil: overflow ? .max : until,
            born: born, validator: freshness.validator, varied: StoredResponses.varied(response, request))
        let isStorable = freshness.isStorable && !RequestFreshness(request).mustNotStore
        return (new, isStorable)
    }

    private func compare(_ record: ExchangeRecord, _ new: Stored, with before: Stored) -> Finding {
        // What had not come yet could not be used.
        guard let request = record.requestHead, let response = record.responseHead, record.time >= before.since,
            before.digest == new.digest, before.size == new.size, before.varied == new.varied
        else { return .nothing }
        let wish = RequestFreshness(request)
        guard !wish.mustNotStore else { return .nothing }
        let age = Int(record.time.subtractingReportingOverflow(before.born).partialValue / StoredResponses.second)
        let freshFor = Int((before.freshUntil - record.time) / StoredResponses.second)
        if record.time < before.freshUntil, wish.allows(age: age, freshFor: freshFor) { return .call }
        guard !request.has("if-none-match"), !request.has("if-modified-since") else { return .nothing }
        guard let validator = before.validator else { return new.validator == nil ? .noValidator : .nothing }
        // A server that names the same content otherwise sends it again.
        guard validator == new.validator else { return .nothing }
        return .body(condition: ResponseFreshness(response).conditionBytes)
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
