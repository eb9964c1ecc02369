import Testing
import WireCore

@testable import WireRecords
@testable import WireReport

@Suite("Tables of the audit")
struct AuditTableTests {
    private func text(_ result: AuditResult, width: Int, _ change: (inout ReportOptions) -> Void = { _ in }) -> String {
        var options = ReportOptions()
        change(&options)
        return ReportDocument(result, options: options).text(TerminalStyle(width: width)).text
    }

    private func heading(_ title: String, _ text: String) -> String {
        text.split(separator: "\n").first { $0.hasPrefix(title) }.map(String.init) ?? ""
    }

    @Test("narrow terminals have fewer columns, wide ones more, and no line is too wide")
    func widths() {
        for (width, shown, hidden) in [
            (40, ["wire"], ["resent", "overhead"]), (60, ["wire", "share"], ["message", "resent"]),
            (80, ["calls", "share", "per call"], ["resent", "ACKs"]), (139, ["resent"], ["ACKs", "up"]),
            (170, ["up", "down", "headers", "TLS", "ACKs"], []),
        ] {
            let text = text(sampleAudit(), width: width)
            let heading = heading("APIs BY", text)
            for column in shown { #expect(heading.contains(" \(column)"), "\(width): \(heading)") }
            for column in hidden { #expect(!heading.contains(" \(column) "), "\(width): \(heading)") }
            for line in text.split(separator: "\n") { #expect(displayWidth(String(line)) <= width, "\(line)") }
        }
    }

    @Test("columns for wide terminals never shorten a name")
    func extras() {
        var result = sampleAudit()
        result.apis[0].api = "GET api.example.com /" + String(repeating: "a", count: 55)
        #expect(!heading("APIs BY", text(result, width: 150)).contains("ACKs"))
        #expect(text(result, width: 150).contains(result.apis[0].api))
    }

    @Test("a shortened API keeps its method and host, and the end of its path")
    func hosts() {
        let name = "GET api.example.com /v1/customers/{id}/orders/{id}/items"
        #expect(shortenedAPI(name, to: 80, ellipsis: "…") == name)
        for width in 30...55 {
            let short = shortenedAPI(name, to: width, ellipsis: "…")
            #expect(displayWidth(short) <= width)
            #expect(short.hasPrefix("GET api.example.com /…") && short.hasSuffix("/items"))
        }
        let named = "POST api.example.com /v1/customers/{id}/rpc shop/1.2"
        #expect(shortenedAPI(named, to: 44, ellipsis: "…") == "POST api.example.com /…/{id}/rpc shop/1.2")
        #expect(shortenedAPI(named, to: 40, ellipsis: "…") == "POST api.example.com /…/rpc shop/1.2")
        for width in 1..<30 { #expect(displayWidth(shortenedAPI(name, to: width, ellipsis: "…")) <= width) }
        for odd in ["GET", "GET a", "GET a ", "https://a.example.com (encrypted)", "  ", ""] {
            for width in 2..<12 { #expect(displayWidth(shortenedAPI(odd, to: width, ellipsis: "…")) <= width) }
        }
    }

    @Test("a host's row has all its bytes, its protocols, and what was not read")
    func hostRows() throws {
        var result = sampleAudit()
        var host = HostSummary(host: "mixed.example.com")
        host.connections = 4
        host.exchanges = 3
        host.protocols = [.http1, .http2, .hidden, .other]
        host.costs.up[.headers] = 1_500
        host.costs.down[.body] = 70_000
        host.costs.down[.opaque] = 900
        host.costs.up[.setupTLS] = 25
        host.costs.up[.retransmission] = 77
        result.hosts = [host]
        let lines = text(result, width: 120).split(separator: "\n")
        let row = try #require(lines.first { $0.hasPrefix("mixed.example.com ") })
        let cells = row.split(separator: " ").dropFirst().map(String.init)
        #expect(
            cells == ["HTTP/1,", "HTTP/2,", "TLS", "4", "3", "1,602", "70,900", "72,502", "25", "77", "900"], "\(row)")
    }

    @Test("how many calls TLS hides is not shown as none")
    func hiddenCalls() throws {
        var host = HostSummary(host: "a.example.com")
        host.connections = 1
        host.protocols = .hidden
        host.costs.up[.opaque] = 10
        var result = sampleAudit()
        result.hosts = [host]
        let row = try #require(text(result, width: 120).split(separator: "\n").first { $0.hasPrefix("a.example.com") })
        #expect(row.split(separator: " ").dropFirst(2).prefix(2) == ["1", "—"], "\(row)")
    }

    @Test("what columns mean is told if asked for")
    func explanation() {
        let short = text(sampleAudit(), width: 100)
        #expect(!short.contains("overhead: wire minus message") && short.contains("--explain: what the columns mean"))
        let long = text(sampleAudit(), width: 100) { $0.explains = true }
        #expect(long.contains("overhead: wire minus message") && !long.contains("--explain"))
    }

    @Test("many captures are one line; a few have a line each")
    func captures() throws {
        var result = sampleAudit()
        let file = try #require(result.files.first)
        for (count, lines) in [(1, 1), (8, 8), (9, 1), (120, 1)] {
            result.files = (0..<count).map { number in
                var file = file
                file.path = "day/session-\(number).pcap"
                return file
            }
            let text = text(result, width: 100)
            #expect(text.split(separator: "\n").count { $0.contains(" · Ethernet") } == lines)
            #expect(text.contains("\(count) captures · ") == (count > 8))
            #expect(text.contains("day/session-0.pcap to day/session-\(count - 1).pcap") == (count > 8))
        }
    }
}
