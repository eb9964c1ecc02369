import Testing
import WireCore
import WireNative

@testable import WireOpportunities

@Suite("What header fields as sent could have saved")
struct HeaderRecodingTests {
    private func fields(_ calls: [SampleCall]) throws -> [String: HeaderFieldRow.Field] {
        var costs = HeaderFieldCosts()
        for call in calls { costs.take(call.record) }
        let row = try #require(costs.report().first)
        #expect(costs.report().count == 1)
        return Dictionary(uniqueKeysWithValues: row.fields.map { ($0.name, $0) })
    }

    /// 22 responses of a server that never uses its table.
    private func literals(_ field: SentField, tableLimit: Int = 4096) -> [SampleCall] {
        (0..<22).map { number in
            var call = SampleCall(fields: ["\(field.name): nginx"], time: Double(number), stream: number)
            call.sentFields = [SentField(name: ":status", size: 1), field]
            call.tableLimit = tableLimit
            return call
        }
    }

    @Test("a field that is sent as text each time would be in the table from its second time on")
    func index() throws {
        let server = try #require(try fields(literals(SentField(name: "server", size: 6)))["server"])
        #expect(server.sent == Directions(up: 0, down: 132) && server.responses == 22)
        #expect(server.advice.map(\.kind) == [.index])
        #expect(server.advice[0].lines == 21 && server.advice[0].saving == 21 * 5 && !server.advice[0].isRequest)
    }

    @Test("a name that is sent as text each time would be in the table, whatever its values are")
    func nameIndex() throws {
        let encoder = try #require(HPACKDeflater(table: 0))
        // Its first block tells the size of its table.
        _ = encoder.size(of: [])
        let calls = try (0..<3).map { number in
            let value = "\(number)5f3c"
            var call = SampleCall(fields: ["x-request-id: \(value)"], time: Double(number), stream: number)
            let size = try #require(encoder.size(of: [(Array("x-request-id".utf8), Array(value.utf8))]))
            call.sentFields = [SentField(name: "x-request-id", size: size)]
            return call
        }
        let field = try #require(try fields(calls)["x-request-id"])
        // The name takes 69 bits of Huffman coding, and a byte for their length.
        #expect(field.advice.map(\.kind) == [.index] && field.advice[0].lines == 2 && field.advice[0].saving == 20)
    }

    @Test("no table helps where the receiver allows none, or the sender says that the field is for none")
    func forbidden() throws {
        let kept = SentField(name: "server", size: 6, isNeverIndexed: true)
        #expect(try fields(literals(kept))["server"]?.advice == [])
        #expect(try fields(literals(SentField(name: "server", size: 6), tableLimit: 0))["server"]?.advice == [])
    }

    @Test("a request whose fields were not kept teaches no table")
    func unknown() throws {
        var calls = literals(SentField(name: "server", size: 6))
        for index in calls.indices.dropLast() { calls[index].sentFields = nil }
        #expect(try fields(calls)["server"]?.advice == [])
    }

    @Test("Huffman coding that is longer than any literal text is named", arguments: [(1270, true), (1010, false)])
    func plainText(size: Int, isLonger: Bool) throws {
        let value = String(repeating: "{", count: 1000)
        var call = SampleCall(requestFields: ["x-long: \(value)"], stream: 1)
        call.sentRequestFields = [SentField(name: "x-long", size: size)]
        let field = try #require(try fields([call])["x-long"])
        #expect(field.advice.map(\.kind) == (isLonger ? [.plainText] : []))
        // A byte, the name with its length in 6, the value with its length in 1003.
        if isLonger { #expect((size - 1010..<size - 1005).contains(field.advice[0].saving)) }
    }

    @Test(
        "a spelling that misses the static table is named, one that means something else is not",
        arguments: [
            ("accept-encoding: gzip,deflate", false, 14, "gzip, deflate", 13),
            ("accept-encoding: GZIP ,  deflate", false, 14, "gzip, deflate", 13),
            ("accept-encoding: gzip, deflate", false, 14, nil, 0),
            ("accept-encoding: gzip, deflate, br", false, 14, nil, 0),
            ("accept-encoding: gzip,deflate,br", true, 14, "gzip, deflate, br", 13),
            ("content-type: text/html;charset=UTF-8", true, 20, "text/html; charset=utf-8", 19),
            ("vary: Accept-Encoding", true, 13, "accept-encoding", 12),
            ("access-control-allow-methods: GET", true, 5, nil, 0),
            ("content-type: text /html;charset=utf-8", true, 20, nil, 0),
        ] as [(String, Bool, Int, String?, Int)])
    func spelling(line: String, isHTTP3: Bool, size: Int, better: String?, saving: Int) throws {
        var call = SampleCall(requestFields: [line], stream: 1)
        if isHTTP3 { call.transport = .quic }
        let name = String(line.prefix { $0 != ":" })
        call.sentRequestFields = [SentField(name: name, size: size)]
        let found = try #require(try fields([call])[name]).advice.filter { $0.kind == .spelling }
        #expect(found.map(\.better) == (better == nil ? [] : [better]))
        #expect(found.map(\.saving) == (better == nil ? [] : [saving]))
    }

    @Test("cookies that were several fields are one line: nothing is said of them")
    func crumbs() throws {
        var call = SampleCall(requestFields: ["cookie: a=1; b=2"], stream: 1)
        call.sentRequestFields = [SentField(name: "cookie", size: 9), SentField(name: "cookie", size: 9)]
        let cookie = try #require(try fields([call, call])["cookie"])
        #expect(cookie.requests == 2 && cookie.sent.up == 36 && cookie.advice.isEmpty)
    }

    @Test("pseudo-header fields are fields as sent; of :authority the text is the host's")
    func pseudoFields() throws {
        var call = SampleCall(stream: 1)
        call.sentRequestFields = [SentField(name: ":path", size: 3), SentField(name: ":authority", size: 12)]
        let found = try fields([call])
        #expect(found[":path"]?.sent.up == 3 && found[":path"]?.text.up == 0 && found[":path"]?.requests == 1)
        #expect(found["host"]?.sent.up == 12 && found["host"]?.requests == 1)
        #expect(found["host"]?.text.up == "Host: api.example.com\r\n".utf8.count)
    }
}
