import Testing
import WireCore

@Suite("Golden captures against what kernels and programs counted")
struct GroundTruthTests {
    @Test("the folder holds the cases that the index names")
    func cases() throws {
        let names = CaptureCase.all.map(\.name)
        #expect(
            names == [
                "aborted", "codings", "cooked", "ipv6", "loss", "names", "offload", "one-exchange", "pipelined",
                "port-reuse", "shop",
            ])
    }

    @Test("packets and bytes equal the interface's counters, and the books balance", arguments: CaptureCase.all)
    func interface(capture: CaptureCase) throws {
        let truth = try capture.truth()
        let audit = try RecordedAudit([capture.path + "/" + truth.capture.file])
        #expect(audit.result.ledger.balanced)
        #expect(audit.result.files.map(\.packets) == [truth.capture.packets])
        #expect(audit.result.ledger.bytes == truth.capture.bytes)
        if let bytes = truth.capture.dnsBytes {
            let causes = audit.result.ledger.causes
            #expect(causes.up[.setupDNS] + causes.down[.setupDNS] + audit.result.ledger.other.dns == bytes)
        }
    }

    @Test("connections equal the client's TCP_INFO", arguments: CaptureCase.all)
    func connections(capture: CaptureCase) throws {
        let truth = try capture.truth()
        let audit = try RecordedAudit([capture.path + "/" + truth.capture.file])
        #expect(audit.connections.map(\.client.port) == truth.connections.map(\.clientPort))
        #expect(audit.connections.map(\.server.port) == truth.connections.map(\.serverPort))
        for (record, connection) in zip(audit.connections, truth.connections) {
            let port = connection.clientPort
            if let sent = connection.sent { #expect(record.counts.up.payload == sent, "port \(port)") }
            if let retransmitted = connection.retransmitted {
                #expect(record.counts.up.payloadRepeated == retransmitted, "port \(port)")
            }
            if let received = connection.received {
                #expect(record.counts.down.payloadNew == received, "port \(port)")
            }
        }
    }

    @Test("every exchange has the sizes that the client counted at its socket", arguments: CaptureCase.all)
    func exchanges(capture: CaptureCase) throws {
        let truth = try capture.truth()
        let audit = try RecordedAudit([capture.path + "/" + truth.capture.file])
        for (number, connection) in truth.connections.enumerated() {
            let records = audit.exchanges.filter { $0.connection == number }
            #expect(records.count >= connection.exchanges.count, "port \(connection.clientPort)")
            for (record, exchange) in zip(records, connection.exchanges) {
                #expect(record.method == Array(exchange.method.utf8))
                guard let status = exchange.status else { continue }
                #expect(record.target == Array(exchange.target.utf8))
                #expect(record.status == status, "\(exchange.target)")
                expect(record.costs.up, record.decodedBody.up, exchange.request, exchange.target)
                expect(record.costs.down, record.decodedBody.down, exchange.response, exchange.target)
            }
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
