/// The media types of a shard's messages, numbered, with the bytes of the bodies that have them.
struct MediaTypes {
    /// What a body of a type may say about calls.
    enum Kind: Sendable {
        case other, dnsMessage, json, graphQL, soap
    }

    /// Number of messages without type, and of those whose type is beyond the limit.
    static let none: UInt16 = 0
    static let beyond: UInt16 = 1
    /// Most types, and the longest of them in bytes: senders can make up any number.
    static let limit = 512
    private static let nameLimit = 96

    private var table = NameTable()
    private var kinds: [Kind] = [.other, .other]
    /// The type that was asked for last, in lower case.
    private var name: [UInt8] = []
    /// It as it was sent, and its number: the next message often has the same.
    private var sent: [UInt8] = []
    private var sentNumber = MediaTypes.none

    init() {
        for number in [MediaTypes.none, MediaTypes.beyond] { _ = table.intern([UInt8(number)]) }
    }

    /// The number of the type that a Content-Type names in `range` (RFC 9110 §8.3.1): in lower case, without parameters.
    mutating func number(_ bytes: RawSpan, _ range: Range<Int>) -> UInt16 {
        if isSentAgain(bytes, range) { return sentNumber }
        var end = range.lowerBound
        while end < range.upperBound, bytes.u8(end) > 0x20, bytes.u8(end) != 0x3B { end += 1 }
        guard end > range.lowerBound else { return MediaTypes.none }
        guard end - range.lowerBound <= MediaTypes.nameLimit else { return MediaTypes.beyond }
        name.removeAll(keepingCapacity: true)
        bytes.appendLowercased(range.lowerBound..<end, to: &name)
        // A name of its own: the table changes while it is read.
        let asked = name
        guard let number = unsafe table.intern(asked.span.bytes, limit: MediaTypes.limit) else {
            return MediaTypes.beyond
        }
        if number == kinds.count { kinds.append(MediaTypes.kind(name)) }
        (sent, sentNumber) = (bytes.array(range.lowerBound..<end), UInt16(number))
        return sentNumber
    }

    private func isSentAgain(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        let count = sent.count
        guard count > 0, range.count >= count else { return false }
        if range.count > count {
            let next = bytes.u8(range.lowerBound + count)
            if next > 0x20, next != 0x3B { return false }
        }
        let type = bytes.extracting(range.lowerBound..<range.lowerBound + count)
        return unsafe type.isEqual(to: sent.span.bytes)
    }

    func kind(_ number: UInt16) -> Kind { kinds[Int(number)] }

    /// Nil where the message has none.
    func name(_ number: UInt16) -> [UInt8]? {
        switch number {
        case MediaTypes.none: nil
        case MediaTypes.beyond: Array("(other types)".utf8)
        default: table.names[Int(number)]
        }
    }

    private static func kind(_ name: [UInt8]) -> Kind {
        switch String(decoding: name, as: UTF8.self) {
        case "application/dns-message": .dnsMessage
        case "application/graphql": .graphQL
        case "text/xml", "application/soap+xml": .soap
        case "application/json", "text/json", "application/json-rpc", "application/jsonrequest": .json
        case let name where name.hasSuffix("+json"): .json
        default: .other
        }
    }
}
