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
        /// What the capturing program made up.
        var pseudo: Int?
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
        /// Length of its PROXY header.
        var proxyHeader: Int?
        /// The client that the header names, by its own socket.
        var proxiedClient: String?
        /// Whose it is, where the capture names processes.
        var app: String?
        var process: String?
        var pid: Int?
        /// What the client's TLS library saw; absent without TLS.
        var tls: Security?
        /// Bytes of frames that belong to no stream, with the client's preface; absent without HTTP/2.
        var http2: Control?
        /// IP bytes of the DNS messages that it was opened after.
        var dns: Control?
        /// Whose DNS answer gave its server's address; absent where none did but over UDP.
        var lookup: Lookup?
        var exchanges: [Exchange]
    }

    struct Control: Decodable {
        var up: Int
        var down: Int
    }

    struct Lookup: Decodable {
        /// Number of the connection that carried it, in the order of this list.
        var connection: Int
        /// Number of the exchange in it; absent without HTTP.
        var exchange: Int?
    }

    /// Of a handshake that failed only the records are known.
    struct Security: Decodable {
        var version: String?
        var cipher: String?
        var `protocol`: String?
        var resumed: Bool?
        var serverName: String?
        var up: Records
        var down: Records
    }

    /// Records of one direction, and their bytes by the content type that they show.
    struct Records: Decodable {
        var records: Int
        var handshake: Int
        var applicationData: Int
        var alert: Int
        var changeCipherSpec: Int
    }

    struct Exchange: Decodable {
        var method: String
        var target: String
        var stream: Int?
        var status: Int?
        /// What the server executed, where the path does not say it.
        var operation: String?
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
