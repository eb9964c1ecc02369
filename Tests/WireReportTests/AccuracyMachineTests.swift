import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport
import WireStatistics
import WireTesting

/// Lines of CSV as RFC 4180 has them; nil where the text breaks it.
func strictCSV(_ text: String) -> [[String]]? {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
        switch scalar {
        case "\"" where field.isEmpty:
            // A quoted field: it ends with a quote that no other follows.
            var isOpen = true
            while isOpen {
                guard let inner = scalars.popFirst() else { return nil }
                if inner != "\"" {
                    field.unicodeScalars.append(inner)
                } else if scalars.first == "\"" {
                    scalars.removeFirst()
                    field += "\""
                } else {
                    isOpen = false
                }
            }
            guard let after = scalars.first, after == "," || after == "\r" else { return nil }
        case ",":
            row.append(field)
            field = ""
        case "\r":
            guard scalars.popFirst() == "\n" else { return nil }
            rows.append(row + [field])
            (row, field) = ([], "")
        case "\"", "\n": return nil
        default: field.unicodeScalars.append(scalar)
        }
    }
    return row.isEmpty && field.isEmpty ? rows : nil
}

@Suite("The accuracy for machines")
struct AccuracyMachineTests {
    private func json(_ result: AccuracyResult, _ options: ReportOptions = ReportOptions()) -> String {
        accuracyJSON(result, audit: sampleAudit(), options: options).text
    }

    private func csv(_ result: AccuracyResult) throws -> [[String: String]] {
        let rows = try #require(strictCSV(accuracyCSV(result, audit: sampleAudit(), options: ReportOptions()).text))
        let names = try #require(rows.first)
        #expect(Set(names).count == names.count)
        for row in rows { #expect(row.count == names.count) }
        return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    }

    @Test("JSON has its fields in a fixed order")
    func fields() throws {
        var options = ReportOptions()
        options.files = ["captures/shop.pcapng"]
        let text = json(smallAccuracy(), options)
        #expect(
            text.hasPrefix(#"{"schema":"wireaudit.accuracy/1","version":"\#(toolVersion)","options":{"layer":"ip","#))
        #expect(text.hasSuffix("}\n") && text.split(separator: "\n").count == 1)
        let value = try StrictJSON.parse(text)
        #expect(
            value.names == [
                "schema", "version", "options", "merged", "capture", "exchanges", "sources", "apis", "totals", "rows",
                "advice",
                "logs", "hosts", "failed_handshakes", "parts", "encryption", "screens", "work", "warnings",
            ])
        #expect(value["exchanges"]?["total"]?.integer == 127)
        #expect(value["exchanges"]?["left_out"]?.names == ["gap", "no-start", "no-request"])
        #expect(value["capture"]?["files"]?.array.first?["path"]?.string == "captures/shop.pcapng")
        #expect(value["warnings"]?.array.first?["code"]?.string == "packets-dropped")
        #expect(value["work"]?.names.contains { $0.contains("time") } == false)
    }

    @Test("sources tell what they are, and what is unknown is null")
    func sources() throws {
        let value = try StrictJSON.parse(json(accuracy(of: Array(sampleAPIs.prefix(3)), sources: sampleSources)))
        let sources = try #require(value["sources"]).array
        #expect(sources.count == 12)
        #expect(sources[0]["kind"]?.string == "simulated" && sources[0]["formula"] == .null)
        #expect(sources[0]["parameters"]?.string == "headers=article body=stream te=identity")
        #expect(sources[10]["kind"]?.string == "log" && sources[10]["parameters"] == .null)
        #expect(sources[10]["formula"]?.string == "dm:headers=article,body=stream")
        #expect(sources[11]["formula"] == .null)
        #expect(sources[7]["unknown"]?.integer == 10)
        let logs = try #require(value["logs"]).array
        #expect(
            logs[0]["rows"]?["total"]?.integer
                == logs[0]["rows"]?.members.dropFirst().reduce(0) {
                    $0 + ($1.value.integer ?? 0)
                })
        #expect(logs[0]["clock"]?["drift_ppm"]?.double == 12.4)
        #expect(logs[0]["clock"]?["offset"] == .number("1.284000000"))
        #expect(logs[1]["clock"] == .null)
    }

