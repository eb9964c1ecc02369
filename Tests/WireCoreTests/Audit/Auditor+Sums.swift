@testable import WireCore

/// What the shards hold together.
extension Auditor {
    func sum(_ value: (borrowing ShardContext) -> Int) -> Int {
        (0..<shards.count).reduce(0) { $0 + value(shards[$1].context) }
    }

    var liveExchanges: Int { sum { $0.streams.attribution.openCount } }

    var lingeringCount: Int { (0..<shards.count).reduce(0) { $0 + shards[$1].connections.lingeringCount } }

    func most(_ value: (borrowing ShardContext) -> Int) -> Int {
        (0..<shards.count).reduce(0) { max($0, value(shards[$1].context)) }
    }
}
