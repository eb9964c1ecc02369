extension IPAddress: CustomStringConvertible {
    /// Dotted decimals; or RFC 5952: lower case, no leading zeros, the first of the longest runs of two or more zero
    /// groups as `::`, and the last 32 bits of an address that embeds one of IPv4 (§5) as dotted decimals.
    public var description: String {
        var text: [UInt8] = []
        appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the bytes of `description`.
    public func appendText(to text: inout [UInt8]) {
        guard isVersion6 else {
            IPAddress.appendVersion4(low, to: &text)
            return
        }
        let groupCount = embedsVersion4 ? 6 : 8
        let zeros = longestZeroRun(groupCount)
        var index = 0
        while index < groupCount {
            if index == zeros.lowerBound, !zeros.isEmpty {
                text.append(contentsOf: "::".utf8)
                index = zeros.upperBound
                continue
            }
            if index > 0, zeros.isEmpty || index != zeros.upperBound { text.append(0x3A) }
            text.append(contentsOf: String(group(index), radix: 16).utf8)
            index += 1
        }
        guard embedsVersion4 else { return }
        if zeros.upperBound < groupCount { text.append(0x3A) }
        IPAddress.appendVersion4(low & 0xFFFF_FFFF, to: &text)
    }

    private static func appendVersion4(_ value: UInt64, to text: inout [UInt8]) {
        for place in 0..<4 {
            if place > 0 { text.append(0x2E) }
            let number = UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * place))
            if number >= 100 { text.append(0x30 + number / 100) }
            if number >= 10 { text.append(0x30 + number / 10 % 10) }
            text.append(0x30 + number % 10)
        }
    }

    private func group(_ index: Int) -> UInt64 {
        (index < 4 ? high : low) >> UInt64(48 - 16 * (index & 3)) & 0xFFFF
    }

    /// IPv4-mapped (::ffff:0:0/96), or IPv4-compatible (::/96 with a sixth group).
    private var embedsVersion4: Bool {
        high == 0 && (low >> 32 == 0xFFFF || (low >> 32 == 0 && low >> 16 != 0))
    }

    private func longestZeroRun(_ groupCount: Int) -> Range<Int> {
        var best = 0..<0
        var start = 0
        while start < groupCount {
            var end = start
            while end < groupCount, group(end) == 0 { end += 1 }
            if end - start >= 2, end - start > best.count { best = start..<end }
            start = max(end, start + 1)
        }
        return best
    }
}

extension Endpoint: CustomStringConvertible {
    /// `10.0.0.2:51234` or `[2001:db8::1]:443`.
    public var description: String {
        var text: [UInt8] = []
        appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the bytes of `description`.
    public func appendText(to text: inout [UInt8]) {
        if address.isVersion6 { text.append(0x5B) }
        address.appendText(to: &text)
        if address.isVersion6 { text.append(0x5D) }
        text.append(0x3A)
        text.append(contentsOf: String(port).utf8)
    }
}
