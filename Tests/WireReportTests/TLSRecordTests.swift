import Foundation
import Testing
import WireCore
import WireLogs
import WireRecords
import WireReport

@Suite("TLS and HTTP/2 in records")
struct TLSRecordTests {
    private func render(
        _ kind: RecordKind, _ format: RecordFormat, width: Int = 100, unicode: Bool = true, color: Bool = false,
        _ feed: (RecordReport) -> Void
    ) -> String {
        let style = TerminalStyle(width: width, unicode: unicode, color: color)
        return renderedRecords(kind, format, style: style, feed)
    }

    private func object(_ line: String) throws -> [String: Any] {
        _ = try StrictJSON.parse(line)
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func connection(_ facts: TLSFacts?) throws -> ConnectionRecord {
        var record = try #require(sampleRecords().connections.first)
        record.tls = facts
        record.serverName = Array("api.example.com".utf8)
        record.server.port = 443
        record.applicationProtocol = facts?.isDecrypted == false ? nil : facts == nil ? "http/1.1" : "h2"
        return record
    }

    private func tls(_ facts: TLSFacts?) throws -> [String: Any] {
        let record = try connection(facts)
        let fields = try object(render(.connections, .ndjson) { $0.receive(record) })
        return try #require(fields["tls"] as? [String: Any])
    }

    /// A connection of which nothing but records could be read.
    private func encrypted(_ reason: TLSBlindness = .noKeys) -> TLSFacts {
        var facts = sampleTLSFacts()
        facts.isDecrypted = false
        facts.blindness = reason
        facts.applicationProtocol = nil
        facts.certificateBytes = nil
        return facts
    }

    @Test("TLS of a connection is an object with the fields of the contract, in their order")
    func golden() throws {
        let record = try connection(sampleTLSFacts())
        let text = render(.connections, .ndjson) { $0.receive(record) }
        let start = try #require(text.range(of: "\"tls\":"))
        let end = try #require(text.range(of: ",\"close\":"))
        #expect(text[start.lowerBound..<end.lowerBound] == connectionJSON)
    }

    @Test("without TLS it is null, and its columns are empty")
    func none() throws {
        let record = try connection(nil)
        let fields = try object(render(.connections, .ndjson) { $0.receive(record) })
        #expect(fields["tls"] is NSNull)
        let lines = render(.connections, .csv) { $0.receive(record) }.components(separatedBy: "\r\n")
        let values = Dictionary(
            uniqueKeysWithValues: zip(lines[0].components(separatedBy: ","), lines[1].components(separatedBy: ",")))
        #expect(values.count == lines[1].components(separatedBy: ",").count)
        let columns = values.filter { $0.key.hasPrefix("tls_") }
        #expect(columns.count == 28)
        #expect(columns.values.allSatisfy { $0.isEmpty })
        #expect(values["protocol"] == "http/1.1" && values["close"] == "fin")
    }

    @Test("columns of CSV hold what the fields of JSON hold")
    func csv() throws {
        let record = try connection(sampleTLSFacts())
        let lines = render(.connections, .csv) { $0.receive(record) }.components(separatedBy: "\r\n")
        let values = Dictionary(
            uniqueKeysWithValues: zip(lines[0].components(separatedBy: ","), lines[1].components(separatedBy: ",")))
        for (name, expected) in [
            ("version", "TLS 1.3"), ("cipher", "TLS_AES_128_GCM_SHA256"), ("alpn", "h2"), ("resumed", "true"),
            ("resumption", "psk"), ("decrypted", "true"), ("blindness", ""), ("server_name", "api.example.com"),
            ("early_data", "accepted"), ("hello_retry", "true"), ("compatibility_ccs", "2"),
            ("certificate_bytes", "2345"), ("tickets", "2"), ("key_updates", "1"), ("close_notify_up", "true"),
            ("close_notify_down", "false"), ("records_up", "5"), ("up_handshake", "600"),
            ("up_application_data", "900"), ("up_alert", "24"), ("up_change_cipher_spec", "6"), ("up_other", "0"),
            ("records_down", "9"), ("down_handshake", "3000"), ("down_application_data", "40000"),
            ("down_alert", "0"), ("down_change_cipher_spec", "6"), ("down_other", "11"),
        ] {
            #expect(values["tls_" + name] == expected, "\(name)")
        }
    }

    @Test("whether it was resumed is null where the hellos were not read")
    func resumed() throws {
        var facts = TLSFacts()
        #expect(try tls(facts)["resumed"] is NSNull)
        facts.handshakeWasRead = true
        #expect(try tls(facts)["resumed"] as? Bool == false)
        #expect(try tls(facts)["resumption"] is NSNull)
        for (kind, word) in [(TLSResumption.sessionIdentifier, "session-id"), (.ticket, "ticket")] {
            facts.resumption = kind
            #expect(try tls(facts)["resumed"] as? Bool == true)
            #expect(try tls(facts)["resumption"] as? String == word)
        }
    }

    @Test(
        "why it was not read is told in a word",
        arguments: [
            (TLSBlindness.noKeys, "no-keys"), (.keyMissing, "key-missing"), (.keyWrong, "key-wrong"),
            (.unsupported, "unsupported"), (.noHandshake, "no-handshake"), (.gap, "gap"),
        ])
    func blindness(reason: TLSBlindness, word: String) throws {
        let fields = try tls(encrypted(reason))
        #expect(fields["blindness"] as? String == word)
        #expect(fields["decrypted"] as? Bool == false)
        #expect(fields["certificate_bytes"] is NSNull)
    }

    @Test("every type of message and every alert has a name, each its own")
    func names() throws {
        var facts = TLSFacts()
        facts.directions.up.messages = (0...255).map { TLSMessageCount(type: $0, count: 1, bytes: Int($0)) }
        let both = try #require(try tls(facts)["messages"] as? [String: Any])
        let messages = try #require(both["up"] as? [String: [String: Int]])
        #expect(messages.count == 256)
        for (type, name) in [
            (0, "hello_request"), (1, "client_hello"), (2, "server_hello"), (4, "new_session_ticket"),
            (5, "end_of_early_data"), (7, "type_7"), (8, "encrypted_extensions"), (11, "certificate"),
            (12, "server_key_exchange"), (13, "certificate_request"), (14, "server_hello_done"),
            (15, "certificate_verify"), (16, "client_key_exchange"), (20, "finished"), (22, "certificate_status"),
            (24, "key_update"), (25, "compressed_certificate"), (254, "message_hash"), (255, "type_255"),
        ] {
            #expect(messages[name]?["bytes"] == type, "\(name)")
        }
        facts.alerts = (0...255).map { TLSAlert(isFromClient: false, level: $0, description: $0) }
        let alerts = try #require(try tls(facts)["alerts"] as? [[String: String]])
        #expect(Set(alerts.compactMap { $0["description"] }).count == 256)
        #expect(alerts[0] == ["direction": "down", "level": "level_0", "description": "close_notify"])
        #expect(alerts[2]["level"] == "fatal")
        for (code, name) in [
            (20, "bad_record_mac"), (40, "handshake_failure"), (42, "bad_certificate"), (48, "unknown_ca"),
            (70, "protocol_version"), (109, "missing_extension"), (112, "unrecognized_name"),
            (120, "no_application_protocol"), (121, "alert_121"),
        ] {
            #expect(alerts[code]["description"] == name)
        }
    }

    @Test("hostile names of a handshake break neither JSON nor CSV nor the terminal")
    func hostile() throws {
        var facts = sampleTLSFacts()
        facts.serverName = Array(0...255)
        facts.applicationProtocol = Array("\",\r\n\u{1B}[2J".utf8)
        facts.offeredProtocols = [Array(0...255), [], Array("\"".utf8)]
        facts.cipher = "0x1301\n"
        let all = String(String.UnicodeScalarView((0...255).map { Unicode.Scalar(UInt8($0)) }))
        let fields = try tls(facts)
        #expect(fields["server_name"] as? String == all)
        #expect(fields["offered_alpn"] as? [String] == [all, "", "\""])
        var record = try connection(facts)
        record.serverName = Array("\u{1B}[2J.example".utf8)
        #expect(render(.connections, .ndjson) { $0.receive(record) }.filter { $0 == "\n" }.count == 1)
        let rows = try #require(strictCSV(render(.connections, .csv) { $0.receive(record) }))
        #expect(rows.count == 2 && rows[0].count == rows[1].count)
        let alpn = try #require(rows[0].firstIndex(of: "tls_alpn"))
        #expect(rows[1][alpn] == #"",\x0d\x0a\x1b[2J"#)
        let table = render(.connections, .table) { $0.receive(record) }
        #expect(!table.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test("an exchange has its stream, its version of TLS and the size of its fields when undone")
    func exchange() throws {
        var record = try #require(sampleRecords().exchanges.first)
        record.stream = 15
        record.tlsVersion = "TLS 1.3"
        record.response?.version = "HTTP/2"
        record.decodedHeaders = Directions(up: 412, down: nil)
        let fields = try object(render(.exchanges, .ndjson) { $0.receive(record) })
        #expect(fields["stream"] as? Int == 15)
        #expect(fields["tls"] as? String == "TLS 1.3")
        #expect(fields["http"] as? String == "HTTP/2")
        #expect((fields["up"] as? [String: Any])?["headers_decoded"] as? Int == 412)
        #expect((fields["down"] as? [String: Any])?["headers_decoded"] is NSNull)
        let lines = render(.exchanges, .csv) { $0.receive(record) }.components(separatedBy: "\r\n")
        let values = Dictionary(
            uniqueKeysWithValues: zip(lines[0].components(separatedBy: ","), lines[1].components(separatedBy: ",")))
        #expect(values["stream"] == "15" && values["tls"] == "TLS 1.3" && values["up_headers_decoded"] == "412")
        #expect(values["down_headers_decoded"] == "")
    }

    private func feedConnections(_ report: RecordReport) {
        for (number, facts) in [nil, sampleTLSFacts(), encrypted()].enumerated() {
            guard var record = try? connection(facts) else { continue }
            record.connection = number
            if facts?.isDecrypted == false { record.exchanges = 0 }
            report.receive(record)
        }
    }

    @Test("connections show HTTP and TLS at a glance", arguments: [(80, connectionTable80), (100, connectionTable100)])
    func connectionTable(width: Int, expected: String) {
        #expect(render(.connections, .table, width: width, feedConnections) == expected)
    }

    @Test("what helps against an unread connection depends on why it was not read")
    func hints() throws {
        let record = try connection(encrypted(.keyMissing))
        let table = render(.connections, .table) { $0.receive(record) }
        #expect(
            table.replacing("\n", with: " ").contains(
                "TLS without http was not decrypted, --format ndjson gives the reason"))
        let faint = render(.connections, .table, color: true, feedConnections).split(separator: "\n")
        #expect(faint.filter { $0.hasPrefix("\u{1B}[2m") }.count == 2)
        let read = try connection(sampleTLSFacts())
        #expect(!render(.connections, .table) { $0.receive(read) }.contains("not decrypted"))
    }

    @Test("exchanges show stream and TLS at a glance")
    func exchangeTable() throws {
        var record = try #require(sampleRecords().exchanges.first)
        let text = render(.exchanges, .table) { report in
            report.receive(record)
            record.exchange = 1
            record.stream = 15
            record.tlsVersion = "TLS 1.3"
            report.receive(record)
        }
        #expect(text == exchangeTable100)
    }

    @Test("no line of a table is wider than the terminal", arguments: [60, 80, 100, 120, 200])
    func widths(width: Int) throws {
        var long = try connection(encrypted(.gap))
        long.serverName = Array(String(repeating: "very-long-name.", count: 20).utf8)
        long.flags = [.gap, .noStart]
        let table = render(.connections, .table, width: max(width, 80)) { report in
            feedConnections(report)
            long.connection = 9
            report.receive(long)
        }
        for line in table.split(separator: "\n") { #expect(displayWidth(String(line)) <= max(width, 80), "\(line)") }
    }
}
