import Foundation
import Testing
import WireTesting

@testable import WireLogs

@Suite("Broken logs never trap, and lose nothing silently")
struct BrokenLogTests {
    /// A sound log of each kind, as bytes, with its rows.
    static let samples: [(name: String, bytes: [UInt8], rows: Int)] = {
        let har = (0..<40).map { index in
            """
            {"startedDateTime":"2026-11-21T14:03:\(10 + index).671Z","time":12.5,"connection":"5\(1000 + index)",
            "request":{"method":"GET","url":"http://a.test/\(index)?x","headersSize":100,"bodySize":0},
            "response":{"status":200,"content":{"size":5,"text":"é\\u00e9\\n"},"headersSize":50,
            "bodySize":5,"_transferSize":55},
            "timings":{"blocked":1,"dns":-1}}
            """
        }
        let metrics = (0..<40).map { index in
            """
            {"request":{"url":"https://a.test/\(index)"},"response":{"statusCode":200},
            "transferSize":[1,2,3,4,5,\(index)],
            "timing":[816962618.5,null,null,null,null,null,null,816962618.6,null,null,816962618.7]}
            """
        }
        let dm = (0..<60).map { index in
            """
            {"path":"/p/\(index)","host":"h","type":\(index % 2),"lineLength":1,"headerLength":2,"bodyLength":3,\
            "length":6,"occurTime":"17952698\(10 + index).5"}
            """
        }
        let csv = (0..<60).map { "/p/\($0),\"h\",\($0 % 2),1,2,3,6,17952698\(10 + $0).5" }
        let lines = (0..<30).flatMap { index in
            [
                "2026-11-21 14:03:\(10 + index).5+0000 Task <A-\(index)>.<1> GET https://a.test/\(index)",
                "2026-11-21 14:03:\(10 + index).6+0000 Task <A-\(index)>.<1> summary for task success "
                    + "{transaction_duration_ms=9, request_bytes=\(index), response_bytes=5, cache_hit=false}",
            ]
        }
        let texts: [(String, String, Int)] = [
            ("har", "{\"log\":{\"creator\":{},\"entries\":[" + har.joined(separator: ",") + "]}}", 40),
            ("metrics", "{\"transactions\":[" + metrics.joined(separator: ",") + "]}", 40),
            ("ndjson", dm.joined(separator: "\n"), 60), ("array", "[" + dm.joined(separator: ",") + "]", 60),
            (
                "csv",
                "path,host,type,lineLength,headerLength,bodyLength,length,occurTime\n" + csv.joined(separator: "\n"), 60
            ),
            ("cfnetwork", lines.joined(separator: "\n"), 30),
        ]
        return texts.map { ($0.0, Array($0.1.utf8), $0.2) } + [("sqlite", database(), 400)]
    }()

