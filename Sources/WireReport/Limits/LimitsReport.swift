import WireCore
import WireRecords

/// A limit of the program as a reader is told of it.
public struct LimitRow: Sendable {
    public enum Unit: String, CaseIterable, Sendable {
        case count, bytes, nanoseconds
    }

    public var name: String
    public var unit: Unit
    /// What it is without an option.
    public var standard: Int
    /// What it can be.
    public var range: ClosedRange<Int>
    /// Shared out equally among the parts of the connections.
    public var isShared: Bool
    public var meaning: String
    /// What is done beyond it.
    public var beyond: String
    /// What is said then; nil where no finding is.
    public var finding: FindingCode?
    /// Where that is to be seen without a finding.
    public var told: String?

    public init(
        name: String, unit: Unit, standard: Int, range: ClosedRange<Int>, isShared: Bool, meaning: String,
        beyond: String, finding: FindingCode?, told: String?
    ) {
        self.name = name
        self.unit = unit
        self.standard = standard
        self.range = range
        self.isShared = isShared
        self.meaning = meaning
        self.beyond = beyond
        self.finding = finding
        self.told = told
    }

    /// A value of the limit, so that `--limit` reads it again: `65,536` without its commas, `4 MiB` and `10 min` without
    /// the space.
    public func words(_ value: Int) -> String {
        switch unit {
        case .count: grouped(value)
        case .bytes: inUnits(value, [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)], "B")
        case .nanoseconds:
            inUnits(
                value / 1_000_000,
                [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000)], "ms")
        }
    }

    /// In the largest unit that leaves no rest.
    private func inUnits(_ value: Int, _ units: [(name: String, size: Int)], _ smallest: String) -> String {
        for unit in units where value >= unit.size && value % unit.size == 0 {
            return "\(grouped(value / unit.size)) \(unit.name)"
        }
        return "\(grouped(value)) \(smallest)"
    }

    /// How a reader of the output learns that it was reached.
    public var said: String { finding.map { "finding " + $0.code } ?? told ?? "" }
}

/// The limits as a table for a person.
public func limitsText(_ rows: [LimitRow], style: TerminalStyle) -> OutputBuffer {
    let names = rows.reduce(0) { max($0, displayWidth($1.name)) } + 2
    let values = rows.reduce(0) { max($0, displayWidth($1.words($1.standard))) }
    let heading = padded("LIMIT", names, right: false) + padded("default", values, right: true) + "  applies to"
    var lines = [style.paint(heading, .heading)]
    let indent = String(repeating: " ", count: names + values + 2)
    let room = max(style.width - indent.utf8.count, 24)
    for row in rows {
        let meaning = row.meaning + (row.isShared ? " (shared)" : "")
        let told = wrapped(meaning, width: room, indent: 0)
        let beyond = wrapped("beyond: \(row.beyond); reported by: \(row.said)", width: room, indent: 2)
        let start =
            padded(row.name, names, right: false) + padded(row.words(row.standard), values, right: true) + "  "
        lines.append(start + (told.first ?? ""))
        lines += told.dropFirst().map { indent + $0 }
        lines += beyond.map { style.paint(indent + $0, .faint) }
    }
    let hint = """
        --limit NAME=VALUE sets a limit. A shared limit is divided equally among the \(AuditOptions.shardCount) shards of \
        the connections.
        """
    return textBuffer([lines, wrapped(hint, width: style.width, indent: 0)], style)
}

/// The limits as one line of JSON.
public func limitsJSON(_ rows: [LimitRow]) -> OutputBuffer { limitsOutput.json(rows) }

let limitsOutput = Output<[LimitRow]>(
    "limits", version: 1, about: "Limits of memory and time.", command: "wireaudit limits --format json",
    fields: [
        .text("version", "Version of wireaudit.") { _ in toolVersion },
        .list("limits", of: limitFields, "By subject.") { $0 },
    ])

private let limitFields: [Field<LimitRow>] = [
    .text("name", "Name for --limit.") { $0.name }, .word("unit", "Unit of the values.") { $0.unit },
    .count("default", "Value without the option.", of: "see unit") { $0.standard },
    .count("least", "Least value.", of: "see unit") { $0.range.lowerBound },
    .count("most", "Greatest value.", of: "see unit") { $0.range.upperBound },
    .count("parts", "Equal parts that share it.") { $0.isShared ? AuditOptions.shardCount : 1 },
    .text("meaning", "What is limited.") { $0.meaning }, .text("beyond", "What happens beyond it.") { $0.beyond },
    .text("finding", "Code of the finding that reports it.") { $0.finding?.code }.orNull,
    .text("told", "Where else it is reported.") { $0.told }.orNull,
]
