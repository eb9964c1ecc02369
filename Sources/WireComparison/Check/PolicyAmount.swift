import WireJoin

/// A number with its unit: `5%`, `200`, `200B`, `2kB`, `1.5 KiB`.
package struct PolicyAmount: Equatable {
    package var value: Double
    /// `B` for all units of bytes, `%`, or none where no unit was written.
    package var unit: Unit

    package enum Unit { case percent, bytes, none }

    /// Nil for anything else than digits, a point and digits, and a unit.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex { !($0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E) } ?? bytes.count
        guard end <= 20, let number = PolicyAmount.number(bytes[..<end]) else { return nil }
        let unit = String(decoding: bytes[end...].drop { $0 == 0x20 }, as: UTF8.self)
        guard let (kind, factor) = PolicyAmount.units[unit.lowercased()] else { return nil }
        value = number * factor
        self.unit = kind
    }

    /// The word may follow a number as its unit.
    static func isUnit(_ word: String) -> Bool { !word.isEmpty && units[word.lowercased()] != nil }

    private static let units: [String: (Unit, Double)] = [
        "": (.none, 1), "%": (.percent, 1), "percent": (.percent, 1), "b": (.bytes, 1), "byte": (.bytes, 1),
        "bytes": (.bytes, 1), "kb": (.bytes, 1e3), "mb": (.bytes, 1e6), "gb": (.bytes, 1e9), "kib": (.bytes, 1024),
        "mib": (.bytes, 1_048_576), "gib": (.bytes, 1_073_741_824),
    ]

    /// Whole digits, so that equal texts are equal numbers and no locale matters.
    private static func number(_ digits: ArraySlice<UInt8>) -> Double? {
        let parts = digits.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, parts.count == 1 || !parts[1].isEmpty
        else { return nil }
        let all = parts.joined()
        guard all.count <= 15 else { return nil }
        let mantissa = all.reduce(0.0) { $0 * 10 + Double($1 - 0x30) }
        let decimals = parts.count == 2 ? parts[1].count : 0
        return mantissa / (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    }
}
