import Testing
import WireCore

@Suite("Golden captures against what kernels and programs counted")
struct GroundTruthTests {
    @Test("the folder holds the cases that the index names")
    func cases() throws {
        let names = CaptureCase.all.map(\.name)
        #expect(
            names == [
                "aborted", "apps", "chromium", "codings", "cooked", "copies", "encrypted-dns", "h2-tls", "h2c",
                "h3-copies",
                "h3-early-data", "h3-loss", "h3-qlog", "invented-link", "ipv6", "keys-inside", "late-tls", "lookups",
                "loss", "names", "offload", "one-exchange", "pipelined", "port-reuse", "proxy-header", "rpc", "shop",
                "snat-any", "snat-late", "tls-nokey", "tls12-cbc", "tls12-gcm", "tls13", "tls13-resumed",
            ])
    }

    @Test("packets and bytes equal the interface's counters, and the books balance", arguments: CaptureCase.all)
    func interface(capture: CaptureCase) throws {
        let truth = try capture.truth()
        let audit = try capture.audit()
        #expect(audit.result.ledger.balanced)
        #expect(audit.result.files.map(\.packets) == [truth.capture.packets])
        #expect(audit.result.ledger.bytes == truth.capture.bytes)
        if let bytes = truth.capture.pseudo { #expect(audit.result.ledger.layers.pseudo == bytes) }
        if let bytes = truth.capture.dnsBytes {
            let causes = audit.result.ledger.causes
            #expect(causes.up[.setupDNS] + causes.down[.setupDNS] + audit.result.ledger.other.dns == bytes)
        }
    }

    @Test("connections equal the client's TCP_INFO", arguments: CaptureCase.all)
    func connections(capture: CaptureCase) throws {
        let truth = try capture.truth()
        let audit = try capture.audit()
        #expect(audit.connections.map(\.client.port) == truth.connections.map(\.clientPort))
        #expect(audit.connections.map(\.server.port) == truth.connections.map(\.serverPort))
        for (record, connection) in zip(audit.connections, truth.connections) {
            let port = connection.clientPort
            if let sent = connection.sent { #expect(record.counts.up.payload == sent, "port \(port)") }
            if let retransmitted = connection.retransmitted {
                #expect(record.counts.up.payloadRepeated == retransmitted, "port \(port)")
            }
            #expect(record.proxiedClient?.description == connection.proxiedClient, "port \(port)")
            if let app = connection.app {
                let process = CaptureProcess(app: app, name: connection.process, pid: connection.pid)
                #expect(record.process == process, "port \(port)")
            }
            if let header = connection.proxyHeader, connection.tls == nil {
                #expect(record.costs.up[.setupHTTP] == header, "port \(port)")
            }
            if let received = connection.received {
                #expect(record.counts.down.payloadNew == received, "port \(port)")
            }
        }
    }

    @Test("every exchange has the sizes that the client counted at its socket", arguments: CaptureCase.all)
    func exchanges(capture: CaptureCase) throws {
        let truth = try capture.truth()
        let audit = try capture.audit()
        for (number, connection) in truth.connections.enumerated() {
            let records = audit.exchanges.filter { $0.connection == audit.connections[number].connection }
            #expect(records.count >= connection.exchanges.count, "port \(connection.clientPort)")
            for (record, exchange) in zip(records, connection.exchanges) {
                #expect(record.stream == exchange.stream)
                #expect(record.method == Array(exchange.method.utf8))
                guard let status = exchange.status else { continue }
                #expect(record.target == Array(exchange.target.utf8))
                #expect(record.status == status, "\(exchange.target)")
                #expect(record.operation == exchange.operation.map { Array($0.utf8) }, "\(exchange.target)")
                expect(record.costs.up, record.decodedBody.up, exchange.request, exchange.target)
                expect(record.costs.down, record.decodedBody.down, exchange.response, exchange.target)
            }
        }
    }

    @Test("TLS is what the client's library saw, record by record", arguments: CaptureCase.all)
    func records(capture: CaptureCase) throws {
        let audit = try capture.audit()
        for (record, connection) in zip(audit.connections, try capture.truth().connections) {
            let port = connection.clientPort
            guard let truth = connection.tls else {
                #expect(record.tls == nil, "port \(port)")
                continue
            }
            let facts = try #require(record.tls, "port \(port)")
            if let version = truth.version { #expect(facts.version?.rawValue == "TLS \(version)", "port \(port)") }
            if let cipher = truth.cipher { #expect(facts.cipher == cipher, "port \(port)") }
            if let resumed = truth.resumed { #expect((facts.resumption != nil) == resumed, "port \(port)") }
            if let name = truth.serverName { #expect(facts.serverName == Array(name.utf8), "port \(port)") }
            if let name = truth.protocol, facts.isDecrypted || truth.version != "1.3" {
                #expect(facts.applicationProtocol == Array(name.utf8), "port \(port)")
            }
            expect(facts.directions.up, truth.up, "port \(port) up")
            expect(facts.directions.down, truth.down, "port \(port) down")
        }
    }

    private func expect(_ facts: TLSDirectionFacts, _ truth: GroundTruth.Records, _ place: String) {
        #expect(facts.records == truth.records, "\(place)")
        #expect(facts.handshake == truth.handshake, "\(place)")
        #expect(facts.applicationData == truth.applicationData, "\(place)")
        #expect(facts.alert == truth.alert, "\(place)")
        #expect(facts.changeCipherSpec == truth.changeCipherSpec, "\(place)")
    }

    @Test("HTTP/2's own frames are set-up", arguments: CaptureCase.all)
    func control(capture: CaptureCase) throws {
        let audit = try capture.audit()
        for (record, connection) in zip(audit.connections, try capture.truth().connections) {
            guard let control = connection.http2 else { continue }
            #expect(record.costs.up[.setupHTTP] == control.up, "port \(connection.clientPort)")
            #expect(record.costs.down[.setupHTTP] == control.down, "port \(connection.clientPort)")
        }
    }

    @Test("connections pay for lookups, and are linked to them, as the servers logged them", arguments: CaptureCase.all)
    func lookups(capture: CaptureCase) throws {
        let audit = try capture.audit()
        for (number, connection) in try capture.truth().connections.enumerated() {
            let record = audit.connections[number]
            let link = connection.lookup.map { LookupLink(connection: $0.connection, exchange: $0.exchange) }
            #expect(record.lookup == link, "port \(connection.clientPort)")
            let calls = audit.exchanges.filter { $0.connection == audit.connections[number].connection }
            #expect(calls.map(\.lookup) == calls.map { $0.exchange == 0 ? link : nil }, "port \(connection.clientPort)")
            guard let dns = connection.dns else { continue }
            #expect(record.costs.up[.setupDNS] == dns.up, "port \(connection.clientPort)")
            #expect(record.costs.down[.setupDNS] == dns.down, "port \(connection.clientPort)")
        }
    }

    private func expect(_ cost: CostVector, _ decoded: Int?, _ message: GroundTruth.Message?, _ target: String) {
        guard let message else { return }
        #expect(cost[.startLine] == message.startLine, "\(target)")
        #expect(cost[.headers] == message.headers, "\(target)")
        if let framing = message.framing { #expect(cost[.framing] == framing, "\(target)") }
        if let body = message.body { #expect(cost[.body] == body, "\(target)") }
        if let size = message.bodyDecoded { #expect(decoded == size, "\(target)") }
    }
}
