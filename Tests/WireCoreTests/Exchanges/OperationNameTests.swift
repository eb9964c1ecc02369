import Testing
import WireTesting

@testable import WireCore

@Suite("APIs by the operation that a request names")
struct OperationNameTests {
    private struct Call: CustomTestStringConvertible {
        var testDescription: String
        var line = "POST /rpc"
        var fields = "Content-Type: application/json\r\n"
        var body = #"{"jsonrpc":"2.0","method":"getUser","id":1}"#
        var options = OperationOptions()
        /// What stands behind the path; nil: nothing.
        var operation: String?

        init(_ description: String, _ operation: String?, _ change: (inout Call) -> Void) {
            (testDescription, self.operation) = (description, operation)
            change(&self)
        }

        static let all = [
            Call("JSON", "getUser") { _ in },
            Call("a type with a parameter", "getUser") {
                $0.fields = "content-type:Application/JSON; charset=utf-8\r\n"
            },
            Call("a type of its own", "getUser") { $0.fields = "Content-Type: application/vnd.shop+json\r\n" },
            Call("plain text", nil) { $0.fields = "Content-Type: text/plain\r\n" },
            Call("no type", nil) { $0.fields = "" },
            Call("off", nil) { $0.options.calls = .off },
            Call("a path that was told", "getUser") {
                $0.options.calls = .paths(["/rpc"])
                $0.fields = "Content-Type: text/plain\r\n"
                $0.body = #"{"method":"getUser"}"#
            },
            Call("the beginning of a path that was told", "getUser") { $0.options.calls = .paths(["/other", "/r*"]) },
            Call("another path than was told", nil) { $0.options.calls = .paths(["/rp", "/rpc/"]) },
            Call("a field that was told", "Lookup") {
                $0.options.named = ["x-operation"]
                $0.fields += "X-Operation: Lookup\r\n"
            },
            Call("two fields, of which the first told counts", "one") {
                $0.options.named = ["x-a", "x-b"]
                $0.fields += "X-B: two\r\nx-a:  one \r\n"
            },
            Call("the body where the field that was told is missing", "getUser") { $0.options.named = ["x-operation"] },
            Call("a field that was told, by GET", "Lookup") {
                ($0.line, $0.body) = ("GET /a?b=c", "")
                ($0.options.named, $0.options.calls) = (["x-operation"], .off)
                $0.fields = "X-Operation: Lookup\r\n"
            },
            Call("SOAP 1.1", "urn:shop#Get") {
                ($0.fields, $0.body) = ("SOAPAction: \"urn:shop#Get\"\r\nContent-Type: text/xml\r\n", "<a/>")
            },
            Call("SOAP 1.2", "urn:Get") {
                ($0.fields, $0.body) = (
                    "Content-Type: application/soap+xml; charset=utf-8; action=\"urn:Get\"\r\n", "<a/>"
                )
            },
            Call("SOAP whose action is withheld", nil) {
                ($0.fields, $0.body) = ("SOAPAction: \"secret\"\r\nContent-Type: text/xml\r\n", "<a/>")
                $0.options.withheld = ["soapaction"]
            },
            Call("an empty SOAPAction", nil) {
                ($0.fields, $0.body) = ("SOAPAction: \"\"\r\nContent-Type: text/xml\r\n", "<a/>")
            },
            Call("GraphQL by GET", "Page") {
                ($0.line, $0.fields, $0.body) = ("GET /rpc?x=1&query=query+Page%7Ba%7D", "", "")
            },
            Call("GraphQL by GET, stored", "sha256:0123456789ab") {
                $0.line =
                    "GET /rpc?extensions=%7B%22persistedQuery%22%3A%7B%22sha256Hash%22%3A%220123456789abcdef%22%7D%7D"
                ($0.fields, $0.body) = ("", "")
            },
            Call("a search by GET", nil) {
                ($0.line, $0.fields, $0.body) = ("GET /rpc?query=shoes&operationName=x", "", "")
            },
            Call("a body beyond the limit, whose name is in front", "getUser") {
                $0.body =
                    #"{"jsonrpc":"2.0","method":"getUser","params":""# + String(repeating: "x", count: 300_000) + #""}"#
            },
            Call("a body beyond the limit, whose name is behind it", nil) {
                $0.body =
                    #"{"params":""# + String(repeating: "x", count: 300_000) + #"","jsonrpc":"2.0","method":"getUser"}"#
            },
        ]

        func audit(decodesBodies: Bool) -> AuditedCapture {
            var options = AuditOptions()
            (options.operations, options.decodesBodies) = (self.options, decodesBodies)
            var talk = Dialogue(clientPort: 40_001)
            talk.handshake()
            let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
            talk.data(.client, "\(line) HTTP/1.1\r\nHost: shop.test\r\n\(fields)\(length)\r\n")
            var rest = Array(body.utf8)[...]
            while !rest.isEmpty {
                talk.data(.client, Array(rest.prefix(1400)))
                rest = rest.dropFirst(1400)
            }
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok")
            talk.close()
            return talk.audit(options)
        }
    }

    @Test("the operation stands behind the path, in tables and records", arguments: Call.all, [true, false])
    private func calls(call: Call, decodesBodies: Bool) throws {
        let audit = call.audit(decodesBodies: decodesBodies)
        #expect(audit.result.ledger.balanced)
        let record = try #require(audit.exchanges.first)
        #expect(record.operation.map { String(decoding: $0, as: UTF8.self) } == call.operation)
        let path = call.line.split(separator: "?")[0].split(separator: " ").joined(separator: " shop.test ")
        let name = path + (call.operation.map { " " + $0 } ?? "")
        #expect(String(decoding: record.api, as: UTF8.self) == name)
        #expect(audit.result.apis.map(\.api) == [name])
    }

    @Test("a request whose body lost bytes has no operation")
    func lost() throws {
        var talk = Dialogue(clientPort: 40_001)
        talk.handshake()
        let body = #"{"jsonrpc":"2.0","method":"getUser","id":1}"#
        talk.data(
            .client,
            "POST /rpc HTTP/1.1\r\nHost: shop.test\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        )
        talk.data(.client, String(body.prefix(20)))
        let missing = talk.frames.count - 1
        talk.data(.client, String(body.dropFirst(20)))
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        talk.close()
        talk.frames.remove(at: missing)
        let record = try #require(talk.audit().exchanges.first)
        #expect(record.operation == nil)
        #expect(String(decoding: record.api, as: UTF8.self) == "POST shop.test /rpc")
    }
}
