import WireComparison
import WireCore
import WireRecords
import WireStatistics

/// A fleet as one line of JSON, schema `wireaudit.fleet/1`.
public func fleetJSON(_ report: FleetReport) -> OutputBuffer {
    var writer = FleetJSON()
    writer.write(report)
    return writer.json.finished()
}

/// Writes the objects of a fleet, each by a function of its own.
private struct FleetJSON: ~Copyable {
    var json = JSONFields()

    mutating func write(_ report: FleetReport) {
        json.beginElement()
        json.constant("schema", "wireaudit.fleet/1")
        json.text("version", toolVersion)
        json.text("verdict", report.verdict)
        json.integer("sessions", report.fleet.rows.count)
        json.integer("audited", report.audited)
        json.integer("failed", report.failed.count)
        damage(report.fleet)
        json.decimal("false_alarms", FleetComparison.falseAlarms, places: 6)
        json.integer("replicates", MergedSessions.replicates)
        json.integer("fewest_sessions", MergedSessions.fewestSessions)
        json.beginArray("totals")
        for total in report.fleet.total?.totals ?? [] { self.total(total) }
        json.endArray()
        json.beginArray("groups")
        for group in report.fleet.groups {
            json.beginElement()
            json.text("label", group.label)
            json.text("value", group.value)
            json.integer("sessions", group.part.sessions.count)
            json.beginArray("totals")
            for total in group.part.totals { self.total(total) }
            json.endArray()
            cost(group.part.cost)
            json.end()
        }
        json.endArray()
        json.beginArray("changes")
        for change in report.changes { self.change(change) }
        json.endArray()
        json.beginArray("outliers")
        for outlier in report.outliers { self.outlier(outlier) }
        json.endArray()
        json.end()
        json.endLine()
    }

    /// What the captures of all audited sessions lack.
    mutating func damage(_ fleet: FleetResult) {
        let audited = fleet.rows.filter { $0.failure == nil }
        func sum(_ path: KeyPath<CaptureLoss, Int>) -> Int { audited.reduce(0) { $0 &+ $1.damage[keyPath: path] } }
        func known(_ path: KeyPath<CaptureLoss, Int?>) -> Int {
            audited.reduce(0) { $0 &+ ($1.damage[keyPath: path] ?? 0) }
        }
        json.begin("damage")
        for trust in CaptureLoss.Trust.allCases {
            json.integer(name: "\(trust.rawValue)_sessions", audited.count { $0.damage.trust == trust })
        }
        json.integer("damaged_files", sum(\.damagedFiles))
        json.integer("dropped_packets", known(\.droppedPackets))
        json.integer("cut_packets", sum(\.cutPackets))
        json.integer("gaps", sum(\.gaps))
        json.integer("missing_bytes", known(\.missingBytes))
        json.integer("unread_bytes", sum(\.unreadBytes))
        json.end()
    }

    mutating func total(_ total: FleetTotal) {
        json.beginElement()
        json.text("source", total.source)
        json.text("direction", total.direction.rawValue)
        json.integer("sessions", total.sessions)
        json.integer("recorded_calls", total.calls)
        json.decimal("error", total.error, places: 6)
        json.decimal("error_low", total.interval?.low, places: 6)
        json.decimal("error_high", total.interval?.high, places: 6)
        json.decimal("message_per_call", total.message, places: 3)
        json.decimal("wire_per_call", total.wire, places: 3)
        writeSessionQuantiles(total.quantiles, to: &json)
        json.end()
    }

    mutating func cost(_ cost: FleetCost) {
        _ = json.begin("cost", isKnown: true)
        json.integer("bytes", cost.bytes)
        json.integer("exchanges", cost.exchanges)
        json.integer("wire", cost.wire)
        json.integer("encrypted_wire", cost.encrypted)
        json.integer("unread_hosts", cost.unreadHosts)
        json.end()
    }

    mutating func change(_ change: FleetChange) {
        json.beginElement()
        json.text("label", change.label)
        json.text("value", change.value)
        json.text("reference", change.reference)
        json.text("measure", change.measure.rawValue)
        json.text("source", change.source)
        json.text("api", change.api)
        json.text("direction", change.direction.rawValue)
        json.decimal("before", change.before, places: 3)
        json.decimal("after", change.after, places: 3)
        json.decimal("difference", change.difference, places: 3)
        json.decimal("low", change.interval?.low, places: 3)
        json.decimal("high", change.interval?.high, places: 3)
        json.integer("sessions_before", change.sessionsBefore)
        json.integer("sessions_after", change.sessionsAfter)
        json.boolean("significant", change.isSignificant)
        json.end()
    }

    mutating func outlier(_ outlier: FleetOutlier) {
        json.beginElement()
        json.text("session", outlier.session)
        json.text("source", outlier.source)
        json.text("direction", outlier.direction.rawValue)
        json.words("group", outlier.group)
        json.decimal("error", outlier.error, places: 6)
        json.decimal("median", outlier.median, places: 6)
        json.decimal("distance", outlier.distance, places: 1)
        json.end()
    }
}
