import WireCore

/// A connection of which nobody could read a call, as far as its records and packets tell.
struct HiddenConnection {
    /// A request and its answer on a connection that carries one call at a time.
    struct Turn {
        /// Content of the request and of the answer, bytes.
        var up: ClosedRange<Int>
        var down: ClosedRange<Int>
        /// From the first record of the request to the last of the answer.
        var time: ClosedRange<Int64>
    }

    var host: [UInt8]
    var server: Endpoint
    var clientPort: UInt16
    var span: ClosedRange<Int64>
    /// Nothing of it is missing.
    var isComplete: Bool
    /// It carries calls of the host that it named alone, one at a time: HTTP/1.1 for certain.
    var isHTTP1: Bool
    var pieces: [HiddenPiece]
    /// Its calls; nil where its records do not tell them apart.
    var turns: [Turn]?

    /// Nil where something of it was read, or no piece is known.
    init?(_ record: ConnectionRecord, host: [UInt8]) {
        guard let hidden = record.hidden, let tls = record.tls, !tls.isDecrypted else { return nil }
        self.host = host
        server = record.server
        clientPort = record.client.port
        span = record.time...record.time.saturatingAdd(max(record.duration, 0))
        isComplete = hidden.isComplete
        isHTTP1 = record.transport == .tcp && tls.handshakeWasRead && HiddenConnection.isHTTP1(tls)
        pieces = hidden.pieces
        turns = isHTTP1 && isComplete ? HiddenConnection.turns(hidden, tls) : nil
    }

    /// HTTP/2 over TLS needs ALPN (RFC 9113 §3.2): where the client did not offer it, or the server chose another, it is none.
    private static func isHTTP1(_ tls: TLSFacts) -> Bool {
        let names = tls.applicationProtocol.map { [$0] } ?? tls.offeredProtocols
        return names.allSatisfy { $0.starts(with: Array("http/1.".utf8)) }
    }

    // MARK: Calls

    /// Cuts the records into calls where the direction changes. Nil where it is not known where the handshake ends.
    private static func turns(_ hidden: HiddenTraffic, _ tls: TLSFacts) -> [Turn]? {
        guard let version = tls.version, tls.earlyData == nil else { return nil }
        var rest = hidden.pieces[...]
        var tickets: Set<UInt32> = []
        let isTLS13 = version == .tls13
        if isTLS13 {
            // Up to the client's Finished all is handshake (RFC 8446 §2). A certificate of the client would stand before it.
            rest = rest.drop { !$0.isFromClient }
            guard let finished = rest.first, HiddenConnection.finishedLengths.contains(finished.content) else {
                return rest.isEmpty ? [] : nil
            }
            rest = rest.dropFirst()
            // What the server says before it is asked are tickets.
            tickets = Set(rest.prefix { !$0.isFromClient }.map(\.content))
        }
        rest = rest.drop { !$0.isFromClient }
        let certainty = RecordCertainty(hidden, rest, isTLS13: isTLS13, tickets: tickets)
        var turns: [Turn] = []
        while let first = rest.first {
            let up = rest.prefix { $0.isFromClient }
            rest = rest[up.endIndex...]
            let down = rest.prefix { !$0.isFromClient }
            rest = rest[down.endIndex...]
            guard let last = down.last else { break }
            turns.append(
                Turn(
                    up: certainty.content(up, mayBeginWithTickets: false),
                    down: certainty.content(down, mayBeginWithTickets: turns.isEmpty && tickets.isEmpty),
                    time: first.time...max(first.time, last.time)))
        }
        return turns
    }

    /// A Finished message: four bytes of header and a digest of SHA-256 or SHA-384 (RFC 8446 §4.4.4).
    private static let finishedLengths: Set<UInt32> = [36, 52]
}

/// Which records may be no content of calls.
private struct RecordCertainty {
    let isTLS13: Bool
    /// By direction, the client's first: the length of a record tells that of its content.
    private let showsLength: (up: Bool, down: Bool)
    /// Lengths of the server's session tickets.
    let tickets: Set<UInt32>

    /// Alerts and KeyUpdate messages (RFC 8446 §6, §4.6.3). Node ends a chunked body with a record as long as the latter, so
    /// that a length alone proves nothing.
    private static let shortLengths: Set<UInt32> = [2, 5]
    /// No ticket that servers send is longer.
    private static let longestTicket = 4096

    init(_ hidden: HiddenTraffic, _ data: ArraySlice<HiddenPiece>, isTLS13: Bool, tickets: Set<UInt32>) {
        (self.isTLS13, self.tickets) = (isTLS13, tickets)
        func shows(_ isFromClient: Bool) -> Bool {
            hidden.showsContentLength
                && !(isTLS13 && RecordCertainty.isPadded(data.lazy.filter { $0.isFromClient == isFromClient }))
        }
        showsLength = (shows(true), shows(false))
    }

    /// Whoever pads records of TLS 1.3 fills the content and the byte of its type up to a multiple of 16 or more (Mbed TLS,
    /// and options of others), nearly always.
    private static func isPadded(_ records: some Sequence<HiddenPiece>) -> Bool {
        var (all, even) = (0, 0)
        for record in records {
            all += 1
            if (record.content + 1).isMultiple(of: 16) { even += 1 }
        }
        return all > 0 && even * 10 >= all * 9
    }

    /// Bytes of calls in a run of records of one direction, the least and the most.
    func content(_ run: ArraySlice<HiddenPiece>, mayBeginWithTickets: Bool) -> ClosedRange<Int> {
        let most = run.reduce(0) { $0 + Int($1.content) }
        guard run.first?.isFromClient == true ? showsLength.up : showsLength.down else { return 0...most }
        guard isTLS13 else { return most...most }
        var least = most
        var mayBeTicket = mayBeginWithTickets
        for (index, piece) in run.enumerated() {
            // A message has a record at least.
            mayBeTicket = mayBeTicket && index < run.count - 1 && piece.content <= RecordCertainty.longestTicket
            if mayBeTicket || RecordCertainty.shortLengths.contains(piece.content) || tickets.contains(piece.content) {
                least -= Int(piece.content)
            }
        }
        return least...most
    }
}
