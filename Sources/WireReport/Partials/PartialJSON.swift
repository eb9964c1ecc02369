import WireAccuracy
import WireComparison
import WireEstimates
import WireRecords

/// A partial result as one line of JSON, schema `wireaudit.partial/1`: exact sums that `merge` adds up. Equal results
/// have equal bytes.
public func partialJSON(_ result: PartialResult) -> OutputBuffer {
    var report = PartialJSON()
    report.write(result)
    return report.json.finished()
}

/// Writes the objects of a partial result, each by a function of its own.
private struct PartialJSON: ~Copyable {
    var json = JSONFields()

    mutating func write(_ result: PartialResult) {
        json.beginElement()
        json.text("schema", PartialResult.schema)
        json.text("version", toolVersion)
        json.text("report", result.report.rawValue)
        json.begin("choices")
        for (name, words) in result.choices.sorted(by: { $0.key < $1.key }) { json.words(name: name, words) }
        json.end()
        json.beginArray("sessions")
        for (id, name) in result.sessions.sorted(by: { $0.key < $1.key }) {
            json.beginElement()
            json.text("id", id.text)
            json.text("name", name)
            json.end()
        }
        json.endArray()
        rows(result)
        json.beginArray("calls")
        for (key, sums) in result.calls.sorted(by: { $0.key < $1.key }) { calls(key, sums) }
        json.endArray()
        json.end()
        json.endLine()
    }

    private mutating func rows(_ result: PartialResult) {
        json.begin("columns")
        for kind in PartialKind.allCases { json.words(name: kind.rawValue, kind.columnNames) }
        json.end()
        json.beginArray("rows")
        for (key, row) in result.rows.sorted(by: { $0.key < $1.key }) {
            json.beginElement()
            json.text("kind", key.kind.rawValue)
            json.words("key", key.names)
            json.exactIntegers(name: "values", row.values)
            json.end()
        }
        json.endArray()
    }

    private mutating func calls(_ key: CallKey, _ sums: CallSums) {
        json.beginElement()
        json.text("source", key.source)
        json.text("api", key.api)
        json.text("direction", key.direction.rawValue)
        for (name, ledger) in sums.causes {
            json.begin(name: name)
            for post in ledger.posts { json.integer(name: post.cause.name, post.bytes) }
            json.end()
        }
        for (name, values) in sums.integers { json.exactIntegers(name: name, values) }
        json.end()
    }
}
