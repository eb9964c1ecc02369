import Foundation
import Testing
import WireTesting

@Suite("The program: a gate judges only what was read")
struct GateProcessTests {
    private let folder: TemporaryFolder
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let captures = repository.appending(path: "Captures")
    private let tls = Self.captures.appending(path: "tls13/capture.pcap").path
    private let keys = Self.captures.appending(path: "tls13/keys.log").path
    private let otherKeys = Self.captures.appending(path: "h2-tls/keys.log").path
    private let shop = Self.captures.appending(path: "shop/capture.pcap").path
    private let shopLog = Self.captures.appending(path: "shop/traffic.ndjson").path

    init() throws { folder = try TemporaryFolder() }

    /// A log of the calls of the TLS capture, each with its own size or so many times that, by a clock that is off by some seconds.
    private func log(_ name: String, ahead: Double = 0, host: String? = nil, times factor: Int = 1) throws -> String {
        let exchanges = try WireAuditProcess.run(["exchanges", "--format", "ndjson", "--keys", keys, tls]).output
        var lines = ""
        for line in exchanges.split(separator: "\n") {
            let exchange = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let start = Double(try #require(exchange["time_ns"] as? Int)) / 1e9 + ahead
            let duration = Double(exchange["duration_ns"] as? Int ?? 0) / 1e9
            for (type, side, time) in [("request", "up", start), ("response", "down", start + duration)] {
                let bytes = try #require(exchange[side] as? [String: Any])
                func size(_ part: String) -> Int { factor * (bytes[part] as? Int ?? 0) }
                let row: [String: Any] = [
                    "path": exchange["path"] ?? "", "host": host ?? exchange["host"] ?? "", "type": type,
                    "lineLength": size("start_line"), "headerLength": size("headers"),
                    "bodyLength": size("body"), "length": size("message"), "occurTime": time,
                ]
                lines += String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self) + "\n"
            }
        }
        return try folder.write(name, Array(lines.utf8))
    }

    private func policy(_ text: String) throws -> String { try folder.write("gate.policy", Array(text.utf8)) }

    /// What leads to each situation that the article tells of.
    private func arguments(_ situation: String) throws -> [String]? {
        let loose = try policy("bias <= 50%\ncoverage >= 90% of calls\n")
        let check = ["check", loose, "--sdk-log", try log("app.ndjson")]
        let withKeys = ["--keys", keys, tls]
        switch situation {
        case "every bound holds": return check + withKeys
        case "a bound is exceeded": return ["check", "--max-bias", "1%", shop]
        case "a rule matches nothing":
            return ["check", try policy("api \"PATCH *\" bias <= 50%\n"), "--sdk-log", check[3]] + withKeys
        case "TLS was not decrypted": return check + [tls]
        case "the error without keys may be on either side of the bound": return check + [tls]
        case "the error without keys is beyond the bound, whatever records held":
            return ["check", loose, "--sdk-log", try log("tenfold.ndjson", times: 10), tls]
        case "the keys are of another capture": return check + ["--keys", otherKeys, tls]
        case "only few calls of the log were read":
            let some = try String(contentsOfFile: check[3], encoding: .utf8)
            let all = try String(contentsOfFile: shopLog, encoding: .utf8) + some
            let log = try folder.write("both.ndjson", Array(all.utf8))
            return ["check", loose, "--sdk-log", log, shop, tls]
        case "what was not read is allowed by name":
            let policy = try policy("coverage >= 90% of calls\nread >= 95% of bytes except \"api.example.com\"\n")
            return ["check", policy, "--sdk-log", shopLog, shop, tls]
        case "no rule has anything to judge":
            return ["check", try policy("read >= 95% of bytes except \"api.example.com\"\n"), tls]
        case "the log is of another session":
            return ["check", loose, "--sdk-log", try log("other.ndjson", ahead: 1398)] + withKeys
        case "the log has no host of the capture":
            return ["check", loose, "--sdk-log", try log("hosts.ndjson", host: "api.example.org")] + withKeys
        case "the calibration was fitted to something else":
            let path = folder.path + "/app.cal.json"
            let fit = ["accuracy", "--estimators", "dm", "--calibration", path, shop]
            #expect(try WireAuditProcess.run(fit).status == 0)
            return check + ["--calibration", path] + withKeys
        default: return nil
        }
    }

