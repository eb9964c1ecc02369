import WireCore
import WireRecords

/// What the words mean, and what the capture's reader warns of.
struct AuditMethodSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("method", "Method")

    func render() -> Markup {
        section(
            "Method",
            """
            <p>Every byte of every frame is booked once: to a layer, a cause and an owner. The sums are computed a second time \
            on their own, and must agree. <strong>Messages</strong> are HTTP as it was sent. <strong>Wire</strong> is \
            \(layer) that an API or a host cost: messages, what carried them, acknowledgments, retransmissions, and set-up and \
            closing of connections, which \(setup).</p>
            <dl class="notes">\(groups)</dl>
            <p>How far the byte counts of an SDK in an app are from these figures: \
            <code>wireaudit accuracy --sdk-log LOG --format html FILE</code>.</p>
            \(warningList)
            """)
    }

    private var layer: String {
        let layer = options.layer == .link ? "all IP, link and tunnel bytes" : "all IP bytes"
        return options.undoesOffload ? layer + ", with the headers that offload hid (inferred)," : layer
    }

    private var setup: String {
        switch options.setup {
        case .first: "the first call of a connection pays"
        case .even: "all calls of a connection pay evenly"
        case .separate: "no call pays: they stand with the host"
        }
    }

    private var groups: Markup {
        CostGroup.allCases.map { group -> Markup in
            "<dt><span class=\"key g\(group.rawValue)\"></span>\(group.name)</dt><dd>\(group.meaning)</dd>"
        }.joined()
    }

    private var warningList: Markup {
        var items = warnings(of: result).map { warning -> Markup in
            let place = warning.packet.map { ", first at packet \(grouped($0))" } ?? ""
            return "<li>\(warning.message) (\(counted(warning.count, "time"))\(place))</li>"
        }
        if let filter = options.filter {
            let left = result.files.reduce(0) { $0 &+ $1.filtered }
            items.append(
                "<li>Only frames matching the filter <code>\(filter)</code>; \(counted(left, "frame")) left out.</li>")
        }
        if !options.selection.isEmpty {
            items.append("<li>Only the selected apps, hosts and APIs; the ledger covers the whole capture.</li>")
        }
        return items.isEmpty ? "" : "<h3>Notes on the capture</h3>\n<ul>\(items.joined())</ul>\n"
    }
}
