import WireCore
import WireRecords

/// The latest answered exchanges, the last one first: all, or those of what is open.
struct CallRows {
    struct Entry {
        var record: ExchangeRecord
        /// No later packet changes it.
        var isFinal: Bool

        var item: LiveItem { .call(connection: record.connection, exchange: record.exchange) }

        fileprivate func isLater(than other: Entry) -> Bool {
            let times = (record.responseEnd ?? record.time, other.record.responseEnd ?? other.record.time)
            if times.0 != times.1 { return times.0 > times.1 }
            return (record.connection, record.exchange) > (other.record.connection, other.record.exchange)
        }
    }

    private(set) var ranking: Ranking<Entry>

    init(state: LiveState, options: ReportOptions) {
        let filter = RankedAPIs.filter(state)
        func isShown(_ record: ExchangeRecord) -> Bool {
            guard options.selection.includes(host: record.host, api: record.api) else { return false }
            guard CallRows.belongs(record, to: state.place.item) else { return false }
            // What is typed may be meant as it stands in the line, too.
            return filter.includes(host: record.host, api: record.api)
                || filter.includes(host: record.host, api: CallRows.text(of: record))
        }
        ranking = Ranking { $0.isLater(than: $1) }
        // An exchange may have become final since the snapshot was taken.
        var final: Set<LiveItem> = []
        for record in state.finished where isShown(record) {
            let entry = Entry(record: record, isFinal: true)
            final.insert(entry.item)
            ranking.add(entry)
        }
        for record in state.snapshot.recent where isShown(record) {
            let entry = Entry(record: record, isFinal: false)
            if !final.contains(entry.item) { ranking.add(entry) }
        }
    }

    private static func belongs(_ record: ExchangeRecord, to item: LiveItem?) -> Bool {
        switch item {
        case .api(let name): record.apiName == name
        case .host(let host): record.host == Array(host.utf8)
        case .connection(let number): record.connection == number
        case .call(let connection, let exchange): (record.connection, record.exchange) == (connection, exchange)
        case nil: true
        }
    }

    private static func text(of record: ExchangeRecord) -> [UInt8] {
        (record.method ?? [0x3F]) + [0x20] + record.host + (record.target ?? [])
    }
}
