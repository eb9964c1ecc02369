@testable import WireCore

/// What the parts of the connections hold together.
extension Auditor {
    func sum(_ value: (borrowing Books) -> Int) -> Int {
        (0..<parts.count).reduce(0) { $0 + value(parts[$1].books) }
    }

    var liveExchanges: Int { sum { $0.exchanges.liveCount } }

    var lingeringCount: Int { (0..<parts.count).reduce(0) { $0 + parts[$1].connections.lingeringCount } }

    func most(_ value: (borrowing Books) -> Int) -> Int {
        (0..<parts.count).reduce(0) { max($0, value(parts[$1].books)) }
    }
}
