import WireCore
import WireTesting

/// A small audit made by hand: every number in the golden texts can be added up on paper.
func sampleAudit() -> AuditResult {
    var result = AuditResult()
    var file = CaptureFileSummary(path: "captures/shop.pcapng", format: "pcapng", compression: "gzip")
    file.linkTypes = [.ethernet]
    file.packets = 1234
    file.bytes = 1_060_000
    file.capturedBytes = 1_000_000
    file.first = 1_795_168_800_123_456_789
    file.last = 1_795_168_884_323_456_789
    file.dropped = 12
    result.files = [file]
    result.connections = 3
    result.exchanges = 32

    result.apis = [
        api("GET api.example.com /v1/items/{id}", calls: 20, message: 400_000, carrying: 40_000),
        api("POST api.example.com /v1/orders", calls: 10, message: 400_000, carrying: 40_000, setup: 1000),
        api("GET img.example.com /assets/catalog/pictures/{id}/large.jpg", calls: 2, message: 50_000, carrying: 9000),
    ]
    var host = HostSummary(host: "api.example.com")
    host.connections = 2
    host.exchanges = 32
    for row in result.apis { host.costs += row.costs }
    var unknown = HostSummary(host: "192.0.2.7")
    unknown.connections = 1
    unknown.connectionsWithoutExchange = 1
    unknown.costs.up[.opaque] = 20_000
    unknown.costs.down[.opaque] = 30_000
    unknown.costs.down[.tcpip] = 5000
    unknown.unassigned = unknown.costs
    result.hosts = [host, unknown]

    result.ledger.causes += host.costs
    result.ledger.causes += unknown.costs
    result.ledger.owned = result.ledger.causes
    result.ledger.other.dns = 5000
    result.ledger.datagrams = 5000
    result.ledger.layers.payload = 900_000
    result.ledger.layers.network = 50_000
    result.ledger.layers.transport = 50_000
    result.ledger.layers.link = 59_000
    result.ledger.layers.nonIP = 1000
    result.ledger.bytes = 1_060_000
    result.findings = [
        FindingCount(code: .streamGap, count: 3, file: "captures/shop.pcapng", packet: 1200),
        FindingCount(code: .refusedSegment, count: 1, file: "captures/shop.pcapng", packet: 77),
    ]
    return result
}

private func api(_ name: String, calls: Int, message: Int, carrying: Int, setup: Int = 0) -> APISummary {
    var row = APISummary(api: name)
    row.exchanges = calls
    row.costs.up[.startLine] = message / 100
    row.costs.up[.headers] = message / 10
    row.costs.down[.body] = message - message / 100 - message / 10
    row.costs.down[.tcpip] = carrying / 2
    row.costs.up[.ack] = carrying / 2 - carrying / 100
    row.costs.down[.retransmission] = carrying / 100
    row.costs.up[.setupTCP] = setup
    return row
}

/// Keeps the records that the engine emits.
final class RecordKeeper: AuditSink {
    var exchanges: [ExchangeRecord] = []
    var connections: [ConnectionRecord] = []
    func receive(_ record: ExchangeRecord) { exchanges.append(record) }
    func receive(_ record: ConnectionRecord) { connections.append(record) }
}

/// The records of one small connection as the engine makes them: one request, one response, both FINs.
func sampleRecords() -> RecordKeeper {
    let keeper = RecordKeeper()
    var auditor = Auditor(sink: keeper)
    let file = auditor.addFile(CaptureFileSummary(path: "shop.pcap", format: "pcap"))
    for (index, packet) in SampleConversation().packets().enumerated() {
        let bytes = packet.frame()
        let frame = CaptureFrame(
            number: index + 1, time: 1_795_168_800_000_000_000 + Int64(index) * 1_000_000, capturedLength: bytes.count,
            originalLength: bytes.count, linkType: packet.linkType)
        unsafe auditor.consume(frame, bytes.span.bytes, file: file)
    }
    _ = auditor.finish()
    return keeper
}
