import WireComparison
import WireRecords

/// How a session of a fleet is audited, as a line of JSON, schema `wireaudit.plan/1`.
///
/// - Parameter groups: what the session is counted with, and the file for the sums of each.
public func planLine(
    _ session: FleetSession, arguments: [String], groups: [(label: String, value: String, file: String)]
) -> OutputBuffer {
    var json = JSONFields()
    json.beginElement()
    json.constant("schema", "wireaudit.plan/1")
    json.text("session", session.name)
    json.words("arguments", arguments)
    json.words("captures", session.captures)
    json.beginArray("groups")
    for group in groups {
        json.beginElement()
        json.text("label", group.label)
        json.text("value", group.value)
        json.text("file", group.file)
        json.end()
    }
    json.endArray()
    json.boolean("has_day", session.labels.contains { $0.name == FleetResult.day })
    json.end()
    json.endLine()
    return json.finished()
}
