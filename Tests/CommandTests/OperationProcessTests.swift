import Foundation
import Testing
import WireTesting

/// Reports of a capture whose calls share paths, and name operations.
@Suite("The program: operations")
struct OperationProcessTests {
    private static let capture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/rpc/capture.pcap").path

    private func run(_ arguments: [String]) throws -> String {
        let run = try WireAuditProcess.run(arguments + [Self.capture])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    private func apis(_ more: [String] = []) throws -> [String: Int] {
        let report =
            try JSONSerialization.jsonObject(with: Data(run(["--format", "json"] + more).utf8)) as? [String: Any]
        let rows = try #require(report?["apis"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0["api"] as? String ?? "?", $0["exchanges"] as? Int ?? 0) })
    }

    /// What the server executed, by its own log, over both versions of HTTP.
    private static let executed = [
        "POST shop.example.com /rpc getUser": 2, "POST shop.example.com /rpc [getCart,getUser]": 2,
        "POST shop.example.com /rpc listOrders": 2, "POST shop.example.com /rpc getCart": 2,
        "POST shop.example.com /graphql Basket": 2, "POST shop.example.com /graphql products": 2,
        "POST shop.example.com /graphql User": 2, "POST shop.example.com /graphql Add": 2,
        "GET shop.example.com /graphql Page": 2, "GET shop.example.com /graphql products": 2,
        "POST shop.example.com /graphql [User,products]": 2, "POST shop.example.com /soap urn:shop#GetPrice": 2,
        "POST shop.example.com /v1/orders": 2,
    ]

    @Test("the audit has a row for each operation that the server executed")
    func rows() throws {
        let hashed = try apis().filter { $0.key.contains(" sha256:") }
        #expect(hashed.values.map(\.self) == [2])
        #expect(try apis().filter { !$0.key.contains(" sha256:") } == Self.executed)
    }

    @Test("--rpc off names paths alone, --rpc PATH the operations of these paths")
    func choices() throws {
        #expect(
            try apis(["--rpc", "off"]) == [
                "POST shop.example.com /rpc": 8, "POST shop.example.com /graphql": 12,
                "GET shop.example.com /graphql": 4,
                "POST shop.example.com /soap": 2, "POST shop.example.com /v1/orders": 2,
            ])
        #expect(try apis(["--rpc", "/v1/*"])["POST shop.example.com /v1/orders express"] == 2)
        #expect(try apis(["--rpc", "/v1/*"])["POST shop.example.com /rpc"] == 8)
        #expect(try apis(["--name-by", "header:user-agent"]).keys.allSatisfy { $0.hasSuffix(" shop/1") })
        #expect(try apis(["--redact-header", "soapaction"])["POST shop.example.com /soap"] == 2)
    }

    @Test("--api chooses by operation in the audit, in exchanges and in check")
    func selection() throws {
        #expect(try apis(["--api", "* /rpc getUser"]).count == 1)
        let lines = try run(["exchanges", "--format", "ndjson", "--api", "* /graphql Basket"]).split(separator: "\n")
        let records = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(records.map { $0?["operation"] as? String } == ["Basket", "Basket"])
        #expect(
            records.map { ($0?["request"] as? [String: Any])?["content_type"] as? String } == [
                "application/json", "application/json",
            ])
        let folder = try TemporaryFolder()
        let policy = Array("api \"POST * getUser\" wire-per-call <= 1 B\n".utf8)
        let check = try WireAuditProcess.run(["check", folder.write("policy", policy), Self.capture])
        #expect(check.status == 1)
        #expect(check.output.contains("POST shop.example.com /rpc getUser"))
    }
}
