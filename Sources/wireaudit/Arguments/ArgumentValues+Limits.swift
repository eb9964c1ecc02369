import Spelling
import WireEstimates
import WireReport

/// What `--limit NAME=VALUE` means.
extension ArgumentParser {
    func setLimit(_ value: String, _ spelling: String, _ limits: inout ProgramLimits) throws(UsageError) {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw UsageError(
                message: "\(spelling) needs NAME=VALUE, not '\(printable(value))'; 'wireaudit limits' lists the names")
        }
        guard let limit = Limit.named(parts[0]) else {
            let near = nearestWord(to: parts[0], among: Limit.all.map(\.name))
            let hint = near.map { "did you mean '\($0)'?" } ?? "'wireaudit limits' lists them"
            throw UsageError(message: "unknown limit '\(printable(parts[0]))'; \(hint)")
        }
        guard let number = limit.read(parts[1]) else {
            throw UsageError(
                message: "\(spelling) \(limit.name) needs \(limit.wanted), not '\(printable(parts[1]))'")
        }
        guard limit.range.contains(number) else {
            let row = LimitRow(limit)
            let range = "\(row.words(limit.range.lowerBound)) to \(row.words(limit.range.upperBound))"
            throw UsageError(message: "\(spelling) \(limit.name) can be \(range), not '\(printable(parts[1]))'")
        }
        limit.set(number, in: &limits)
        limits.note(limit.name, "\(number)")
    }
}

extension LimitRow {
    package init(_ limit: Limit) {
        let unit: Unit =
            switch limit.place {
            case .count: .count
            case .bytes: .bytes
            case .time: .nanoseconds
            }
        self.init(
            name: limit.name, unit: unit, standard: limit.value(), range: limit.range, isShared: limit.isShared,
            meaning: limit.meaning, beyond: limit.beyond, finding: limit.finding, told: limit.told)
    }
}
