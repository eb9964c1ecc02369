import WireCore
import WireReport

/// The sample audit as a live one sees it 90 seconds after its start: two interfaces, losses, evidence and keys.
func sampleLive() -> LiveState {
    let audit = sampleAudit()
    var state = LiveState()
    state.interfaces = sampleInterfaces()
    state.filter = "tcp port 443"
    state.started = 1_795_168_800_000_000_000
    state.elapsed = 3_725_900_000_000
    state.snapshot.packets = 1234
    state.snapshot.bytes = audit.ledger.bytes
    state.snapshot.ledger = audit.ledger
    state.snapshot.apis = audit.apis
    state.snapshot.connections = 3
    state.snapshot.openConnections = 2
    state.snapshot.exchanges = 32
    state.snapshot.openExchanges = 1
    state.snapshot.awaitingKeys = 1
    state.rates = sampleRates(state.snapshot)
    state.residentBytes = 31_234_567
    state.limits = [
        LiveLimit(name: "connections kept", used: 3, limit: 65_536),
        LiveLimit(name: "bytes held", used: 1_234_567, limit: 268_435_456, isBytes: true),
        LiveLimit(name: "API rows", used: 3, limit: 10_000),
        LiveLimit(name: "exchanges kept", used: 6, limit: 16_384),
    ]
    state.evidence = LiveEvidence(path: "shop_00003.pcapng", bytes: 1_100_000, packets: 1234, files: 3)
    state.keySecrets = 14
    let records = sampleExchanges()
    state.snapshot.recent = Array(records.prefix(2))
    state.finished = Array(records.dropFirst(2))
    state.snapshot.hosts = audit.hosts
    let connections = sampleConnections()
    state.snapshot.connectionRecords = Array(connections.prefix(2))
    state.ended = Array(connections.dropFirst(2))
    return state
}

func sampleInterfaces() -> [CaptureInterfaceSummary] {
    var wireless = CaptureInterfaceSummary(
        name: "en0", description: "Wi-Fi", linkType: .ethernet, snapshotLength: 262_144)
    wireless.packets = 1200
    wireless.bytes = 1_050_000
    wireless.received = 1210
    wireless.droppedByKernel = 10
    wireless.droppedByInterface = 2
    var tunnel = CaptureInterfaceSummary(name: "utun4", linkType: LinkType(rawValue: 101), snapshotLength: 65_535)
    tunnel.packets = 34
    tunnel.bytes = 10_000
    return [wireless, tunnel]
}

/// A kilobyte more in each second than in the one before, ten times; then half a minute of nothing, then all the rest.
private func sampleRates(_ snapshot: AuditSnapshot) -> LiveRates {
    var rates = LiveRates()
    var part = AuditSnapshot()
    let second: Int64 = 1_000_000_000
    for step in 0...40 {
        part.bytes += min(step, 10) * 1000 * (step <= 10 ? 1 : 0)
        part.packets = part.bytes / 500
        part.apis = step == 40 ? snapshot.apis : []
        rates.note(part, at: Int64(step) * second)
    }
    rates.note(snapshot, at: 41 * second)
    return rates
}

/// Two that go on and one that ended, with the numbers of the exchanges' connections.
private func sampleConnections() -> [ConnectionRecord] {
    guard let record = sampleRecords().connections.first else { return [] }
    return (0..<3).map { number in
        var copy = record
        copy.connection = number
        copy.time = 1_795_172_500_000_000_000 + Int64(number) * 2_000_000_000
        copy.duration = Int64(number + 1) * 1_500_000_000
        copy.serverName = [Array("api.example.com".utf8), Array("img.example.com".utf8), nil][number]
        copy.costs.down[.body] = [900, 1_234_567, 60][number]
        copy.exchanges = [4, 2, 0][number]
        copy.close = [.open, .open, .fin][number]
        return copy
    }
}

/// Six exchanges of a second each, the latest first.
private func sampleExchanges() -> [ExchangeRecord] {
    guard let record = sampleRecords().exchanges.first else { return [] }
    let paths = ["/v1/items/42", "/v1/orders", "/assets/catalog/pictures/7/large.jpg", "/v1/items/43", "/", "/v1/me"]
    return paths.indices.map { index in
        var copy = record
        copy.exchange = paths.count - index
        copy.connection = index % 3
        copy.responseEnd = 1_795_172_525_123_456_789 - Int64(index) * 1_000_000_000
        copy.path = Array(paths[index].utf8)
        copy.query = nil
        copy.status = [200, 201, 200, 404, 503, nil][index]
        copy.method = Array((index == 1 ? "POST" : "GET").utf8)
        copy.costs.down[.body] = [5, 900, 1_234_567, 5, 60, 0][index]
        copy.duration = Int64(index) * 12_345_678
        copy.flags = [[], [], [.drops], [], [], [.noResponse, .reset]][index]
        return copy
    }
}

/// All that a capture could try to do to a terminal.
func hostileLive() -> LiveState {
    var state = sampleLive()
    let texts = [
        "\u{1B}[2J\u{1B}]0;x\u{7}\r\n\t\u{9B}31m", "\u{202E}\u{2066}\u{200B}\u{FEFF}", "日本語漢字⌚️⚡️🇯🇵👩‍👩‍👧🀄️",
        "e" + String(repeating: "\u{301}", count: 300), String(repeating: "長", count: 150),
        "(" + String(repeating: "m", count: 120), "", "\u{FFFD}\u{0}",
    ]
    for index in state.snapshot.apis.indices { state.snapshot.apis[index].api = "GET " + texts[index] + " /" }
    for text in texts {
        var row = APISummary(api: text)
        row.costs.down[.body] = .max / 4096
        row.exchanges = .max / 4096
        row.isEncrypted = text.isEmpty
        state.snapshot.apis.append(row)
    }
    for index in state.finished.indices {
        state.finished[index].path = Array(texts[index].utf8) + [0xFF, 0x80]
        state.finished[index].host = Array(texts[index + 2].utf8)
        state.finished[index].duration = .max
        state.finished[index].status = 99_999
    }
    for index in state.snapshot.hosts.indices { state.snapshot.hosts[index].host = texts[index] }
    for index in state.snapshot.connectionRecords.indices {
        state.snapshot.connectionRecords[index].serverName = Array(texts[index].utf8) + [0xFF]
        state.snapshot.connectionRecords[index].applicationProtocol = texts[index]
        state.snapshot.connectionRecords[index].duration = .max
        state.snapshot.connectionRecords[index].costs.up[.opaque] = .max / 4096
    }
    state.interfaces[0].name = texts[2]
    state.interfaces[1].name = texts[0]
    state.interfaces[1].fault = texts[3]
    state.interfaces[1].packets = .max / 4096
    state.evidence?.path = texts[4]
    state.evidence?.fault = texts[0]
    state.filter = texts[1]
    state.filterText = ""
    state.note = texts[5]
    state.elapsed = .max
    state.residentBytes = .max / 4096
    state.limits.append(LiveLimit(name: texts[2], used: .max / 4096, limit: 1))
    return state
}
