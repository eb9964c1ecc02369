import WireTesting

/// One connection as its ends use it: content goes in, in clear or sealed in TLS records.
struct Channel {
    var dialogue: Dialogue
    private var peers: TLSPeers?
    /// What one TLS record holds at most (RFC 8446 §5.1).
    private static let recordLimit = 16_384

    /// Lines that open its records.
    var keyLog: String { peers?.keyLog ?? "" }

    /// In clear, on port 80.
    init() { dialogue = Dialogue(serverPort: 80) }

    /// With the handshake of TLS 1.3, on port 443; the server takes the first of these protocols.
    init(protocols: [String]) {
        var peers = TLSPeers(.aes128GCM13, protocols: protocols)
        dialogue = Dialogue(serverPort: 443)
        for flight in peers.handshake() { dialogue.send(up: flight.side == .client, flight.bytes) }
        self.peers = peers
    }

    mutating func send(up: Bool, _ content: [UInt8]) {
        guard peers != nil else { return dialogue.send(up: up, content) }
        var records: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: Self.recordLimit) {
            let part = Array(content[start..<min(start + Self.recordLimit, content.count)])
            records += peers?.seal(up ? .client : .server, part) ?? []
        }
        dialogue.send(up: up, records)
    }

    mutating func exchange(request: [UInt8], response: [UInt8]) {
        send(up: true, request)
        send(up: false, response)
    }

    /// The close_notify alerts of TLS, then both FINs.
    mutating func close() {
        if let alert = peers?.closeNotify(.client) { dialogue.send(up: true, alert) }
        if let alert = peers?.closeNotify(.server) { dialogue.send(up: false, alert) }
        dialogue.close()
    }
}
