import Foundation
import Testing
import WireCore
import WireJoin
import WireRecords
import WireReport

@Suite("TLS in the audit")
struct TLSReportTests {
    private func text(
        _ result: AuditResult = sampleTLSAudit(), width: Int = 80, unicode: Bool = true, color: Bool = false,
        _ change: (inout ReportOptions) -> Void = { _ in }
    ) -> String {
        var options = ReportOptions()
        change(&options)
        return ReportDocument(result, options: options)
            .text(TerminalStyle(width: width, unicode: unicode, color: color)).text
    }

    /// The section under a heading.
    private func section(_ heading: String, of text: String) -> String? {
        text.components(separatedBy: "\n\n").first { $0.hasPrefix(heading) }
            .map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
    }

    private func json(_ result: AuditResult, _ options: ReportOptions = ReportOptions()) throws -> [String: Any] {
        let text = auditJSON(result, options: options).text
        _ = try StrictJSON.parse(text)
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("the sample is balanced") func sample() {
        #expect(sampleTLSAudit().ledger.contradictions.isEmpty)
    }

    @Test("set-up by host looks like this", arguments: [(60, setup60), (80, setup80), (120, setup120)])
    func setup(width: Int, expected: String) {
        #expect(section("SET-UP BY HOST", of: text(width: width)) == expected)
    }

    @Test("a host that cannot be read has a row of its own, and no figure where nothing is known")
    func encryptedRows() throws {
        #expect(section("APIs BY WIRE BYTES", of: text(width: 100)) == encryptedAPIs100)
        let painted = text(width: 100, color: true)
        #expect(painted.contains("\u{1B}[2mhttps://tracker.example.net (encrypted)\u{1B}[0m"))
        #expect(!painted.contains("\u{1B}[2mPOST"))
        let rows = try #require(try json(sampleTLSAudit())["apis"] as? [[String: Any]])
        #expect(rows.filter { $0["encrypted"] as? Bool == true }.map { $0["exchanges"] as? Int } == [0, 0])
        #expect(rows.filter { $0["encrypted"] as? Bool == false }.count == 3)
    }

    @Test("bytes and calls that were read on an encrypted row are shown")
    func partlyRead() {
        var result = sampleTLSAudit()
        result.apis[3].exchanges = 2
        result.apis[3].costs.up[.headers] = 50
        #expect(text(result, width: 100).contains(/tracker.example.net \(encrypted\) +2 +50 +57,650/))
    }

    @Test(
        "the head tells how much of TLS was read, and what helps",
        arguments: [
            (0, 0, false, nil), (1, 1, false, "1 TLS connection: decrypted"),
            (7, 7, true, "7 TLS connections: all decrypted"),
            (1, 0, false, "1 TLS connection: not decrypted (decrypt it with --keys FILE)"),
            (7, 0, false, "7 TLS connections: none decrypted (decrypt them with --keys FILE)"),
            (1200, 1, false, "1,200 TLS connections: 1 decrypted, 1,199 not decrypted (decrypt them with --keys FILE)"),
            (7, 6, true, "7 TLS connections: 6 decrypted, 1 not decrypted"),
            (1, 0, true, "1 TLS connection: not decrypted"),
        ] as [(Int, Int, Bool, String?)])
    func head(all: Int, read: Int, hasKeys: Bool, expected: String?) {
        var result = sampleTLSAudit()
        for index in result.hosts.indices { result.hosts[index].setup = SetupSummary() }
        result.hosts[0].setup.tlsConnections = all
        result.hosts[0].setup.unreadConnections = all - read
        if hasKeys { result.keyLogs = [KeyLogSummary(path: "k")] }
        func line() -> String? {
            text(result, width: 100).split(separator: "\n").first { $0.contains("TLS connection") }.map(String.init)
        }
        #expect(line() == expected)
        // Without rows of encrypted hosts there was nothing that a key could have opened.
        result.apis.removeAll(where: \.isEncrypted)
        #expect(line()?.contains("--keys") != true)
    }

    @Test(
        "a handshake that failed is neither read nor unread",
        arguments: [
            (6, 4, 2, "6 TLS connections: 4 not decrypted (decrypt them with --keys FILE), 2 failed in the handshake"),
            (6, 0, 2, "6 TLS connections: 4 decrypted, 2 failed in the handshake"),
            (
                6, 3, 1,
                "6 TLS connections: 2 decrypted, 3 not decrypted (decrypt them with --keys FILE), 1 failed in the handshake"
            ),
            (1, 0, 1, "1 TLS connection: its handshake failed"),
            (3, 0, 3, "3 TLS connections: all failed in the handshake"),
        ])
    func failedHandshakes(all: Int, unread: Int, failed: Int, expected: String) {
        var result = sampleTLSAudit()
        for index in result.hosts.indices { result.hosts[index].setup = SetupSummary() }
        result.hosts[0].setup.tlsConnections = all
        result.hosts[0].setup.unreadConnections = unread
        result.hosts[0].setup.failedHandshakes = failed
        let line = text(result, width: 120).split(separator: "\n").first { $0.contains("TLS connection") }
        #expect(line.map(String.init) == expected)
    }

    @Test(
        "a connection without application data is neither read nor unread",
        arguments: [
            (
                9, 1, 0, 8,
                "9 TLS connections: 1 not decrypted (decrypt it with --keys FILE), 8 without application data"
            ),
            (4, 0, 0, 1, "4 TLS connections: 3 decrypted, 1 without application data"),
            (
                4, 1, 1, 1,
                "4 TLS connections: 1 decrypted, 1 not decrypted (decrypt it with --keys FILE), 1 failed in the handshake,"
            ),
            (1, 0, 0, 1, "1 TLS connection: without application data"),
            (3, 0, 0, 3, "3 TLS connections: all without application data"),
        ])
    func silentConnections(all: Int, unread: Int, failed: Int, silent: Int, expected: String) {
        var result = sampleTLSAudit()
        for index in result.hosts.indices { result.hosts[index].setup = SetupSummary() }
        result.hosts[0].setup.tlsConnections = all
        result.hosts[0].setup.unreadConnections = unread
        result.hosts[0].setup.failedHandshakes = failed
        result.hosts[0].setup.silentConnections = silent
        let line = text(result, width: 120).split(separator: "\n").first { $0.contains("TLS connection") }
        #expect(line.map(String.init)?.hasPrefix(expected) == true)
    }

    @Test("APIs of the head are those that could be read")
    func countedAPIs() {
        #expect(text().contains("32 HTTP exchanges · 3 APIs · 4 hosts"))
    }

    @Test("without connections that were opened there is no section; without TLS no column of it")
    func plain() throws {
        #expect(section("SET-UP", of: text(sampleAudit())) == nil)
        var result = sampleAudit()
        result.hosts[0].setup.setupBytes = 640
        result.hosts[0].setup.reuseSaving = 424
        result.hosts[0].setup.exchanges = 32
        let lines = try #require(section("SET-UP", of: text(result))).split(separator: "\n")
        #expect(lines[0] == "SET-UP BY HOST   conn  set-up  per call  closing  saving")
        #expect(lines[1] == "api.example.com     2     640        20        0     424")
        #expect(!lines.joined().contains("certs"))
    }

    @Test("--top and --host choose hosts and what cannot be read of them")
    func selection() throws {
        let top = try #require(section("SET-UP", of: text { $0.top = 1 })).split(separator: "\n")
        #expect(top[2] == "… and 3 more hosts, 15,520 bytes (--top all)")
        for (host, expected) in [("TRACKER", 1), ("*.example.net", 1), ("example", 2), ("(encrypted)", 0)] {
            var options = ReportOptions()
            options.selection = Selection(hosts: [host])
            let rows = try #require(try json(sampleTLSAudit(), options)["apis"] as? [[String: Any]])
            #expect(rows.count { $0["encrypted"] as? Bool == true } == expected, "\(host)")
        }
        let chosen = try #require(
            section("SET-UP", of: text { $0.selection = Selection(hosts: ["tracker"]) }))
        #expect(chosen.split(separator: "\n")[1].hasPrefix("tracker.example.net"))
        #expect(!chosen.contains("cdn."))
        var options = ReportOptions()
        options.selection = Selection(apis: ["*(encrypted)"])
        #expect(try #require(try json(sampleTLSAudit(), options)["apis"] as? [Any]).count == 2)
    }

