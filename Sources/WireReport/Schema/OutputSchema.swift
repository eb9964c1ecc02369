import WireRecords

/// The shape of one output of the program.
public struct OutputSchema: Sendable {
    /// The word of `wireaudit schema NAME`.
    public let name: String
    let version: Int
    /// One sentence.
    public let about: String
    /// The command that writes it.
    let command: String
    /// Without the field `schema`.
    private let others: [SchemaField]

    init(_ name: String, version: Int, about: String, command: String, fields: [SchemaField]) {
        self.name = name
        self.version = version
        self.about = about
        self.command = command
        others = fields
    }

    /// The value of the field `schema`.
    var identifier: String { "wireaudit.\(name)/\(version)" }

    var fields: [SchemaField] {
        [SchemaField(name: "schema", type: .constant(identifier), meaning: "Name and version of this schema.")] + others
    }

    /// All of them, in the order of the commands.
    public static let all: [OutputSchema] = [
        auditOutput.schema, exchangeSchema, connectionSchema, accuracyOutput.schema, callOutput.schema,
        rowOutput.schema, calibrationOutput.schema, comparisonOutput.schema, partialOutput.schema, fleetOutput.schema,
        sessionOutput.schema, planOutput.schema, estimatorsOutput.schema, interfacesOutput.schema,
        limitsOutput.schema, checkupOutput.schema,
    ]

    /// The schema of that name: `exchange`, or as outputs write it, `wireaudit.exchange/2`.
    public static func named(_ name: String) -> OutputSchema? {
        all.first { $0.name == name || $0.identifier == name || "wireaudit." + $0.name == name }
    }
}

private let exchangeSchema = OutputSchema(
    "exchange", version: 2,
    about: "One HTTP exchange: a request, its response, and what both cost; or a call that could not be read.",
    command: "wireaudit exchanges --format ndjson", fields: SchemaFields.of(.exchanges))

private let connectionSchema = OutputSchema(
    "connection", version: 2, about: "One connection.", command: "wireaudit connections --format ndjson",
    fields: SchemaFields.of(.connections))
