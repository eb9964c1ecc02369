import WireAccuracy

extension JSONFields {
    /// Head and body of messages by source and direction: sums over the calls of which the source has both.
    mutating func parts(_ result: AccuracyResult) {
        beginArray("parts")
        for part in result.parts where result.sources.indices.contains(part.source) {
            beginElement()
            text("source", result.sources[part.source].id)
            text("direction", part.direction.rawValue)
            text("part", part.part.rawValue)
            integer("calls", part.calls)
            integer("exact_calls", part.exactCalls)
            integer("truth_total", part.truth)
            integer("estimate_total", part.estimate)
            integer("error_total", clampedDifference(part.estimate, part.truth))
            integer("max", part.maximum)
            end()
        }
        endArray()
    }

    /// Calls over TLS by source and direction: sizes before and after encryption.
    mutating func encryption(_ result: AccuracyResult) {
        beginArray("encryption")
        for row in result.encryption where result.sources.indices.contains(row.source) {
            beginElement()
            text("source", result.sources[row.source].id)
            text("direction", row.direction.rawValue)
            integer("calls", row.calls)
            integer("estimate_total", row.estimate)
            integer("before", row.before)
            integer("after", row.after)
            end()
        }
        endArray()
    }

    /// Rows of logs by host and path, unpaired, beside the capture's messages.
    mutating func screens(_ result: AccuracyResult) {
        beginArray("screens")
        for row in result.screens where result.sources.indices.contains(row.source) {
            beginElement()
            text("source", result.sources[row.source].id)
            text("host", row.host)
            text("path", row.path)
            for direction in Direction.allCases {
                let side = row[direction]
                begin(name: direction.rawValue)
                integer("rows", side.rows)
                integer("length", side.length)
                integer("messages", side.messages)
                integer("message_bytes", side.messageBytes)
                end()
            }
            end()
        }
        endArray()
    }
}
