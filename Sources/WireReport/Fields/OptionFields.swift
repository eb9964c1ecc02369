import WireComparison
import WireCore
import WireRecords

/// The choices that a report repeats to its reader.
let optionFields: [Field<ResultChoices>] = [
    .word("layer", WireLayer.allCases.map(\.rawValue), "Lowest layer that wire counts.") { $0.layer }.reading(\.layer),
    .word("setup", SetupPolicy.allCases.map(\.rawValue), "Which exchanges pay for connection setup.") { $0.setup }
        .reading(\.setup),
    .text("filter", "Packet filter (pcap-filter syntax).") { $0.filter }.orNull.reading(\.filter),
    .text("at", "Value of --at.") { $0.countedInterface }.orNull.reading(\.countedInterface),
    .boolean("undo_offload", "Headers that segmentation offload hid are added to wire.") { $0.undoesOffload }
        .reading(\.undoesOffload),
    .texts("hosts", "Values of --host.") { $0.hosts }.reading(\.hosts),
    .texts("apis", "Values of --api.") { $0.apis }.reading(\.apis),
    .texts("apps", "Values of --app.") { $0.apps }.reading(\.apps),
    .texts("templates", "Values of --template.") { $0.templates }.reading(\.templates),
    .texts("rpc", "Values of --rpc; none for auto.") { $0.rpc }.reading(\.rpc),
    .texts("name_by", "Header fields of --name-by, in lower case.") { $0.namingFields }.reading(\.namingFields),
]

extension ReportOptions {
    var choices: ResultChoices {
        var choices = ResultChoices()
        (choices.layer, choices.setup, choices.filter) = (layer.rawValue, setup.rawValue, filter)
        (choices.hosts, choices.apis, choices.apps) = (selection.hosts, selection.apis, selection.apps)
        (choices.templates, choices.rpc, choices.namingFields) = (templates, operations.words, operations.named)
        (choices.countedInterface, choices.undoesOffload) = (countedInterface, undoesOffload)
        return choices
    }
}
