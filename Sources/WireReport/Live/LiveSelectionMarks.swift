import WireRecords

extension TerminalStyle {
    /// The text of a selected row, where no colour can show that it is.
    func marked(_ text: String, _ isSelected: Bool) -> String { isSelected && !color ? "> " + text : text }

    /// A selected row: reversed, over the whole width.
    func highlighted(_ line: String) -> String {
        guard color else { return line }
        return paint(paddedPainted(withoutColours(line), width), .badge)
    }
}

extension LiveOrder {
    /// As it stands in the heading of a table.
    var title: String {
        let title =
            switch sort {
            case .wire: "WIRE BYTES"
            case .rate: "RATE"
            case .calls: "CALLS"
            case .connections: "CONNECTIONS"
            case .latest: "LAST PACKET"
            case .name: "NAME"
            }
        return title + (isReversed ? ", REVERSED" : "")
    }
}

extension LiveSort {
    /// As it stands beside the key that chooses it.
    var inWords: String {
        switch self {
        case .wire: "bytes"
        case .rate: "rate"
        case .calls: "calls"
        case .connections: "connections"
        case .latest: "last packet"
        case .name: "name"
        }
    }
}
