import Testing
import WireAccuracy
import WireCore
import WireRecords
import WireReport

@Suite("Hosts that TLS hides, in the reports")
struct AccuracyHostTests {
    private func text(_ result: AccuracyResult, width: Int, _ change: (inout ReportOptions) -> Void = { _ in })
        -> String
    {
        var options = ReportOptions()
        change(&options)
        return accuracyText(
            result, audit: sampleAudit(), options: options, style: TerminalStyle(width: width)
        ).text
    }

    /// The section of the hosts.
    private func hosts(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { !$0.hasPrefix("HOSTS IN TOTAL") }.prefix { !$0.hasPrefix("LARGEST CAUSES") }
            .joined(separator: "\n")
    }

    private func json(_ result: AccuracyResult) throws -> StrictJSON {
        try StrictJSON.parse(accuracyJSON(result, audit: sampleAudit(), options: ReportOptions()).text)
    }

    private func markdown(_ result: AccuracyResult, _ options: ReportOptions = ReportOptions()) -> String {
        ReportDocument(result, audit: sampleAudit(), options: options).markdown().text
    }

    private func page(_ result: AccuracyResult, _ options: ReportOptions = ReportOptions()) -> String {
        accuracyHTML(result, audit: sampleAudit(), options: options).text
    }

    @Test("at 80 columns it looks like this") func eighty() {
        #expect(hosts(text(hostAccuracy(), width: 80)) == goldenHosts80)
    }

    @Test("at 120 columns all columns have room") func hundredAndTwenty() {
        #expect(hosts(text(hostAccuracy(), width: 120)) == goldenHosts120)
    }

    @Test("the log's rows say where they went")
    func fates() {
        #expect(
            text(hostAccuracy(), width: 240).contains("57 of hosts with undecrypted TLS, compared in total only"))
        #expect(!text(smallAccuracy(), width: 240).contains("undecrypted TLS, compared"))
    }

    @Test("without such hosts nothing is said of them")
    func none() throws {
        let result = smallAccuracy()
        #expect(!text(result, width: 80).contains("HOSTS IN TOTAL"))
        #expect(!markdown(result).contains("Hosts in total"))
        #expect(!page(result).contains("id=\"hosts\"") && !page(result).contains("#hosts"))
        #expect(try json(result)["hosts"]?.array.isEmpty == true)
    }

    @Test("no line is wider than the terminal, whatever the numbers", arguments: [80, 81, 93, 100, 120, 160])
    func width(width: Int) {
        var result = hostAccuracy()
        result.hosts[0].host = hostileText
        result.hosts[1].host = String(repeating: "é漢.example.", count: 40)
        result.hosts[2].down.wire = .max / 4
        result.hostLogs[2].down.rows = 1
        result.hostLogs[2].down.bytes = .max / 8
        for line in text(result, width: width).split(separator: "\n") {
            #expect(displayWidth(String(line)) <= width, "\(line)")
        }
        #expect(unsafeCharacters(text(result, width: width)).isEmpty)
    }

    @Test("JSON has every host and every log, difference and ratio")
    func machine() throws {
        let value = try json(hostAccuracy())
        let hosts = try #require(value["hosts"]).array
        #expect(hosts.count == 4)
        #expect(
            hosts[0].names == [
                "host", "ports", "connections", "first", "first_ns", "last", "last_ns", "up", "down", "logs",
            ])
        #expect(hosts[0]["down"]?.names == ["wire", "tls_setup", "application"])
        #expect(hosts[1]["ports"]?.array.map(\.integer) == [443, 8443])
        let log = try #require(hosts[0]["logs"]?.array.first)
        #expect(
            log.names == [
                "source", "rows", "rows_outside_capture", "first", "first_ns", "last", "last_ns", "up", "down",
            ])
        #expect(log["source"]?.string == "traffic.sqlite")
        #expect(log["down"]?.names == ["rows", "logged", "difference", "ratio", "application_ratio"])
        #expect(log["down"]?["difference"]?.integer == 2_300_012 - 2_480_000)
        #expect(log["up"]?["ratio"]?.double == 0.23301)
        #expect(log["up"]?["application_ratio"]?.double == 0.440367)
        let silent = try #require(hosts[3]["logs"]?.array.first)
        #expect(silent["rows"]?.integer == 0 && silent["up"]?["logged"] == .null && silent["first"] == .null)
        let logs = try #require(value["logs"]).array
        #expect(logs[0]["rows"]?["host_total"]?.integer == 57)
    }

    @Test("Markdown has a line for each host and direction, folded away")
    func pullRequest() {
        let text = markdown(hostAccuracy())
        #expect(text.contains("<summary>Hosts in total</summary>"))
        #expect(
            text.contains(
                "| `img.example.com` | 6 | 2,480,000 | 28,700 | 2,310,400 | 40 | 2,300,012 | -179,988 | 92.7 % | "
                    + "99.6 % |"))
        #expect(text.contains("| `api.example.com` | 2 | 38,210 | 9,400 | 25,960 | 0 | — | — | — | — |"))
        #expect(text.contains("no row for 1 further host (4,900 bytes on the wire); 3 rows of such hosts lie before"))
        #expect(text.ranges(of: "<details>").count == text.ranges(of: "</details>").count)
    }

    @Test("the page has a section of them and a way to it")
    func html() {
        let text = page(hostAccuracy())
        let tags = HTMLTags(text)
        #expect(tags.problems.isEmpty)
        #expect(tags.references.subtracting(tags.identifiers).isEmpty)
        #expect(text.contains("<a href=\"#hosts\">Hosts</a>"))
        #expect(text.contains("an upper bound of the messages"))
        #expect(text.contains("<td class=\"n\">−179,988</td>"))
        var hostile = hostAccuracy()
        for index in hostile.hosts.indices { hostile.hosts[index].host = hostileText }
        #expect(HTMLTags(page(hostile)).problems.isEmpty)
        #expect(HTMLTags(page(hostile)).names.count == tags.names.count)
    }

    @Test("chosen hosts are shown alone; with chosen APIs there are none, for calls are not known")
    func selection() {
        var options = ReportOptions()
        options.selection = Selection(hosts: ["img.example.com"])
        let text = markdown(hostAccuracy(), options)
        #expect(text.contains("| `img.example.com` | 6 |") && !text.contains("| `api.example.com` | 2 |"))
        #expect(!text.contains("further host"))
        options.selection = Selection(apis: ["/v1"])
        #expect(!markdown(hostAccuracy(), options).contains("Hosts in total"))
        #expect(!page(hostAccuracy(), options).contains("id=\"hosts\""))
    }

    @Test("hosts beyond --top are counted, not lost")
    func top() {
        let short = text(hostAccuracy(), width: 120) { $0.top = 1 }
        #expect(hosts(short).contains("… and 2 more hosts (--top all)"))
        #expect(!hosts(short).contains("metrics.example.net"))
    }

    @Test("a log of which no call could be read is not told as one that counts nothing")
    func hostsAlone() {
        var result = hostAccuracy()
        (result.logs[0].matched, result.logs[0].ambiguous, result.logs[0].duplicates) = (0, 0, 0)
        result.logs[0].unreadRows.removeAll { $0.reason != .undecrypted }
        result.rows = []
        result.totals = []
        result.counted = 0
        #expect(
            markdown(result).contains(
                "**No call of `traffic.sqlite` (measured by the app) could be compared: the calls of its 57 rows were not "
                    + "read; compare the totals by host.**"))
        #expect(page(result).contains("logs are compared with host totals"))
    }

    @Test("totals that point at nothing are left out")
    func odd() throws {
        var result = hostAccuracy()
        result.hostLogs[0].host = 99
        result.hostLogs[1].source = -1
        #expect(try json(result)["hosts"]?.array.count == 4)
        #expect(HTMLTags(page(result)).problems.isEmpty)
        #expect(!hosts(text(result, width: 120)).contains("img.example.com"))
    }
}

