import WireCore

extension LayeredConversation {
    /// Where an audit with set-up apart says something else than the account; empty when they agree.
    public func disagreements(_ capture: AuditedCapture) -> [String] {
        var list = capture.contradictions
        let account = self.account
        guard capture.connections.count == 1 else { return list + ["\(capture.connections.count) connections"] }
        let exchanges = Set(account.flatMap { $0.lines.keys }).filter { $0 >= 0 }.count
        if capture.exchanges.count != exchanges {
            list.append("\(capture.exchanges.count) exchanges, not \(exchanges)")
        }
        for record in capture.exchanges {
            for (name, costs, known) in [
                ("up", record.costs.up, account[0]), ("down", record.costs.down, account[1]),
            ] where costs.lines != known[record.exchange] {
                list.append(
                    "exchange \(record.exchange) \(name): \(Self.difference(costs.lines, known[record.exchange]))")
            }
        }
        let own = capture.result.hosts.map(\.unassigned)
        for (name, costs, known) in [("up", own.map(\.up), account[0]), ("down", own.map(\.down), account[1])] {
            var sum = CostVector()
            for cost in costs { sum += cost }
            if sum.lines != known[KnownRun.connection] {
                list.append("connection \(name): \(Self.difference(sum.lines, known[KnownRun.connection]))")
            }
        }
        return list
    }

    /// What is found more than known, by cause.
    private static func difference(_ found: [String: Int], _ known: [String: Int]) -> String {
        let names = Set(found.keys).union(known.keys).sorted()
        let parts = names.filter { found[$0] != known[$0] }.map { "\($0) \(found[$0] ?? 0) for \(known[$0] ?? 0)" }
        return parts.joined(separator: ", ")
    }
}
