import WireCore
import WireRecords

/// Connections in time: a picture of all bytes over time, and a row for each connection with its calls.
struct ConnectionsSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("connections", "Connections")

    private static let most = 20

    func render() -> Markup {
        guard !page.connections.shown.isEmpty else { return "" }
        let span = TimeSpan(page)
        let shown = page.connections.shown.prefix(Self.most)
        let calls = Dictionary(grouping: page.calls.shown, by: \.connection)
        let rows = shown.map { connection in
            ConnectionRow(connection: connection, calls: calls[connection.number] ?? [], page: page, span: span).markup
        }
        return section(
            "Connections over time",
            """
            \(OverviewPicture(page: page, span: span).render())
            <p class="legend">\(legend)</p>
            \(tools)
            <p id="timestatus" class="status" role="status">The first \(counted(shown.count, "connection")), of \
            \(grouped(page.connections.shown.count)). With script, all of them stand here and can be opened and enlarged.</p>
            \(left)\(PageDocument.scrolling("Connections over time", table(rows.joined(), span)))
            <p id="timemore" class="more" hidden></p>

            """)
    }

    private var legend: Markup {
        let parts = [
            ("open", "before the first call"), ("request", "request"), ("wait", "waiting"), ("answer", "response"),
            ("closed", "not read"), ("resent", "call with retransmissions"),
        ]
        let keys = parts.map { "<span class=\"keyed\"><span class=\"key t\($0.0)\"></span>\($0.1)</span>" as Markup }
            .joined(" ")
        return
            "\(keys) <span class=\"keyed\"><span class=\"key tidle\"></span>open, and idle.</span> Calls that ran at one time stand below each other."
    }

    private var tools: Markup {
        """
        <div id="timetools" class="tools" hidden>
        <label>Search <input id="timesearch" type="search" autocomplete="off" spellcheck="false" \
        placeholder="host"></label>
        <span id="zoom" class="more" role="group" aria-label="Part of the time that is shown"></span>
        </div>
        """
    }

    private var left: Markup {
        var sentences: [String] = []
        if page.calls.all > page.calls.shown.count {
            sentences.append(
                "\(grouped(page.calls.shown.count)) of \(counted(page.calls.all, "call")) are shown one by one: those with "
                    + "most bytes (--limit page-calls=N).")
        }
        if page.connections.all > page.connections.shown.count {
            sentences.append(
                "\(grouped(page.connections.shown.count)) of \(counted(page.connections.all, "connection")) have a row: those "
                    + "with most bytes (--limit page-connections=N).")
        }
        guard !sentences.isEmpty else { return "" }
        return
            "<p>\(sentences.joined(separator: " ")) All are in the picture above and in every sum; between the drawn calls of a row there may be others.</p>\n"
    }

    private func table(_ rows: Markup, _ span: TimeSpan) -> Markup {
        """
        <table id="timetable" class="listing timeline"><thead><tr><th scope="col" data-key="name">Host</th>\
        <th scope="col" class="n" data-key="start" aria-sort="ascending" title="from the first packet of the capture">Start</th>\
        <th scope="col" class="n" data-key="length" title="from its first to its last packet">Lasted</th>\
        <th scope="col" class="n" data-key="calls">Calls</th><th scope="col" class="n" data-key="wire">Wire</th>\
        <th scope="col" class="time-cell">\(span.text)</th></tr></thead>
        <tbody>
        \(rows)</tbody></table>

        """
    }
}

/// The time that the page shows, microseconds from its beginning.
struct TimeSpan {
    let length: Int

    init(_ page: AuditPage) {
        let packets = page.result.files.compactMap(\.last).max().map(page.place) ?? 0
        let records = page.connections.shown.map { page.place($0.end) }.max() ?? 0
        length = max(packets, records, 1)
    }

    var text: String { "0 to \(durationInWords(UInt64(length) * 1000))" }

    func place(_ time: Int) -> Double { Double(min(max(time, 0), length)) / Double(length) }
}

/// A connection as a line in time with its calls on it, all on one line.
private struct ConnectionRow {
    let connection: TrafficSample.Connection
    let calls: [TrafficSample.Call]
    let page: AuditPage
    let span: TimeSpan

    var markup: Markup {
        let name = PageDocument.shownName(displayText(connection.host))
        let length = durationInWords(UInt64(max(connection.end &- connection.time, 0)))
        let start = durationInWords(UInt64(max(page.place(connection.time), 0)) * 1000)
        return """
            <tr><th scope="row">\(name) <small>\(connection.protocolName), \(connection.close)</small></th>\
            <td class="n">\(start)</td><td class="n">\(length)</td>\
            <td class="n">\(count)</td>\
            <td class="n">\(grouped(page.options.wire(connection.costs)))</td>\
            <td class="time-cell"><svg width="100%" height="14" aria-hidden="true">\(boxes)</svg></td></tr>

            """
    }

    /// Calls, and how many of them are drawn where that are not all.
    private var count: String {
        guard connection.calls > 0 else { return "–" }
        return (calls.count < connection.calls ? "\(grouped(calls.count)) of " : "") + grouped(connection.calls)
    }

    private var boxes: Markup {
        let first = connection.firstCall ?? connection.end
        let isClosed = connection.calls == 0 && connection.unread > 0
        var boxes = box("tidle", connection.time, connection.end, 6, 2)
        boxes += box(isClosed ? "tclosed" : "topen", connection.time, first, 3, 8)
        for call in calls {
            let answer = call.responseStart ?? call.end
            let sent = call.requestEnd ?? answer
            boxes += box("trequest", call.time, sent, 2, 10) + box("twait", sent, answer, 2, 10)
            boxes += box("tanswer", answer, call.end, 2, 10)
        }
        return boxes
    }

    private func box(_ style: Markup, _ from: Int64, _ to: Int64, _ y: Int, _ height: Int) -> Markup {
        let (left, right) = (span.place(page.place(from)), span.place(page.place(to)))
        guard to > from || style.source == "tidle" else { return "" }
        return """
            <rect class="\(style)" x="\(placeText(min(left, 0.999)))" y="\(y)" width="\(placeText(max(right - left, 0.001)))" \
            height="\(height)"/>
            """
    }
}
