import WireCore
import WireRecords

/// Bytes of all calls over time, by what they were spent on: a column for each part of the time.
struct OverviewPicture {
    let page: AuditPage
    let span: TimeSpan

    func render() -> Markup {
        let series = page.time.series
        let most = series.bins.map(\.total).max() ?? 0
        guard most > 0 else { return "" }
        var all = CostGroups()
        for groups in series.bins { all.add(groups) }
        let start = page.place(series.start)
        let width = Int(page.time.width / 1000)
        var columns = Markup()
        for (number, groups) in series.bins.enumerated() where groups.total > 0 {
            columns += column(groups, start + number * width, start + (number + 1) * width, most)
        }
        return """
            <div id="overview"><svg width="100%" height="64" role="img" aria-label="Bytes over time; at most \(sizeText(most)) \
            in \(durationInWords(UInt64(page.time.width)))">\(columns)</svg>
            <p class="legend">Bytes of calls by the time when they began, of connections that were not read when they were \
            sent, in parts of \(durationInWords(UInt64(page.time.width))); \
            at most \(sizeText(most)). \(StackBar.legend(all)) <span id="draghint" hidden>Drag over it to enlarge a part of the time.</span></p></div>
            """
    }

    private func column(_ groups: CostGroups, _ from: Int, _ to: Int, _ most: Int) -> Markup {
        let left = span.place(from)
        let width = placeText(max(span.place(to) - left, 0.002))
        var below = 0
        var boxes = Markup()
        for group in CostGroup.allCases where groups[group] > 0 {
            let bottom = 64 - Double(below) / Double(most) * 64
            below += groups[group]
            let top = 64 - Double(below) / Double(most) * 64
            boxes += """
                <rect class="g\(group.rawValue)" x="\(placeText(min(left, 0.998)))" y="\(coordinate(top))" width="\(width)" \
                height="\(coordinate(max(bottom - top, 0.3)))"/>
                """
        }
        return boxes
    }
}
