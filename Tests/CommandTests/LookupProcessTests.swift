import Foundation
import Testing

/// Records of a capture with DNS over HTTPS, TLS and QUIC.
@Suite("The program: links to DNS answers")
struct LookupProcessTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/encrypted-dns")

    private func run(_ command: String, _ format: String, _ more: [String] = []) throws -> [String] {
        let files = [
            "--keys", Self.folder.appending(path: "keys.log").path, Self.folder.appending(path: "capture.pcap").path,
        ]
        let run = try WireAuditProcess.run([command, "--format", format] + more + files)
        #expect(run.status == 0, "\(run.errors)")
        return run.output.split(whereSeparator: \.isNewline).map(String.init)
    }

    private func links(_ command: String, _ more: [String] = []) throws -> [[String: Int?]?] {
        try run(command, "ndjson", more).map { line in
            let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let link = try #require(record["lookup"])
            guard let link = link as? [String: Any] else { return nil }
            return ["connection": link["connection"] as? Int, "exchange": link["exchange"] as? Int]
        }
    }

    @Test("records name the exchange or the connection that gave the address, with any number of threads")
    func names() throws {
        let connections = try links("connections", ["--jobs", "1"])
        #expect(connections.count == 17)
        #expect(connections.compactMap { $0 }.count == 8)
        #expect(connections.compactMap { $0 }.filter { $0["exchange"] == .some(nil) }.count == 2)
        #expect(try links("connections", ["--jobs", "3"]) == connections)
        let exchanges = try links("exchanges", ["--jobs", "1"])
        #expect(exchanges.compactMap { $0 }.count == 8)
        #expect(try links("exchanges", ["--jobs", "3"]) == exchanges)
    }

    @Test("CSV has columns for both numbers", arguments: ["connections", "exchanges"])
    func columns(command: String) throws {
        let lines = try run(command, "csv")
        // Texts in front of them may hold commas.
        let behind =
            command == "exchanges"
            ? [
                "app", "process", "pid", "operation", "host_unicode", "unread_certainty", "unread_up_message_low",
                "unread_up_message_high", "unread_down_message_low", "unread_down_message_high",
            ] : ["app", "pid", "server_name_unicode"]
        let names = ["lookup_connection", "lookup_exchange"] + behind
        #expect(lines.first?.hasSuffix(names.joined(separator: ",")) == true, "\(lines.first ?? "")")
        let values = lines.dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).suffix(names.count).prefix(2)
        }
        #expect(values.filter { Array($0) == ["0", "1"] }.count == 1)
        #expect(values.filter { Array($0) == ["", ""] }.count == values.count - 8)
    }
}
