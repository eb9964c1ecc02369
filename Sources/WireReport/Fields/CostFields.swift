import WireCore
import WireRecords

/// Both directions with every cause, and beside them what offload hid: told as records tell it.
extension Field {
    static func costs(
        _ options: @escaping @Sendable (Row) -> ReportOptions,
        at path: WritableKeyPath<Row, Directions<CostVector>> & Sendable
    ) -> [Field] {
        [
            side("up", "Client to server.", options, path, \.up),
            side("down", "Server to client.", options, path, \.down),
        ]
    }

    private static func side(
        _ name: StaticString, _ meaning: String, _ options: @escaping @Sendable (Row) -> ReportOptions,
        _ path: WritableKeyPath<Row, Directions<CostVector>> & Sendable,
        _ side: WritableKeyPath<Directions<CostVector>, CostVector> & Sendable
    ) -> Field {
        let fields = SchemaFields.of { $0.sums(CostVector(), ReportOptions()) }
        let object = FieldObject<Row>(
            json: { row, name, json in
                json.begin(name)
                json.sums(row[keyPath: path][keyPath: side], options(row))
                json.end()
            }, csv: { $1.sums($0[keyPath: path][keyPath: side], options($0)) },
            columns: FieldNames.columns { $0.sums(CostVector(), ReportOptions()) })
        return Field(name, .object(fields), meaning, .object(object))
            .reading { (row, reader) throws(OwnFileReader.Problem) in
                row[keyPath: path][keyPath: side] = try reader.costs()
            }
    }
}

extension OwnFileReader {
    /// Causes by their names: `tls`, within `setup` that of `setup.tls`. What is no cause is a sum of them.
    fileprivate mutating func costs() throws(Problem) -> CostVector {
        var costs = CostVector()
        try object { (reader, name) throws(Problem) in
            switch name {
            case "setup":
                try reader.object { (reader, name) throws(Problem) in
                    try reader.cause("setup." + name, of: &costs)
                }
            case "link": costs.link = try reader.integer(least: 0)
            case "offload_hidden": costs.offloadHidden = try reader.integer(least: 0)
            default: try reader.cause(name, of: &costs)
            }
        }
        return costs
    }

    private mutating func cause(_ name: String, of costs: inout CostVector) throws(Problem) {
        guard let cause = Cause.named[name] else { return try skip() }
        costs[cause] = try integer(least: 0)
    }
}

extension Cause {
    fileprivate static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
