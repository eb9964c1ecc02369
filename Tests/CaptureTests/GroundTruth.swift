/// `truth.json`: what kernels and programs say of a capture. Absent means that they cannot know; see
/// `Captures/README.md`. All sizes are bytes.
struct GroundTruth: Decodable {
    struct Capture: Decodable {
        var file: String
        /// Packets and bytes that the interface counted.
        var packets: Int
        var bytes: Int
        /// IP bytes of the DNS datagrams.
        var dnsBytes: Int?
    }

    /// A connection by the client's TCP_INFO after its end.
    struct Connection: Decodable {
        var clientPort: UInt16
        var serverPort: UInt16
        /// Payload sent, retransmissions included.
        var sent: Int?
        var retransmitted: Int?
        /// Payload received in order.
        var received: Int?
        var exchanges: [Exchange]
    }

    struct Exchange: Decodable {
        var method: String
        var target: String
        var status: Int?
        var request: Message?
        var response: Message?
    }

    /// Sizes that the client counted at its socket.
    struct Message: Decodable {
        var startLine: Int
        var headers: Int
        var framing: Int?
        var body: Int?
        var bodyDecoded: Int?
    }

    var capture: Capture
    var connections: [Connection]
}
