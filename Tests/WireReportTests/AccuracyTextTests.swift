import Foundation
import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireJoin
import WireLogs
import WireRecords
import WireReport

/// One log and three estimators: one of them says nothing of requests, one is exact.
func smallAccuracy() -> AccuracyResult {
    accuracy(of: sampleAPIs, sources: [0, 2, 5, 10].map { sampleSources[$0] })
}

/// Text that tries to act on a terminal, a browser, a spreadsheet, or a reader's eyes.
let hostileText =
    "=cmd|' /C calc'!A0 \u{1B}[2J\u{1B}]0;x\u{7}\u{9B}31m|`a`| <script>alert(1)</script> @team \u{202E}txt.exe"
    + "\r\n\t[x](javascript:y) </details> \u{200B}\u{2028}\\ \"q\", é漢\u{0}"

/// The small result with hostile text in every place that data can reach.
func hostileAccuracy() -> AccuracyResult {
    var result = smallAccuracy()
    result.apis[0] = hostileText
    result.apis[1] = "-2+3 \(hostileText)"
    result.apis[2] = "`"
    result.apis[3] = ""
    result.apis[4] = String(repeating: "GET x /é漢/", count: 500)
    for index in result.sources.indices {
        result.sources[index].id += hostileText
        result.sources[index].title = hostileText
        result.sources[index].note = hostileText
    }
    result.leftOut.append((hostileText, 3))
    result.logs[0].path = hostileText
    result.logs[0].problems = [LogProblem(what: hostileText, count: 1, firstRow: nil)]
    return result
}

/// The audit beside it, with a hostile path.
func hostileAudit() -> AuditResult {
    var audit = sampleAudit()
    audit.files[0].path = hostileText
    return audit
}

