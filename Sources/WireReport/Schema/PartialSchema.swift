import WireComparison

let partialSchema = OutputSchema(
    "partial", version: 1, about: "Exact sums of capture sessions, for wireaudit merge.",
    command: "wireaudit accuracy --format partial",
    fields: [
        .text("version", "Version of wireaudit."),
        .word("report", PartialReport.allCases.map(\.rawValue), "The report that it is a part of."),
        .map(
            "choices", keys: "the name of an option", of: .list(SchemaElement(.text)),
            "What the figures depend on; equal in all parts of a report."),
        .list(
            "sessions",
            of: .object([
                .text("id", "Tells the session from all others: 32 hexadecimal digits."),
                .text("name", "The name given with --session, else the beginning of the id."),
            ]), "The sessions in the sums, by id."),
        .map(
            "columns", keys: "the kind of a row", of: .list(SchemaElement(.text)),
            "Names of the values of such rows, in their order."),
        .list("rows", of: .object(rowFields), "Sums of the ledger, of hosts, APIs, findings, sources and logs."),
        .list("calls", of: .object(callFields), "Sums over calls: what rows of the accuracy are computed from."),
    ])

private let integer = SchemaType.integer(unit: "sum", least: nil)

private let rowFields: [SchemaField] = [
    .word("kind", PartialKind.allCases.map(\.rawValue), "What the row is about."),
    .list("key", of: .text, "Which one, such as the name of an API."),
    .list(
        "values", of: .nullable(SchemaElement(integer)),
        "Sums, of first, last and max the least or greatest value; null where it is not known. Up to 128 bits."),
]

private let callFields: [SchemaField] =
    [
        .text("source", "Id of the source; a log is named by its format."),
        .text("api", "The API. Null: all together.").orNull,
        .word("direction", directionWords, "up: requests, down: responses."),
        causeMap("message_causes", "Error against messages by cause."),
        causeMap("transport", "What separates messages from wire bytes, by cause."),
        causeMap("unseen", "Message bytes of calls that were not recorded, as negative numbers."),
    ]
    + [
        ("coverage", "Calls, message bytes and wire bytes, each of all calls and of those recorded."),
        (
            "message",
            "Errors against messages: both totals, bits of a bucket, least and greatest error, the sum of squares as three words, then key, count and sum of each bucket. Empty without calls."
        ),
        ("wire", "The same of errors against wire bytes."),
        ("message_spread", "Moments of relative errors against messages."),
        ("wire_spread", "Moments of relative errors against wire bytes."),
        ("sizes", "Calls, sum and sum of squares of log2 of their wire bytes."),
        (
            "completed",
            "Completed calls by error: bits dropped, then key, calls, errors, inverse sizes and their squares of each group."
        ),
        ("without_bodies", "The same without what bodies add."), ("failed", "The same of failed calls."),
        ("session_errors", "Like message, of the error of each session in millionths of its messages."),
        ("session_count", "Sessions with such calls."),
        (
            "session_totals",
            "Of recorded calls their number, estimates, messages and wire bytes; of all calls their number, messages and wire bytes."
        ),
        ("sessions", "Below 20 sessions, for each: two halves of its id, and the same sums."),
        (
            "replicates",
            "From 20 sessions on, the same sums of 400 bootstrap replicates: each session counts as often as a Poisson number of mean 1 says, which follows from its id and the number of the replicate."
        ),
    ].map { SchemaField.list($0.0, of: integer, $0.1) }
