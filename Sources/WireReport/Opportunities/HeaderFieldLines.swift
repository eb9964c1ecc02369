import WireCore
import WireOpportunities
import WireRecords

/// What header fields cost, a table for each host. Empty where nobody asked for them.
func headerFieldBlocks(_ rows: [HeaderFieldRow]?) -> [ReportBlock] {
    guard let rows else { return [] }
    let hosts = rows.byHost
    guard !hosts.isEmpty else { return [.sentence("no heads were read")] }
    let blocks = hosts.flatMap { host -> [ReportBlock] in
        [.table(table(host)), .list(host.adviceSentences.map { ReportItem($0) })]
    }
    return blocks + [.sentence(ReportText(headerFieldNote))]
}

/// What the figures of the tables are.
let headerFieldNote = """
    Bytes are those sent: in HTTP/1 a field's line with its end, in HTTP/2 and HTTP/3 what it took of the compressed heads. \
    As text: its line in HTTP/1.
    """

private func table(_ host: HeaderFieldRow) -> ReportTable {
    let columns = HeaderFieldColumns(host)
    func row(_ name: ReportCell, _ cells: [String]) -> [ReportCell] { [name] + cells.map { ReportCell($0) } }
    return ReportTable(
        title: "Header fields of \(name: host.host)",
        columns: [.text("field")] + columns.titles.map { .number($0.lowercased()) },
        rows: host.fields.map { row(ReportCell(name: $0.name), columns.cells($0)) },
        endRows: [row(ReportCell(columns.restName), columns.rest), row("= heads", columns.total)], noun: "name")
}

/// The columns of a host's table, behind the name. Text stands beside what was sent where that was compressed.
struct HeaderFieldColumns {
    let host: HeaderFieldRow
    private let isCompressed: Bool

    init(_ host: HeaderFieldRow) {
        self.host = host
        isCompressed = host.fields.contains { $0.sent != $0.text }
    }

    var titles: [String] {
        isCompressed
            ? ["Requests", "Up", "As text", "Responses", "Down", "As text", "Share"]
            : ["Requests", "Up", "Responses", "Down", "Share"]
    }

    /// What belongs to no field.
    var restName: String { isCompressed ? "rest of the heads" : "start lines, empty lines" }

    func cells(_ field: HeaderFieldRow.Field) -> [String] {
        cells((field.requests, field.responses), field.sent, field.text)
    }

    /// Further fields in one row.
    func cells(_ fields: [HeaderFieldRow.Field]) -> [String] {
        let zero = Directions(up: 0, down: 0)
        return cells(nil, fields.reduce(into: zero) { $0 += $1.sent }, fields.reduce(into: zero) { $0 += $1.text })
    }

    var rest: [String] { cells(nil, host.otherSent, host.other) }
    var total: [String] { cells((host.requests, host.responses), host.sent, host.text) }

    private func cells(
        _ lines: (requests: Int, responses: Int)?, _ sent: Directions<Int>, _ text: Directions<Int>
    ) -> [String] {
        let requests = [lines.map { grouped($0.requests) } ?? "", grouped(sent.up)]
        let responses = [lines.map { grouped($0.responses) } ?? "", grouped(sent.down)]
        let share = [percent(sent.sum, of: host.sent.sum) ?? ""]
        guard isCompressed else { return requests + responses + share }
        return requests + [grouped(text.up)] + responses + [grouped(text.down)] + share
    }
}

extension [HeaderFieldRow] {
    /// The APIs of each host together, those with most bytes as sent first.
    var byHost: [HeaderFieldRow] {
        Dictionary(grouping: self, by: \.host).map { HeaderFieldRow(host: $0.key, $0.value) }
            .filter { $0.requests + $0.responses > 0 }
            .sorted { ($1.sent.sum, $1.text.sum, $0.host) < ($0.sent.sum, $0.text.sum, $1.host) }
    }
}

extension HeaderFieldRow {
    fileprivate init(host: String, _ rows: [HeaderFieldRow]) {
        self.init(api: "", host: host)
        var sums: [String: Field] = [:]
        for row in rows {
            requests += row.requests
            responses += row.responses
            other += row.other
            sent += row.sent
            for field in row.fields { sums[field.name, default: Field(name: field.name)].add(field) }
        }
        fields = sums.values.sorted { $1.isSmaller(than: $0) }
    }

    /// What would save a hundredth of a side's heads or more, the largest saving first, five at most.
    var adviceSentences: [ReportText] {
        let all = fields.flatMap { field in field.advice.map { (field, $0) } }
        return all.filter { $1.saving * 100 >= ($1.isRequest ? sent.up : sent.down) }
            .sorted { ($1.1.saving, $0.0.name) < ($0.1.saving, $1.0.name) }
            .prefix(5).map { $1.sentence($0) }
    }
}

extension HeaderAdvice {
    fileprivate func sentence(_ field: HeaderFieldRow.Field) -> ReportText {
        let sender = isRequest ? "client" : "server"
        let all = isRequest ? field.requests : field.responses
        let times = "\(grouped(lines)) of \(grouped(all))"
        let bytes = counted(saving, "byte")
        return switch kind {
        case .index:
            "\(name: field.name): the \(sender) sends it as text, \(times) times; its dynamic table would save \(bytes)"
        case .plainText:
            "\(name: field.name): the \(sender)'s Huffman coding makes it longer, \(times) times; plain text would save \(bytes)"
        case .spelling:
            """
            \(name: field.name): \(name: better ?? "") means the same and is in the static table: it would save the \(sender) \
            \(bytes), \(times) times
            """
        }
    }
}
