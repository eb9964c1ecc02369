import Foundation
import Testing
import WireTesting

/// Logs with columns of their owner's, made from a capture's exchanges, held against the capture.
@Suite("The program: logs with columns of one's own")
struct OwnLogProcessTests {
    private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/shop/capture.pcap").path

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The whole message of each exchange, with times in milliseconds.
    private func csv(_ header: String) throws -> String {
        let run = try WireAuditProcess.run(["exchanges", "--format", "ndjson", Self.shop])
        let rows = try run.output.split(separator: "\n").map { line -> String in
            let exchange = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            func size(_ direction: String) -> Int { (exchange[direction] as? [String: Any])?["message"] as? Int ?? -1 }
            let start = try #require(exchange["time_ns"] as? Int) / 1_000_000
            let end = start + (try #require(exchange["duration_ns"] as? Int)) / 1_000_000
            let url = "http://\(exchange["host"] ?? "")\(exchange["target"] ?? "")"
            return
                "\(url),\(exchange["method"] ?? ""),\(exchange["status"] ?? ""),\(start),\(end),\(size("up")),\(size("down"))"
        }
        #expect(rows.count == 23)
        return try folder.write("own.csv", Array(([header] + rows).joined(separator: "\n").utf8))
    }

    private func logs(_ arguments: [String]) throws -> (log: [String: Any], errors: String) {
        let run = try WireAuditProcess.run(["accuracy", "--format", "json"] + arguments + [Self.shop])
        #expect(run.status == 0, "\(run.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        return (try #require((report["logs"] as? [[String: Any]])?.first), run.errors)
    }

    private static let columns =
        "url=url,method=method,status=status,start=start_ms:ms,end=end_ms:ms,up=req_bytes:b,"
        + "down=resp_bytes:b"

    @Test("one command takes it to a verdict, and says first which columns it took")
    func verdict() throws {
        let log = try csv("url,method,status,start_ms,end_ms,req_bytes,resp_bytes")
        let (found, errors) = try logs(["--sdk-log", log])
        #expect(found["format"] as? String == "columns" && found["columns"] as? String == Self.columns)
        #expect((found["rows"] as? [String: Any])?["matched"] as? Int == 23)
        let figures = found["figures"] as? [String: Any]
        #expect(figures?["compared"] as? Int == 46 && figures?["explained"] as? Int == 46)
        #expect(errors.contains("own.csv: columns by their names: \(Self.columns)"))
        let text = try WireAuditProcess.run(["accuracy", "--sdk-log", log, Self.shop])
        #expect(text.status == 0 && text.output.contains("23 of 23 exchanges compared"))
        #expect(!text.output.contains("published formula"))
        #expect(try WireAuditProcess.run(["check", "--max-bias", "1%", "--sdk-log", log, Self.shop]).status == 0)
        #expect(
            try !WireAuditProcess.run(["accuracy", "--quiet", "--sdk-log", log, Self.shop]).errors.contains("columns"))
    }

    @Test("columns with other names are named on the command line or in a file")
    func named() throws {
        let log = try csv("a,b,c,d,e,f,g")
        let unnamed = try WireAuditProcess.run(["accuracy", "--sdk-log", log, Self.shop])
        #expect(unnamed.status == 65)
        #expect(
            unnamed.errors.contains("its columns are a, b, c, d, e, f, g; write --sdk-columns url=COLUMN,up=COLUMN"))
        let option = "url=a,method=b,status=c,start=d:ms,end=e:ms,up=f,down=g"
        let file = try folder.write("columns", Array("# ours\n\(option.replacing(",", with: "\n"))\n".utf8))
        for value in [option, "@" + file] {
            let (found, errors) = try logs(["--sdk-log", log, "--sdk-columns", value])
            #expect(found["columns"] as? String == option)
            #expect((found["rows"] as? [String: Any])?["matched"] as? Int == 23)
            #expect(!errors.contains("by their names"))
        }
        for (value, status, text) in [
            ("url=z", 65, "it has no column 'z'; its columns are a, b, c, d, e, f, g"),
            ("u=z", 64, "'u' is nothing that"),
            ("@/nowhere", 66, "cannot read the columns in /nowhere"),
        ] as [(String, Int32, String)] {
            let run = try WireAuditProcess.run(["accuracy", "--sdk-log", log, "--sdk-columns", value, Self.shop])
            #expect(run.status == status && run.errors.contains(text), "\(run.errors)")
        }
        let both = ["accuracy", "--sdk-log", log, "--sdk-columns", "url=a", "--sdk-format", "har", Self.shop]
        let run = try WireAuditProcess.run(both)
        #expect(run.status == 64 && run.errors.contains("leave out --sdk-format har"), "\(run.errors)")
    }
}
