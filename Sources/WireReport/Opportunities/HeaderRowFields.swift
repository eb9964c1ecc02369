import WireCore
import WireOpportunities
import WireRecords

/// `header_fields` of an audit, by API; null where they were not asked for.
func headerFieldsField<Row>(_ get: @escaping @Sendable (Row) -> [HeaderFieldRow]?) -> Field<Row> {
    Field(
        "header_fields", .list(SchemaElement(.object(rowFields.map(\.schema)))),
        "What header fields cost, by API, those with most bytes as sent first; null without --headers.",
        isNullable: true,
        .nested { row, name, json in
            guard let rows = get(row) else { return json.text(name, nil as String?) }
            json.list(name, rowFields, of: rows)
        })
}

private let rowFields: [Field<HeaderFieldRow>] = [
    .text("api", "The API.") { $0.api }, .text("host", "Its host.") { $0.host },
    .object("up", "Requests.", sideFields) { HeaderSide($0, $0.requests, \.up) },
    .object("down", "Responses.", sideFields) { HeaderSide($0, $0.responses, \.down) },
    .list("fields", of: lineFields, "By bytes as sent, largest first.") { $0.fields },
]

private struct HeaderSide {
    let messages: Int
    let sent: Int
    let otherSent: Int
    let text: Int
    let other: Int

    init(_ row: HeaderFieldRow, _ messages: Int, _ side: KeyPath<Directions<Int>, Int>) {
        self.messages = messages
        (sent, otherSent) = (row.sent[keyPath: side], row.otherSent[keyPath: side])
        (text, other) = (row.text[keyPath: side], row.other[keyPath: side])
    }
}

private let sideFields: [Field<HeaderSide>] = [
    .count("messages", "Messages whose heads were read.") { $0.messages },
    .bytes(
        "sent", "Their heads as sent, with interim responses and in HTTP/2 and HTTP/3 trailers; compressed there."
    ) { $0.sent },
    .bytes(
        "other_sent",
        "Part of sent that is of no field: start lines, empty lines and interim responses of HTTP/1, prefixes of HTTP/3, what could not be read."
    ) { $0.otherSent },
    .bytes("text", "Their heads as text: in HTTP/2 and HTTP/3 as HTTP/1 would spell them.") { $0.text },
    .bytes("other", "Part of text: start lines, empty lines, and what is no field.") { $0.other },
]

private let lineFields: [Field<HeaderFieldRow.Field>] = [
    .text("name", "Name of the field, in lower case; :authority of HTTP/2 and HTTP/3 is host.") { $0.name },
    .count("requests", "Lines in requests.") { $0.requests },
    .bytes("up_sent", "What they took of the heads as sent.") { $0.sent.up },
    .bytes("up", "Bytes of these lines as text; 0 for pseudo-header fields, which are start lines there.") {
        $0.text.up
    },
    .count("responses", "Lines in responses.") { $0.responses },
    .bytes("down_sent", "What they took of the heads as sent.") { $0.sent.down },
    .bytes("down", "Bytes of these lines as text.") { $0.text.down },
    .list("advice", of: adviceFields, "What would make it smaller, the largest saving first.") { $0.advice },
]

private let adviceFields: [Field<HeaderAdvice>] = [
    .word(
        "kind",
        "index: the dynamic table could have held it; plain-text: Huffman coding made it longer; spelling: another spelling is in the static table."
    ) { $0.kind },
    .word("sender", ["client", "server"], "Who would have to change it.") { $0.isRequest ? "client" : "server" },
    .count("lines", "Lines that it is about.") { $0.lines },
    .bytes("saving", "Bytes that they would have taken fewer.") { $0.saving },
    .text("better", "The spelling that is in the static table; null for other kinds.") { $0.better }.orNull,
]
