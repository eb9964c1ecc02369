import WireCore

/// The calls and connections behind a saving. Beyond a limit those with fewer bytes are discarded.
struct SavingParts {
    /// So many are kept at least.
    static let limit = 4096

    private struct Key: Hashable {
        var connection: Int
        var exchange: Int?
    }

    private var parts: [Key: Opportunity.Part] = [:]

    /// Takes a part; of one that is known already the bytes are added.
    mutating func add(_ part: Opportunity.Part) {
        let key = Key(connection: part.connection, exchange: part.exchange)
        guard parts[key] == nil else {
            parts[key]?.bytes += part.bytes
            return
        }
        parts[key] = part
        if parts.count > 2 * SavingParts.limit { discardSmallest() }
    }

    /// What a part would cost elsewhere is no saving.
    mutating func reduce(connection: Int, exchange: Int, by bytes: Int) {
        parts[Key(connection: connection, exchange: exchange)]?.bytes -= bytes
    }

    private mutating func discardSmallest() {
        let kept = largest.prefix(SavingParts.limit)
        parts = Dictionary(kept.map { (Key(connection: $0.connection, exchange: $0.exchange), $0) }) { one, _ in one }
    }

    /// Those that save something, the largest first.
    var largest: [Opportunity.Part] {
        parts.values.filter { $0.bytes > 0 }.sorted {
            ($1.bytes, $0.connection, $0.exchange ?? -1) < ($0.bytes, $1.connection, $1.exchange ?? -1)
        }
    }
}

extension Opportunity.Part {
    /// The part of a call.
    init(_ record: ExchangeRecord, bytes: Int) {
        (connection, exchange, time, host) = (record.connection, record.exchange, record.time, record.host)
        (path, query, self.bytes) = (record.path, record.query, bytes)
    }

    /// The part of a connection: of its set-up and closing.
    init(_ use: ConnectionSavings.Use, _ host: String, bytes: Int) {
        (connection, time, self.host, self.bytes) = (use.number, use.time, Array(host.utf8), bytes)
    }
}
