import WireCore
import WireRecords

/// The rows that the selection moves in, in their order: those of the table, or of what is open.
public struct LiveRows {
    public let count: Int
    private let rank: (LiveItem) -> Int?
    private let item: (Int) -> LiveItem?

    public init(_ state: LiveState, _ options: ReportOptions) {
        switch (state.place.item, state.place.table) {
        case (.api?, _), (.connection?, _), (.call?, _):
            self.init(CallRows(state: state, options: options).ranking) { $0.item }
        case (.host(let host)?, _):
            self.init(apis: RankedAPIs(state: state, options: options, host: host))
        case (nil, .apis): self.init(apis: RankedAPIs(state: state, options: options))
        case (nil, .hosts):
            let hosts = state.snapshot.hosts
            self.init(hostRanking(state, options)) { .host(hosts[$0.index].host) }
        case (nil, .connections):
            self.init(ConnectionRows(state: state, options: options).ranking) { .connection($0.number) }
        }
    }

    private init(apis: RankedAPIs) { self.init(apis.ranking) { .api(apis.rows[$0.index].api) } }

    private init<Entry>(_ ranking: Ranking<Entry>, _ item: @escaping (Entry) -> LiveItem) {
        count = ranking.count
        rank = { wanted in ranking.rank { item($0) == wanted } }
        self.item = { ranking.first($0 + 1).last.map(item) }
    }

    /// The row `distance` rows behind the selected one, or as far as there are rows. Without a selection it is counted from
    /// outside: one step on is the first row, one back the last. Nil where there is none.
    public func selection(_ distance: Int, from selection: LiveSelection?) -> LiveSelection? {
        let start = selection.map { rank($0.item) ?? $0.rank } ?? (distance < 0 ? count : -1)
        let (sum, isTooFar) = start.addingReportingOverflow(distance)
        return self.selection(at: isTooFar ? count - 1 : sum)
    }

    /// The selected item where it is now; where it is no more, the row that has its place.
    public func settled(_ selection: LiveSelection?) -> LiveSelection? {
        guard let selection else { return nil }
        guard let rank = rank(selection.item) else { return self.selection(at: selection.rank) }
        return LiveSelection(item: selection.item, rank: rank)
    }

    private func selection(at rank: Int) -> LiveSelection? {
        let rank = max(min(rank, count - 1), 0)
        return item(rank).map { LiveSelection(item: $0, rank: rank) }
    }
}

extension LiveState {
    /// The selection follows its item.
    public mutating func follow(_ options: ReportOptions) {
        guard place.selection != nil else { return }
        place.selection = LiveRows(self, options).settled(place.selection)
    }
}
