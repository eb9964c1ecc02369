import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Opportunities")
struct OpportunityFinderTests {
    /// What is found in calls and connections, by kind.
    private func report(_ calls: [SampleCall], _ connections: [ConnectionRecord] = []) -> OpportunityReport {
        let finder = OpportunityFinder(window: 16)
        for connection in connections { finder.receive(connection) }
        for call in calls { finder.receive(call.record) }
        return withoutHeads(finder.finish(AuditResult()))
    }

    /// Heads of HTTP/1 can always be compressed; `HeaderFieldCostsTests` look at that.
    private func withoutHeads(_ report: OpportunityReport) -> OpportunityReport {
        var report = report
        report.opportunities.removeAll { $0.kind == .headerCompression }
        return report
    }

    private func bytes(_ report: OpportunityReport) -> [Opportunity.Kind: Int] {
        Dictionary(uniqueKeysWithValues: report.opportunities.map { ($0.kind, $0.bytes) })
    }

    @Test("content that is fetched again while it is fresh costs its whole call; later only its body")
    func repeats() {
        let fields = ["Cache-Control: max-age=60", "ETag: \"v1\""]
        let calls = [0.0, 30, 200].map { SampleCall(fields: fields, time: $0) }
        let found = report(calls)
        let condition = "If-None-Match: \"v1\"\r\n".utf8.count
        #expect(bytes(found) == [.freshRepeat: calls[1].wire, .noRevalidation: 1000 - condition])
        #expect(found.computedTotal == calls[1].wire + 1000 - condition)
        #expect(found.opportunities.allSatisfy { $0.isComputed && $0.count == 1 })
    }

    @Test("other content, another variant, a range, an error or a conditional request is no repetition")
    func changes() {
        let fresh = ["Cache-Control: max-age=60"]
        let first = SampleCall(fields: fresh)
        var others: [SampleCall] = []
        others.append(SampleCall(fields: fresh, time: 1, digest: 2))
        others.append(SampleCall(fields: fresh, time: 1, body: 999))
        others.append(SampleCall(status: 404, fields: fresh, time: 1))
        others.append(SampleCall(fields: fresh, requestFields: ["Range: bytes=0-9"], time: 1))
        others.append(SampleCall(target: "/b", fields: fresh, time: 1))
        for other in others { #expect(report([first, other]).opportunities.isEmpty, "\(other)") }
        let conditional = SampleCall(requestFields: ["If-None-Match: \"x\""], time: 500)
        #expect(report([SampleCall(), conditional]).opportunities.isEmpty)
        let varying = fresh + ["Vary: Accept-Language"]
        let german = SampleCall(fields: varying, requestFields: ["Accept-Language: de"])
        let french = SampleCall(fields: varying, requestFields: ["Accept-Language: fr"], time: 1)
        #expect(report([german, french]).opportunities.isEmpty)
        #expect(
            bytes(report([german, SampleCall(fields: varying, requestFields: ["accept-language: de"], time: 1)])).count
                == 1)
    }

    @Test("what had not come yet could not be used again")
    func parallel() {
        let fields = ["Cache-Control: max-age=60"]
        let calls = [0.0, 0.05].map { SampleCall(fields: fields, time: $0, duration: 0.1) }
        #expect(report(calls).opportunities.isEmpty)
        #expect(bytes(report([calls[0], SampleCall(fields: fields, time: 0.1)])) == [.freshRepeat: calls[0].wire])
    }

    @Test("a capture with endless calls takes bounded time and memory, and no connection of it is called needless")
    func crowded() {
        let connections = (0..<10).map { connection($0, setUp: 100) }
        let calls = (0..<6000).map {
            SampleCall(target: "/\($0)", time: 0.001 * Double($0), duration: 1000, connection: $0 % 10, digest: nil)
        }
        let finder = OpportunityFinder(window: 16)
        for connection in connections { finder.receive(connection) }
        for call in calls { finder.receive(call.record) }
        #expect(!finder.finish(AuditResult()).opportunities.contains { $0.kind == .connectionReuse })
    }

    @Test("a body that gzip makes smaller saves that, and the headers of packets that it needs no more")
    func compression() {
        // 14,480 bytes of payload in ten full packets of 1,448; 1,448 remain in one.
        let heading = SampleCall().record.costs.down[.headers]
        var call = SampleCall(body: 14_480 - heading, digest: nil, gzipped: 1448 - heading - 24, tcpip: 520)
        #expect(bytes(report([call])) == [.uncompressedBody: 14_480 - 1448 + 9 * 52])
        call.gzipped = call.body
        #expect(report([call]).opportunities.isEmpty)
    }

    @Test("of a call that need not be made nothing else is saved; sums of kinds may be more than the total")
    func overlap() {
        let fields = ["Cache-Control: max-age=60"]
        var calls = [SampleCall(fields: fields), SampleCall(fields: fields, time: 1)]
        for index in calls.indices { calls[index].gzipped = 100 }
        let found = report(calls)
        let each = bytes(found)
        #expect(each[.freshRepeat] == calls[1].wire)
        // The first call is compressed; the second is not made.
        #expect(each[.uncompressedBody] == 1000 - 100 - 24)
        #expect(found.computedTotal == calls[1].wire + 876)
    }

