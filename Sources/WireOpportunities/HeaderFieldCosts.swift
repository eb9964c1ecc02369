import WireCore
import WireNative

/// Sums header bytes by API and name, and compresses the heads of HTTP/1 as HTTP/2 would.
struct HeaderFieldCosts {
    /// APIs, names of fields in all of them, and connections of HTTP/1 whose heads are compressed at one time.
    private static let apiLimit = 10_000
    private static let nameLimit = 65_536
    private static let connectionLimit = 1024

    private struct Sums {
        var row: HeaderFieldRow
        var fields: [[UInt8]: HeaderFieldRow.Field] = [:]
    }

    private var rows: [[UInt8]: Sums] = [:]
    private var names = 0
    private var deflaters: [Int: (request: HPACKDeflater, response: HPACKDeflater)] = [:]
    private var recoding = HeaderRecoding()
    /// What HTTP/2 would have saved, by API.
    private(set) var saved = SubjectSums()

    /// Takes a call; calls of a connection must come in their order.
    mutating func take(_ record: ExchangeRecord) {
        let advice = recoding.advice(record)
        guard rows[record.api] != nil || rows.count < HeaderFieldCosts.apiLimit else { return }
        var sums =
            rows[record.api]
            ?? Sums(
                row: HeaderFieldRow(
                    api: String(decoding: record.api, as: UTF8.self), host: String(decoding: record.host, as: UTF8.self)
                ))
        // The dictionary must not share what changes.
        rows[record.api] = nil
        add(record, isRequest: true, to: &sums)
        add(record, isRequest: false, to: &sums)
        for (name, advice) in advice { sums.fields[name]?.advice.add(advice) }
        rows[record.api] = sums
        if record.stream == nil { compress(record) }
    }

    private mutating func add(_ record: ExchangeRecord, isRequest: Bool, to sums: inout Sums) {
        guard let head = isRequest ? record.requestHead : record.responseHead else { return }
        let costs = isRequest ? record.requestCosts : record.responseCosts
        let side: WritableKeyPath<Directions<Int>, Int> = isRequest ? \.up : \.down
        let lines: WritableKeyPath<HeaderFieldRow.Field, Int> = isRequest ? \.requests : \.responses
        if isRequest { sums.row.requests += 1 } else { sums.row.responses += 1 }
        sums.row.sent[keyPath: side] += costs[.startLine] + costs[.headers]
        var other = head.bytes.count
        for (name, size) in head.sizes {
            change(name, &sums) { field in
                field[keyPath: lines] += 1
                field.text[keyPath: side] += size
                if record.stream == nil { field.sent[keyPath: side] += size }
                other -= size
            }
        }
        sums.row.other[keyPath: side] += other
        for (name, codings) in SentFields.byName(isRequest ? record.requestFields : record.responseFields) {
            change(name, &sums) { field in
                // HTTP/1 has no line for these.
                if name.first == 0x3A { field[keyPath: lines] += codings.count }
                field.sent[keyPath: side] += codings.reduce(0) { $0 + $1.size }
            }
        }
    }

    private mutating func change(_ name: [UInt8], _ sums: inout Sums, _ body: (inout HeaderFieldRow.Field) -> Void) {
        if sums.fields[name] == nil {
            guard names < HeaderFieldCosts.nameLimit else { return }
            names += 1
        }
        body(&sums.fields[name, default: HeaderFieldRow.Field(name: String(decoding: name, as: UTF8.self))])
    }

    // MARK: HTTP/2

    /// A frame's header, bytes (RFC 9113 §4.1).
    private static let frameHeader = 9

    private mutating func compress(_ record: ExchangeRecord) {
        guard let heads = HeaderLists(record), let request = record.requestHead, let response = record.responseHead
        else { return }
        // A connection whose table is forgotten begins anew, and saves less.
        if deflaters[record.connection] == nil, deflaters.count >= HeaderFieldCosts.connectionLimit { deflaters = [:] }
        if deflaters[record.connection] == nil, let one = HPACKDeflater(), let other = HPACKDeflater() {
            deflaters[record.connection] = (one, other)
        }
        guard let pair = deflaters[record.connection] else { return }
        guard let up = pair.request.size(of: heads.request), let down = pair.response.size(of: heads.response)
        else { return }
        let before = request.bytes.count + response.bytes.count
        let fewer = before - up - down - 2 * HeaderFieldCosts.frameHeader
        guard fewer > 0 else { return }
        saved.add(Opportunity.Part(record, bytes: fewer), String(decoding: record.api, as: UTF8.self))
    }

    /// APIs with most header bytes as sent first.
    func report() -> [HeaderFieldRow] {
        rows.values.map { sums in
            var row = sums.row
            row.fields = sums.fields.values.sorted { $0.isSmaller(than: $1) }.reversed()
            return row
        }
        .sorted { ($1.sent.sum, $1.text.sum, $0.api) < ($0.sent.sum, $0.text.sum, $1.api) }
    }
}

extension HeaderFieldRow.Field {
    /// By bytes as sent, then as text. Of equal ones the first name is the larger.
    package func isSmaller(than other: Self) -> Bool {
        (sent.sum, text.sum, other.name) < (other.sent.sum, other.text.sum, name)
    }
}

extension MessageHead {
    /// The lines that are fields: names in lower case, and bytes with the line end.
    fileprivate var sizes: [(name: [UInt8], size: Int)] {
        var sizes: [(name: [UInt8], size: Int)] = []
        forEachField { field in
            sizes.append((bytes[field.name].map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, field.line.count))
        }
        return sizes
    }
}

extension SentFields {
    /// Fields by name, in lower case, in the order in which they were sent. `:authority` is `host`.
    static func byName(_ fields: SentFields?) -> [[UInt8]: [FieldCoding]] {
        var byName: [[UInt8]: [FieldCoding]] = [:]
        fields?.forEachField { name, coding in
            let lower = name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
            byName[lower == Array(":authority".utf8) ? Array("host".utf8) : lower, default: []].append(coding)
        }
        return byName
    }
}