    private struct Row {
        var situation: String
        var status: Int32
        var words: String
    }

    /// The rows of the article's table.
    private func rows() throws -> [Row] {
        let article = Self.repository.appending(
            path: "Sources/wireaudit/Documentation.docc/ContinuousIntegration.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| situation | status | words |\n").dropFirst().first)
        return try table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 3)
            return Row(
                situation: cells[0], status: try #require(Int32(cells[1])),
                words: cells[2].trimmingCharacters(in: CharacterSet(charactersIn: "`")))
        }
    }

    @Test("check says and does what the article tells, in every row of its table")
    func article() throws {
        let rows = try rows()
        #expect(rows.count == 13)
        for row in rows {
            let arguments = try #require(try arguments(row.situation), "\(row.situation) has no test")
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == row.status, "\(row.situation): \(run.output)\(run.errors)")
            #expect(run.output.contains(row.words), "\(row.situation): \(run.output)\(run.errors)")
            guard row.status == 65 else { continue }
            #expect(!run.output.contains("passed"), "\(row.situation): \(run.output)")
            let xml = try WireAuditProcess.run(arguments + ["--format", "junit"])
            #expect(xml.status == 65, "\(row.situation): \(xml.output)")
            guard row.words != "nothing could be judged" else { continue }
            #expect(xml.output.contains("<error type=\"not judged\""), "\(row.situation): \(xml.output)")
        }
    }

    @Test("the verdict of accuracy names its base first, and rows whose calls were not read are not judged")
    func base() throws {
        let log = try log("app.ndjson")
        let both = try folder.write(
            "both.ndjson",
            Array(
                (try String(contentsOfFile: shopLog, encoding: .utf8)
                    + String(contentsOfFile: log, encoding: .utf8)).utf8))
        for format in ["table", "md", "html"] {
            let some = try WireAuditProcess.run(["accuracy", "--format", format, "--sdk-log", both, shop, tls]).output
            let words = some.replacing(/\s+/, with: " ").replacing("\u{A0}", with: " ")
            #expect(
                words.contains("of the bytes and 46 of 96 rows of the log could be compared; in these, "),
                "\(words.prefix(2500))")
            let none = try WireAuditProcess.run(["accuracy", "--format", format, "--sdk-log", log, tls]).output
            #expect(!none.contains("has no figures for calls"))
            #expect(!none.contains("+25") && !none.contains("no-exchange"))
        }
    }

    @Test("a log of another time has no verdict on a part: nothing was compared")
    func otherTime() throws {
        let late = try log("late.ndjson", ahead: 86_400)
        let run = try WireAuditProcess.run(["accuracy", "--sdk-log", late, shop, tls])
        let words = run.output.replacing(/\s+/, with: " ")
        #expect(words.contains("covers a different time than the capture"), "\(run.output)")
        #expect(!words.contains("in these"), "\(run.output)")
    }

    @Test("compare holds nothing against a bound where little was read")
    func comparison() throws {
        let sides = ["--before", shop, tls, "--after", shop, tls]
        let run = try WireAuditProcess.run(["compare", "--max-growth", "5%"] + sides)
        #expect(run.status == 65 && run.output.hasPrefix("Only "), "\(run.output)\(run.errors)")
        #expect(run.errors.contains("too little of the traffic was read"))
        let read = try WireAuditProcess.run(["compare", "--max-growth", "5%", "--keys", keys] + sides)
        #expect(!read.output.contains("Only ") && !read.errors.contains("too little"), "\(read.output)\(read.errors)")
    }
}
