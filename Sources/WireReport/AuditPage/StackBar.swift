import WireCore

/// Bytes as a bar of groups, one after the other.
struct StackBar {
    let groups: CostGroups
    /// What a bar over the whole width would be.
    let whole: Int

    func render() -> Markup {
        var left = 0.0
        var boxes = Markup()
        for group in CostGroup.allCases where groups[group] > 0 {
            let width = Double(groups[group]) / Double(max(whole, 1))
            boxes += """
                <rect class="g\(group.rawValue)" x="\(placeText(left))" width="\(placeText(width))" height="12"/>
                """
            left += width
        }
        return "<svg width=\"100%\" height=\"12\" aria-hidden=\"true\">\(boxes)</svg>"
    }

    /// The groups' colours with their names; `groups`: only those that are there.
    static func legend(_ groups: CostGroups) -> Markup {
        let items = CostGroup.allCases.filter { groups[$0] > 0 }.map { group -> Markup in
            "<span class=\"keyed\"><span class=\"key g\(group.rawValue)\"></span>\(group.name)</span>"
        }
        return items.joined(" ")
    }
}

extension CostGroup {
    /// What belongs to it.
    var meaning: String {
        switch self {
        case .messages: "start lines, header fields, bodies"
        case .carrying: "TLS records, headers of TCP, QUIC, UDP and IP, acknowledgments"
        case .opening: "looking up, opening, keeping and closing connections"
        case .resent: "retransmissions"
        case .unread: "payload that was not decrypted or is no HTTP"
        case .other: "what belongs to no connection"
        }
    }
}
