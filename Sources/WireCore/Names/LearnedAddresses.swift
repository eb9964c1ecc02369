/// The call, or the connection, whose DNS answer gave a server's address. It owns its bytes itself: a link is in no sum.
public struct LookupLink: Sendable, Equatable {
    /// Number of the connection in the audit.
    public var connection: Int
    /// Number of the exchange in that connection; nil where the answer came without HTTP.
    public var exchange: Int?

    public init(connection: Int, exchange: Int? = nil) {
        self.connection = connection
        self.exchange = exchange
    }
}

/// What a DNS answer said that came over HTTPS, TLS, QUIC or TCP.
struct LearnedAnswer: Sendable {
    /// Who asked.
    var client: IPAddress
    var name: [UInt8]
    var addresses: [IPAddress]
    /// When it had come whole: nanoseconds.
    var time: Int64
    var link: LookupLink
}

/// Addresses that DNS answers of other connections gave, for the connections that use them (ByteLedger.md §5.6).
struct LearnedAddresses {
    private struct Entry {
        var client: IPAddress
        var name: [UInt8]
        var time: Int64
        var link: LookupLink
    }

    /// Most answers kept of one address; the oldest are forgotten.
    private static let entryLimit = 256

    private let limit: Int
    /// Of each address the answers that gave it, in the order in which they came.
    private var entries: [IPAddress: [Entry]] = [:]
    private var count = 0

    /// - Parameter limit: most answers kept, each once for every address in it; beyond that all are forgotten.
    init(limit: Int = 65_536) { self.limit = limit }

    var isEmpty: Bool { count == 0 }

    /// Returns whether there was no room, and all others were forgotten.
    mutating func add(_ answer: LearnedAnswer) -> Bool {
        let isFull = count > 0 && count + answer.addresses.count > limit
        if isFull {
            entries.removeAll(keepingCapacity: true)
            count = 0
        }
        let entry = Entry(client: answer.client, name: answer.name, time: answer.time, link: answer.link)
        for address in answer.addresses {
            entries[address, default: []].append(entry)
            count += 1
            guard let held = entries[address]?.count, held > LearnedAddresses.entryLimit else { continue }
            entries[address]?.removeFirst()
            count -= 1
        }
        return isFull
    }

    /// The latest answer that gave an address to a client by a time. `name`: of the host that the connection is to; where
    /// that is not known, all answers must be to one name.
    func link(for address: IPAddress, client: IPAddress, name: [UInt8]?, at time: Int64) -> LookupLink? {
        guard let entries = entries[address] else { return nil }
        var found: Entry?
        for entry in entries.reversed() where entry.time <= time {
            // As with `LookupDirectory`: who asks over one version of IP may connect over the other.
            guard entry.client == client || entry.client.isVersion6 != client.isVersion6 else { continue }
            if let name {
                if entry.name == name { return entry.link }
            } else {
                if let found, found.name != entry.name { return nil }
                found = found ?? entry
            }
        }
        return found?.link
    }
}
