import WireComparison
import WireRecords

/// How a session of a fleet is audited.
public struct PlannedSession {
    public typealias Group = (label: String, value: String, file: String)

    let session: FleetSession
    let arguments: [String]
    /// What the session is counted with, and the file for the sums of each.
    let groups: [Group]

    public init(_ session: FleetSession, arguments: [String], groups: [Group]) {
        (self.session, self.arguments, self.groups) = (session, arguments, groups)
    }

    /// As a line of JSON.
    public var line: OutputBuffer { planOutput.json(self) }
}

let planOutput = Output<PlannedSession>(
    "plan", version: 1, about: "How one capture session of a fleet is audited.",
    command: "wireaudit fleet --plan MANIFEST",
    fields: [
        .text("session", "Its name.") { $0.session.name },
        .texts(
            "arguments",
            "Arguments of wireaudit. Behind them come places for results (-o, --records), --, and the captures."
        ) { $0.arguments },
        .texts("captures", "Paths of its captures.") { $0.session.captures },
        .list("groups", of: groupFields, "What the session is counted with, beside its day.") { $0.groups },
        .boolean("has_day", "The manifest has a column day. Else the day is that of the first packet.") { plan in
            plan.session.labels.contains { $0.name == FleetResult.day }
        },
    ])

private let groupFields: [Field<PlannedSession.Group>] = [
    .text("label", "Column of the manifest.") { $0.label }, .text("value", "Its value.") { $0.value },
    .text("file", "Name of the file for the sums of the group, below groups.") { $0.file },
]
