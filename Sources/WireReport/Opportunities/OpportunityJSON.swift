import WireOpportunities
import WireRecords

extension JSONFields {
    /// `opportunities` of an audit; null where they were not asked for.
    mutating func opportunities(_ report: OpportunityReport?, _ options: ReportOptions) {
        guard begin("opportunities", isKnown: report != nil), let report else { return }
        integer("computed_total", report.computedTotal)
        integer("wire", report.wire)
        integer("unread_calls", report.unreadCalls)
        beginArray("items")
        for item in report.opportunities {
            beginElement()
            text("kind", item.kind.rawValue)
            text("title", item.kind.title)
            text("explanation", item.explanation)
            boolean("computed", item.isComputed)
            integer("bytes", item.bytes)
            integer("count", item.count)
            beginArray("subjects")
            for subject in item.subjects {
                beginElement()
                text("name", subject.name)
                integer("bytes", subject.bytes)
                integer("count", subject.count)
                end()
            }
            endArray()
            integer("further_subjects", item.furtherSubjects)
            parts(item, options)
            end()
        }
        endArray()
        end()
    }
}