    @Test("a redirect costs its whole call")
    func redirects() {
        let call = SampleCall(status: 302, fields: ["Location: /b"], body: 0, digest: nil)
        #expect(bytes(report([call])) == [.redirect: call.wire])
        #expect(report([SampleCall(status: 304, fields: ["Location: /b"], body: 0, digest: nil)]).opportunities.isEmpty)
    }

    private func connection(_ number: Int, setUp: Int, tls: TLSFacts? = nil) -> ConnectionRecord {
        var record = ConnectionRecord.blank
        record.connection = number
        record.time = Int64(number) * 1_000_000_000
        record.client = Endpoint(address: IPAddress(version4: 0x0A00_0001), port: UInt16(50_000 + number))
        record.server = Endpoint(address: IPAddress(version4: 0x0A00_0002), port: 80)
        record.exchanges = 1
        record.costs.up[.setupTCP] = setUp
        record.tls = tls
        return record
    }

    @Test("connections beyond those that calls needed at one time are not needed")
    func reuse() {
        let connections = (0..<4).map { connection($0, setUp: 100 + $0) }
        let oneByOne = (0..<4).map { SampleCall(target: "/\($0)", time: Double($0), connection: $0) }
        // The dearest stays.
        #expect(bytes(report(oneByOne, connections)) == [.connectionReuse: 100 + 101 + 102])
        let parallel = (0..<4).map {
            SampleCall(target: "/\($0)", time: Double($0 / 2) + 0.01 * Double($0 % 2), connection: $0)
        }
        #expect(bytes(report(parallel, connections)) == [.connectionReuse: 100 + 101])
        let streams = (0..<4).map { SampleCall(target: "/\($0)", time: 0.01 * Double($0), connection: $0, stream: 1) }
        #expect(bytes(report(streams, connections)) == [.connectionReuse: 100 + 101 + 102])
        #expect(report(Array(oneByOne.prefix(1)), Array(connections.prefix(1))).opportunities.isEmpty)
    }

    @Test(
        "a full handshake of a client that had a ticket costs more than a resumed one; with reuse it does not count twice"
    )
    func resumption() {
        func facts(resumed: Bool) -> TLSFacts {
            var facts = TLSFacts()
            facts.handshakeWasRead = true
            facts.tickets = 1
            facts.resumption = resumed ? .ticket : nil
            return facts
        }
        var connections: [ConnectionRecord] = []
        for (number, bytes) in [(0, 3000), (1, 1000), (2, 3000)] {
            var one = connection(number, setUp: 0, tls: facts(resumed: bytes == 1000))
            one.costs.up[.setupTLS] = bytes
            connections.append(one)
        }
        var calls: [ExchangeRecord] = []
        for number in 0..<3 {
            // All three at one time: none is too many.
            var record = SampleCall(target: "/\(number)", time: 0.01 * Double(number), connection: number).record
            record.tlsVersion = "TLS 1.3"
            calls.append(record)
        }
        let finder = OpportunityFinder(window: 16)
        for connection in connections { finder.receive(connection) }
        for call in calls { finder.receive(call) }
        let found = withoutHeads(finder.finish(AuditResult()))
        #expect(bytes(found) == [.fullHandshake: 2000] && found.computedTotal == 2000)
    }

    @Test("polling at regular intervals is an estimate, and in no sum")
    func polling() {
        let calls = (0..<10).map { SampleCall(time: Double($0) * 30, digest: 7) }
        let found = report(calls).opportunities.filter { $0.kind == .polling }
        #expect(found.map(\.isComputed) == [false] && found.map(\.count) == [9])
        let irregular = [0.0, 1, 50, 51, 300, 305].map { SampleCall(time: $0, digest: 7) }
        #expect(!report(irregular).opportunities.contains { $0.kind == .polling })
    }

    @Test("calls whose messages are incomplete are counted, not judged")
    func incomplete() {
        let finder = OpportunityFinder(window: 16)
        var record = SampleCall(gzipped: 10).record
        record.responseHead = nil
        finder.receive(record)
        let found = finder.finish(AuditResult())
        #expect(found.unreadCalls == 1 && found.opportunities.isEmpty && found.computedTotal == 0)
    }

    @Test("records in any order give the same report", arguments: 1...5 as ClosedRange<UInt64>)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let calls = (0..<12).map {
            SampleCall(fields: ["Cache-Control: max-age=5"], time: Double($0) * 3, gzipped: 500)
        }
        let sorted = report(calls)
        var mixed = calls
        for index in mixed.indices { mixed.swapAt(index, index + random.below(mixed.count - index)) }
        let found = report(mixed)
        #expect(bytes(found) == bytes(sorted) && found.computedTotal == sorted.computedTotal)
    }
}
