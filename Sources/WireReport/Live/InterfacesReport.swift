import WireCore
import WireRecords

/// What a capture can be taken on, as the system tells it.
public struct InterfaceRow: Sendable, Equatable {
    public var name: String
    /// What the system calls it besides its name.
    public var description: String?
    public var addresses: [String] = []
    /// How its frames can begin, the usual way first; empty where the system does not say.
    public var linkTypes: [LinkType] = []
    public var isUp = false
    public var isRunning = false
    public var isLoopback = false
    public var isWireless = false
    /// Whether this user may capture on it.
    public var mayCapture = false
    /// Why not, in the system's words.
    public var problem: String?

    public init(name: String) { self.name = name }
}

/// The interfaces as a table for a person.
/// - Parameter remedy: the command that grants what is missing; nil where nothing is known to help.
public func interfacesText(_ list: [InterfaceRow], style: TerminalStyle, remedy: String? = nil) -> OutputBuffer {
    let table = InterfaceTable(list: list, style: style)
    return textBuffer([table.lines(), table.hints(remedy: remedy)], style)
}

/// The interfaces as one line of JSON.
public func interfacesJSON(_ list: [InterfaceRow], remedy: String? = nil) -> OutputBuffer {
    interfacesOutput.json((list, remedy))
}

let interfacesOutput = Output<(list: [InterfaceRow], remedy: String?)>(
    "interfaces", version: 1, about: "Interfaces that can be captured on.",
    command: "wireaudit interfaces --format json",
    fields: [
        .text("version", "Version of wireaudit.") { _ in toolVersion },
        .list("interfaces", of: interfaceFields, "As the system lists them.") { $0.list },
        .text("remedy", "Command that grants what is missing.") { row in
            row.list.contains { !$0.mayCapture } ? row.remedy : nil
        }.orNull,
    ])

private let interfaceFields: [Field<InterfaceRow>] = [
    .text("name", "Name for live.") { $0.name },
    .text("description", "As the system describes it.") { $0.description }.orNull,
    .texts("addresses", "Addresses.") { $0.addresses },
    .texts("link_types", "Link types, the usual one first.") { $0.linkTypes.map(\.name) },
    .boolean("up", "It is up.") { $0.isUp }, .boolean("running", "It has a link.") { $0.isRunning },
    .boolean("loopback", "It is loopback.") { $0.isLoopback },
    .boolean("wireless", "It is wireless.") { $0.isWireless },
    .boolean("may_capture", "This user may capture on it.") { $0.mayCapture },
    .text("problem", "Reason why this user may not capture on it.") { $0.problem }.orNull,
]

/// Name, state, link type and what else is known, which takes as many lines as it needs.
private struct InterfaceTable {
    let list: [InterfaceRow]
    let style: TerminalStyle

    func lines() -> [String] {
        guard !list.isEmpty else { return ["There is no interface to capture on."] }
        let cells = list.map { [style.safe($0.name), state($0), $0.mayCapture ? "yes" : "no", linkType($0)] }
        let titles = ["INTERFACE", "state", "capture", "link type"]
        let widths = titles.indices.map { column in
            min(cells.reduce(displayWidth(titles[column])) { max($0, displayWidth($1[column])) }, 24)
        }
        let indent = widths.reduce(0) { $0 + $1 + 2 }
        let room = style.width - indent
        var lines = [style.paint(joined(titles, widths) + (room < 24 ? "" : "addresses"), .heading)]
        for (row, cells) in zip(list, cells) {
            let start = joined(cells, widths)
            // Where there is no room beside them, the rest goes below.
            let rest = details(row).flatMap { wrapped($0, width: room < 24 ? style.width - 2 : room, indent: 0) }
            let first = room < 24 ? "" : rest.first ?? ""
            let indent = String(repeating: " ", count: room < 24 ? 2 : indent)
            let lists = [start + first] + rest.dropFirst(room < 24 ? 0 : 1).map { indent + $0 }
            lines += row.mayCapture ? lists : lists.map { style.paint($0, .faint) }
        }
        return lines
    }

    private func joined(_ cells: [String], _ widths: [Int]) -> String {
        zip(cells, widths).reduce("") { text, cell in
            text + padded(shortened(cell.0, to: cell.1, ellipsis: style.ellipsis), cell.1, right: false) + "  "
        }
    }

    private func state(_ row: InterfaceRow) -> String {
        if !row.isUp { return "down" }
        return row.isRunning ? "up" : "up, no link"
    }

    private func linkType(_ row: InterfaceRow) -> String {
        row.linkTypes.first?.commonName ?? style.dash
    }

    /// Addresses, then in words what it is.
    private func details(_ row: InterfaceRow) -> [String] {
        var words: [String] = []
        if row.isLoopback { words.append("loopback") }
        if row.isWireless { words.append("wireless") }
        if let description = row.description { words.append(style.safe(description)) }
        return [row.addresses.map(style.safe).joined(separator: " "), words.joined(separator: ", ")]
            .filter { !$0.isEmpty }
    }

    /// Each reason once, and what helps.
    func hints(remedy: String?) -> [String] {
        let barred = list.filter { !$0.mayCapture }
        guard !barred.isEmpty else { return [] }
        var lines: [String] = []
        var reasons: Set<String> = []
        for row in barred {
            guard let problem = row.problem, reasons.insert(problem).inserted else { continue }
            let count = barred.count { $0.problem == problem }
            let subject = count == 1 ? style.safe(row.name) : counted(count, "interface")
            lines += wrapped("! \(subject): \(style.safe(problem))", width: style.width, indent: 2)
        }
        lines = lines.map { style.paint($0, .warning) }
        // A command is to be copied: it stays in one line.
        if let remedy { lines += ["To get permission to capture:", "  " + style.safe(remedy)] }
        return lines
    }
}
