import WireEstimates

/// Every estimator that is known, as one line of JSON, schema `wireaudit.estimators/1`.
public func estimatorsJSON() -> OutputBuffer { estimatorsJSON(EstimatorCatalog.descriptions) }

package func estimatorsJSON(_ descriptions: [EstimatorDescription]) -> OutputBuffer {
    var json = JSONFields()
    json.beginElement()
    json.text("schema", "wireaudit.estimators/1")
    json.text("version", toolVersion)
    json.beginArray("estimators")
    for description in descriptions { json.estimator(description) }
    json.endArray()
    json.end()
    json.endLine()
    return json.buffer
}

extension JSONFields {
    fileprivate mutating func estimator(_ description: EstimatorDescription) {
        beginElement()
        text("id", description.id)
        words("aliases", description.aliases)
        text("title", description.title)
        boolean("simulated", description.isSimulated)
        text("evidence", description.evidence.rawValue)
        text("source", description.source)
        text("sees", description.sees)
        text("cannot_see", description.cannotSee)
        text("counts", description.counts)
        beginArray("parameters")
        for parameter in description.parameters {
            beginElement()
            text("name", parameter.name)
            words("values", parameter.values)
            text("default", parameter.values.first)
            text("meaning", parameter.meaning)
            end()
        }
        endArray()
        end()
    }
}
