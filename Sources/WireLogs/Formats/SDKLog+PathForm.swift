import WireNative

extension SDKLog.PathForm {
    /// A request target as a log of this form writes it.
    package func text(path: [UInt8], query: [UInt8]?) -> [UInt8] {
        let target = URLText.target(path + (query.map { [0x3F] + $0 } ?? []))
        let path = target.prefix { $0 != 0x3F }
        switch self {
        case .encoded: return Array(path)
        case .encodedWithQuery: return target
        case .decodedWithQuery:
            let query = target.dropFirst(path.count).map { $0 == 0x2B ? 0x20 : $0 }
            return URLText.target(SDKLog.PathForm.percentDecoded(path + query))
        case .decoded:
            var text = SDKLog.PathForm.percentDecoded(Array(path))
            if text.count > 1, text.last == 0x2F { text.removeLast() }
            return text
        }
    }

    private static func percentDecoded(_ path: [UInt8]) -> [UInt8] {
        guard path.contains(0x25) else { return path }
        var text: [UInt8] = []
        text.reserveCapacity(path.count)
        var index = 0
        while index < path.count {
            if path[index] == 0x25, index + 2 < path.count, let high = digit(path[index + 1]),
                let low = digit(path[index + 2])
            {
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(path[index])
                index += 1
            }
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
