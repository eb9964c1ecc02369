/// What a DNS message (RFC 1035 §4.1) says about addresses: enough to name servers, no more.
struct DNSMessage {
    var identifier: UInt16 = 0
    var isResponse = false
    /// The name of the first question, lower case, without the final dot.
    var name: [UInt8] = []
    /// The type that it asks for.
    var type: UInt16 = 0
    /// Addresses in the answer section: of A and AAAA records, and hints of SVCB and HTTPS records (RFC 9460 §7.3).
    var addresses: [IPAddress] = []

    /// It asks for what a client needs to connect: A, AAAA, SVCB, HTTPS, or all that there is.
    var asksForAddress: Bool { [1, 28, 64, 65, 255].contains(type) }

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
            if question == 0 {
                name = DNSMessage.name(bytes, offset) ?? []
                if bytes.byteCount - end >= 2 { type = bytes.be16(end) }
            }
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
            if type == 1, length == 4 { addAddress(bytes, at: data, isVersion6: false) }
            if type == 28, length == 16 { addAddress(bytes, at: data, isVersion6: true) }
            if type == 64 || type == 65, length > 2 { readHints(bytes.extracting(0..<data + length), data + 2) }
            offset = data + length
        }
    }

    /// The target's name, then parameters: key, length, value (RFC 9460 §2.2). `bytes` end with the record.
    private mutating func readHints(_ bytes: RawSpan, _ start: Int) {
        guard var offset = DomainName.end(bytes, start) else { return }
        while bytes.byteCount - offset >= 4 {
            let key = bytes.be16(offset)
            let value = offset + 4..<offset + 4 + Int(bytes.be16(offset + 2))
            guard value.upperBound <= bytes.byteCount else { return }
            let size = key == 4 ? 4 : 16
            if key == 4 || key == 6, value.count % size == 0 {
                for place in stride(from: value.lowerBound, to: value.upperBound, by: size) {
                    addAddress(bytes, at: place, isVersion6: key == 6)
                }
            }
            offset = value.upperBound
        }
    }

    private mutating func addAddress(_ bytes: RawSpan, at offset: Int, isVersion6: Bool) {
        guard addresses.count < DNSMessage.addressLimit else { return }
        addresses.append(IPAddress(bytes, at: offset, isVersion6: isVersion6))
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
