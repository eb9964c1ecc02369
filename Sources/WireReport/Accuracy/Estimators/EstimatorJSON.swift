import WireEstimates
import WireRecords

/// Every estimator that is known, as one line of JSON.
public func estimatorsJSON() -> OutputBuffer { estimatorsJSON(EstimatorCatalog.descriptions) }

package func estimatorsJSON(_ descriptions: [EstimatorDescription]) -> OutputBuffer {
    estimatorsOutput.json(descriptions)
}

let estimatorsOutput = Output<[EstimatorDescription]>(
    "estimators", version: 1, about: "The estimators that can be simulated.",
    command: "wireaudit estimators --format json",
    fields: [
        .text("version", "Version of wireaudit.") { _ in toolVersion },
        .list("estimators", of: estimatorFields, "By id.") { $0 },
    ])

private let estimatorFields: [Field<EstimatorDescription>] = [
    .text("id", "Id for --estimators.") { $0.id }, .texts("aliases", "Other ids.") { $0.aliases },
    .text("title", "Display name.") { $0.title },
    .boolean("simulated", "It can be simulated from packets.") { $0.isSimulated },
    .text("evidence", "How its formula is known.") { $0.evidence.rawValue },
    .text("source", "Reference.") { $0.source }, .text("sees", "What it sees.") { $0.sees },
    .text("cannot_see", "What it cannot see.") { $0.cannotSee }, .text("counts", "What it counts.") { $0.counts },
    .list("parameters", of: parameterFields, "Parameters.") { $0.parameters },
]

private let parameterFields: [Field<EstimatorDescription.Parameter>] = [
    .text("name", "Name.") { $0.name }, .texts("values", "Possible values.") { $0.values },
    .text("default", "Value without a choice.") { $0.values.first }.orNull,
    .text("meaning", "What it changes.") { $0.meaning },
]
