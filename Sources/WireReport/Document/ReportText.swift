import WireRecords

/// A sentence or a cell before it has a form: words of this program, and names from captures and logs. Each form shows names
/// so that nothing in them is markup, a control or a link.
struct ReportText: ExpressibleByStringInterpolation, Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case words(String)
        /// Cut beyond `most` characters; nil: as the form cuts names.
        case name(String, most: Int?)
    }

    private(set) var parts: [Part]

    init(_ words: String) { parts = words.isEmpty ? [] : [.words(words)] }
    init(stringLiteral value: String) { self.init(value) }
    init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) {}
        mutating func appendLiteral(_ words: String) { if !words.isEmpty { parts.append(.words(words)) } }
        mutating func appendInterpolation(_ words: String) { appendLiteral(words) }
        mutating func appendInterpolation(_ number: Int) { appendLiteral(String(number)) }
        mutating func appendInterpolation(name: String, most: Int? = nil) { parts.append(.name(name, most: most)) }
        mutating func appendInterpolation(_ text: ReportText) { parts += text.parts }
    }

    var isEmpty: Bool { parts.isEmpty }

    /// The text with what each form makes of words and names.
    func rendered(words: (String) -> String, name: (String, Int?) -> String) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .words(let part): text += words(part)
            case .name(let part, let most): text += name(part, most)
            }
        }
        return text
    }

    /// For data, which need no protection.
    var plain: String { rendered(words: { $0 }, name: { text, _ in text }) }

    /// With a capital letter at its beginning, where that is a word of ours.
    var capitalized: ReportText {
        guard case .words(let words)? = parts.first else { return self }
        var text = self
        text.parts[0] = .words(words.prefix(1).uppercased() + words.dropFirst())
        return text
    }

    static func + (left: ReportText, right: ReportText) -> ReportText {
        var sum = left
        sum.parts += right.parts
        return sum
    }
}

extension Sequence<ReportText> {
    func joined(separator: String) -> ReportText {
        var all = ReportText("")
        for (index, part) in enumerated() { all = index > 0 ? "\(all)\(separator)\(part)" : part }
        return all
    }
}

/// `a, b and c`; above `most` of them `a, b and 4 more`.
func listed(_ texts: [ReportText], most: Int) -> ReportText {
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    guard texts.count <= most else {
        return "\(texts.prefix(most).joined(separator: ", ")) and \(grouped(texts.count - most)) more"
    }
    return "\(texts.dropLast().joined(separator: ", ")) and \(last)"
}
