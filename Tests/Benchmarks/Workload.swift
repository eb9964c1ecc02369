/// A fixed set of packets: one connection, played by many clients at the same time.
struct Workload {
    var name: String
    /// Frames of the connection, Ethernet and IPv4.
    var frames: [[UInt8]]
    /// Key log lines that open its TLS; empty where the audit is to work without them.
    var keyLog = ""

    /// Frames of further clients, where they differ in more than addresses.
    private var others: [[[UInt8]]] = []

    static let all = [
        "bulk", "api", "tiny", "names", "lossy", "tls", "tls-nokeys", "tls-bulk-nokeys", "h2", "h2-tls", "h3",
        "h3-nokeys", "h3-bulk-nokeys",
    ]

    /// What the client offers by ALPN, of the workloads with TLS.
    private static let protocols = [
        "tls": ["http/1.1"], "tls-nokeys": ["http/1.1"], "tls-bulk-nokeys": ["http/1.1"], "h2-tls": ["h2"],
    ]

    init?(_ name: String, clients: Int) {
        self.name = name
        if name == "h3" || name == "h3-nokeys" || name == "h3-bulk-nokeys" {
            frames = []
            playDatagrams(clients, isDownload: name == "h3-bulk-nokeys", hasKeys: name == "h3")
            return
        }
        var bytes = SeededBytes()
        var channel = Workload.protocols[name].map { Channel(protocols: $0) } ?? Channel()
        switch name {
        case "bulk", "tls-bulk-nokeys":
            let get = Workload.request("GET /media/17/film HTTP/1.1", bytes: 200)
            channel.exchange(request: get, response: Workload.response(bytes.next(1 << 20)))
        case "api", "tls", "tls-nokeys": Workload.callAPI(&channel, &bytes)
        case "tiny":
            let get = Workload.request("GET /beacon HTTP/1.1", bytes: 120)
            channel.exchange(request: get, response: Workload.response([]))
        case "names":
            // A host that is longer than any name in the tables.
            let host = (0..<12).map { String(repeating: "n", count: 60) + "\($0)" }.joined(separator: ".")
            let get = Workload.request("GET /beacon HTTP/1.1", host: host, bytes: 900)
            channel.exchange(request: get, response: Workload.response([]))
        case "lossy":
            for number in 0..<4 {
                let get = Workload.request("GET /pictures/\(number) HTTP/1.1", bytes: 320)
                channel.exchange(request: get, response: Workload.response(bytes.next(120_000)))
            }
        case "h2": StreamDialogue.play(on: &channel, scheme: "http", &bytes)
        case "h2-tls": StreamDialogue.play(on: &channel, scheme: "https", &bytes)
        default: return nil
        }
        channel.close()
        if name == "lossy" { channel.dialogue.disturb() }
        if !name.hasSuffix("-nokeys") { keyLog = channel.keyLog }
        frames = channel.dialogue.packets.map { $0.frame() }
    }

    private mutating func playDatagrams(_ clients: Int, isDownload: Bool, hasKeys: Bool) {
        var bytes = SeededBytes()
        let dialogues = (0..<clients).map { DatagramDialogue(client: $0, isDownload: isDownload, &bytes) }
        frames = dialogues[0].frames
        others = dialogues.dropFirst().map(\.frames)
        if hasKeys { keyLog = dialogues.map(\.keyLog).joined() }
    }

    /// A frame of the connection as this client has it.
    func frame(_ index: Int, of client: Int) -> [UInt8] {
        client == 0 || others.isEmpty ? frames[index] : others[client - 1][index]
    }

    /// Twenty calls of an API, one behind the other.
    private static func callAPI(_ channel: inout Channel, _ bytes: inout SeededBytes) {
        for number in 0..<20 {
            let path = number % 3 == 0 ? "/v1/items/\(number * 91)" : "/v1/lists/\(number % 4)?page=\(number)"
            let get = request("GET \(path) HTTP/1.1", bytes: 320)
            channel.exchange(request: get, response: response(bytes.next(300 + number * 70)))
        }
    }

    private static func request(_ line: String, host: String = "api.example.com", bytes: Int) -> [UInt8] {
        let head = "\(line)\r\nHost: \(host)\r\nAccept: */*\r\nX-Token: "
        return Array((head + String(repeating: "t", count: max(0, bytes - head.utf8.count - 4)) + "\r\n\r\n").utf8)
    }

    private static func response(_ body: [UInt8]) -> [UInt8] {
        let fields = "Server: bench\r\nContent-Type: application/octet-stream\r\nCache-Control: no-store\r\n"
        return Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}

/// Bytes that look random and are the same in every run (xorshift, seed 1).
struct SeededBytes {
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    mutating func next(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            bytes.append(UInt8(truncatingIfNeeded: state >> 32))
        }
        return bytes
    }
}