    private static func database() -> [UInt8] {
        guard let folder = try? TemporaryFolder() else { return [] }
        let path = folder.path + "/x.db"
        try? SQLiteWriter(path).run(
            """
            PRAGMA page_size = 1024;
            CREATE TABLE t(path, host, type, lineLength, headerLength, bodyLength, length, occurTime);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
            INSERT INTO t SELECT '/p/' || i, 'h', i % 2, 1, 2, 3, 6, 1795269818.5 + i FROM n
            """)
        return (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) } ?? []
    }

    /// Rows, or nil where the log was refused.
    private static func read(_ bytes: [UInt8], pieceSize: Int = 500) -> SDKLog? {
        try? LogSamples.read(bytes, pieceSize: pieceSize)
    }

    @Test("sound logs are read whole, in pieces of any length", arguments: samples.indices)
    func sound(index: Int) throws {
        let sample = Self.samples[index]
        let log = try #require(Self.read(sample.bytes))
        #expect(log.rows.count == sample.rows)
        #expect(log.complaints == [], "\(sample.name)")
        for size in [1, 2, 3, 7, 64, 1 << 20] {
            #expect(Self.read(sample.bytes, pieceSize: size)?.lines == log.lines, "\(sample.name) by \(size)")
        }
    }

    @Test("a log cut anywhere gives its first rows, and says that rows are missing", arguments: samples.indices)
    func truncation(index: Int) throws {
        let sample = Self.samples[index]
        let whole = Set(try #require(Self.read(sample.bytes)).lines)
        var refused = 0
        for length in stride(from: 0, to: sample.bytes.count, by: 97) {
            guard let log = Self.read(Array(sample.bytes[..<length])) else {
                refused += 1
                continue
            }
            #expect(log.rows.count <= sample.rows)
            // The row at the cut may have lost its last figures in formats without a closing mark.
            let wrong = log.lines.filter { !whole.contains($0) }
            #expect(wrong.count <= (sample.name == "sqlite" ? 30 : 1), "\(sample.name) cut at \(length)")
            if ["har", "metrics", "array", "sqlite"].contains(sample.name) {
                #expect(!log.problems.isEmpty, "\(sample.name) cut at \(length)")
            }
        }
        #expect(refused * 97 < max(3000, sample.bytes.count / 8), "\(sample.name): refused \(refused)")
    }

    @Test(
        "a log of lines that ends inside its last one says that rows are missing",
        arguments: [
            (#"{"path":"/p","host":"h","type":0,"length":6}"#, SDKLogFormat.dmNDJSON),
            (#"{"url":"https://a.test/x","transferSize":[1,2,3,4,5,6]}"#, .metrics),
            (
                #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"kind":3,"attributes":[{"key":"url.full","value":{"stringValue":"http://h/"}}]}]}]}]}"#,
                .otlp
            ),
            (
                #"{"type":"resource","date":1795255201000,"resource":{"url":"https://h/","method":"GET"},"_dd":{},"view":{}}"#,
                .datadog
            ),
            (#"{"eventType":"MobileRequest","requestUrl":"https://h/","bytesSent":1,"bytesReceived":2}"#, .newrelic),
            (
                #"{"event_id":"1","platform":"x","breadcrumbs":[{"type":"http","data":{"url":"https://h/"}}]}"#, .sentry
            ),
        ])
    func cutLines(line: String, format: SDKLogFormat) throws {
        let whole = try LogSamples.read(line + "\n" + line + "\n", format: format)
        #expect(!whole.isIncomplete && whole.rejectedRows == 0)
        for length in 1..<line.utf8.count {
            let log = try LogSamples.read(line + "\n" + line + "\n" + line.prefix(length), format: format)
            #expect(log.isIncomplete && log.rows.count >= whole.rows.count, "\(length)")
            #expect(log.complaints.last == "the log ends inside its last line 1", "\(length)")
        }
        // A broken line before others is no end.
        let broken = try LogSamples.read(line + "\n{\n" + line + "\n", format: format)
        #expect(!broken.isIncomplete && broken.rejectedRows == 1)
    }

    /// Rows with long texts of their own, in each format whose rows wait for something.
    private static let longRows: [(SDKLogFormat, @Sendable (Int) -> String)] = {
        @Sendable func url(_ index: Int) -> String { "https://h.test/\(index)" + String(repeating: "x", count: 2000) }
        return [
            (.dmNDJSON, { #"{"path":"\#(url($0))","host":"h","type":0,"length":6}"# }),
            (.metrics, { #"{"url":"\#(url($0))","transferSize":[1,2,3,4,5,6]}"# }),
            (.newrelic, { #"{"eventType":"MobileRequest","requestUrl":"\#(url($0))","bytesSent":1}"# }),
            (.datadog, { #"{"type":"resource","date":1,"resource":{"url":"\#(url($0))","method":"GET"},"view":{}}"# }),
            (.sentry, { #"{"event_id":"1","breadcrumbs":[{"type":"http","data":{"url":"\#(url($0))"}}]}"# }),
            (
                .cfnetwork,
                { "Task <\($0)>.<1> GET \(url($0))\nTask <\($0)>.<1> summary for task success {request_bytes=1}" }
            ),
        ]
    }()

    @Test("texts beyond their budget leave rows out, and that is said", arguments: longRows.indices)
    func textBudget(index: Int) throws {
        let (format, line) = Self.longRows[index]
        let text = Array((0..<20).map { line($0) }.joined(separator: "\n").utf8)
        let whole = try LogSamples.read(text, format: format)
        #expect(whole.rows.count == 20 && !whole.isIncomplete)
        let log = try LogSamples.read(text, format: format, textBudget: 10_000)
        #expect(log.texts.texts.reduce(0) { $0 + $1.count } <= 10_000)
        #expect(log.isIncomplete && log.rows.count < 20)
        #expect(log.problems.contains { $0.what == "rows with texts beyond the limit log-texts are not read" })
        #expect(log.rows.allSatisfy { $0.host >= -1 && $0.path >= -1 && $0.method >= -1 })
        let none = try? LogSamples.read(text, format: format, textBudget: 1)
        #expect(none?.rows.contains { $0.path >= 0 } != true)
    }

    @Test("changed bytes never trap", arguments: samples.indices)
    func mutations(index: Int) throws {
        let sample = Self.samples[index]
        let seed = UInt64(1000 + index)
        var random = SeededRandom(seed: seed)
        let alphabet = Array("{}[],:\"\\-+.eE0123456789 \n\tnulltrue=<>;".utf8) + [0, 0x80, 0xC3, 0xFF]
        var readable = 0
        for _ in 0..<150 {
            var bytes = sample.bytes
            for _ in 0...random.below(6) {
                let place = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes[place] = random.element(alphabet)
                case 1: bytes.insert(random.element(alphabet), at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(50)))
                default: bytes.replaceSubrange(place..<place, with: bytes[..<min(place, 200)])
                }
            }
            guard let log = Self.read(bytes, pieceSize: 1 + random.below(5000)) else { continue }
            readable += 1
            for row in log.rows {
                for value in [row.up, row.down].flatMap({ [$0.startLine, $0.headers, $0.body, $0.decodedBody] }) {
                    #expect(value ?? 0 >= 0 && value ?? 0 <= 2 * LogBuilder.sizeLimit, "seed \(seed)")
                }
                #expect(Int(row.host) < log.texts.texts.count && Int(row.path) < log.texts.texts.count)
            }
            #expect(log.problems.count < 400, "seed \(seed)")
        }
        #expect(readable > 0, "seed \(seed)")
    }

    @Test("every kind of reader takes bytes of any kind", arguments: SDKLogFormat.allCases)
    func noise(format: SDKLogFormat) {
        var random = SeededRandom(seed: 99)
        for sample in Self.samples {
            _ = try? LogSamples.read(sample.bytes, format: format)
            _ = try? LogSamples.read(Array(sample.bytes.shuffled(using: &random).prefix(3000)), format: format)
        }
        for _ in 0..<50 { _ = try? LogSamples.read(random.bytes(random.below(3000)), format: format) }
    }
}
