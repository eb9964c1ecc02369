import WireAccuracy
import WireComparison
import WireCore
import WireRecords
import WireReport

/// Writes the result of one session as exact sums.
struct PartialOutput {
    let invocation: Invocation
    let output: OutputFile

    func write(
        _ audit: AuditResult, content: SessionContent,
        accuracy: (result: AccuracyResult, sums: [CallKey: CallSums])?
    ) {
        var part = PartialResult(accuracy == nil ? .audit : .accuracy, choices: invocation.partialChoices)
        part.take(audit)
        if let accuracy {
            part.take(accuracy.result, sums: accuracy.sums)
        }
        part.setSession(invocation.session, content: content)
        partialJSON(part).withBytes { output.write($0) }
    }
}

extension Invocation {
    /// What figures depend on: parts with other choices are of another report.
    var partialChoices: [String: [String]] {
        var choices = [
            "layer": [layer.rawValue], "setup": [setup.rawValue], "filter": [filter].compactMap(\.self),
            "undo-offload": undoesOffload ? ["yes"] : [], "redact-query": redactsQuery ? ["yes"] : [],
            "host": hosts, "api": apis, "template": templates,
        ]
        // Only where some are given: parts of earlier versions have none.
        if !operations.words.isEmpty { choices["rpc"] = operations.words }
        if !operations.named.isEmpty { choices["name-by"] = operations.named }
        if let countedInterface { choices["at"] = [countedInterface] }
        for (name, value) in limits.given {
            if name == "reorder" {
                choices["reorder"] = [value]
            } else {
                choices["limit", default: []].append("\(name)=\(value)")
            }
        }
        choices["limit"]?.sort()
        guard command == .accuracy else { return choices }
        choices["estimators"] = [estimators ?? "standard"]
        choices["no-recompression"] = recompresses ? [] : ["yes"]
        return choices
    }

    /// The same as JSON has them, for what a result is held against.
    var resultChoices: ResultChoices {
        var choices = ResultChoices()
        (choices.layer, choices.setup, choices.filter) = (layer.rawValue, setup.rawValue, filter)
        (choices.hosts, choices.apis, choices.apps, choices.templates) = (hosts, apis, apps, templates)
        (choices.rpc, choices.namingFields) = (operations.words, operations.named)
        choices.undoesOffload = undoesOffload
        choices.countedInterface = countedInterface
        return choices
    }

    /// Takes the choices of partial results, of which a merged report is.
    mutating func take(partialChoices choices: [String: [String]]) {
        func first(_ name: String) -> String? { choices[name]?.first }
        layer = first("layer").flatMap { WireLayer(rawValue: $0) } ?? layer
        setup = first("setup").flatMap { SetupPolicy(rawValue: $0) } ?? setup
        filter = first("filter")
        countedInterface = first("at")
        undoesOffload = first("undo-offload") != nil
        redactsQuery = first("redact-query") != nil
        hosts = choices["host"] ?? []
        apis = choices["api"] ?? []
        templates = choices["template"] ?? []
        operations = OperationOptions(words: choices["rpc"] ?? [], named: choices["name-by"] ?? [])
    }
}
