import WireNative

/// Lines of a key log that may be written beside the packets: those of connections whose hello was seen. A key log may
/// hold the secrets of months; the others do not belong into a capture.
struct KeyLogCollector: SecretHolder {
    /// Most connections remembered. When there are more, secrets of earlier ones that come only then are left out.
    private static let limit = 1 << 16

    private var seen: Set<[UInt8]> = []
    private var lines: [UInt8] = []
    private var digits: [UInt8] = []

    /// What was collected since the last call, each line with its line feed.
    mutating func take() -> [UInt8] {
        defer { lines = [] }
        return lines
    }

    var isEmpty: Bool { lines.isEmpty }

    /// A line came. Premaster secrets are not named by their connection; they wait for their use.
    mutating func note(_ line: RawSpan, _ label: KeyLogLabel, key: RawSpan) {
        guard case .secret = label else { return }
        digits.removeAll(keepingCapacity: true)
        guard key.appendHexadecimal(to: &digits), seen.contains(digits) else { return }
        lines += line.array(0..<line.byteCount)
        lines.append(0x0A)
    }

    /// A hello was seen; what the log has of its connection by now.
    mutating func noteHello(_ clientRandom: [UInt8], _ secrets: TLSSecrets?) {
        if seen.count >= Self.limit { seen.removeAll(keepingCapacity: true) }
        guard seen.insert(clientRandom).inserted, let secrets else { return }
        for (secret, value) in secrets.all { add(KeyLogLabel.secret(secret), key: clientRandom, value) }
    }

    /// A session's secret is that of a connection: it is written as such.
    mutating func recordSession(_ clientRandom: [UInt8], _ secrets: TLSSecrets) {
        guard seen.insert(clientRandom + [0]).inserted else { return }
        for (secret, value) in secrets.all { add(KeyLogLabel.secret(secret), key: clientRandom, value) }
    }

    /// A premaster secret was used.
    mutating func notePremaster(_ encryptedPrefix: [UInt8], _ secret: [UInt8]) {
        guard seen.insert(encryptedPrefix).inserted else { return }
        add(.encryptedPremaster, key: encryptedPrefix, secret)
    }

    private mutating func add(_ label: KeyLogLabel, key: [UInt8], _ secret: [UInt8]) {
        lines += Array(label.text.utf8) + [0x20]
        addHexadecimal(key)
        lines.append(0x20)
        addHexadecimal(secret)
        lines.append(0x0A)
    }

    private mutating func addHexadecimal(_ bytes: [UInt8]) {
        for byte in bytes {
            for digit in [byte >> 4, byte & 0x0F] { lines.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
    }
}
