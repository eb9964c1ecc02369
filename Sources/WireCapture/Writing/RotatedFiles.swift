/// Names of the files of one capture: `shop.pcapng` becomes `shop_00001_20261121101530.pcapng`, with the number of the
/// file and the moment (UTC) that it begins at.
struct RotatedFileName {
    private let stem: String
    private let suffix: String

    init(path: String) {
        let name = path.utf8.lastIndex(of: 0x2f).map { path.utf8.index(after: $0) } ?? path.startIndex
        if let dot = path[name...].utf8.lastIndex(of: 0x2e), dot > name {
            stem = String(path[..<dot])
            suffix = String(path[dot...])
        } else {
            stem = path
            suffix = ""
        }
    }

    /// - Parameter attempt: from the second on the name gets another number, for names that are taken.
    func path(number: Int, time: Int64, attempt: Int = 1) -> String {
        let moment = Moment(nanoseconds: time)
        let again = attempt > 1 ? "_\(attempt)" : ""
        return "\(stem)_\(padded(number, 5))_\(moment.digits)\(again)\(suffix)"
    }
}

/// The files that a run has made, as far as it may have to delete them.
struct RotatedFiles {
    private struct Entry {
        var path: String
        var identity: EvidenceFile.Identity
    }

    /// Files that are kept; nil: all.
    let limit: Int?
    private var entries: [Entry] = []
    private(set) var deleted = 0
    /// The latest trouble with deleting, one line.
    private(set) var problem: String?

    init(limit: Int?) {
        self.limit = limit
    }

    /// Takes a new file; the oldest ones go when there are too many.
    mutating func add(_ file: EvidenceFile) {
        guard let limit else { return }
        entries.append(Entry(path: file.path, identity: file.identity))
        while entries.count > max(limit, 1) {
            let oldest = entries.removeFirst()
            if let reason = EvidenceFile.delete(oldest.path, oldest.identity) {
                problem = "\(oldest.path) stays, deleting it failed: \(reason)"
            } else {
                deleted += 1
            }
        }
    }
}

/// A moment in UTC, to the second.
struct Moment {
    private var year: Int64
    private var month: Int64
    private var day: Int64
    private var seconds: Int64

    init(nanoseconds: Int64) {
        let total = Self.floor(nanoseconds, 1_000_000_000)
        let days = Self.floor(total, 86_400)
        seconds = total - days * 86_400
        // Years that begin in March, in cycles of 400 years: the leap day is then the last day of its year.
        let shifted = days + 719_468
        let cycle = Self.floor(shifted, 146_097)
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
    }

    /// `20261121101530`
    var digits: String {
        padded(Int(year), 4) + padded(Int(month), 2) + padded(Int(day), 2)
            + padded(Int(seconds / 3600), 2) + padded(Int(seconds / 60 % 60), 2) + padded(Int(seconds % 60), 2)
    }

    /// `2026-11-21 10:15:30`
    var text: String {
        "\(padded(Int(year), 4))-\(padded(Int(month), 2))-\(padded(Int(day), 2)) "
            + "\(padded(Int(seconds / 3600), 2)):\(padded(Int(seconds / 60 % 60), 2)):\(padded(Int(seconds % 60), 2))"
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value / unit - (value % unit < 0 ? 1 : 0)
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
