import WireCore

/// A connection of which nobody could read a call, as far as its records and packets tell.
struct HiddenConnection {
    /// In the audit.
    var number: Int
    var host: [UInt8]
    var server: Endpoint
    var clientPort: UInt16
    var span: ClosedRange<Int64>
    /// Nothing of it is missing.
    var isComplete: Bool
    /// It carries calls of the host that it named alone, one at a time: HTTP/1.1 for certain.
    var isHTTP1: Bool
    var pieces: [HiddenPiece]
    /// A record is as long as its content and what the cipher adds, as far as nothing is padded.
    var showsLength: Bool
    /// Tickets, alerts and KeyUpdate cannot be told from content.
    var isTLS13: Bool
    /// Its calls that were answered; nil where its records do not tell them apart.
    var calls: [UnnamedCall]?

    /// Nil where something of it was read, or no piece is known.
    init?(_ record: ConnectionRecord, host: [UInt8]) {
        guard let hidden = record.hidden, let tls = record.tls, !tls.isDecrypted else { return nil }
        number = record.connection
        self.host = host
        server = record.server
        clientPort = record.client.port
        span = record.time...record.time.saturatingAdd(max(record.duration, 0))
        isComplete = hidden.isComplete
        isHTTP1 = record.transport == .tcp && tls.handshakeWasRead && tls.isHTTP1
        pieces = hidden.pieces
        showsLength = record.transport == .tcp && tls.handshakeWasRead && hidden.showsContentLength
        isTLS13 = tls.version == .tls13
        calls = isHTTP1 && isComplete ? hidden.calls?.filter { $0.answerStart != nil } : nil
    }
}
