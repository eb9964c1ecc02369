/// Writes the field blocks of one direction (RFC 7541), in the forms that a test asks for.
public struct HTTP2FieldEncoder: Sendable {
    public struct Field: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// What the entry counts in the dynamic table (RFC 7541 §4.1).
        var size: Int { name.utf8.count + value.utf8.count + 32 }
    }

    /// How a field is written that stands in no table.
    public enum Form: Sendable {
        /// §6.2.2: no table changes.
        case literal
        /// §6.2.1: becomes the newest entry of the dynamic table.
        case indexing
        /// §6.2.3.
        case neverIndexed
    }

    /// A few of the static table's entries (RFC 7541 Appendix A).
    private static let fixed: [(index: Int, field: Field)] = [
        (2, Field(":method", "GET")), (3, Field(":method", "POST")), (4, Field(":path", "/")),
        (6, Field(":scheme", "http")), (7, Field(":scheme", "https")), (8, Field(":status", "200")),
        (9, Field(":status", "204")), (13, Field(":status", "404")), (16, Field("accept-encoding", "gzip, deflate")),
    ]
    private static let limit = 4096

    public var form: Form
    /// Newest first.
    private var table: [Field] = []

    public init(_ form: Form = .literal) { self.form = form }

    /// A block of these fields: an index where a table has the field, else the encoder's form.
    public mutating func block(_ fields: [Field]) -> [UInt8] {
        fields.flatMap { encode($0) }
    }

    private mutating func encode(_ field: Field) -> [UInt8] {
        if let entry = HTTP2FieldEncoder.fixed.first(where: { $0.field == field }) {
            return Self.integer(entry.index, prefix: 7, 0x80)
        }
        if let place = table.firstIndex(of: field) { return Self.integer(62 + place, prefix: 7, 0x80) }
        switch form {
        case .literal: return [0] + Self.text(field.name) + Self.text(field.value)
        case .neverIndexed: return [0x10] + Self.text(field.name) + Self.text(field.value)
        case .indexing:
            table.insert(field, at: 0)
            while table.reduce(0, { $0 + $1.size }) > Self.limit { table.removeLast() }
            return [0x40] + Self.text(field.name) + Self.text(field.value)
        }
    }

    /// §5.2, without Huffman.
    private static func text(_ text: String) -> [UInt8] {
        integer(text.utf8.count, prefix: 7, 0) + Array(text.utf8)
    }

    /// §5.1.
    static func integer(_ value: Int, prefix: Int, _ first: UInt8) -> [UInt8] {
        let most = 1 << prefix - 1
        guard value >= most else { return [first | UInt8(value)] }
        var bytes = [first | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

// MARK: - Blocks of messages

extension HTTP2FieldEncoder {
    public mutating func request(
        _ path: String, method: String = "GET", host: String = "a", scheme: String = "https",
        _ more: [(String, String)] = []
    ) -> [UInt8] {
        let pseudo = [(":method", method), (":scheme", scheme), (":authority", host), (":path", path)]
        return block((pseudo + more).map { Field($0.0, $0.1) })
    }

    public mutating func response(_ status: Int = 200, _ more: [(String, String)] = []) -> [UInt8] {
        block(([(":status", "\(status)")] + more).map { Field($0.0, $0.1) })
    }

    public mutating func trailers(_ fields: [(String, String)]) -> [UInt8] {
        block(fields.map { Field($0.0, $0.1) })
    }
}
