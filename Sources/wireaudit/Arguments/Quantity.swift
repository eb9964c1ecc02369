/// A size or a time as people write them: digits and a unit, in any case, such as `100MB` and `10min`.
package enum Quantity: Equatable, Sendable {
    /// B, kB, MB, GB, TB by thousands; KiB, MiB, GiB, TiB by 1024.
    case bytes(Int)
    /// ms, s, min, h, d.
    case nanoseconds(Int64)

    private static let byteUnits: [String: Int] = [
        "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10,
        "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]
    private static let timeUnits: [String: Int64] = [
        "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000, "h": 3_600_000_000_000, "d": 86_400_000_000_000,
    ]

    /// Why a text is no quantity.
    package enum Problem: Error, Equatable, Sendable {
        case noNumber, noUnit, tooLarge
        /// With the unit.
        case unknownUnit(String)
    }

    package init(parsing text: some StringProtocol) throws(Problem) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).lowercased()
        guard !digits.isEmpty else { throw .noNumber }
        guard !unit.isEmpty else { throw .noUnit }
        guard let number = Int64(digits) else { throw .tooLarge }
        if let factor = Self.byteUnits[unit] {
            let (product, overflow) = Int(number).multipliedReportingOverflow(by: factor)
            guard !overflow else { throw .tooLarge }
            self = .bytes(product)
        } else if let factor = Self.timeUnits[unit] {
            let (product, overflow) = number.multipliedReportingOverflow(by: factor)
            guard !overflow else { throw .tooLarge }
            self = .nanoseconds(product)
        } else {
            throw .unknownUnit(unit)
        }
    }
}
