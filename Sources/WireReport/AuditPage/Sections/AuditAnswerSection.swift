import WireCore
import WireOpportunities
import WireRecords

/// What a reader wants to know first, each in a sentence: what costs most, why, what to do, how connections are used, what
/// is encrypted; and what all of it rests on.
struct AuditAnswerSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = nil

    func render() -> Markup {
        var markup: Markup = "<section class=\"answer\" aria-labelledby=\"answer-h\">\n"
        markup += "<h2 id=\"answer-h\" class=\"hidden\">The answer</h2>\n<p class=\"lead\">\(lead)</p>\n"
        markup += trust
        let answers: [(question: String, answer: Markup)] = [
            ("What costs most?", dearest), ("Why?", reasons), ("What can be done?", actions),
            ("Are connections reused?", reuse),
            ("What is encrypted?", EncryptionAnswer(page: page).render()),
        ]
        let items = answers.filter { !$0.answer.isEmpty }.map { item -> Markup in
            "<dt>\(item.question)</dt><dd>\(item.answer)</dd>\n"
        }
        let scope: Markup =
            options.selection.isEmpty
            ? "" : "<p class=\"legend\">Of the whole capture; the tables below show the selection.</p>\n"
        return markup + AuditTiles(page: page).render() + scope
            + "<dl class=\"verdicts\">\n\(items.joined())</dl>\n</section>\n"
    }

    /// The books, and what no figure below can hold.
    private var trust: Markup {
        let isWarning = page.trust.grade != .whole
        let reasons = page.trust.reasons.map { "<li>\($0)</li>" as Markup }.joined()
        return """
            <div class="trust\(isWarning ? " warning" : "" as Markup)"><p><strong>What the figures rest on.</strong> \
            \(page.trust.sentence)</p>
            \(reasons.isEmpty ? "" : "<ul>\(reasons)</ul>\n" as Markup)</div>

            """
    }

    private func share(_ bytes: Int) -> String { portion(bytes, of: page.whole) }

    private var lead: Markup {
        AuditVerdict(result, options).pieces.map { piece in
            switch piece {
            case .words(let text): "\(text)"
            case .figure(let text): "<strong>\(text)</strong>"
            case .api(let name): PageDocument.apiName(PageDocument.shownName(name))
            }
        }.joined()
    }

    // MARK: Answers

    private var dearest: Markup {
        let shown = page.apis.prefix(3)
        guard !shown.isEmpty else { return "" }
        let items = shown.map { row -> Markup in
            let calls = row.callsAreUnknown ? "calls not known" : counted(row.exchanges, "call")
            return """
                <li>\(PageDocument.apiName(PageDocument.shownName(row.api))): \(sizeText(page.wire(row))), \
                \(share(page.wire(row))), \(calls)</li>
                """
        }
        return "<ol>\(items.joined())</ol>"
    }

    private var reasons: Markup {
        guard let first = page.apis.first else { return "" }
        return """
            <p>Of the first API: \(listed(largestCauses(first.costs, of: page.wire(first)), most: 4)).</p>\
            <p>\(composition(page.groups, of: page.whole, subject: "Of all \(page.wholeNoun) bytes"))</p>
            """
    }

    /// The causes of most bytes with their direction and share, of one API.
    private func largestCauses(_ costs: Directions<CostVector>, of whole: Int) -> [String] {
        let all = Cause.allCases.flatMap { cause in
            [(cause, "up", costs.up[cause]), (cause, "down", costs.down[cause])]
        }
        return all.filter { $0.2 > 0 }.sorted { ($1.2, $0.0.rawValue) < ($0.2, $1.0.rawValue) }.prefix(4).map {
            "\(portion($0.2, of: whole)) \($0.0.title) \($0.1)"
        }
    }

    private func composition(_ groups: CostGroups, of whole: Int, subject: String) -> String {
        let parts = CostGroup.allCases.filter { groups[$0] > 0 }.sorted { groups[$0] > groups[$1] }
            .map { "\(portion(groups[$0], of: whole)) \($0.phrase)" }
        return parts.isEmpty ? "" : "\(subject) \(listed(parts, most: 6))."
    }

    private var actions: Markup {
        guard let report = page.opportunities else { return "" }
        let shown = report.shown.prefix(3)
        guard !shown.isEmpty else {
            if page.selectsNothing { return "<p>Nothing matches the selection.</p>" }
            guard result.exchanges > 0 else { return "<p>No call could be looked at.</p>" }
            let scope: Markup = page.trust.unread.bytes > 0 ? " in what was read" : ""
            return "<p>Nothing was found\(scope) that need not have been spent.</p>"
        }
        let items = shown.map { item -> Markup in
            let mark = item.isComputed ? "" : " (estimate)"
            let share = portion(item.bytes, of: page.wholeInternet)
            return "<li>\(item.kind.title): \(sizeText(item.bytes)), \(share)\(mark)</li>"
        }
        return "<ol>\(items.joined())</ol>"
    }

    private var reuse: Markup {
        let hosts = page.reusedHosts
        guard !hosts.isEmpty else {
            guard result.connections > 0 else { return "" }
            if page.selectsNothing { return "<p>Nothing matches the selection.</p>" }
            let isUnread = CostGroups(result.ledger)[.unread] > 0
            return isUnread
                ? "<p>No call could be read, so nobody can tell.</p>" : "<p>No connection carried a call.</p>"
        }
        let wasteful = hosts.filter { $0.reuse.saving > 0 }
        guard !wasteful.isEmpty else {
            var sum = HostReuse()
            for host in hosts {
                sum.connections += host.reuse.connections
                sum.calls += host.reuse.calls
                sum.unread += host.reuse.unread
            }
            return "<p>\(firstUpper(sum.verdict(of: page.wholeInternet))).</p>"
        }
        let items = wasteful.prefix(3).map { host -> Markup in
            "<li>\(PageDocument.shownName(host.name)): \(host.reuse.verdict(of: page.wholeInternet))</li>"
        }
        let others = hosts.count - min(wasteful.count, 3)
        let rest: Markup = others > 0 ? "<p>\(counted(others, "more host")) in the table of hosts.</p>" : ""
        return "<ul>\(items.joined())</ul>\(rest)"
    }

    private func firstUpper(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension CostGroup {
    /// Its part of the bytes in a sentence: `12 % are …`.
    fileprivate var phrase: String {
        switch self {
        case .messages: "are messages"
        case .carrying: "carry them"
        case .opening: "open and close connections"
        case .resent: "were sent again"
        case .unread: "were not read"
        case .other: "are of no connection"
        }
    }
}
