import WireAccuracy
import WireComparison
import WireEstimates
import WireLogs
import WireRecords

/// A calibration as one line of JSON. Constants are bytes to add; `spread` is the standard deviation of single calls, of the
/// fallback that of the APIs. `message` is of completed calls, `failed` of failed ones; `reason` says why there are none.
public func calibrationJSON(_ calibration: Calibration) -> OutputBuffer { calibrationOutput.json(calibration) }

extension Calibration {
    /// Reads what `accuracy --calibration` wrote: the constants and their conditions. What it was worth on later calls
    /// is not needed to use it, and not read.
    public init(json: [UInt8]) throws(PolicyError) {
        self.init(conditions: CalibrationConditions(source: "", format: nil), up: nil, down: nil, apis: [])
        do throws(OwnFileReader.Problem) {
            try calibrationOutput.read(JSONReader(json), into: &self)
            guard up != nil || down != nil else { throw OwnFileReader.Problem(what: "it has no constants") }
        } catch {
            let schema = calibrationOutput.schema.identifier
            throw PolicyError(
                "not a calibration written by wireaudit accuracy --calibration (\(schema)): \(error.what)")
        }
    }
}

let calibrationOutput = Output<Calibration>(
    "calibration", version: 2, about: "Constants to add to the figures of a source.",
    command: "wireaudit accuracy --calibration FILE",
    fields: [
        .text("version", "Version of wireaudit.") { _ in toolVersion },
        .object("conditions", "Under which they were fitted.", conditionFields, at: \.conditions),
        .object("all", "Over all APIs: for APIs that were never seen.", allFields, at: \.self),
        .list("apis", of: apiFields, "By API.", at: \.apis, blank: Calibration.API(name: "")),
    ])

private let conditionFields: [Field<CalibrationConditions>] = [
    .text("source", "Id of the source.") { $0.source }.reading(\.source),
    .word("kind", ["log", "simulated"], "What the source is.") { $0.format == nil ? "simulated" : "log" },
    .word("format", "Format of the log.") { $0.format }.orNull
        .reading { (row, reader) throws(OwnFileReader.Problem) in
            row.format = try reader.optionalString().flatMap { SDKLogFormat(rawValue: $0) }
        },
    .texts("files", "Captures.") { $0.files },
    .word("layer", ["ip", "link"], "Lowest layer that wire counts.") { $0.countsLinkBytes ? "link" : "ip" }
        .reading { (row, reader) throws(OwnFileReader.Problem) in
            row.countsLinkBytes = try reader.string() == "link"
        },
    .boolean("undo_offload", "Hidden headers are added.") { $0.undoesOffload },
    .moment("first", "First call.") { $0.first }.orNull, .moment("last", "Last call.") { $0.last }.orNull,
    .moment("split", "Calls before it were fitted on, the others held out.") { $0.split }.orNull,
    .counts("http", keys: "the HTTP version", "Calls.", at: \.http),
    .counts("tls", keys: "the TLS version", "Calls.", at: \.tls),
    .text("redirects", "How the log records redirections.") { $0.redirects }.orNull.reading(\.redirects),
    .text("formula", "Formula of the figures.") { $0.formula }.orNull.reading(\.formula),
    .count("figures", "Directions of calls.") { $0.figures },
    .count("recorded", "Directions of calls with a figure.") { $0.recorded },
    .ratio("share", "recorded / figures.") {
        $0.figures > 0 ? Double($0.recorded) / Double($0.figures) : nil
    }.orNull,
    .count("fewest_calls", "Calls below which an API has no constant.") { _ in Calibration.fewestCalls },
    .count("fewest_calls_in_all", "Calls below which there is none over all APIs.") { _ in
        Calibration.fewestCallsInAll
    },
]

private let allFields: [Field<Calibration>] = [
    .object("up", "Of this direction.", totalFields, at: \.up, blank: Calibration.Total.blank)
        .checking("a direction has no constants") { $0.up == nil || $0.up?.all.constants != nil },
    .object("down", "Of this direction.", totalFields, at: \.down, blank: Calibration.Total.blank)
        .checking("a direction has no constants") { $0.down == nil || $0.down?.all.constants != nil },
]

private let apiFields: [Field<Calibration.API>] = [
    .text("api", "The API.") { $0.name }.reading(\.name),
    .object("up", "Of this direction.", sideFields, at: \.up, blank: Calibration.Side()),
    .object("down", "Of this direction.", sideFields, at: \.down, blank: Calibration.Side()),
]

