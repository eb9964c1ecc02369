import WireCore
import WireNative

/// What the header fields of an API cost, by name.
public struct HeaderFieldRow: Sendable {
    /// One name, in lower case, with all its values.
    public struct Field: Sendable, Equatable {
        public var name: String
        /// Lines: a field may stand in a message several times.
        public var requests = 0
        public var responses = 0
        /// Bytes as text: the line with its end; in HTTP/2 what it would be in HTTP/1.
        public var up = 0
        public var down = 0
    }

    public var api: String
    public var host: String
    /// Messages whose heads were read.
    public var requests = 0
    public var responses = 0
    /// Those with most bytes first.
    public var fields: [Field] = []
    /// Start lines, empty lines, lines that are no field, and names beyond the limit, bytes. In HTTP/2 pseudo-header fields.
    public var other = Directions(up: 0, down: 0)
    /// Bytes as sent: in HTTP/2 compressed.
    public var sent = Directions(up: 0, down: 0)

    /// Bytes as text, all of them.
    public var text: Directions<Int> {
        fields.reduce(into: other) {
            $0.up += $1.up
            $0.down += $1.down
        }
    }
}

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
    /// What HTTP/2 would have saved, by API.
    private(set) var saved = SubjectSums()

    /// Takes a call; calls of a connection must come in their order.
    mutating func take(_ record: ExchangeRecord) {
        guard rows[record.api] != nil || rows.count < HeaderFieldCosts.apiLimit else { return }
        var sums =
            rows[record.api]
            ?? Sums(
                row: HeaderFieldRow(
                    api: String(decoding: record.api, as: UTF8.self), host: String(decoding: record.host, as: UTF8.self)
                ))
        // The dictionary must not share what changes.
        rows[record.api] = nil
        if let head = record.requestHead {
            sums.row.requests += 1
            add(head, record.requestCosts, isRequest: true, to: &sums)
        }
        if let head = record.responseHead {
            sums.row.responses += 1
            add(head, record.responseCosts, isRequest: false, to: &sums)
        }
        rows[record.api] = sums
        if record.stream == nil { compress(record) }
    }

    private mutating func add(_ head: MessageHead, _ costs: CostVector, isRequest: Bool, to sums: inout Sums) {
        let sent = costs[.startLine] + costs[.headers]
        var counted = 0
        var added: [(name: [UInt8], size: Int)] = []
        head.forEachField { field in
            added.append((head.bytes[field.name].map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, field.line.count))
        }
        for (name, size) in added {
            if sums.fields[name] == nil {
                guard names < HeaderFieldCosts.nameLimit else { continue }
                names += 1
            }
            counted += size
            var field = sums.fields[name] ?? HeaderFieldRow.Field(name: String(decoding: name, as: UTF8.self))
            if isRequest {
                field.requests += 1
                field.up += size
            } else {
                field.responses += 1
                field.down += size
            }
            sums.fields[name] = field
        }
        let other = head.bytes.count - counted
        if isRequest {
            sums.row.sent.up += sent
            sums.row.other.up += other
        } else {
            sums.row.sent.down += sent
            sums.row.other.down += other
        }
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
        if fewer > 0 { saved.add(fewer, String(decoding: record.api, as: UTF8.self)) }
    }

    /// APIs with most header bytes as text first.
    func report() -> [HeaderFieldRow] {
        rows.values.map { sums in
            var row = sums.row
            row.fields = sums.fields.values.sorted { ($1.up + $1.down, $0.name) < ($0.up + $0.down, $1.name) }
            return row
        }
        .sorted { ($1.text.up + $1.text.down, $0.api) < ($0.text.up + $0.text.down, $1.api) }
    }
}
