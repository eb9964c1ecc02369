import WireComparison
import WireCore
import WireRecords

/// A line of JSON for each session, schema `wireaudit.session/1`.
public func sessionLines(_ rows: [FleetRow]) -> OutputBuffer {
    var writer = SessionLines()
    for row in rows { writer.write(row) }
    return writer.json.finished()
}

private struct SessionLines: ~Copyable {
    var json = JSONFields()

    mutating func write(_ row: FleetRow) {
        json.beginElement()
        json.text("schema", FleetRow.schema)
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
        json.decimal("wire_per_exchange", row.wirePerCall, places: FleetRow.wirePlaces)
        damage(row.damage, isKnown: isKnown)
        json.beginArray("errors")
        for (key, error) in row.errors.sorted(by: { $0.key < $1.key }) {
            json.beginElement()
            json.text("source", key.source)
            json.text("direction", key.direction.rawValue)
            json.decimal("error", error, places: FleetRow.errorPlaces)
            json.end()
        }
        json.endArray()
        json.end()
        json.endLine()
    }

    private mutating func damage(_ damage: CaptureLoss, isKnown: Bool) {
        guard json.begin("damage", isKnown: isKnown) else { return }
        json.text("trust", damage.trust.rawValue)
        json.integer("damaged_files", damage.damagedFiles)
        json.integer("dropped_packets", damage.droppedPackets)
        json.integer("cut_packets", damage.cutPackets)
        json.integer("gaps", damage.gaps)
        json.integer("missing_bytes", damage.missingBytes)
        json.integer("unread_bytes", damage.unreadBytes)
        json.end()
    }
}