private let totalFields: [Field<Calibration.Total>] =
    sideFields.map { $0.at(\.all) } + [constant("set_up", "Connection setup.", at: \.setup)]

private func constant<Row>(
    _ name: StaticString, _ meaning: String, at path: WritableKeyPath<Row, Calibration.Constant?> & Sendable
) -> Field<Row> {
    .object(
        name, meaning + " Null where there are too few calls.", constantFields, at: path,
        blank: Calibration.Constant.blank)
}

private let constantFields: [Field<Calibration.Constant>] = [
    .number("mean", "To add to each call.", places: 6) { $0.mean }.reading(\.mean),
    .count("n", "Calls that it was fitted on.") { $0.count }.reading(\.count),
    .number("spread", "Standard deviation.") { $0.deviation }.orNull.reading(\.deviation),
]

private let sideFields: [Field<Calibration.Side>] = [
    .count("fitted_calls", "Calls that were fitted on.") { $0.calls }.reading(\.calls),
    constant("message", "To the HTTP message, of completed calls.", at: \.message),
    constant("transport", "From the message to wire bytes.", at: \.transport),
    constant("failed", "Of failed calls.", at: \.failed),
    .text("reason", "Why there are no constants.") { $0.reason }.orNull.reading(\.reason), causesField,
    .object("held_out", "Calls that were not fitted on.", heldOutFields) { $0.heldOut }.orNull,
]

private let causesField = Field<Calibration.Side>(
    "causes", .map(SchemaElement(.number(unit: "bytes")), keys: "the id of a cause"), "Mean error by cause.",
    .nested { side, name, json in
        json.begin(name)
        for cause in ErrorCause.allCases { side.causes[cause].map { json.decimal(name: cause.name, $0, places: 3) } }
        json.end()
    }
).reading { (side, reader) throws(OwnFileReader.Problem) in
    try reader.optionalObject { (reader, name) throws(OwnFileReader.Problem) in
        guard let cause = ErrorCause.named[name] else { return try reader.skip() }
        side.causes[cause] = try reader.number() ?? 0
    }
}

private let heldOutFields: [Field<Calibration.HeldOut>] = [
    .count("calls", "Calls.") { $0.calls }, .object("message", "Against messages.", errorFields) { $0.message },
    .object("wire", "Against wire bytes.", errorFields) { $0.wire },
]

private let errorFields: [Field<Calibration.HeldOut.Errors>] = [
    .bytes("truth_total", "Sum of the truth.") { $0.truth },
    .number("error_before", "Error without constants.") { Double($0.before) }.orNull,
    .number("error_with_fallback", "Error with one constant for all APIs.") { $0.withFallback }.orNull,
    .number("error_after", "Error with constants by API.") { $0.after }.orNull,
    .ratio("relative_before", "error_before / truth_total.") { $0.share(Double($0.before)) }.orNull,
    .ratio("relative_with_fallback", "error_with_fallback / truth_total.") { $0.share($0.withFallback) }.orNull,
    .ratio("relative_after", "error_after / truth_total.") { $0.share($0.after) }.orNull,
]

extension Calibration.HeldOut.Errors {
    fileprivate func share(_ error: Double) -> Double? { truth > 0 ? error / Double(truth) : nil }
}

extension Calibration.Constant {
    fileprivate static var blank: Self { Self(mean: 0, count: 0, deviation: nil) }
}

extension Calibration.Total {
    fileprivate static var blank: Self { Self(all: Calibration.Side(), setup: nil) }
}

extension Calibration.Side {
    /// Both constants of a side are there, or none.
    fileprivate var message: Calibration.Constant? {
        get { constants?.message }
        set { set(newValue, \.message) }
    }

    fileprivate var transport: Calibration.Constant? {
        get { constants?.transport }
        set { set(newValue, \.transport) }
    }

    private mutating func set(
        _ constant: Calibration.Constant?, _ path: WritableKeyPath<Calibration.Constants, Calibration.Constant>
    ) {
        guard let constant else { return }
        var known = constants ?? Calibration.Constants(message: .blank, transport: .blank)
        known[keyPath: path] = constant
        constants = known
    }
}

extension ErrorCause {
    /// By the names in outputs.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
