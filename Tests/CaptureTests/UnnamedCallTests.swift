import Testing
import WireCore

@Suite("Calls that nobody could read")
struct UnnamedCallTests {
    private static let captures = CaptureCase.all.filter { $0.name.hasPrefix("tls") || $0.name == "chromium" }

    /// What the clients counted at their sockets lies between the least and the most of their calls, keys withheld.
    @Test("hold the messages of the clients, nearly all to the byte")
    func messages() throws {
        var (calls, exact) = (0, 0)
        for capture in Self.captures {
            let truth = try capture.truth()
            let audit = try RecordedAudit([capture.path + "/" + truth.capture.file], keepsUnnamedCalls: true)
            for (record, connection) in zip(audit.connections, truth.connections) {
                let found = record.unnamedExchanges
                #expect(found.allSatisfy { $0.api.isEmpty && $0.method == nil && $0.path == nil })
                guard !found.isEmpty, found.count == connection.exchanges.count else { continue }
                for (call, exchange) in zip(found, connection.exchanges) {
                    let unread = try #require(call.unread)
                    calls += 1
                    if unread.certainty == .exact { exact += 1 }
                    for (range, message) in [(unread.up, exchange.request), (unread.down, exchange.response)] {
                        guard let range, let message, let framing = message.framing, let body = message.body else {
                            continue
                        }
                        let total = message.startLine + message.headers + framing + body
                        #expect(range.contains(total), "\(capture.name) \(call.connection).\(call.exchange)")
                    }
                }
            }
        }
        #expect(calls > 40)
        #expect(exact * 2 > calls, "\(exact) of \(calls)")
    }

    /// But for the first of a connection, whose encrypted handshake and closing alert only keys show.
    @Test("cost what they cost with keys, headers and acknowledgments included")
    func costs() throws {
        var (calls, equal) = (0, 0)
        for capture in Self.captures where !capture.keys.isEmpty {
            let paths = [capture.path + "/" + (try capture.truth().capture.file)]
            let keyed = try RecordedAudit(paths, keys: capture.keys)
            for record in try RecordedAudit(paths, keepsUnnamedCalls: true).connections {
                let (found, named) = (
                    record.unnamedExchanges, keyed.exchanges.filter { $0.connection == record.connection }
                )
                guard !found.isEmpty, found.count == named.count else { continue }
                for (call, exchange) in zip(found, named) {
                    if call.exchange > 0 { calls += 1 }
                    if call.exchange > 0, call.costs.up.internet == exchange.costs.up.internet,
                        call.costs.down.internet == exchange.costs.down.internet
                    {
                        equal += 1
                    }
                    for (own, other) in [(call.costs.up, exchange.costs.up), (call.costs.down, exchange.costs.down)] {
                        #expect(own[.opaque] >= other.message, "\(capture.name) \(call.connection).\(call.exchange)")
                    }
                }
            }
        }
        #expect(calls > 40)
        // Key updates and empty records are of no call where keys show them.
        #expect(equal * 100 >= calls * 85, "\(equal) of \(calls)")
    }

    @Test("change no sum, and with what is left of their connection they are all that it cost", arguments: captures)
    func sums(capture: CaptureCase) throws {
        let paths = [capture.path + "/" + (try capture.truth().capture.file)]
        let plain = try RecordedAudit(paths)
        let audit = try RecordedAudit(paths, keepsUnnamedCalls: true)
        #expect(audit.result.ledger.causes == plain.result.ledger.causes)
        #expect(audit.result.hosts.map(\.costs) == plain.result.hosts.map(\.costs))
        #expect(audit.connections.map(\.costs) == plain.connections.map(\.costs))
        for record in audit.connections {
            var left = record.costs
            for call in record.unnamedExchanges { left -= call.costs }
            for cause in Cause.allCases {
                #expect(left.up[cause] >= 0 && left.down[cause] >= 0, "\(capture.name) \(record.connection) \(cause)")
            }
            // Only records before the first request, such as tickets, are left.
            if record.unnamedExchanges.first != nil { #expect(left.up[.setupTCP] == 0 && left.up[.setupTLS] == 0) }
        }
    }
}

extension Directions where Value == CostVector {
    fileprivate static func -= (left: inout Directions<CostVector>, right: Directions<CostVector>) {
        for cause in Cause.allCases {
            left.up[cause] -= right.up[cause]
            left.down[cause] -= right.down[cause]
        }
    }
}
