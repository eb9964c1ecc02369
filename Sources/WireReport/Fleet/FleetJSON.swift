import WireAccuracy

/// A fleet as one line of JSON, schema `wireaudit.fleet/1`.
public func fleetJSON(_ report: FleetReport) -> OutputBuffer {
    var json = JSONFields()
    json.beginElement()
    json.constant("schema", "wireaudit.fleet/1")
    json.text("version", toolVersion)
    json.text("verdict", report.verdict)
    json.integer("sessions", report.fleet.rows.count)
    json.integer("audited", report.audited)
    json.integer("failed", report.failed.count)
    json.decimal("false_alarms", FleetComparison.falseAlarms, places: 6)
    json.integer("replicates", MergedSessions.replicates)
    json.integer("fewest_sessions", MergedSessions.fewestSessions)
    json.beginArray("totals")
    for total in report.fleet.total?.totals ?? [] { json.total(total) }
    json.endArray()
    json.beginArray("groups")
    for group in report.fleet.groups {
        json.beginElement()
        json.text("label", group.label)
        json.text("value", group.value)
        json.integer("sessions", group.part.sessions.count)
        json.beginArray("totals")
        for total in group.part.totals { json.total(total) }
        json.endArray()
        json.end()
    }
    json.endArray()
    json.beginArray("changes")
    for change in report.changes { json.change(change) }
    json.endArray()
    json.beginArray("outliers")
    for outlier in report.outliers { json.outlier(outlier) }
    json.endArray()
    json.end()
    json.endLine()
    return json.buffer
}

extension JSONFields {
    fileprivate mutating func total(_ total: FleetTotal) {
        beginElement()
        text("source", total.source)
        text("direction", total.direction.rawValue)
        integer("sessions", total.sessions)
        integer("recorded_calls", total.calls)
        decimal("error", total.error, places: 6)
        decimal("error_low", total.interval?.low, places: 6)
        decimal("error_high", total.interval?.high, places: 6)
        decimal("message_per_call", total.message, places: 3)
        decimal("wire_per_call", total.wire, places: 3)
        sessionQuantiles("session_errors", total.quantiles)
        end()
    }

    fileprivate mutating func change(_ change: FleetChange) {
        beginElement()
        text("label", change.label)
        text("value", change.value)
        text("reference", change.reference)
        text("measure", change.measure.rawValue)
        text("source", change.source)
        text("api", change.api)
        text("direction", change.direction.rawValue)
        decimal("before", change.before, places: 3)
        decimal("after", change.after, places: 3)
        decimal("difference", change.difference, places: 3)
        decimal("low", change.interval?.low, places: 3)
        decimal("high", change.interval?.high, places: 3)
        integer("sessions_before", change.sessionsBefore)
        integer("sessions_after", change.sessionsAfter)
        boolean("significant", change.isSignificant)
        end()
    }

    fileprivate mutating func outlier(_ outlier: FleetOutlier) {
        beginElement()
        text("session", outlier.session)
        text("source", outlier.source)
        text("direction", outlier.direction.rawValue)
        decimal("error", outlier.error, places: 6)
        decimal("median", outlier.median, places: 6)
        decimal("distance", outlier.distance, places: 1)
        end()
    }
}

/// A line of JSON for each session, schema `wireaudit.session/1`.
public func fleetSessionLines(_ fleet: FleetResult) -> OutputBuffer {
    var json = JSONFields()
    for row in fleet.rows {
        json.beginElement()
        json.constant("schema", "wireaudit.session/1")
        json.text("session", row.session.name)
        json.text("day", row.day)
        json.beginArray("labels")
        for label in row.session.labels {
            json.beginElement()
            json.text("name", label.name)
            json.text("value", label.value)
            json.end()
        }
        json.endArray()
        json.text("failure", row.failure)
        let isKnown = row.failure == nil
        json.integer("packets", isKnown ? row.packets : nil)
        json.integer("bytes", isKnown ? row.bytes : nil)
        json.integer("exchanges", isKnown ? row.exchanges : nil)
        json.decimal("wire_per_exchange", row.wirePerCall, places: 3)
        json.beginArray("errors")
        for (key, error) in row.errors.sorted(by: { $0.key < $1.key }) {
            json.beginElement()
            json.text("source", key.source)
            json.text("direction", key.direction.rawValue)
            json.decimal("error", error, places: 6)
            json.end()
        }
        json.endArray()
        json.end()
        json.endLine()
    }
    return json.buffer
}