    @Test("JSON has the set-up of each host, and says what the saving supposes")
    func hosts() throws {
        let hosts = try #require(try json(sampleTLSAudit())["hosts"] as? [[String: Any]])
        let api = try #require(hosts.first { $0["host"] as? String == "api.example.com" })
        let expected: NSDictionary = [
            "tls_connections": 2, "unread_connections": 0, "cut_connections": 0, "unnamed_calls": 0, "public_names": 0,
            "partly_read_connections": 0, "silent_connections": 0,
            "failed_handshakes": 0,
            "full_handshakes": 1,
            "resumed_handshakes": 1,
            "certificate_bytes": 4321, "bytes": 9876, "exchanges": 32, "bytes_per_exchange": 308.625, "teardown": 312,
            "reuse_saving": [
                "bytes": 4100, "computed_from": "ledger",
                "supposing": "client and server had kept idle connections open for 60 s",
            ],
        ]
        #expect(api["setup"] as? NSDictionary == expected)
        let other = try #require(hosts.first { $0["host"] as? String == "cdn.example.com" })
        #expect((other["setup"] as? [String: Any])?["bytes_per_exchange"] is NSNull)
    }

    @Test("JSON names the key logs, and of their secrets the number")
    func keyLogs() throws {
        var result = sampleTLSAudit()
        func logs() throws -> [NSDictionary]? {
            (try json(result)["capture"] as? [String: Any])?["key_logs"] as? [NSDictionary]
        }
        #expect(try logs() == [])
        result.keyLogs = [KeyLogSummary(path: "secrets.log")]
        result.keyLogs[0].secrets = 12
        result.keyLogs[0].malformed = 1
        #expect(try logs() == [["path": "secrets.log", "secrets": 12, "malformed": 1, "fault": NSNull()]])
        result.keyLogs[0].fault = "Input/output error"
        #expect(try logs()?.first?["fault"] as? String == "Input/output error")
    }