    @Test("rows come by source, then API by wire bytes, then direction, and every row adds up")
    func rows() throws {
        let result = sampleAccuracy()
        let value = try StrictJSON.parse(json(result))
        let rows = try #require(value["rows"]).array
        #expect(rows.count == result.rows.count)
        #expect(value["totals"]?.array.count == result.totals.count)
        #expect(
            value["apis"]?.array.first?["api"]?.string == "GET img.example.com /assets/catalog/pictures/{id}/large.jpg")
        #expect(value["apis"]?.array.map { $0["calls"]?.integer ?? 0 }.reduce(0, +) == 120)
        for row in rows + (value["totals"]?.array ?? []) {
            func sum(_ name: String) -> Int { row[name]?.members.reduce(0) { $0 + ($1.value.integer ?? 0) } ?? 0 }
            #expect(sum("message_causes") == row["message"]?["error_total"]?.integer)
            #expect(sum("causes") == row["wire"]?["error_total"]?.integer)
            let coverage = try #require(row["coverage"])
            let unseen = coverage["message_bytes"]!.integer! - coverage["recorded_message_bytes"]!.integer!
            #expect(sum("unseen") == -unseen)
        }
        let sum = rows.filter { $0["source"]?.string == "dm" && $0["direction"]?.string == "up" }
            .reduce(0) { $0 + ($1["message"]?["error_total"]?.integer ?? 0) }
        #expect(value["totals"]?.array.first?["message"]?["error_total"]?.integer == sum)
    }

    @Test("a row without calls has no means, and what is not finite is null")
    func unknown() throws {
        var result = smallAccuracy()
        result.rows[0].message = ErrorStatistics()
        result.rows[0].wire.bias = .nan
        result.rows[0].wire.rootMeanSquare = .infinity
        let rows = try #require(try StrictJSON.parse(json(result))["rows"]).array
        let first = try #require(rows.first { $0["message"]?["count"]?.integer == 0 })
        #expect(first["message"]?["bias"] == .null && first["message"]?["max"] == .null)
        #expect(first["message"]?["relative_bias"] == .null && first["message"]?["ratio"] == .null)
        #expect(first["wire"]?["bias"] == .null && first["wire"]?["rmse"] == .null)
        let line = try #require(try csv(result).first { $0["count"] == "0" })
        #expect(line["bias"] == "" && line["max"] == "" && line["cause_t_line"] == "")
        #expect(line["error_total"] == "0")
    }

    private func column(_ cause: ErrorCause) -> String {
        cause == .unexplained ? "unexplained" : cause.name.lowercased().replacing(".", with: "_")
    }

    @Test("CSV has a row for each source, API, direction and truth, with the same figures")
    func table() throws {
        let result = accuracy(of: Array(sampleAPIs.suffix(4)), sources: Array(sampleSources.prefix(3)))
        let rows = try csv(result)
        #expect(rows.count == 2 * result.rows.count)
        for row in rows {
            guard row["count"] != "0" else {
                #expect(row["cause_t_line"] == "" && row["cause_unexplained"] == "")
                continue
            }
            let causes = ErrorCause.allCases.compactMap { Int(row["cause_" + column($0)] ?? "") }
            #expect(causes.count == ErrorCause.allCases.count)
            #expect(causes.reduce(0, +) == Int(row["error_total"] ?? ""))
            if row["truth"] == "wire" { #expect(row["unseen"] == "" && row["unseen_s_scope"] == "") }
        }
        let first = try #require(rows.first)
        #expect(first["source"] == "dm" && first["direction"] == "up" && first["truth"] == "message")
        #expect(first["bias"] == "-158" && first["relative_bias"] == "-0.509677" && first["approximate"] == "false")
        #expect(rows.contains { $0["source"] == "dm:headers=full,body=data" })
    }

    @Test("hostile names do nothing in JSON, and come back as they were")
    func hostileJSON() throws {
        let result = hostileAccuracy()
        let text = accuracyJSON(result, audit: hostileAudit(), options: ReportOptions()).text
        #expect(unsafeCharacters(text).isEmpty)
        let value = try StrictJSON.parse(text)
        #expect(Set(value["apis"]?.array.compactMap { $0["api"]?.string } ?? []) == Set(result.apis))
        #expect(value["logs"]?.array.first?["path"]?.string == hostileText)
        #expect(value["exchanges"]?["left_out"]?[hostileText]?.integer == 3)
    }

    @Test("hostile names do nothing in CSV: no formula, no control, no column more")
    func hostileCSV() throws {
        let result = hostileAccuracy()
        let text = accuracyCSV(result, audit: hostileAudit(), options: ReportOptions()).text
        #expect(unsafeCharacters(text.replacing("\r\n", with: "\n")).isEmpty)
        let rows = try csv(result)
        #expect(rows.count == 2 * result.rows.count)
        for row in rows {
            for name in ["source", "api"] {
                #expect(!"=+-@\t\r".contains(row[name]?.first ?? " "))
            }
        }
        #expect(rows.contains { $0["api"]?.hasPrefix("'=cmd|' /C calc'!A0 \\x1b[2J") == true })
        #expect(rows.contains { $0["api"]?.hasPrefix("'-2+3") == true })
    }

    @Test("the same result gives the same bytes, also when its rows come in another order")
    func deterministic() {
        var result = sampleAccuracy(apis: 30, seed: 9)
        let first = json(result)
        let table = accuracyCSV(result, audit: sampleAudit(), options: ReportOptions()).text
        #expect(json(sampleAccuracy(apis: 30, seed: 9)) == first)
        result.rows.reverse()
        result.totals.reverse()
        #expect(json(result) == first)
        #expect(accuracyCSV(result, audit: sampleAudit(), options: ReportOptions()).text == table)
    }

    @Test("a selection leaves rows out, totals stay")
    func selection() throws {
        var options = ReportOptions()
        options.selection = Selection(hosts: ["img.example.com"])
        let value = try StrictJSON.parse(json(smallAccuracy(), options))
        #expect(value["apis"]?.array.count == 1)
        #expect(value["rows"]?.array.allSatisfy { $0["api"]?.string?.contains("img.example.com") == true } == true)
        #expect(value["totals"]?.array.count == smallAccuracy().totals.count)
    }

    @Test("an empty result and many APIs are valid too")
    func sizes() throws {
        #expect(try StrictJSON.parse(json(AccuracyResult()))["rows"] == .array([]))
        #expect(try csv(AccuracyResult()).isEmpty)
        let many = sampleAccuracy(apis: 60, sources: 3)
        #expect(try StrictJSON.parse(json(many))["rows"]?.array.count == many.rows.count)
    }

    @Test("quantiles from buckets are marked as such in every format")
    func approximate() throws {
        var result = smallAccuracy()
        for index in result.totals.indices {
            result.totals[index].message.isApproximate = true
            result.totals[index].message.quantileError = 1.0 / 64
        }
        let text = accuracyText(
            result, audit: sampleAudit(), options: ReportOptions(), style: TerminalStyle(width: 120)
        ).text
        #expect(text.contains("~2,372") && text.replacing("\n", with: " ").contains("~: at most 1.6 % off."))
        #expect(
            ReportDocument(result, audit: sampleAudit(), options: ReportOptions()).markdown().text.contains("\\~2,372"))
        let total = try #require(try StrictJSON.parse(json(result))["totals"]?.array.first)
        #expect(total["message"]?["approximate"] == .boolean(true))
        #expect(total["message"]?["quantile_error"]?.double == 0.015625)
    }

    @Test("numbers of any size break no report", arguments: [UInt64(11), 12, 13, 14])
    func extremes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let sizes = [Int.min, .min + 1, -1, 0, 1, 7, 1 << 53, .max - 1, .max]
        let doubles = [Double.nan, .infinity, -.infinity, 0, -0.0, 1e300, -1e-300, 0.5]
        var result = smallAccuracy()
        for index in result.rows.indices {
            result.rows[index] = wild(result.rows[index], &random, sizes, doubles)
        }
        for index in result.totals.indices {
            result.totals[index] = wild(result.totals[index], &random, sizes, doubles)
        }
        result.rows[0].source = random.element([-1, 99])
        result.rows[1].api = random.element([-1, 99, nil])
        result.logs[0].source = random.element([-1, 99])
        result.logs[0].exchangesUnseen = random.element(sizes)
        result.logs[0].exchangesTotal = random.element(sizes)
        result.logs[0].rows = random.element(sizes)
        result.logs[0].clock?.offset = random.element([.min, .max])
        result.work.codedBytes = random.element(sizes)
        result.counted = random.element(sizes)
        result.apiCalls = []
        let text = accuracyText(
            result, audit: sampleAudit(), options: ReportOptions(), style: TerminalStyle(width: 120)
        ).text
        #expect(text.contains("ERRORS BY CAUSE"), "seed \(seed)")
        #expect(!ReportDocument(result, audit: sampleAudit(), options: ReportOptions()).markdown().text.isEmpty)
        _ = try StrictJSON.parse(json(result))
        _ = try csv(result)
        #expect(accuracyVerdicts(result).count == 2 * result.sources.count)
    }

    private func wild(
        _ row: AccuracyRow, _ random: inout SeededRandom, _ sizes: [Int], _ doubles: [Double]
    ) -> AccuracyRow {
        var row = row
        row.coverage.calls = random.element(sizes)
        row.coverage.recordedCalls = random.element(sizes)
        row.coverage.messageBytes = random.element(sizes)
        row.coverage.wireBytes = random.element(sizes)
        for statistics in [\AccuracyRow.message, \.wire] {
            row[keyPath: statistics].count = random.element([0, 1, 3, .max])
            row[keyPath: statistics].truthTotal = random.element(sizes)
            row[keyPath: statistics].estimateTotal = random.element(sizes)
            row[keyPath: statistics].bias = random.element(doubles)
            row[keyPath: statistics].meanAbsolute = random.element(doubles)
            row[keyPath: statistics].p90 = random.element(doubles)
            row[keyPath: statistics].maximum = random.element(sizes)
        }
        for _ in 0..<3 {
            row.messageCauses[random.element(ErrorCause.allCases)] = random.element(sizes)
            row.causes[random.element(ErrorCause.allCases)] = random.element(sizes)
            row.unseen[random.element(ErrorCause.allCases)] = random.element(sizes)
        }
        return row
    }
}
