import WireCore

/// Apps of several sessions.
extension PartialResult {
    /// The apps of all sessions, and behind them what is left of connections and UDP: sessions that name no app are in it.
    func apps(of hosts: [HostSummary]) -> [AppSummary] {
        let named = rows(.app)
        guard !named.isEmpty else { return [] }
        var whole = AppSummary(app: nil)
        for host in hosts {
            whole.connections += host.connections
            whole.exchanges += host.exchanges
            whole.costs += host.costs
        }
        var rest = PartialRow(.app)
        rest.set(whole)
        for (_, row) in named { rest.subtract(row) }
        return named.map { $0.row.app($0.names.first) } + [rest.app(nil)]
    }
}

extension PartialRow {
    mutating func set(_ app: AppSummary) {
        set("connections", app.connections)
        set("exchanges", app.exchanges)
        set("cost", app.costs)
    }

    fileprivate func app(_ name: String?) -> AppSummary {
        var app = AppSummary(app: name)
        app.connections = integer("connections")
        app.exchanges = integer("exchanges")
        app.costs = costs("cost")
        return app
    }

    /// Takes away what another row of the kind has; both have sums only.
    fileprivate mutating func subtract(_ other: PartialRow) {
        for place in values.indices { values[place]? -= other.values[place] ?? 0 }
    }
}
