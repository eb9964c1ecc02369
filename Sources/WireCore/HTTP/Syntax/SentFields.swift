import WireNative

/// What the fields of a message took of its field blocks as sent (RFC 7541, RFC 9204), those of interim responses and of
/// trailers included. Blocks hold more than fields: the prefix of a section of HTTP/3, and fields beyond a limit.
///
/// What HTTP/3 inserts into the table on the encoder's stream is no part of a block.
public struct SentFields: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        fileprivate let nameEnd: Int
        public let coding: FieldCoding
    }

    private var names: [UInt8] = []
    private var fields: [Field] = []
    /// HTTP/2: bytes that the receiver lets the sender's dynamic table hold; 0 where that is not known.
    public internal(set) var tableLimit: Int?

    /// HTTP/3: bytes of the sections before their fields (RFC 9204 §4.5.1).
    package internal(set) var prefix = 0

    /// Bytes of memory.
    var memory: Int { names.count + fields.count * MemoryLayout<Field>.stride }

    /// Adds a field if it fits into `room`.
    mutating func append(_ name: RawSpan, _ coding: FieldCoding, room: Int) {
        guard memory + name.byteCount + MemoryLayout<Field>.stride <= room else { return }
        name.append(0..<name.byteCount, to: &names)
        fields.append(Field(nameEnd: names.count, coding: coding))
    }

    /// Adds the fields of the message's next block, as far as they fit into `room` bytes.
    mutating func append(_ block: SentFields, room: Int) {
        tableLimit = block.tableLimit
        prefix += block.prefix
        guard memory + block.memory <= room else { return }
        fields += block.fields.map { Field(nameEnd: names.count + $0.nameEnd, coding: $0.coding) }
        names += block.names
    }

    /// Calls with each field: its name as sent, and how it was sent.
    public func forEachField(_ body: (ArraySlice<UInt8>, FieldCoding) -> Void) {
        var start = 0
        for field in fields {
            body(names[start..<field.nameEnd], field.coding)
            start = field.nameEnd
        }
    }
}