    @Test("no line is wider than the terminal, whatever the numbers", arguments: [60, 80, 81, 100, 120, 200])
    func width(width: Int) {
        var result = sampleTLSAudit()
        for index in result.hosts.indices {
            result.hosts[index].host += String(repeating: ".a-long-name", count: 12)
            result.hosts[index].connections *= 100_000
            if width >= 80 {
                result.hosts[index].setup.setupBytes *= 10_000_000
                result.hosts[index].setup.reuseSaving *= 10_000_000
                result.hosts[index].setup.certificateBytes *= 10_000_000
                result.hosts[index].setup.teardownBytes *= 10_000_000
                result.hosts[index].setup.fullHandshakes *= 100_000
            }
        }
        let section = section("SET-UP", of: text(result, width: width)) ?? ""
        #expect(section.split(separator: "\n").count > 4)
        for line in section.split(separator: "\n") { #expect(displayWidth(String(line)) <= width, "\(line)") }
    }

    @Test("without Unicode everything is ASCII; a name from a handshake cannot act on the terminal")
    func safety() {
        var result = sampleTLSAudit()
        result.hosts[2].host = "\u{1B}[2Jhost\u{202E}"
        result.apis[3].api = "https://\u{1B}[2J (encrypted)"
        #expect(text(result, unicode: false).utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        let shown = text(result, width: 120)
        #expect(shown.contains("\\x1b[2Jhost\\u{202e}"))
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    }
}
