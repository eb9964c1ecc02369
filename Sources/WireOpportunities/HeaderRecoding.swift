import WireCore
import WireNative

/// What the senders of HTTP/2 and HTTP/3 could have saved of each header field: proved by compressing all heads of a
/// connection again, as nghttp2 does, with a dynamic table no larger than the receiver allows. Of HTTP/3 only spellings are
/// looked at: what its table saves stands on another stream.
struct HeaderRecoding {
    /// Connections whose tables are known at one time; of more those that were used last.
    private static let limit = 512
    /// A reference to the tables takes no more bytes: they have 61 static entries, and at most 128 others (RFC 7541 §5.1).
    private static let referenceSize = 2

    private struct Pair {
        var request: HPACKDeflater
        var response: HPACKDeflater
        /// When it was used last, in calls.
        var used = 0
    }

    private var connections: [Int: Pair] = [:]
    /// One without a table of its own: any connection may use it.
    private let tableless = HPACKDeflater(table: 0)
    private var calls = 0

    /// What the fields of a call could have saved, by name. Calls of a connection must come in their order.
    mutating func advice(_ record: ExchangeRecord) -> [[UInt8]: [HeaderAdvice]] {
        guard record.requestFields != nil || record.responseFields != nil, let heads = HeaderLists(record) else {
            return [:]
        }
        let isHTTP2 = record.transport == .tcp
        let pair = isHTTP2 ? encoders(record.connection) : nil
        guard pair != nil || !isHTTP2 else { return [:] }
        let request = advice(heads.request, record.requestFields, pair?.request, isRequest: true)
        let response = advice(heads.response, record.responseFields, pair?.response, isRequest: false)
        return request.merging(response) { $0 + $1 }
    }

    private func advice(
        _ list: [HeaderLists.Field], _ sent: SentFields?, _ encoder: HPACKDeflater?, isRequest: Bool
    ) -> [[UInt8]: [HeaderAdvice]] {
        guard let sent else { return [:] }
        let byName = SentFields.byName(sent)
        let counts = Dictionary(grouping: list, by: \.name).mapValues(\.count)
        if let limit = sent.tableLimit { encoder?.setTable(min(limit, HPACKDeflater.table)) }
        var seen: [[UInt8]: Int] = [:]
        var found: [[UInt8]: [HeaderAdvice]] = [:]
        for field in list {
            let place = seen[field.name, default: 0]
            seen[field.name] = place + 1
            // Lines of HTTP/1 that were several fields, such as those of cookies, cannot be told apart.
            let codings = byName[field.name] ?? []
            let coding = codings.count == counts[field.name] ? codings[place] : nil
            let again = encoder?.size(of: [field], areNeverIndexed: coding?.isNeverIndexed == true)
            // Pseudo-header fields as well: the first field of all holds the update to a table of 0 bytes.
            let plain = encoder == nil ? nil : tableless?.size(of: [field])
            guard let coding, field.name.first != 0x3A else { continue }
            let sizes = again.flatMap { again in plain.map { Sizes(again: again, plain: $0) } }
            if let one = HeaderRecoding.advice(field, coding, sizes, isRequest: isRequest) {
                found[field.name, default: []].append(one)
            }
        }
        return found
    }

    /// What nghttp2 makes of a field: with the connection's table, and with the static one alone.
    private struct Sizes {
        var again: Int
        var plain: Int
    }

    /// - Parameter sizes: nil in HTTP/3.
    private static func advice(
        _ field: HeaderLists.Field, _ coding: FieldCoding, _ sizes: Sizes?, isRequest: Bool
    ) -> HeaderAdvice? {
        let spellings = sizes == nil ? StaticSpellings.qpack : .hpack
        if let better = spellings.better(field), better.size < coding.size {
            return HeaderAdvice(
                .spelling, isRequest: isRequest, saving: coding.size - better.size,
                better: String(decoding: better.value, as: UTF8.self))
        }
        guard let sizes, sizes.again < coding.size, !coding.isNeverIndexed else { return nil }
        let saving = coding.size - sizes.again
        // The table has it, or has its name while the sender wrote both as text.
        if sizes.again <= referenceSize || (sizes.again < sizes.plain && sizes.plain <= coding.size) {
            return HeaderAdvice(.index, isRequest: isRequest, saving: saving)
        }
        // The longest that a field without Huffman coding can be (RFC 7541 §6.2): all beyond that is Huffman's.
        let plain = 1 + [field.name.count, field.value.count].reduce(0) { $0 + PlainString.size($1) }
        return coding.size > plain ? HeaderAdvice(.plainText, isRequest: isRequest, saving: saving) : nil
    }

    private mutating func encoders(_ connection: Int) -> Pair? {
        calls += 1
        if connections[connection] == nil, connections.count >= HeaderRecoding.limit,
            let oldest = connections.min(by: { $0.value.used < $1.value.used })
        {
            connections[oldest.key] = nil
        }
        if connections[connection] == nil, let one = HPACKDeflater(), let other = HPACKDeflater() {
            connections[connection] = Pair(request: one, response: other)
        }
        connections[connection]?.used = calls
        return connections[connection]
    }
}

/// A string literal without Huffman coding (RFC 7541 §5.2).
private enum PlainString {
    /// Bytes with its length, an integer that begins with seven bits.
    static func size(_ count: Int) -> Int {
        guard count >= 127 else { return 1 + count }
        var (rest, size) = (count - 127, 2)
        while rest >= 128 { (rest, size) = (rest >> 7, size + 1) }
        return size + count
    }
}

/// Values of the static table, found by values that mean the same.
private struct StaticSpellings {
    static let hpack = StaticSpellings(.hpack)
    static let qpack = StaticSpellings(.qpack)

    /// Fields whose values mean the same in capitals: codings, languages of HTTP and names of fields (RFC 9110 §8.3 to §8.4.1,
    /// §12.5.5, §14.3), directives of HSTS (RFC 6797 §6.1).
    private static let ignoresCase: Set<[UInt8]> = Set(
        ["accept-encoding", "accept-ranges", "content-encoding", "content-type", "strict-transport-security", "vary"]
            .map { Array($0.utf8) })

    private let entries: [[UInt8]: [StaticFields.Entry]]

    private init(_ table: StaticFields) {
        entries = Dictionary(grouping: table.entries.filter { !$0.value.isEmpty && $0.name.first != 0x3A }) {
            StaticSpellings.key($0.name, $0.value)
        }
    }

    /// The entry that means the same; nil where the value is an entry already, or none means it.
    func better(_ field: HeaderLists.Field) -> StaticFields.Entry? {
        guard let same = entries[StaticSpellings.key(field.name, field.value)] else { return nil }
        return same.contains { $0.value == field.value } ? nil : same.first
    }

    /// The same for values that differ in white space around the separators of lists and parameters (RFC 9110 §5.6.1, §5.6.6)
    /// and, where that means nothing, in capitals.
    private static func key(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
        var key = name + [0x3A]
        let separators: [UInt8] = [0x2C, 0x3B]
        var blanks: [UInt8] = []
        for byte in value {
            if byte == 0x20 || byte == 0x09 {
                blanks.append(byte)
                continue
            }
            if let last = key.last, !separators.contains(byte), !separators.contains(last) { key += blanks }
            blanks = []
            key.append(ignoresCase.contains(name) && byte &- 0x41 < 26 ? byte | 0x20 : byte)
        }
        return key
    }
}
