import WireCore
import WireOpportunities
import WireRecords

/// A part of a report on opportunities with the choices of the report.
struct OpportunityRow<Value> {
    let value: Value
    let options: ReportOptions
}

let opportunityFields: [Field<OpportunityRow<OpportunityReport>>] = [
    .bytes("computed_total", "What all computed ones save if applied together.") { $0.value.computedTotal },
    .bytes("wire", "All IP bytes of the capture: what shares are of.") { $0.value.wire },
    .count("unread_calls", "Calls whose messages are incomplete: they were not looked at.") { $0.value.unreadCalls },
    .list("items", of: itemFields, "By bytes, largest first. Reports for people describe the first seven.") { report in
        report.value.opportunities.map { OpportunityRow(value: $0, options: report.options) }
    },
]

private let itemFields: [Field<OpportunityRow<Opportunity>>] = [
    .word("kind", "What would have to change.") { $0.value.kind },
    .text("title", "The same as a heading.") { $0.value.kind.title },
    .text("explanation", "What was seen, and what the figure assumes.") { $0.value.explanation },
    .boolean("computed", "From captured bytes. False: an estimate, which is in no sum.") { $0.value.isComputed },
    .bytes("bytes", "IP bytes that would have been saved, both directions, without packets that only acknowledge.") {
        $0.value.bytes
    },
    .count("count", "Calls, or connections where the kind is about connections.") { $0.value.count },
    .list("subjects", of: subjectFields, "By bytes, largest first, five at most.") { $0.value.subjects },
    .count("further_subjects", "Subjects that are not listed.") { $0.value.furtherSubjects },
    .list("parts", of: partFields, "Calls or connections, by bytes, largest first, 1,000 at most.") { item in
        item.value.parts.prefix(Opportunity.mostListed).map { OpportunityRow(value: $0, options: item.options) }
    },
    .count("further_parts", "Part of count that is not in parts.") {
        $0.value.further(behind: Opportunity.mostListed).count
    },
    .difference("further_bytes", "Part of bytes that is not in parts.") {
        $0.value.further(behind: Opportunity.mostListed).bytes
    },
]

private let subjectFields: [Field<Opportunity.Subject>] = [
    .text("name", "API or host.") { $0.name }, .bytes("bytes", "Its part of bytes.") { $0.bytes },
    .count("count", "Its part of count.") { $0.count },
]

private let partFields: [Field<OpportunityRow<Opportunity.Part>>] = [
    .count("connection", "Its connection, as in wireaudit.exchange and .connection.", of: "index") {
        $0.value.connection
    },
    .count(
        "exchange", "Its number in the connection; null: set-up and closing of the connection.", of: "index"
    ) { $0.value.exchange }.orNull,
    .moment("time", "First byte of the exchange or the connection.") { $0.value.time },
    .wireText("host", "Host of the request; of a connection its name.") {
        $0.value.host.isEmpty ? nil : $0.value.host
    }.orNull,
    .wireText("path", "Path of the target, without query.") { $0.options.redacted(path: $0.value.path) }.orNull,
    .wireText("query", "Query of the target, without the question mark.") {
        $0.options.redacted(query: $0.value.query)
    }.orNull,
    .bytes("bytes", "Its part of bytes.") { $0.value.bytes },
]
