import WireEstimates
import WireRecords

/// Every estimator that is known: a compact list, then each in full; or one alone, by its id or an alias.
public func estimatorsText(style: TerminalStyle, id: String? = nil) -> OutputBuffer {
    estimatorsText(EstimatorCatalog.descriptions, style: style, id: id)
}

package func estimatorsText(
    _ descriptions: [EstimatorDescription], style: TerminalStyle, id: String?
) -> OutputBuffer {
    let text = EstimatorText(style: style)
    if let id {
        let chosen = descriptions.filter { $0.id == id || $0.aliases.contains(id) }
        return textBuffer(
            chosen.isEmpty ? [["There is no estimator '\(style.safe(id))'."]] : chosen.map(text.details), style)
    }
    let simulated = descriptions.filter(\.isSimulated)
    let described = descriptions.filter { !$0.isSimulated }
    var sections = [text.list("SIMULATED ESTIMATORS", simulated)]
    sections.append(text.list("ONLY DESCRIBED: COUNT DEVICES OR APPS, NOT EXCHANGES", described))
    return textBuffer(sections + (simulated + described).map(text.details), style)
}

/// Estimators as lines for a terminal.
private struct EstimatorText {
    let style: TerminalStyle
    private static let labelWidth = 12

    /// Id, title and origin of each in a line.
    func list(_ heading: String, _ descriptions: [EstimatorDescription]) -> [String] {
        guard !descriptions.isEmpty else { return [] }
        let widest = descriptions.reduce(0) { max($0, displayWidth(style.safe($1.id))) }
        let origin = descriptions.reduce(0) { max($0, words($1.evidence).count) }
        let titles = descriptions.reduce(0) { max($0, displayWidth(style.safe($1.title))) }
        let room = min(titles, max(style.width - widest - origin - 6, 12))
        return [style.paint(heading, .heading)]
            + descriptions.map { description in
                let title = shortened(style.safe(description.title), to: room, ellipsis: style.ellipsis)
                return "  " + padded(style.safe(description.id), widest, right: false) + "  "
                    + padded(title, room, right: false) + "  " + style.paint(words(description.evidence), .faint)
            }
    }

    /// Everything that is known of one.
    func details(_ description: EstimatorDescription) -> [String] {
        var title = style.paint(style.safe(description.id), .heading) + style.separator + style.safe(description.title)
        if !description.isSimulated { title += style.separator + "not simulated" }
        var lines = [title]
        if !description.aliases.isEmpty {
            lines += field("also", description.aliases.joined(separator: ", "))
        }
        lines += field("sees", description.sees)
        lines += field("cannot see", description.cannotSee)
        lines += field("counts", description.counts)
        for (number, parameter) in description.parameters.enumerated() {
            lines += field(number == 0 ? "parameters" : "", parameterText(parameter))
        }
        return lines + field("from", "\(description.source) (\(sentence(description.evidence)))")
    }

    private func parameterText(_ parameter: EstimatorDescription.Parameter) -> String {
        guard let standard = parameter.values.first else { return "\(parameter.name): \(parameter.meaning)" }
        let others = parameter.values.dropFirst()
        let values = others.isEmpty ? "" : " (or \(others.joined(separator: ", ")))"
        return "\(parameter.name)=\(standard)\(values): \(parameter.meaning)"
    }

    /// A label and its text, which stays in its own column.
    private func field(_ label: String, _ text: String) -> [String] {
        let width = EstimatorText.labelWidth
        let lines = wrapped(style.safe(text), width: style.width - width - 2, indent: 0)
        return lines.enumerated().map { number, line in
            "  " + style.paint(padded(number == 0 ? label : "", width, right: false), .faint) + line
        }
    }

    private func words(_ evidence: EstimatorEvidence) -> String {
        switch evidence {
        case .source: "from its source"
        case .article: "from an article"
        case .documentation: "from its documentation"
        case .model: "our model"
        }
    }

    private func sentence(_ evidence: EstimatorEvidence) -> String {
        switch evidence {
        case .source: "read in the project's source"
        case .article: "shown by an article"
        case .documentation: "vendor's documentation"
        case .model: "our model: the source gives no byte figures"
        }
    }
}
