import WireTesting

/// One connection of QUIC: the calls of the workloads `api` and `tls` over HTTP/3, or the download of `bulk`.
struct DatagramDialogue {
    private static let calls = 20
    private static let downloadLength = 1 << 20
    /// Packets of a download for each acknowledgment.
    private static let acknowledgedTogether = 10
    /// Stream data of one packet at most.
    private static let packetLength = 1_150

    private var peers: QUICPeers
    private var datagrams: [QUICPeers.Datagram] = []
    private var received: UInt64 = 0

    var keyLog: String { peers.keyLog }
    var frames: [[UInt8]] { peers.frames(datagrams).map(\.bytes) }

    /// `client` tells connections apart: a connection ID belongs to one.
    init(client: Int, isDownload: Bool, _ bytes: inout SeededBytes) {
        peers = QUICPeers(seed: UInt64(client) + 1)
        datagrams = peers.handshake()
        for side in [WireTesting.Dialogue.Side.client, .server] {
            let settings = QUICWire.frame(4, [1, 0])
            datagrams.append(peers.datagram(side, QUICWire.stream(side == .client ? 2 : 3, 0, [0] + settings)))
        }
        if isDownload {
            play(0, "/media/17/film", length: Self.downloadLength, &bytes)
        } else {
            for call in 0..<Self.calls {
                let path = call % 3 == 0 ? "/v1/items/\(call * 91)" : "/v1/lists/\(call % 4)?page=\(call)"
                play(call, path, length: 300 + call * 70, &bytes)
            }
        }
        datagrams.append(peers.datagram(.client, [0x1D, 0x41, 0, 0]))
    }

    private mutating func play(_ call: Int, _ path: String, length: Int, _ bytes: inout SeededBytes) {
        let stream = UInt64(4 * call)
        datagrams.append(peers.datagram(.client, QUICWire.stream(stream, 0, QUICWire.request(path), isFinal: true)))
        let response = QUICWire.response(bytes.next(length))
        for start in stride(from: 0, to: response.count, by: Self.packetLength) {
            let end = min(start + Self.packetLength, response.count)
            let data = Array(response[start..<end])
            datagrams.append(
                peers.datagram(
                    .server, QUICWire.stream(stream, UInt64(start), data, isFinal: end == response.count)))
            received += 1
            guard received.isMultiple(of: UInt64(Self.acknowledgedTogether)), end < response.count else { continue }
            datagrams.append(peers.datagram(.client, QUICWire.acknowledgment(received)))
        }
        datagrams.append(peers.datagram(.client, QUICWire.acknowledgment(received)))
    }
}
