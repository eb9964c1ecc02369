import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Opportunities")
struct OpportunityFinderTests {
    /// What is found in calls, by kind.
    private func report(_ calls: [SampleCall]) -> OpportunityReport {
        let finder = OpportunityFinder(window: 16)
        for (number, call) in calls.enumerated() {
            var record = call.record
            record.exchange = number
            finder.receive(record)
        }
        return withoutHeads(finder.finish(AuditResult()))
    }

    /// Heads of HTTP/1 can always be compressed; `HeaderFieldCostsTests` look at that.
    private func withoutHeads(_ report: OpportunityReport) -> OpportunityReport {
        for item in report.opportunities { expectWholeParts(item) }
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
        // Several fields of one name are one list: the first differs, the last does not.
        let both = ["de", "fr"].enumerated().map { time, language in
            SampleCall(
                fields: varying, requestFields: ["Accept-Language: \(language)", "Accept-Language: en"],
                time: Double(time))
        }
        #expect(report(both).opportunities.isEmpty)
    }

    @Test("what had not come yet could not be used again")
    func parallel() {
        let fields = ["Cache-Control: max-age=60"]
        let calls = [0.0, 0.05].map { SampleCall(fields: fields, time: $0, duration: 0.1) }
        #expect(report(calls).opportunities.isEmpty)
        #expect(bytes(report([calls[0], SampleCall(fields: fields, time: 0.1)])) == [.freshRepeat: calls[0].wire])
    }

    @Test("a body that gzip makes smaller saves that, and the headers of packets that it needs no more")
    func compression() {
        // 14,480 bytes of payload in ten full packets of 1,448; 1,448 remain in one.
        let heading = SampleCall().record.costs.down[.headers]
        var call = SampleCall(
            requestFields: ["Accept-Encoding: gzip, br"], body: 14_480 - heading, digest: nil,
            gzipped: 1448 - heading - 24, tcpip: 520)
        #expect(bytes(report([call])) == [.uncompressedBody: 14_480 - 1448 + 9 * 52])
        call.gzipped = call.body
        #expect(report([call]).opportunities.isEmpty)
    }

    @Test("of a call that need not be made nothing else is saved; sums of kinds may be more than the total")
    func overlap() {
        let fields = ["Cache-Control: max-age=60"]
        let asks = ["Accept-Encoding: gzip"]
        var calls = [0.0, 1].map { SampleCall(fields: fields, requestFields: asks, time: $0) }
        for index in calls.indices { calls[index].gzipped = 100 }
        let found = report(calls)
        let each = bytes(found)
        #expect(each[.freshRepeat] == calls[1].wire)
        // The first call is compressed; the second is not made.
        #expect(each[.uncompressedBody] == 1000 - 100 - 24)
        #expect(found.computedTotal == calls[1].wire + 876)
    }

    private static let series: [(name: String, calls: [SampleCall], polls: Int)] = {
        func calls(_ times: [Double], _ change: (inout SampleCall) -> Void = { _ in }) -> [SampleCall] {
            times.map {
                var call = SampleCall(time: $0, digest: 7)
                change(&call)
                return call
            }
        }
        let regular = (0..<10).map { Double($0) * 30 }
        return [
            ("every 30 s", calls(regular), 9), ("at any time", calls([0.0, 1, 50, 51, 300, 305]), 0),
            ("every 41 ms", calls((0..<40).map { Double($0) * 0.041 }), 0),
            ("every second, but not for long", calls((0..<6).map(Double.init)), 0),
            (
                "uploads",
                calls(regular) { ($0.method, $0.requestBody, $0.requestDigest) = ("POST", 9000, 1) }, 0
            ),
            (
                "equal questions",
                calls(regular) { ($0.method, $0.requestBody, $0.requestDigest) = ("POST", 90, 1) }, 9
            ),
            (
                "other questions",
                calls(regular) { ($0.method, $0.requestBody, $0.requestDigest) = ("POST", 90, UInt64($0.time)) }, 0
            ),
            ("a change each time", calls(regular) { ($0.method, $0.requestBody) = ("PUT", 90) }, 0),
        ]
    }()

    @Test("polling at regular intervals is an estimate, and in no sum", arguments: series.indices)
    func polling(index: Int) {
        let example = Self.series[index]
        let found = report(example.calls)
        let polls = found.opportunities.filter { $0.kind == .polling }
        #expect(polls.map(\.count) == (example.polls > 0 ? [example.polls] : []), "\(example.name)")
        #expect(polls.allSatisfy { !$0.isComputed } && found.computedTotal == 0)
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

    @Test("of very many calls the largest are kept one by one, and the rest is said", arguments: [0, 904])
    func manyParts(forgotten: Int) {
        let count = forgotten == 0 ? 2 * SavingParts.limit : 2 * SavingParts.limit + 1 + forgotten
        var sums = SubjectSums()
        for number in 0..<count {
            var call = SampleCall(connection: number).record
            call.path = Array("/\(number)".utf8)
            sums.add(Opportunity.Part(call, bytes: number + 1), "GET a /")
        }
        guard let item = sums.opportunity(.redirect, isComputed: true) else {
            Issue.record("no opportunity")
            return
        }
        let further = item.further(behind: .max)
        #expect(item.count == count && item.bytes == count * (count + 1) / 2)
        #expect(item.parts.map(\.bytes) == Array((count - item.parts.count + 1...count).reversed()))
        #expect(item.parts.count == (forgotten == 0 ? count : SavingParts.limit + forgotten))
        #expect(further.count == count - item.parts.count)
        #expect(further.bytes == further.count * (further.count + 1) / 2)
    }

    @Test("records in any order give the same report", arguments: 1...5 as ClosedRange<UInt64>)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let calls = (0..<12).map {
            SampleCall(
                fields: ["Cache-Control: max-age=5"], requestFields: ["Accept-Encoding: gzip"], time: Double($0) * 3,
                gzipped: 500)
        }
        let sorted = report(calls)
        var mixed = calls
        for index in mixed.indices { mixed.swapAt(index, index + random.below(mixed.count - index)) }
        let found = report(mixed)
        #expect(bytes(found) == bytes(sorted) && found.computedTotal == sorted.computedTotal)
    }
}
