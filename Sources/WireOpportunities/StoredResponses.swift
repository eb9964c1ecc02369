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
    }

    private struct Stored {
        var digest: UInt64
        var size: Int
        /// When it had come, nanoseconds since the epoch.
        var since: Int64
        var freshUntil: Int64
        var varied: [[UInt8]?]
    }

    /// Responses that are remembered; beyond it all are forgotten.
    private static let limit = 65_536

    private var stored: [[UInt8]: Stored] = [:]

    /// Takes a call; calls must come in the order of their times.
    mutating func take(_ record: ExchangeRecord) -> Finding {
        guard let method = record.method, method == Array("GET".utf8), let target = record.target,
            let request = record.requestHead, let response = record.responseHead, let end = record.responseEnd
        else { return .nothing }
        let key = StoredResponses.key(record, target)
        // A range is not the content.
        guard record.status == 200, !request.has("range"), record.response?.complete == true,
            let digest = record.responseBody?.facts.digest
        else {
            if record.status != 304 { stored[key] = nil }
            return .nothing
        }
        let size = record.responseCosts[.body]
        let freshness = ResponseFreshness(response)
        let varied = StoredResponses.varied(response, request)
        let before = stored[key]
        if stored.count >= StoredResponses.limit { stored.removeAll() }
        let (until, overflow) = end.addingReportingOverflow(Int64(freshness.seconds) * 1_000_000_000)
        stored[key] =
            freshness.isStorable
            ? Stored(digest: digest, size: size, since: end, freshUntil: overflow ? .max : until, varied: varied) : nil
        // What had not come yet could not be used.
        guard let before, record.time >= before.since, before.digest == digest, before.size == size,
            before.varied == varied
        else { return .nothing }
        if record.time < before.freshUntil { return .call }
        let asked = request.has("if-none-match") || request.has("if-modified-since")
        return asked ? .nothing : .body(condition: freshness.conditionBytes)
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
    private static func varied(_ response: MessageHead, _ request: MessageHead) -> [[UInt8]?] {
        guard let names = response.value("vary").map(listMembers) else { return [] }
        return names.sorted().map { name in
            var value: [UInt8]?
            request.forEachField { field in
                let own = String(decoding: request.bytes[field.name], as: UTF8.self).lowercased()
                if own == name { value = Array(request.bytes[field.value]) }
            }
            return value
        }
    }
}
