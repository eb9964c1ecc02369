import Foundation
import Testing
import WireTesting

/// A secret at each place of a message and of a log where a value of a URL can stand, looked for in every output.
@Suite("The program: planted secrets")
struct PlantedSecretTests {
    private static let secret = "s3cr3tvalue"

    /// Requests by the place of the secret in them.
    private static let requests: [(place: String, request: String)] = [
        ("query", "GET /v1/items?token=SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("path parameter", "GET /v1;token=SECRET/items;SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("encoded parameter", "GET /v1%3Btoken%3DSECRET/items HTTP/1.1\r\nHost: api.example.com"),
        ("value in a segment", "GET /v1/token=SECRET/items&token=SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("encoded query", "GET /v1/items%3Ftoken=SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("query encoded twice", "GET /v1/items%253ftoken%253dSECRET HTTP/1.1\r\nHost: api.example.com"),
        ("fragment", "GET /v1/items#SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("encoded fragment", "GET /v1/items%23SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("query of Host", "GET /v1/items HTTP/1.1\r\nHost: api.example.com?token=SECRET"),
        ("credentials of Host", "GET /v1/items HTTP/1.1\r\nHost: me:SECRET@api.example.com"),
        ("parameter of Host", "GET /v1/items HTTP/1.1\r\nHost: api.example.com;token=SECRET"),
        ("path of Host", "GET /v1/items HTTP/1.1\r\nHost: api.example.com/a?token=SECRET"),
        ("target that is a query", "GET ?token=SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("query that holds a URL", "GET ?u=x://SECRET/SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("target without a mark", "GET token=SECRET HTTP/1.1\r\nHost: api.example.com"),
        ("absolute target", "GET http://me:SECRET@api.example.com/v1;a=SECRET?b=SECRET#SECRET HTTP/1.1\r\nHost: a"),
        ("authority", "CONNECT me:SECRET@api.example.com:443?t=SECRET HTTP/1.1\r\nHost: api.example.com"),
        (
            "header fields",
            "GET /v1/items HTTP/1.1\r\nHost: api.example.com\r\nCookie: SECRET\r\nReferer: http://x/?SECRET\r\n"
                + "Authorization: Basic SECRET\r\nX-SECRET-Value: SECRET"
        ),
    ]

    private static let outputs: [[String]] = [
        ["audit"], ["audit", "--format", "json"], ["audit", "--format", "html"], ["audit", "--format", "partial"],
        ["exchanges", "--format", "table"], ["exchanges", "--format", "ndjson"], ["exchanges", "--format", "csv"],
        ["exchanges", "--format", "har"], ["exchanges", "--format", "otlp"],
        ["exchanges", "--format", "ndjson", "--estimators", "all"], ["connections", "--format", "table"],
        ["connections", "--format", "ndjson"], ["connections", "--format", "csv"],
        ["audit", "--opportunities", "--headers", "--estimators", "all"],
    ]

    private static func request(_ index: Int) -> String {
        requests[index].request.replacing("SECRET", with: secret) + "\r\n\r\n"
    }

    /// A capture with all requests, each in a connection of its own.
    private func capture(in folder: TemporaryFolder) throws -> String {
        var file = PcapFileBuilder()
        for index in Self.requests.indices {
            var conversation = SampleConversation()
            conversation.request = Self.request(index)
            conversation.clientPort += UInt16(index)
            conversation.responseFields = "Location: /next?token=\(Self.secret)\r\nSet-Cookie: a=\(Self.secret)\r\n"
            conversation.body = Array("{\"token\":\"\(Self.secret)\"}".utf8)
            for (place, packet) in conversation.packets().enumerated() {
                file.record(
                    seconds: 1_795_168_800 + UInt32(index), fraction: UInt32(place) * 1000, packet.frame())
            }
        }
        return try folder.write("a.pcap", file.bytes)
    }

    /// Only the name of a header field says what it is; this one is asked for by name.
    private func leaks(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter {
            $0.lowercased().replacing("x-\(Self.secret)-value", with: "").contains(Self.secret)
        }
    }

    @Test("no output about a capture has a secret where --redact-query is given", arguments: outputs)
    func captured(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let capture = try self.capture(in: folder)
        let run = try WireAuditProcess.run(arguments + ["--redact-query", capture])
        #expect(run.status == 0 && leaks(run.output + run.errors).isEmpty, "\(leaks(run.output + run.errors))")
        #expect(run.output.contains("api.example.com") || arguments[0] == "connections")
        // What is redacted changes no size and no number of rows.
        guard arguments.contains("csv") else { return }
        let plain = try WireAuditProcess.run(arguments + [capture]).output
        #expect(plain.contains(Self.secret) == (arguments[0] == "exchanges"))
        #expect(plain.split(separator: "\r\n").count == run.output.split(separator: "\r\n").count)
    }

    @Test("no comment of an annotated capture has one")
    func annotated() throws {
        let folder = try TemporaryFolder()
        let capture = try self.capture(in: folder)
        let output = folder.path + "/annotated.pcapng"
        for options in [[], ["--redact-query"]] {
            let run = try WireAuditProcess.run(["annotate", capture, "-o", output] + options)
            #expect(run.status == 0, "\(run.errors)")
            let comments = try AnnotatedPacket.read(output).flatMap(\.comments).joined(separator: "\n")
            #expect(leaks(comments).isEmpty == !options.isEmpty, "\(leaks(comments))")
        }
    }

    @Test("no comparison has one", arguments: ["table", "html", "md", "json"])
    func compared(format: String) throws {
        let folder = try TemporaryFolder()
        let other = try folder.write("b.pcap", SampleConversation().pcap())
        let run = try WireAuditProcess.run(
            ["compare", "--redact-query", "--format", format, try capture(in: folder), other])
        #expect(run.status == 0 && leaks(run.output + run.errors).isEmpty, "\(leaks(run.output + run.errors))")
    }

    @Test(
        "no output about a log has one",
        arguments: [
            ["accuracy", "--top", "all"], ["accuracy", "--format", "html"], ["accuracy", "--format", "md"],
            ["accuracy", "--format", "json"], ["accuracy", "--format", "csv"], ["accuracy", "--format", "ndjson"],
            ["accuracy", "--format", "partial"], ["check", "--verbose", "--max-error", "100%"],
            ["check", "--format", "junit", "--max-error", "100%"],
        ])
    func logged(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let capture = try self.capture(in: folder)
        let places = [
            ("/v1/items?token=SECRET", "api.example.com"), ("/v1;token=SECRET/items", "api.example.com"),
            ("/v1/items%3Ftoken=SECRET", "api.example.com"), ("/v1/items#SECRET", "api.example.com"),
            ("?token=SECRET", "api.example.com"), ("/v1/items", "api.example.com?token=SECRET"),
            ("/v1/items", "me:SECRET@api.example.com"), ("http://api.example.com/v1?token=SECRET", "api.example.com"),
        ]
        var bytes: [UInt8] = []
        for (path, host) in places {
            for type in ["request", "response"] {
                let row: [String: Any] = [
                    "path": path.replacing("SECRET", with: Self.secret),
                    "host": host.replacing("SECRET", with: Self.secret), "type": type, "lineLength": 23,
                    "headerLength": 31, "bodyLength": 0, "length": 54, "occurTime": 1_795_168_800.003,
                ]
                bytes += try [UInt8](JSONSerialization.data(withJSONObject: row)) + [0x0A]
            }
        }
        let log = try folder.write("log.ndjson", bytes)
        let run = try WireAuditProcess.run(arguments + ["--redact-query", "--sdk-log", log, capture])
        #expect(run.output.contains("api.example.com") || run.output.contains("check"), "\(run.errors)")
        #expect(leaks(run.output + run.errors).isEmpty, "\(leaks(run.output + run.errors))")
    }
}
