import Testing
import WireNative

@testable import WireCore
@testable import WireOpportunities

/// A message head as it was sent.
func head(_ startLine: String, _ fields: [String]) -> MessageHead {
    let text = startLine + "\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    return MessageHead(bytes: Array(text.utf8), startLine: startLine.utf8.count + 2)
}

/// A body that is known.
private final class KnownBody: ExaminedBody {
    let facts: BodyFacts
    init(_ facts: BodyFacts) { self.facts = facts }
}

/// A field of HTTP/2 or HTTP/3 as it was sent.
struct SentField {
    var name: String
    var size: Int
    var isNeverIndexed = false
}

extension SentFields {
    init(_ fields: [SentField], tableLimit: Int) {
        self.init()
        for field in fields {
            let coding = FieldCoding(size: field.size, isNeverIndexed: field.isNeverIndexed)
            append(unsafe Array(field.name.utf8).span.bytes, coding, room: 65_536)
        }
        self.tableLimit = tableLimit
    }
}

/// A call of one client with one server, as an audit would record it.
struct SampleCall {
    var method = "GET"
    var target = "/a"
    var status = 200
    var fields: [String] = []
    var requestFields: [String] = []
    /// Seconds.
    var time = 0.0
    var duration = 0.1
    var connection = 0
    var stream: Int?
    var body = 1000
    var digest: UInt64? = 1
    var gzipped: Int?
    /// Of the request.
    var requestBody = 0
    var requestDigest: UInt64?
    var requestGzipped: Int?
    /// Headers of packets with the response.
    var tcpip = 52
    /// What fields took as sent in HTTP/2 and HTTP/3; nil: nobody kept it.
    var sentFields: [SentField]?
    var sentRequestFields: [SentField]?
    /// What the receiver lets the dynamic table of HTTP/2 hold.
    var tableLimit = 4096
    var transport = ConnectionTransport.tcp

    var record: ExchangeRecord {
        var record = ExchangeRecord.blank
        record.connection = connection
        record.stream = stream
        record.transport = transport
        record.requestFields = sentRequestFields.map { SentFields($0, tableLimit: tableLimit) }
        record.responseFields = sentFields.map { SentFields($0, tableLimit: tableLimit) }
        record.time = Int64(time * 1_000_000_000)
        record.responseEnd = record.time + Int64(duration * 1_000_000_000)
        (record.requestEnd, record.timeToFirstByte) = (record.time, 0)
        record.client = Endpoint(address: IPAddress(version4: 0x0A00_0001), port: 50_000)
        record.server = Endpoint(address: IPAddress(version4: 0x0A00_0002), port: 80)
        record.method = Array(method.utf8)
        record.host = Array("api.example.com".utf8)
        record.target = Array(target.utf8)
        record.api = Array("\(method) api.example.com \(target)".utf8)
        record.status = status
        let version = stream == nil ? "HTTP/1.1" : "HTTP/2"
        record.request = MessageFacts(version: version, framing: .none, interim: 0, complete: true)
        record.response = MessageFacts(version: version, framing: .contentLength, interim: 0, complete: true)
        record.requestHead = head("\(method) \(target) HTTP/1.1", ["Host: api.example.com"] + requestFields)
        record.responseHead = head("HTTP/1.1 \(status) OK", fields)
        record.costs.up[.headers] = record.requestHead!.bytes.count
        record.costs.up[.body] = requestBody
        record.costs.up[.tcpip] = 52
        record.costs.up[.ack] = 52
        record.costs.down[.headers] = record.responseHead!.bytes.count
        record.costs.down[.body] = body
        record.costs.down[.tcpip] = tcpip
        var facts = BodyFacts()
        (facts.digest, facts.gzipped) = (digest, gzipped)
        record.responseBody = KnownBody(facts)
        var asked = BodyFacts()
        (asked.digest, asked.gzipped) = (requestDigest, requestGzipped)
        if requestBody > 0 { record.requestBody = KnownBody(asked) }
        return record
    }

    /// What the call cost, without packets that only acknowledge.
    var wire: Int { record.costs.up.internet + record.costs.down.internet - record.costs.up[.ack] }
}

/// What could have been spared of calls, a letter each: C the call, B the body for a condition, A the body although the client
/// asked, V the body if the response had a validator.
func cacheFindings(_ calls: [SampleCall]) -> String {
    var stored = StoredResponses()
    return calls.map { call -> String in
        switch stored.take(call.record) {
        case .nothing: "-"
        case .call: "C"
        case .body(let condition): condition > 0 ? "B" : "A"
        case .noValidator: "V"
        }
    }.joined()
}

/// The calls or connections of an opportunity are all there, and add up to it.
func expectWholeParts(_ item: Opportunity) {
    let further = item.further(behind: .max)
    #expect(further.count == 0 && further.bytes == 0, "\(item.kind): \(further) behind \(item.parts.map(\.bytes))")
    #expect(item.parts.allSatisfy { ($0.exchange == nil) == item.kind.isOfConnections || $0.exchange == nil })
}
