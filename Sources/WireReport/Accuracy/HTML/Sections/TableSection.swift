import WireLogs
import WireRecords

/// The table of all APIs. Without script it holds the worst of them; the script puts every API into it.
struct TableSection: PageSection {
    let page: AccuracyPage

    /// Rows in the file itself, for readers without script.
    private static let most = 25

    func render() -> Markup {
        guard let primary, index.hasFigures, !index.apis.isEmpty else { return "" }
        let ranking = ranking(source: primary, by: \.absoluteError)
        let shown = ranking.prefix(Self.most)
        let rows = shown.map { tableRow($0.api, $0.figures) }.joined()
        let table: Markup = "<table id=\"table\" class=\"listing\">\n\(columns)\n<tbody>\n\(rows)</tbody></table>\n"
        return """
            <section id="apis" aria-labelledby="apis-h">
            <h2 id="apis-h">All APIs</h2>
            \(tools(primary))
            <p id="status" class="status" role="status">The \(counted(shown.count, "API")) that \(label(primary)) is farthest off at, \
            of \(grouped(index.apis.count)). With script, all of them stand here.</p>
            \(PageDocument.scrolling("All APIs", table))
            <p id="more" class="more" hidden></p>
            </section>

            """
    }

    private func tools(_ primary: Int) -> Markup {
        let sources = sources.enumerated().map { place, source -> Markup in
            let kind = result.sources[source].isMeasured ? "measured" : "simulated"
            let selected: Markup = source == primary ? " selected" : ""
            return "<option value=\"\(place)\"\(selected)>\(label(source)) (\(kind))</option>"
        }.joined()
        return """
            <div id="tools" class="tools" hidden>
            <label>Search <input id="search" type="search" autocomplete="off" spellcheck="false" \
            placeholder="method, host or path"></label>
            <label>Source <select id="source">\(sources)</select></label>
            <label>Direction <select id="direction"><option value="both">requests and responses</option>\
            <option value="up">requests</option><option value="down">responses</option></select></label>
            <label class="check"><input id="off" type="checkbox"> only with an error</label>
            </div>
            """
    }

    /// Keys are those of the script's columns. Columns of class `q` make sense for one direction only.
    private var columns: Markup {
        let columns: [(key: String, name: String, note: String)] = [
            ("calls", "Calls", "exchanges that are compared"),
            ("recorded", "Recorded", "share of the requests and responses that the source recorded"),
            ("message", "Messages", "message bytes of the compared calls"), ("estimate", "Estimate", "bytes"),
            ("error", "Error", "estimate − messages, bytes"), ("percent", "Error %", "of the message bytes"),
            ("absolute", "Off", "sum of the absolute errors of the calls, bytes"),
            ("each", "Off per call", "mean absolute error, bytes"),
            ("missed", "Not recorded", "message bytes of calls without a record"),
            ("wire", "Wire", "wire bytes of the compared calls"),
            ("wirePercent", "Against wire", "estimate − wire, of the wire bytes"),
        ]
        let heads = PageDocument.sortableHeads(columns, sorted: "absolute")
        return "<thead><tr><th scope=\"col\" data-key=\"name\">API</th>\(heads)</tr></thead>"
    }

    private func tableRow(_ api: Int, _ sum: PageFigures) -> Markup {
        let head: Markup = """
            <tr><th scope="row">\(apiName(api))</th><td class="n">\(grouped(page.calls(api: api)))</td>\
            <td class="n">\(portion(sum.recorded, of: sum.messages))</td>
            """
        guard sum.compared > 0 else {
            let none: Markup = "<td class=\"n none\">–</td>"
            let dashes = repeatElement(none, count: 6).joined()
            return head + "\(dashes)<td class=\"n none\">\(grouped(sum.missed))</td>\(none)\(none)</tr>\n"
        }
        return head + """
            <td class="n">\(grouped(sum.message))</td>\
            <td class="n">\(typographic(grouped(sum.estimate)))</td><td class="n\(errorClass(sum.error))">\(signed(sum.error))</td>\
            <td class="n">\(errorShare(sum.error, of: sum.message))</td>\
            <td class="n">\(grouped(sum.absoluteError))</td>\
            <td class="n">\(meanText(sum.absoluteError, of: sum.compared) ?? "–")</td>\
            <td class="n">\(grouped(sum.missed))</td><td class="n">\(grouped(sum.wire))</td>\
            <td class="n">\(errorShare(sum.wireError, of: sum.wire))</td></tr>

            """
    }
}
