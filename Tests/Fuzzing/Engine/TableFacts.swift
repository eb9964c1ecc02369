import WireCore

/// All that a row of the API table says.
struct APIFacts: Equatable {
    var api: String
    var exchanges: Int
    var costs: Directions<CostVector>
    var isEncrypted: Bool

    init(_ row: APISummary) {
        api = row.api
        exchanges = row.exchanges
        costs = row.costs
        isEncrypted = row.isEncrypted
    }
}

/// All that is said of a host.
struct HostFacts: Equatable {
    var host: String
    var counts: [Int]
    var costs: Directions<CostVector>
    var unassigned: Directions<CostVector>
    var setup: SetupSummary

    init(_ row: HostSummary) {
        host = row.host
        counts = [row.connections, row.exchanges, row.connectionsWithoutExchange]
        costs = row.costs
        unassigned = row.unassigned
        setup = row.setup
    }
}

/// The sums of a result.
struct SumFacts: Equatable {
    var counts: [Int]
    var layers: LayerTotals
    var other: OtherTotals
    var causes: Directions<CostVector>
    var owned: Directions<CostVector>
    var files: [[Int64?]]

    init(_ result: AuditResult) {
        counts = [result.connections, result.exchanges, result.ledger.bytes]
        layers = result.ledger.layers
        other = result.ledger.other
        causes = result.ledger.causes
        owned = result.ledger.owned
        files = result.files.map { file in
            [
                Int64(file.packets), Int64(file.bytes), Int64(file.capturedBytes), Int64(file.snapped), file.first,
                file.last,
            ]
        }
    }
}
