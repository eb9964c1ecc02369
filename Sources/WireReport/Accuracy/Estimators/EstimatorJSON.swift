import WireEstimates
import WireRecords

/// Every estimator that is known, as one line of JSON, schema `wireaudit.estimators/1`.
public func estimatorsJSON() -> OutputBuffer { estimatorsJSON(EstimatorCatalog.descriptions) }

package func estimatorsJSON(_ descriptions: [EstimatorDescription]) -> OutputBuffer {
    var json = JSONFields()
    json.beginElement()
    json.text("schema", "wireaudit.estimators/1")
    json.text("version", toolVersion)
    json.beginArray("estimators")
    for description in descriptions { description.write(to: &json) }
    json.endArray()
    json.end()
    json.endLine()
    return json.finished()
}

extension EstimatorDescription {
    fileprivate func write(to json: inout JSONFields) {
        json.beginElement()
        json.text("id", id)
        json.words("aliases", aliases)
        json.text("title", title)
        json.boolean("simulated", isSimulated)
        json.text("evidence", evidence.rawValue)
        json.text("source", source)
        json.text("sees", sees)
        json.text("cannot_see", cannotSee)
        json.text("counts", counts)
        json.beginArray("parameters")
        for parameter in parameters {
            json.beginElement()
            json.text("name", parameter.name)
            json.words("values", parameter.values)
            json.text("default", parameter.values.first)
            json.text("meaning", parameter.meaning)
            json.end()
        }
        json.endArray()
        json.end()
    }
}