/// Characters that could act on a terminal or hide and reorder text; line feeds are fine.
func unsafeCharacters(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
        guard scalar != "\n" else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

private func clockFit(offset: Int64, _ offsetError: Int64?, drift: Double, _ driftError: Double?) -> ClockFit {
    var fit = ClockFit(offset: offset, drift: drift, origin: 0, pairs: 45, spread: 1_500_000)
    fit.offsetError = offsetError
    fit.driftError = driftError
    return fit
}

@Suite("The accuracy at a terminal")
struct AccuracyTextTests {
    private func text(
        _ result: AccuracyResult = smallAccuracy(), audit: AuditResult = sampleAudit(), style: TerminalStyle,
        _ change: (inout ReportOptions) -> Void = { _ in }
    ) -> String {
        var options = ReportOptions()
        change(&options)
        return accuracyText(result, audit: audit, options: options, style: style).text
    }

    @Test("at 80 columns it looks like this") func eighty() {
        #expect(text(style: TerminalStyle(width: 80)) == goldenAccuracy80)
    }

    @Test("at 120 columns it shows spreads and bars") func hundredAndTwenty() {
        let wide = text(style: TerminalStyle(width: 120))
        #expect(wide.contains("95 % interval") && wide.contains("█"))
    }

    @Test("without Unicode everything is ASCII, without colour nothing is an escape")
    func ascii() {
        let plain = text(sampleAccuracy(), style: TerminalStyle(width: 120, unicode: false))
        #expect(plain.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        let painted = text(style: TerminalStyle(width: 80, color: true))
        let stripped = painted.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/\ +\n/, with: "\n")
        #expect(painted.contains("\u{1B}[1mERRORS BY CAUSE"))
        #expect(stripped == goldenAccuracy80)
    }

    @Test("colours tell too little from too much, and both from exact")
    func colors() {
        let lines = text(sampleAccuracy(), style: TerminalStyle(width: 100, color: true)).split(separator: "\n")
        func line(_ start: String) -> Substring { lines.first { $0.hasPrefix(start) } ?? "" }
        #expect(line("metrics ").contains("\u{1B}[32m0.0 %\u{1B}[0m"))
        #expect(line("hertz ").contains("\u{1B}[36m-61.3 %\u{1B}[0m"))
        #expect(line("android-uid ").contains("\u{1B}[31m+114.4 %\u{1B}[0m"))
    }

    @Test(
        "no line is wider than the terminal, whatever the numbers",
        arguments: [40, 47, 60, 79, 80, 81, 99, 100, 120, 160, 240])
    func width(width: Int) {
        for result in [sampleAccuracy(), hostileAccuracy(), sampleAccuracy(apis: 60)] {
            for line in text(result, audit: hostileAudit(), style: TerminalStyle(width: width)).split(separator: "\n") {
                #expect(displayWidth(String(line)) <= width, "\(line)")
            }
        }
    }

    @Test("only the first APIs stand in the tables; the rest is counted")
    func top() {
        let short = text(style: TerminalStyle(width: 80)) { $0.top = 3 }
        #expect(short.split(separator: "\n").filter { $0 == "… and 5 more APIs (--top all)" }.count == 2)
        // The verdict may name any API; the tables begin lines with theirs.
        #expect(!short.contains("\nHEAD cdn"))
        #expect(text(style: TerminalStyle(width: 80)) { $0.top = nil } == goldenAccuracy80)
    }

    @Test("one source has a table with sizes and causes instead of a matrix")
    func single() {
        let result = accuracy(of: sampleAPIs, sources: [sampleSources[3]])
        let shown = text(result, style: TerminalStyle(width: 100))
        #expect(shown.contains("calls   message  error/call      error     p90    chiefly"))
        #expect(
            shown.contains(
                "GET api.example.com /v1/items/{id}            28     746.9      +950.2  +127.2 %    1,063  B.decoded"))
        #expect(shown.replacing("\n", with: " ").contains("B.decoded: body counted after decompression."))
    }

    @Test("a name from a capture or a log cannot act on the terminal")
    func hostile() {
        let shown = text(hostileAccuracy(), audit: hostileAudit(), style: TerminalStyle(width: 120))
        #expect(unsafeCharacters(shown).isEmpty)
        #expect(shown.contains("\\x1b[2J"))
    }

    @Test("nothing to compare is said, and an empty capture is no error")
    func empty() {
        #expect(
            text(AccuracyResult(), style: TerminalStyle()).hasPrefix(
                "Nothing to compare: no estimator was chosen and no log was given.\n\n"))
        let none = accuracy(of: [], sources: sampleSources)
        let shown = text(none, style: TerminalStyle())
        // Both are logs' results too, so there is something to tell of them.
        #expect(shown.contains("no figure for any call."))
        #expect(!shown.contains("WORST APIs"))
    }

    @Test("a selection that no API fits is said")
    func selection() {
        let shown = text(style: TerminalStyle()) { $0.selection = Selection(apis: ["nowhere"]) }
        #expect(shown.contains("No API matches the selection."))
        let some = text(style: TerminalStyle()) { $0.selection = Selection(hosts: ["img.example.com"]) }
        #expect(some.contains("GET img.example") && !some.contains("GET api.example"))
    }

    @Test("wire bytes are told with their layer")
    func layer() {
        #expect(text(style: TerminalStyle(width: 200)) { $0.layer = .link }.contains("all IP, link and tunnel bytes"))
    }

    @Test(
        "the clock of a log in words",
        arguments: [
            (nil, "the log has no times"),
            (
                ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0),
                "assumed equal to the capture clock: no pair of times to compare"
            ),
            (
                ClockFit(offset: 0, drift: 0.01, origin: 0, pairs: 1, spread: 0),
                "equal to the capture clock; from 1 pair"
            ),
            (
                ClockFit(offset: -3_600_000_000_000, drift: -20.04, origin: 0, pairs: 9, spread: 1_500_000),
                "1 h 0 min behind the capture clock; from 9 pairs, half of them within 1.5 ms of this"
            ),
            (
                clockFit(offset: -3_600_000_000_000, 250_000, drift: -20.04, 3.21),
                "1 h 0 min ± 250.0 µs behind the capture clock, runs 20 ± 3.2 ppm too slow; from 45 pairs, half of"
            ),
            (clockFit(offset: 1_250_000_000, 0, drift: 9, 0), "1.25 s ahead of the capture clock, runs 9 ppm too fast"),
            (clockFit(offset: 1_250_000_000, nil, drift: 16, 16), "1.25 s ahead of the capture clock; from 45 pairs"),
            (clockFit(offset: 1_250_000_000, nil, drift: 16, .nan), "1.25 s ahead of the capture clock; from 45 pairs"),
            (clockFit(offset: 400_000, 500_000, drift: 4, 30), "equal to the capture clock, within 500.0 µs; from 45"),
            (clockFit(offset: 400_000, .min, drift: 4, -1), "400.0 µs ahead of the capture clock; from 45 pairs"),
            (
                ClockFit(offset: .min, drift: .nan, origin: .max, pairs: 2, spread: .min),
                " h behind the capture clock; from 2 pairs, half of them within"
            ),
        ])
    func clock(fit: ClockFit?, words: String) {
        var result = smallAccuracy()
        result.logs[0].clock = fit
        let shown = text(result, style: TerminalStyle(width: 240))
        #expect(shown.contains(words), "\(shown.split(separator: "\n").first { $0.contains("clock:") } ?? "")")
    }

    @Test("what the SDK itself puts on the wire is told")
    func observer() {
        var result = smallAccuracy()
        #expect(!text(result, style: TerminalStyle(width: 200)).contains("Observer:"))
        result.sources[0].addedBytes = 28
        #expect(text(result, style: TerminalStyle(width: 200)).contains("added 28 bytes of fields to requests"))
    }

    @Test("the same result gives the same text")
    func deterministic() {
        let first = text(sampleAccuracy(apis: 40, seed: 3), style: TerminalStyle())
        #expect(text(sampleAccuracy(apis: 40, seed: 3), style: TerminalStyle()) == first)
        var shuffled = sampleAccuracy(apis: 40, seed: 3)
        shuffled.rows.reverse()
        shuffled.totals.reverse()
        #expect(text(shuffled, style: TerminalStyle()) == first)
    }
}
