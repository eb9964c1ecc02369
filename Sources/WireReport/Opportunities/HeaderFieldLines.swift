import WireOpportunities
import WireRecords

/// For the audit at a terminal: what header fields cost, a table for each host.
func headerFieldLines(_ rows: [HeaderFieldRow]?, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    guard let rows else { return [] }
    let hosts = HeaderFieldHost.all(rows)
    guard !hosts.isEmpty else { return [style.paint("HEADER FIELDS", .heading), "  no heads were read"] }
    var lines: [String] = []
    for host in hosts.prefix(options.top ?? hosts.count) { lines += table(host, options, style) }
    let text = "bytes as text: a field's line with its end. sent: what the heads cost, in HTTP/2 compressed."
    return lines + wrapped(text, width: style.width, indent: 0)
}

private func table(_ host: HeaderFieldHost, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    var table = TextTable(
        text: "HEADER FIELDS OF \(style.safe(host.name))", numbers: ["requests", "up", "responses", "down", "share"])
    let all = host.text.up + host.text.down
    let shown = host.fields.prefix(options.top ?? host.fields.count)
    for field in shown {
        table.add([
            style.safe(field.name), grouped(field.requests), grouped(field.up), grouped(field.responses),
            grouped(field.down),
            percent(field.up + field.down, of: all) ?? "",
        ])
    }
    let hidden = host.fields.dropFirst(shown.count)
    if !hidden.isEmpty {
        let (up, down) = (hidden.reduce(0) { $0 + $1.up }, hidden.reduce(0) { $0 + $1.down })
        table.add([
            "\(grouped(hidden.count)) more names", "", grouped(up), "", grouped(down),
            percent(up + down, of: all) ?? "",
        ])
    }
    table.add([
        "start lines, empty lines", "", grouped(host.other.up), "", grouped(host.other.down),
        percent(host.other.up + host.other.down, of: all) ?? "",
    ])
    table.add([
        "= as text", grouped(host.requests), grouped(host.text.up), grouped(host.responses), grouped(host.text.down),
        "",
    ])
    if host.sent.up != host.text.up || host.sent.down != host.text.down {
        table.add(["sent", "", grouped(host.sent.up), "", grouped(host.sent.down), ""])
    }
    return table.lines(style)
}

/// The APIs of one host together.
struct HeaderFieldHost {
    var name: String
    var requests = 0
    var responses = 0
    var fields: [HeaderFieldRow.Field] = []
    var other = (up: 0, down: 0)
    var sent = (up: 0, down: 0)
    var text = (up: 0, down: 0)

    /// Those with most bytes first.
    static func all(_ rows: [HeaderFieldRow]) -> [HeaderFieldHost] {
        Dictionary(grouping: rows, by: \.host).map { HeaderFieldHost($0.key, $0.value) }
            .filter { $0.requests + $0.responses > 0 }
            .sorted { ($1.text.up + $1.text.down, $0.name) < ($0.text.up + $0.text.down, $1.name) }
    }

    private init(_ name: String, _ rows: [HeaderFieldRow]) {
        self.name = name
        var sums: [String: HeaderFieldRow.Field] = [:]
        for row in rows {
            requests += row.requests
            responses += row.responses
            (other.up, other.down) = (other.up + row.other.up, other.down + row.other.down)
            (sent.up, sent.down) = (sent.up + row.sent.up, sent.down + row.sent.down)
            (text.up, text.down) = (text.up + row.text.up, text.down + row.text.down)
            for field in row.fields {
                guard var sum = sums[field.name] else {
                    sums[field.name] = field
                    continue
                }
                sum.requests += field.requests
                sum.responses += field.responses
                sum.up += field.up
                sum.down += field.down
                sums[field.name] = sum
            }
        }
        fields = sums.values.sorted { ($1.up + $1.down, $0.name) < ($0.up + $0.down, $1.name) }
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
            side("up", row.requests, row.sent.up, row.text.up, row.other.up)
            side("down", row.responses, row.sent.down, row.text.down, row.other.down)
            beginArray("fields")
            for field in row.fields {
                beginElement()
                text("name", field.name)
                integer("requests", field.requests)
                integer("up", field.up)
                integer("responses", field.responses)
                integer("down", field.down)
                end()
            }
            endArray()
            end()
        }
        endArray()
    }

    private mutating func side(_ name: StaticString, _ messages: Int, _ sent: Int, _ text: Int, _ other: Int) {
        begin(name)
        integer("messages", messages)
        integer("sent", sent)
        integer("text", text)
        integer("other", other)
        end()
    }
}
