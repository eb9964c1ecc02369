/// The bodies of one media type.
public struct ContentTypeSummary: Sendable, Equatable {
    /// In lower case, without parameters; nil of bodies whose message tells none.
    public var type: String?
    /// Bodies that are not empty.
    public var bodies = Directions(up: 0, down: 0)
    /// Their bytes as sent, without framing.
    public var bytes = Directions(up: 0, down: 0)

    public init(type: String?) { self.type = type }

    public var sum: Int { bytes.up + bytes.down }

    fileprivate mutating func add(_ other: ContentTypeSummary) {
        bodies = Directions(up: bodies.up + other.bodies.up, down: bodies.down + other.bodies.down)
        bytes = Directions(up: bytes.up + other.bytes.up, down: bytes.down + other.bytes.down)
    }
}

/// Bytes of bodies by the media types of each shard, which number them on their own.
struct ContentTypeSums {
    private var rows: [[ContentTypeSummary]] = []

    /// Adds the bodies of an exchange.
    mutating func add(_ types: Directions<UInt16>, up: Int, down: Int, _ shard: Int) {
        if up > 0 {
            let row = place(types.up, shard)
            rows[shard][row].bodies.up += 1
            rows[shard][row].bytes.up += up
        }
        if down > 0 {
            let row = place(types.down, shard)
            rows[shard][row].bodies.down += 1
            rows[shard][row].bytes.down += down
        }
    }

    private mutating func place(_ type: UInt16, _ shard: Int) -> Int {
        while rows.count <= shard { rows.append([]) }
        while rows[shard].count <= Int(type) { rows[shard].append(ContentTypeSummary(type: nil)) }
        return Int(type)
    }

    /// The rows of all shards, put together by the names that `name` gives to the numbers of a shard.
    func summaries(_ name: (_ shard: Int, _ type: UInt16) -> [UInt8]?) -> [ContentTypeSummary] {
        var sums: [ContentTypeSummary] = []
        for (shard, rows) in rows.enumerated() {
            for (type, row) in rows.enumerated() where row.sum > 0 {
                var row = row
                row.type = name(shard, UInt16(type)).map(NameTable.text)
                // Only another shard can have the same type.
                if shard > 0, let place = sums.firstIndex(where: { $0.type == row.type }) {
                    sums[place].add(row)
                } else {
                    sums.append(row)
                }
            }
        }
        return sums
    }
}
