import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Header bytes by field")
struct HeaderFieldCostsTests {
    private func rows(_ calls: [SampleCall]) -> [HeaderFieldRow] {
        var costs = HeaderFieldCosts()
        for call in calls { costs.take(call.record) }
        return costs.report()
    }

    @Test("fields and the rest of a head add up to what it cost as text")
    func sums() throws {
        let fields = ["Server: x", "Set-Cookie: a=1", "set-cookie: b=22", "no field at all"]
        let calls = [SampleCall(fields: fields), SampleCall(fields: fields, requestFields: ["Cookie: a=1"], time: 1)]
        let row = try #require(rows(calls).first)
        #expect(rows(calls).count == 1 && row.requests == 2 && row.responses == 2)
        let heads = calls.map(\.record).map { ($0.requestHead!.bytes.count, $0.responseHead!.bytes.count) }
        #expect(row.text == Directions(up: heads[0].0 + heads[1].0, down: heads[0].1 + heads[1].1))
        #expect(row.sent == row.text && row.otherSent == row.other)
        let cookies = try #require(row.fields.first { $0.name == "set-cookie" })
        #expect(cookies.responses == 4 && cookies.requests == 0)
        #expect(cookies.text.down == 2 * ("Set-Cookie: a=1\r\n".utf8.count + "set-cookie: b=22\r\n".utf8.count))
        #expect(cookies.sent == cookies.text && cookies.advice.isEmpty)
        #expect(row.other.down == 2 * ("HTTP/1.1 200 OK\r\n".utf8.count + 2 + "no field at all\r\n".utf8.count))
    }

    @Test("APIs stand apart, the largest first")
    func order() {
        let found = rows([
            SampleCall(target: "/a"), SampleCall(target: "/b", fields: ["X: 1"]), SampleCall(target: "/b", time: 1),
        ])
        #expect(found.map(\.api) == ["GET api.example.com /b", "GET api.example.com /a"])
        #expect(found.allSatisfy { $0.host == "api.example.com" })
    }

    @Test("more connections than tables are kept are compressed, too")
    func connections() {
        var costs = HeaderFieldCosts()
        for number in 0..<1500 { costs.take(SampleCall(time: Double(number), connection: number).record) }
        #expect(costs.saved.count == 1500)
    }

    @Test("what HTTP/2 would have saved is what its encoder made of the heads of one connection")
    func compression() {
        var costs = HeaderFieldCosts()
        let call = SampleCall(requestFields: ["User-Agent: an app with a long name/1.0"])
        let head = call.record.requestHead!.bytes.count + call.record.responseHead!.bytes.count
        costs.take(call.record)
        let first = costs.saved.bytes
        #expect(first > 0 && first < head - 18)
        costs.take(SampleCall(requestFields: ["User-Agent: an app with a long name/1.0"], time: 1).record)
        // The table knows all fields but the pseudo-header fields, which take a byte each at least.
        #expect(costs.saved.bytes - first > first && costs.saved.bytes - first <= head - 18 - 5)
        costs.take(SampleCall(time: 2, stream: 1).record)
        #expect(costs.saved.count == 2)
    }
}
