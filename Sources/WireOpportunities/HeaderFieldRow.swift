import WireCore

/// What the header fields of an API cost, by name.
public struct HeaderFieldRow: Sendable {
    /// One name, in lower case, with all its values. `:authority` is `host`, as HTTP/1 spells it.
    public struct Field: Sendable, Equatable {
        public var name: String
        /// Lines: a field may stand in a message several times.
        public var requests = 0
        public var responses = 0
        /// Bytes as sent: in HTTP/1 the lines with their ends, in HTTP/2 and HTTP/3 what they took of the field blocks.
        public var sent = Directions(up: 0, down: 0)
        /// Bytes as text: the line with its end; in HTTP/2 and HTTP/3 what it would be in HTTP/1. Other pseudo-header fields
        /// have none: HTTP/1 has them in its start line.
        public var text = Directions(up: 0, down: 0)
        /// What would make it smaller, the largest saving first.
        public var advice: [HeaderAdvice] = []

        public init(name: String) { self.name = name }

        /// Adds what the same field cost elsewhere.
        public mutating func add(_ other: Field) {
            requests += other.requests
            responses += other.responses
            sent += other.sent
            text += other.text
            advice.add(other.advice)
        }
    }

    public var api: String
    public var host: String
    /// Messages whose heads were read.
    public var requests = 0
    public var responses = 0
    /// Those with most bytes as sent first.
    public var fields: [Field] = []
    /// Start lines, empty lines, lines that are no field, and names beyond the limit, bytes as text.
    public var other = Directions(up: 0, down: 0)
    /// All bytes as sent.
    public var sent = Directions(up: 0, down: 0)

    public init(api: String, host: String) { (self.api, self.host) = (api, host) }

    /// All bytes as text.
    public var text: Directions<Int> { fields.reduce(into: other) { $0 += $1.text } }

    /// Bytes as sent that are of no field: in HTTP/1 start lines and empty lines, in HTTP/2 and HTTP/3 what else a block
    /// holds, and what could not be read.
    public var otherSent: Directions<Int> {
        fields.reduce(into: sent) {
            $0.up -= $1.sent.up
            $0.down -= $1.sent.down
        }
    }
}

/// What would make a header field of HTTP/2 or HTTP/3 smaller.
public struct HeaderAdvice: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// It was sent as text though the dynamic table could have held it.
        case index
        /// Huffman coding made it longer than its text.
        case plainText = "plain-text"
        /// Another spelling of the same value is in the static table.
        case spelling
    }

    public var kind: Kind
    /// Who sends it: the client, or the server.
    public var isRequest: Bool
    /// Lines that it is about.
    public var lines: Int
    /// What they took fewer, bytes.
    public var saving: Int
    /// The spelling that is in the table.
    public var better: String?

    public init(_ kind: Kind, isRequest: Bool, saving: Int, better: String? = nil) {
        (self.kind, self.isRequest, self.lines, self.saving, self.better) = (kind, isRequest, 1, saving, better)
    }
}

extension [HeaderAdvice] {
    /// Adds up advice of one kind about one side.
    mutating func add(_ others: [HeaderAdvice]) {
        for other in others {
            let index = firstIndex {
                $0.kind == other.kind && $0.isRequest == other.isRequest && $0.better == other.better
            }
            if let index {
                self[index].lines += other.lines
                self[index].saving += other.saving
            } else {
                append(other)
            }
        }
        sort { ($1.saving, $0.kind.rawValue) < ($0.saving, $1.kind.rawValue) }
    }
}

extension Directions<Int> {
    public static func += (left: inout Self, right: Self) {
        left.up += right.up
        left.down += right.down
    }

    public var sum: Int { up + down }
}