@Suite("Calls that are not recorded, in the page")
struct UnrecordedCallTests {
    @Test("so many calls of an API stand as not recorded as have no record")
    func counts() {
        var api = sampleAPIs[0]
        api.calls = 3
        var source = sampleSources[3]
        source.unseen = { _, call in call == 1 ? .scope : nil }
        let text = accuracyHTML(
            accuracy(of: [api], sources: [source]), audit: sampleAudit(), options: ReportOptions()
        ).text
        #expect(text.contains("not recorded, 1 of 3 calls</span>"))
        #expect(text.contains("off, 3 calls</span>"))
    }
}

private let goldenHosts80 = """
    HOSTS IN TOTAL
    traffic.sqlite, requests
                            wire    data  rows  logged  difference  of wire  of data
    img.example.com       41,200  21,800    40   9,600     -31,600   23.3 %   44.0 %
    api.example.com        9,120   5,400    14   6,180      -2,940   67.8 %  114.4 %
    metrics.example.net    2,900   1,200     0       —           —        —        —

    traffic.sqlite, responses
                                  wire       data  rows     logged  of wire  of data
    img.example.com          2,480,000  2,310,400    40  2,300,012   92.7 %   99.6 %
    api.example.com             38,210     25,960     0          —        —        —
    metrics.example.net          4,100         96     0          —        —        —
    no row for 1 further host (4,900 bytes on the wire); 3 rows of such hosts lie
    before or after the capture; more than 100 % of data (1 host): the log counts
    more than these connections carried, such as bodies after decompression, HTTP/2
    fields as text, or calls over other connections.
    Host totals, not calls: these TLS connections were not decrypted, so the rows of
    a log are compared with all of them together. No other figure includes them.
    wire: all IP bytes of the host's undecrypted TLS connections; set-up: their TLS
    handshakes; data: their application data, an upper bound of the messages, since
    padding, tickets and HTTP/2 control frames cannot be distinguished; rows: those
    with a figure; logged: the sum of the figures.

    """

private let goldenHosts120 = """
    HOSTS IN TOTAL
    traffic.sqlite, requests  conn    wire  set-up    data  rows  logged  difference  of wire  of data
    img.example.com              6  41,200   3,900  21,800    40   9,600     -31,600   23.3 %   44.0 %
    api.example.com              2   9,120   1,300   5,400    14   6,180      -2,940   67.8 %  114.4 %
    metrics.example.net          1   2,900     650   1,200     0       —           —        —        —

    traffic.sqlite, responses  conn       wire  set-up       data  rows     logged  difference  of wire  of data
    img.example.com               6  2,480,000  28,700  2,310,400    40  2,300,012    -179,988   92.7 %   99.6 %
    api.example.com               2     38,210   9,400     25,960     0          —           —        —        —
    metrics.example.net           1      4,100   3,200         96     0          —           —        —        —
    no row for 1 further host (4,900 bytes on the wire); 3 rows of such hosts lie before or after the capture; more than
    100 % of data (1 host): the log counts more than these connections carried, such as bodies after decompression, HTTP/2
    fields as text, or calls over other connections.
    Host totals, not calls: these TLS connections were not decrypted, so the rows of a log are compared with all of them
    together. No other figure includes them. wire: all IP bytes of the host's undecrypted TLS connections; set-up: their TLS
    handshakes; data: their application data, an upper bound of the messages, since padding, tickets and HTTP/2 control
    frames cannot be distinguished; rows: those with a figure; logged: the sum of the figures.

    """
