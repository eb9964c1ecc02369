/// What all figures of a result depend on: results with other choices cannot be held against each other.
public struct ResultChoices: Sendable, Equatable {
    public var layer = "ip"
    public var setup = "first"
    /// Nil without a filter.
    public var filter: String?
    /// Nil without `--at`.
    public var countedInterface: String?
    public var undoesOffload = false
    /// Rows that the result is about; all where there are none.
    public var hosts: [String] = []
    public var apis: [String] = []
    public var apps: [String] = []
    public var templates: [String] = []
    public var rpc: [String] = []
    public var namingFields: [String] = []

    public init() {}

    /// The first choice that differs, as it stands on a command line: in these results and in the others. Nil where none
    /// does.
    public func difference(from other: ResultChoices) -> (own: String, others: String)? {
        let pairs = zip(words, other.words)
        guard let (option, own, others) = pairs.lazy.map({ ($0.option, $0.value, $1.value) }).first(where: { $1 != $2 })
        else { return nil }
        func text(_ value: [String]) -> String {
            value.isEmpty ? "without \(option)" : "with " + value.map { "\(option) \($0)" }.joined(separator: " ")
        }
        return (text(own), text(others))
    }

    private var words: [(option: String, value: [String])] {
        [
            ("--layer", [layer]), ("--setup", [setup]), ("--filter", [filter].compactMap(\.self)),
            ("--at", [countedInterface].compactMap(\.self)),
            ("--undo-offload", undoesOffload ? ["yes"] : []), ("--host", hosts), ("--api", apis),
            ("--app", apps), ("--template", templates), ("--rpc", rpc),
            ("--name-by", namingFields.map { "header:" + $0 }),
        ]
    }
}
