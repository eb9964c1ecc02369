import WireCore

/// Facts of a TLS 1.3 connection that was read, with something in every field.
func sampleTLSFacts() -> TLSFacts {
    var facts = TLSFacts()
    facts.version = .tls13
    facts.cipher = "TLS_AES_128_GCM_SHA256"
    facts.applicationProtocol = Array("h2".utf8)
    facts.offeredProtocols = [Array("h2".utf8), Array("http/1.1".utf8)]
    facts.serverName = Array("api.example.com".utf8)
    facts.resumption = .preSharedKey
    facts.handshakeWasRead = true
    facts.earlyData = .accepted
    facts.helloRetryRequested = true
    facts.compatibilityRecords = 2
    facts.certificateBytes = 2345
    facts.tickets = 2
    facts.keyUpdates = 1
    facts.alerts = [
        TLSAlert(isFromClient: true, level: 1, description: 0),
        TLSAlert(isFromClient: false, level: 2, description: 80),
    ]
    facts.closeNotify = Directions(up: true, down: false)
    facts.isDecrypted = true
    facts.directions.up = direction(records: 5, handshake: 600, data: 900, alert: 24, change: 6)
    facts.directions.up.messages = [TLSMessageCount(type: 1, count: 2, bytes: 512)]
    facts.directions.down = direction(records: 9, handshake: 3000, data: 40_000, alert: 0, change: 6)
    facts.directions.down.messages = [
        TLSMessageCount(type: 2, count: 1, bytes: 122), TLSMessageCount(type: 99, count: 1, bytes: 7),
    ]
    facts.directions.down.other = 11
    return facts
}

private func direction(records: Int, handshake: Int, data: Int, alert: Int, change: Int) -> TLSDirectionFacts {
    var facts = TLSDirectionFacts()
    facts.records = records
    facts.handshake = handshake
    facts.applicationData = data
    facts.alert = alert
    facts.changeCipherSpec = change
    return facts
}

/// `sampleAudit` with set-up costs, and two hosts that cannot be read.
func sampleTLSAudit() -> AuditResult {
    var result = sampleAudit()
    result.files[0].dropped = nil
    result.findings = []
    result.connections = 8
    var setup = SetupSummary()
    setup.tlsConnections = 2
    setup.fullHandshakes = 1
    setup.resumedHandshakes = 1
    setup.exchanges = 32
    setup.certificateBytes = 4321
    setup.setupBytes = 9876
    setup.teardownBytes = 312
    setup.reuseSaving = 4100
    result.hosts[0].setup = setup
    result.hosts[1].setup.setupBytes = 344
    addEncrypted("tracker.example.net", connections: 4, setup: 25_600, to: &result)
    addEncrypted("cdn.example.com", connections: 1, setup: 5300, to: &result)
    return result
}

private func addEncrypted(_ name: String, connections: Int, setup: Int, to result: inout AuditResult) {
    var row = APISummary(api: "https://\(name) (encrypted)")
    row.isEncrypted = true
    row.costs.up[.opaque] = 1000 * connections
    row.costs.down[.opaque] = 7000 * connections
    row.costs.up[.setupTLS] = setup / 4
    row.costs.down[.setupTLS] = setup - setup / 4
    result.apis.append(row)
    var host = HostSummary(host: name)
    host.connections = connections
    host.connectionsWithoutExchange = connections
    host.costs = row.costs
    host.setup.tlsConnections = connections
    host.setup.fullHandshakes = connections
    host.setup.setupBytes = setup
    host.setup.teardownBytes = 208 * connections
    host.setup.reuseSaving = (setup / connections + 208) * (connections - 1)
    result.hosts.append(host)
    result.ledger.causes += row.costs
    result.ledger.owned = result.ledger.causes
    let bytes = row.costs.up.internet + row.costs.down.internet
    result.ledger.layers.payload += bytes
    result.ledger.bytes += bytes
}
