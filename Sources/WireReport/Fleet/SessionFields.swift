import WireAccuracy
import WireComparison
import WireCore
import WireLogs
import WireRecords

/// A line of JSON for each session.
public func sessionLines(_ rows: [FleetRow]) -> OutputBuffer {
    var json = JSONFields()
    for row in rows { sessionOutput.write(row, to: &json) }
    return json.finished()
}

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
            var row = FleetRow(FleetSession(name: ""))
            do throws(OwnFileReader.Problem) {
                try sessionOutput.read(JSONReader(line), into: &row)
                guard !row.session.name.isEmpty else { throw OwnFileReader.Problem(what: "it names no session") }
            } catch {
                throw PartialError(message: "line \(lines.number) is no line of a session: \(error.what)")
            }
            rows.append(row)
        }
        return rows
    }
}

let sessionOutput = Output<FleetRow>(
    "session", version: 1, about: "One capture session of a fleet.", command: "wireaudit fleet MANIFEST -o FOLDER",
    fields: [
        .text("session", "Its name.") { $0.session.name }.reading(\.session.name),
        .text("day", "Day of its first packet by UTC.") { $0.day }.orNull.reading(\.day),
        .list("labels", of: labelFields, "What it is told apart by.") { $0.session.labels },
        .text("failure", "Why it could not be audited; null where it was.") { $0.failure }.orNull
            .reading(\.failure),
        .count("packets", "Packets.") { $0.known($0.packets) }.orNull.reading(\.packets),
        .bytes("bytes", "Sum of the original lengths of the packets.") { $0.known($0.bytes) }.orNull.reading(\.bytes),
        .count("exchanges", "HTTP exchanges.") { $0.known($0.exchanges) }.orNull.reading(\.exchanges),
        .number(
            "wire_per_exchange", "Mean IP bytes of an exchange, both directions.", places: FleetRow.wirePlaces
        ) { $0.wirePerCall }.orNull.reading(\.wirePerCall),
        .object(
            "damage", "What its capture lacks. Null: the session failed.",
            [
                .word(
                    "trust",
                    "What its figures rest on. whole: nothing is known to be missing; unread: some bytes are counted, "
                        + "but not read; incomplete: packets are missing or cut, so figures may be lower bounds."
                ) { $0.trust }
            ] + damageFields(isOfAll: false),
            at: \.knownDamage, blank: CaptureLoss()),
        .list("errors", of: errorFields, "Errors in total.") { row in
            row.errors.sorted { $0.key < $1.key }.map { SessionError(key: $0.key, error: $0.value) }
        }.reading { (row, reader) throws(OwnFileReader.Problem) in
            let blank = SessionError(key: CallKey(source: "", api: nil, direction: .up))
            for read in try reader.list(errorFields, blank: blank) { row.errors[read.key] = read.error }
        },
    ])

private let labelFields: [Field<(name: String, value: String)>] = [
    .text("name", "Column of the manifest.") { $0.name }, .text("value", "Its value.") { $0.value },
]

private struct SessionError {
    var key: CallKey
    var error: Double?
}

private let errorFields: [Field<SessionError>] = [
    .text("source", fleetSourceMeaning) { $0.key.source }.reading(\.key.source),
    .word("direction", "up: requests, down: responses.") { $0.key.direction }.reading(\.key.direction),
    .ratio("error", "Error / recorded messages.") { $0.error }.reading(\.error),
]

extension FleetRow {
    fileprivate func known(_ figure: Int) -> Int? { failure == nil ? figure : nil }

    fileprivate var knownDamage: CaptureLoss? {
        get { failure == nil ? damage : nil }
        set { damage = newValue ?? CaptureLoss() }
    }
}

/// - Parameter isOfAll: sums over sessions, those without the figure left out.
func damageFields(isOfAll: Bool) -> [Field<CaptureLoss>] {
    let dropped = Field<CaptureLoss>.count("dropped_packets", "Packets that the capturing program lost.") {
        $0.droppedPackets
    }.reading(\.droppedPackets)
    let missing = Field<CaptureLoss>.bytes("missing_bytes", "TCP bytes that were sent and that no packet holds.") {
        $0.missingBytes
    }.reading(\.missingBytes)
    return [
        .count("damaged_files", "Files that end in the middle of a packet or are damaged.") { $0.damagedFiles }
            .reading(\.damagedFiles),
        isOfAll ? dropped : dropped.orNull,
        .count("cut_packets", "Packets of which only a part was captured.") { $0.cutPackets }.reading(\.cutPackets),
        .count("gaps", "Places in connections where such bytes are missing.") { $0.gaps }.reading(\.gaps),
        isOfAll ? missing : missing.orNull,
        .bytes(
            "unread_bytes",
            "Payload that was counted, but not read, and frames without IP that are no protocol of the link itself."
        ) { $0.unreadBytes }.reading(\.unreadBytes),
    ]
}
