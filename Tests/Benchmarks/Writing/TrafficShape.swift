/// What one exchange of written traffic carries.
enum MessageKind: Int, CaseIterable {
    case json, jsonInChunks, jsonAsGzip, document, longDocument, picture, largePicture, upload, noContent, notModified
    case head, beacon, download
}

/// A mixture of HTTP traffic, as one kind of app or server makes it.
struct TrafficShape {
    var name: String
    /// Kinds of exchanges, and how often each comes among all.
    var kinds: [(kind: MessageKind, weight: Int)]
    /// Connections that are open at the same time.
    var open: Int
    /// Exchanges on one connection: their mean (geometric), or nil for exactly one.
    var meanExchanges: Double?
    /// Between a response and the next request: at least and at most, in nanoseconds.
    var think: ClosedRange<Double>
    /// Connections that are made when no limit is given; nil: until the bytes are written.
    var connections: Int?

    static let all = [web, api, tiny, fat]

    /// An app or site: JSON of all kinds, pages, pictures.
    static let web = TrafficShape(
        name: "web",
        kinds: [
            (.json, 28), (.jsonInChunks, 7), (.jsonAsGzip, 10), (.document, 8), (.longDocument, 3), (.picture, 22),
            (.largePicture, 8), (.upload, 4), (.noContent, 3), (.notModified, 5), (.head, 2),
        ],
        open: 1000, meanExchanges: 20, think: 1e6...5e9)

    /// Calls of an API: short JSON.
    static let api = TrafficShape(
        name: "api",
        kinds: [
            (.json, 50), (.jsonInChunks, 10), (.jsonAsGzip, 14), (.document, 5), (.picture, 4), (.upload, 8),
            (.noContent, 3), (.notModified, 4), (.head, 2),
        ],
        open: 5000, meanExchanges: 20, think: 1e6...5e9)

    /// One short exchange on each connection.
    static let tiny = TrafficShape(
        name: "tiny", kinds: [(.beacon, 1)], open: 1000, think: 1e6...200e6, connections: 300_000)

    /// Downloads of 1 to 64 MB.
    static let fat = TrafficShape(
        name: "fat", kinds: [(.download, 1)], open: 4, meanExchanges: 4, think: 1e6...200e6)
}

/// Where writing ends, and what replaces the shape's own numbers.
struct TrafficLimits {
    /// No exchange starts behind that many bytes of the file, or packets.
    var bytes = Int.max
    var packets = Int.max
    /// Connections in all.
    var connections = Int.max
    /// Connections open at one time; nil: the shape's.
    var open: Int?
    /// Exchanges on each connection, exactly; nil: the shape's.
    var exchanges: Int?
    /// Exchanges that all connections together begin in a second, about, as long as they can answer so fast.
    var rate: Int?
    /// No connection is ever closed.
    var keepsOpen = false
    var seed: UInt64 = 1

    /// Between a response and the next request, in nanoseconds.
    func think(_ shape: TrafficShape) -> ClosedRange<Double> {
        guard let rate else { return shape.think }
        let each = Double(open ?? shape.open) / Double(rate) * 1e9
        return each / 10...each * 3
    }
}
