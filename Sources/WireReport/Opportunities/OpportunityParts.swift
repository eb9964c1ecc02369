import WireCore
import WireOpportunities
import WireRecords

/// The calls and connections behind an opportunity, as reports tell them.
extension Opportunity {
    /// Those that JSON lists. A page has fewer, a terminal the URLs with most bytes.
    static let mostListed = 1000
    static let mostOnPage = 50
    private static let mostURLs = 3

    /// The URLs with most bytes of the calls that are known one by one.
    func largestURLs(_ options: ReportOptions) -> [Subject] {
        var sums: [String: (bytes: Int, count: Int)] = [:]
        for part in parts {
            guard let url = part.url(options) else { continue }
            let sum = sums[url] ?? (0, 0)
            sums[url] = (sum.bytes + part.bytes, sum.count + 1)
        }
        let sorted = sums.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }
        return sorted.prefix(Opportunity.mostURLs).map {
            Subject(name: $0.key, bytes: $0.value.bytes, count: $0.value.count)
        }
    }
}

extension Opportunity.Part {
    /// Host, path and query of a call as they may be shown; nil of a connection.
    func url(_ options: ReportOptions) -> String? {
        guard exchange != nil else { return nil }
        let query = options.redacted(query: query).map { [0x3F] + $0 } ?? []
        return String(decoding: host + (options.redacted(path: path) ?? []) + query, as: UTF8.self)
    }
}
