import WireCore
import WireOpportunities
import WireRecords

/// For the audit at a terminal: what header fields cost, a table for each host.
func headerFieldLines(_ rows: [HeaderFieldRow]?, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    guard let rows else { return [] }
    let hosts = rows.byHost
    guard !hosts.isEmpty else { return [style.paint("HEADER FIELDS", .heading), "  no heads were read"] }
    var lines: [String] = []
    for host in hosts.prefix(options.top ?? hosts.count) {
        lines += table(host, options, style)
        for advice in host.adviceSentences {
            lines += wrapped("→ " + style.safe(advice), width: style.width, indent: 2)
        }
    }
    return lines + wrapped(headerFieldNote, width: style.width, indent: 0)
}

/// What the figures of the tables are.
let headerFieldNote = """
    Bytes are those sent: in HTTP/1 a field's line with its end, in HTTP/2 and HTTP/3 what it took of the compressed heads. \
    As text: its line in HTTP/1.
    """

private func table(_ host: HeaderFieldRow, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    let columns = HeaderFieldColumns(host)
    var table = TextTable(
        text: "HEADER FIELDS OF \(style.safe(host.host))", numbers: columns.titles.map { $0.lowercased() })
    let shown = host.fields.prefix(options.top ?? host.fields.count)
    for field in shown { table.add([style.safe(field.name)] + columns.cells(field)) }
    let hidden = host.fields.dropFirst(shown.count)
    if !hidden.isEmpty { table.add(["\(grouped(hidden.count)) more names"] + columns.cells(Array(hidden))) }
    table.add([columns.restName] + columns.rest)
    table.add(["= heads"] + columns.total)
    return table.lines(style)
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
    var adviceSentences: [String] {
        let all = fields.flatMap { field in field.advice.map { (field, $0) } }
        return all.filter { $1.saving * 100 >= ($1.isRequest ? sent.up : sent.down) }
            .sorted { ($1.1.saving, $0.0.name) < ($0.1.saving, $1.0.name) }
            .prefix(5).map { $1.sentence($0) }
    }
}

extension HeaderAdvice {
    fileprivate func sentence(_ field: HeaderFieldRow.Field) -> String {
        let sender = isRequest ? "client" : "server"
        let all = isRequest ? field.requests : field.responses
        let times = "\(grouped(lines)) of \(grouped(all))"
        let bytes = counted(saving, "byte")
        return switch kind {
        case .index:
            "\(field.name): the \(sender) sends it as text, \(times) times; its dynamic table would save \(bytes)"
        case .plainText:
            "\(field.name): the \(sender)'s Huffman coding makes it longer, \(times) times; plain text would save \(bytes)"
        case .spelling:
            "\(field.name): \u{201C}\(better ?? "")\u{201D} means the same and is in the static table: it would save "
                + "the \(sender) \(bytes), \(times) times"
        }
    }
}

extension JSONFields {
    /// `header_fields` of an audit, by API; null where they were not asked for.
    mutating func headerFields(_ rows: [HeaderFieldRow]?) {
        guard let rows else { return text("header_fields", nil as String?) }
        beginArray("header_fields")
        for row in rows {
            beginElement()
            text("api", row.api)
            text("host", row.host)
            side("up", row, row.requests, \.up)
            side("down", row, row.responses, \.down)
            beginArray("fields")
            for item in row.fields { field(item) }
            endArray()
            end()
        }
        endArray()
    }

    private mutating func side(
        _ name: StaticString, _ row: HeaderFieldRow, _ messages: Int, _ side: KeyPath<Directions<Int>, Int>
    ) {
        begin(name)
        integer("messages", messages)
        integer("sent", row.sent[keyPath: side])
        integer("other_sent", row.otherSent[keyPath: side])
        integer("text", row.text[keyPath: side])
        integer("other", row.other[keyPath: side])
        end()
    }

    private mutating func field(_ field: HeaderFieldRow.Field) {
        beginElement()
        text("name", field.name)
        integer("requests", field.requests)
        integer("up_sent", field.sent.up)
        integer("up", field.text.up)
        integer("responses", field.responses)
        integer("down_sent", field.sent.down)
        integer("down", field.text.down)
        beginArray("advice")
        for advice in field.advice {
            beginElement()
            text("kind", advice.kind.rawValue)
            text("sender", advice.isRequest ? "client" : "server")
            integer("lines", advice.lines)
            integer("saving", advice.saving)
            text("better", advice.better)
            end()
        }
        endArray()
        end()
    }
}
