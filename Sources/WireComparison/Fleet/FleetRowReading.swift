import WireAccuracy
import WireCore
import WireLogs

extension FleetRow {
    /// The rows that `sessionLines` wrote, in their order; labels are those of a manifest and are not read.
    ///
    /// - Parameter pieces: gives the next bytes of the lines, nil at their end.
    public static func read(lines pieces: @escaping () -> [UInt8]?) throws(PartialError) -> [FleetRow] {
        var lines = LineReader(limit: JSONReader.standardTextLimit, pieces: pieces)
        var line: [UInt8] = []
        var rows: [FleetRow] = []
        while lines.next(into: &line) {
            guard !line.isEmpty else { continue }
            do throws(BaselineReader.Problem) {
                var reader = BaselineReader(JSONReader(line))
                rows.append(try reader.fleetRow())
                try reader.end()
            } catch {
                throw PartialError(message: "line \(lines.number) is no line of a session: \(error.what)")
            }
        }
        return rows
    }
}

extension BaselineReader {
    fileprivate mutating func fleetRow() throws(Problem) -> FleetRow {
        var row = FleetRow(FleetSession(name: ""))
        var schema: String?
        try object { (reader, name) throws(Problem) in
            switch name {
            case "schema": schema = try reader.string()
            case "session": row.session.name = try reader.string()
            case "failure": row.failure = try reader.optionalString()
            case "day": row.day = try reader.optionalString()
            case "packets": row.packets = try reader.count() ?? 0
            case "bytes": row.bytes = try reader.count() ?? 0
            case "exchanges": row.exchanges = try reader.count() ?? 0
            case "wire_per_exchange": row.wirePerCall = try reader.number()
            case "errors": row.errors = try reader.errors()
            case "damage": row.damage = try reader.damage()
            default: try reader.skip()
            }
        }
        guard schema == FleetRow.schema else { throw problem("its schema is not \(FleetRow.schema)") }
        guard !row.session.name.isEmpty else { throw problem("it names no session") }
        return row
    }

    private mutating func count() throws(Problem) -> Int? {
        guard let value = try exactInteger() else { return nil }
        guard let count = Int(exactly: value), count >= 0 else { throw problem("expected a count") }
        return count
    }

    private mutating func errors() throws(Problem) -> [CallKey: Double] {
        var errors: [CallKey: Double] = [:]
        try array { (reader) throws(Problem) in
            var key = CallKey(source: "", api: nil, direction: .up)
            var error: Double?
            try reader.object { (reader, name) throws(Problem) in
                switch name {
                case "source": key.source = try reader.string()
                case "direction": key.direction = try reader.string() == "up" ? .up : .down
                case "error": error = try reader.number()
                default: try reader.skip()
                }
            }
            errors[key] = error
        }
        return errors
    }

    private mutating func damage() throws(Problem) -> CaptureLoss {
        var damage = CaptureLoss()
        try optionalObject { (reader, name) throws(Problem) in
            switch name {
            case "damaged_files": damage.damagedFiles = try reader.count() ?? 0
            case "dropped_packets": damage.droppedPackets = try reader.count()
            case "cut_packets": damage.cutPackets = try reader.count() ?? 0
            case "gaps": damage.gaps = try reader.count() ?? 0
            case "missing_bytes": damage.missingBytes = try reader.count()
            case "unread_bytes": damage.unreadBytes = try reader.count() ?? 0
            default: try reader.skip()
            }
        }
        return damage
    }
}
