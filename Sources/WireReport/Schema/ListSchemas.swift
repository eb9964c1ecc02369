/// Lists of what the program knows and may do.
enum ListSchemas {
    static let estimators = OutputSchema(
        "estimators", version: 1, about: "The estimators that can be simulated.",
        command: "wireaudit estimators --format json",
        fields: [
            .text("version", "Version of wireaudit."),
            .list(
                "estimators",
                of: .object([
                    .text("id", "Id for --estimators."), .list("aliases", of: .text, "Other ids."),
                    .text("title", "Display name."),
                    .boolean("simulated", "It can be simulated from packets."),
                    .text("evidence", "How its formula is known."), .text("source", "Reference."),
                    .text("sees", "What it sees."),
                    .text("cannot_see", "What it cannot see."), .text("counts", "What it counts."),
                    .list("parameters", of: .object(parameterFields), "Parameters."),
                ]), "By id."),
        ])

    static let interfaces = OutputSchema(
        "interfaces", version: 1, about: "Interfaces that can be captured on.",
        command: "wireaudit interfaces --format json",
        fields: [
            .text("version", "Version of wireaudit."),
            .list(
                "interfaces",
                of: .object([
                    .text("name", "Name for live."), .text("description", "As the system describes it.").orNull,
                    .list("addresses", of: .text, "Addresses."),
                    .list("link_types", of: .text, "Link types, the usual one first."),
                    .boolean("up", "It is up."), .boolean("running", "It has a link."),
                    .boolean("loopback", "It is loopback."),
                    .boolean("wireless", "It is wireless."), .boolean("may_capture", "This user may capture on it."),
                    .text("problem", "Reason why this user may not capture on it.").orNull,
                ]), "As the system lists them."),
            .text("remedy", "Command that grants what is missing.").orNull,
        ])

    static let limits = OutputSchema(
        "limits", version: 1, about: "Limits of memory and time.", command: "wireaudit limits --format json",
        fields: [
            .text("version", "Version of wireaudit."),
            .list(
                "limits",
                of: .object([
                    .text("name", "Name for --limit."),
                    .word("unit", ["count", "bytes", "nanoseconds"], "Unit of the values."),
                    .count("default", "Value without the option.", of: "see unit"),
                    .count("least", "Least value.", of: "see unit"),
                    .count("most", "Greatest value.", of: "see unit"), .count("parts", "Equal parts that share it."),
                    .text("meaning", "What is limited."), .text("beyond", "What happens beyond it."),
                    .text("finding", "Code of the finding that reports it.").orNull,
                    .text("told", "Where else it is reported.").orNull,
                ]), "By subject."),
        ])
}

extension ListSchemas {
    static let doctor = OutputSchema(
        "doctor", version: 1, about: "Whether the files of a session fit, and what each report can say.",
        command: "wireaudit doctor --format json",
        fields: [
            .list(
                "files",
                of: .object([
                    .text("path", "Path."),
                    .word("kind", SessionCheckup.File.Kind.allCases.map(\.rawValue), "What it is, by its content."),
                    .text("note", "Format of a log; why it is nothing that is known.").orNull,
                ]), "Files that were looked at."),
            .list("parts", of: .object(checkupFields), "What a session consists of."),
            .list("reports", of: .object(checkupFields), "What reports can say of it; empty without a capture."),
        ])
}

private let checkupFields: [SchemaField] = [
    .text("name", "The part, or the report."),
    .word("grade", SessionCheckup.Grade.allCases.map(\.rawValue), "ready, partly or missing."),
    .text("words", "What was found."), .text("advice", "What to do; null where nothing is.").orNull,
]

private let parameterFields: [SchemaField] = [
    .text("name", "Name."), .list("values", of: .text, "Possible values."),
    .text("default", "Value without a choice.").orNull,
    .text("meaning", "What it changes."),
]
