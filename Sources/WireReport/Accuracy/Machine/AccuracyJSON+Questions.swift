import WireLogs

extension AccuracyJSON {
    /// Head and body of messages by source and direction: sums over the calls of which the source has both.
    mutating func parts() {
        json.beginArray("parts")
        for part in result.parts where result.sources.indices.contains(part.source) {
            json.beginElement()
            json.text("source", result.sources[part.source].id)
            json.text("direction", part.direction.rawValue)
            json.text("part", part.part.rawValue)
            json.integer("calls", part.calls)
            json.integer("exact_calls", part.exactCalls)
            json.integer("truth_total", part.truth)
            json.integer("estimate_total", part.estimate)
            json.integer("error_total", clampedDifference(part.estimate, part.truth))
            json.integer("max", part.maximum)
            json.end()
        }
        json.endArray()
    }

    /// Calls over TLS by source and direction: sizes before and after encryption.
    mutating func encryption() {
        json.beginArray("encryption")
        for row in result.encryption where result.sources.indices.contains(row.source) {
            json.beginElement()
            json.text("source", result.sources[row.source].id)
            json.text("direction", row.direction.rawValue)
            json.integer("calls", row.calls)
            json.integer("estimate_total", row.estimate)
            json.integer("before", row.before)
            json.integer("after", row.after)
            json.end()
        }
        json.endArray()
    }

    /// Rows of logs by host and path, unpaired, beside the capture's messages.
    mutating func screens() {
        json.beginArray("screens")
        for row in result.screens where result.sources.indices.contains(row.source) {
            json.beginElement()
            json.text("source", result.sources[row.source].id)
            json.text("host", row.host)
            json.text("path", row.path)
            for direction in Direction.allCases {
                let side = row[direction]
                json.begin(name: direction.rawValue)
                json.integer("rows", side.rows)
                json.integer("length", side.length)
                json.integer("unread_rows", side.unreadRows)
                json.integer("messages", side.messages)
                json.integer("message_bytes", side.messageBytes)
                json.end()
            }
            json.end()
        }
        json.endArray()
    }
}
