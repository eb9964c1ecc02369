/// What a DNS message (RFC 1035 §4.1) says about addresses: enough to name servers, no more.
struct DNSMessage {
    var identifier: UInt16 = 0
    var isResponse = false
    /// The name of the first question, lower case, without the final dot.
    var name: [UInt8] = []
    /// Addresses of A and AAAA records in the answer section.
    var addresses: [IPAddress] = []

    private static let addressLimit = 64
    private static let nameLimit = 255

    /// Nil when the bytes are no DNS message. A message that is cut short gives what can be read of it.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= 12 else { return nil }
        identifier = bytes.be16(0)
        isResponse = bytes.be16(2) & 0x8000 != 0
        let questions = Int(bytes.be16(4))
        guard questions >= 1, questions <= 16 else { return nil }
        var offset = 12
        for question in 0..<questions {
            guard let end = DomainName.end(bytes, offset) else { return nil }
            if question == 0 { name = DNSMessage.name(bytes, offset) ?? [] }
            offset = end + 4
        }
        guard isResponse else { return }
        readAnswers(bytes, offset, count: Int(bytes.be16(6)))
    }

    private mutating func readAnswers(_ bytes: RawSpan, _ start: Int, count: Int) {
        var offset = start
        for _ in 0..<count {
            guard let end = DomainName.end(bytes, offset), bytes.byteCount - end >= 10 else { return }
            let type = bytes.be16(end)
            let length = Int(bytes.be16(end + 8))
            let data = end + 10
            guard bytes.byteCount - data >= length, addresses.count < DNSMessage.addressLimit else { return }
            if type == 1, length == 4 { addresses.append(IPAddress(version4: bytes.be32(data))) }
            if type == 28, length == 16 {
                addresses.append(IPAddress(high: bytes.be64(data), low: bytes.be64(data + 8), isVersion6: true))
            }
            offset = data + length
        }
    }

    private static func name(_ bytes: RawSpan, _ start: Int) -> [UInt8]? {
        var name: [UInt8] = []
        var offset = start
        while offset < bytes.byteCount {
            let length = Int(bytes.u8(offset))
            if length == 0 { return name }
            guard length < 0x40, bytes.byteCount - offset > length, name.count + length < nameLimit else { return nil }
            if !name.isEmpty { name.append(0x2E) }
            for index in offset + 1...offset + length { name.append(bytes.u8(index).lowercasedASCII) }
            offset += 1 + length
        }
        return nil
    }
}
