/// The parameters of a query as HTML forms write them (application/x-www-form-urlencoded).
enum QueryParameters {
    /// A parameter has a name that GraphQL uses.
    static func mayBeGraphQL(_ bytes: RawSpan, _ query: Range<Int>) -> Bool {
        var start = query.lowerBound
        while start < query.upperBound {
            switch bytes.u8(start) {
            case 0x64 where bytes.hasBytes("documentId=", at: start): return true
            case 0x65 where bytes.hasBytes("extensions=", at: start): return true
            case 0x6F where bytes.hasBytes("operationName=", at: start): return true
            case 0x71 where bytes.hasBytes("query=", at: start): return true
            default: start = (bytes.firstByte(0x26, from: start) ?? query.upperBound) + 1
            }
        }
        return false
    }

    /// The value of the first parameter of a name, decoded; nil without one, or where it is empty.
    static func value(of name: StaticString, _ bytes: RawSpan, _ query: Range<Int>) -> [UInt8]? {
        var start = query.lowerBound
        while start < query.upperBound {
            let end = min(bytes.firstByte(0x26, from: start) ?? query.upperBound, query.upperBound)
            let value = start + name.utf8CodeUnitCount + 1
            if value < end, bytes.u8(value - 1) == 0x3D, bytes.hasBytes(name, at: start) {
                return decoded(bytes, value..<end)
            }
            start = end + 1
        }
        return nil
    }

    private static func decoded(_ bytes: RawSpan, _ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = bytes.u8(offset)
            if byte == 0x25, range.upperBound - offset > 2, let high = bytes.u8(offset + 1).hexadecimalValue,
                let low = bytes.u8(offset + 2).hexadecimalValue
            {
                text.append(UInt8(high << 4 | low))
                offset += 3
            } else {
                text.append(byte == 0x2B ? 0x20 : byte)
                offset += 1
            }
        }
        return text
    }
}
