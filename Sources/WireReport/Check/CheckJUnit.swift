import WireComparison
import WireRecords

/// The report as JUnit XML, which CI systems show: a suite for each rule, a case for each subject. Notes stand in each
/// suite.
public func checkJUnit(_ report: CheckReport, notes: [String] = []) -> OutputBuffer {
    let words = CheckWords(report: report)
    var xml = OutputBuffer(capacity: 1 << 14)
    xml.string("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wireaudit check\"")
    xml.counts(report.outcomes)
    xml.string(">\n")
    for rule in report.rules.indices {
        let outcomes = report.outcomes.filter { $0.rule == rule }
        xml.string("  <testsuite")
        xml.attribute("name", displayText(report.rules[rule].text))
        xml.counts(outcomes)
        xml.string(">\n")
        for outcome in outcomes { xml.testCase(outcome, words) }
        if !notes.isEmpty {
            xml.string("    <system-out>")
            xml.xmlLines(notes)
            xml.string("</system-out>\n")
        }
        xml.string("  </testsuite>\n")
    }
    xml.string("</testsuites>\n")
    return xml
}

extension OutputBuffer {
    fileprivate mutating func counts(_ outcomes: [CheckOutcome]) {
        attribute("tests", "\(outcomes.count)")
        attribute("failures", "\(outcomes.count { $0.verdict == .violated })")
        attribute("errors", "\(outcomes.count { $0.verdict == .unjudged })")
        attribute("skipped", "\(outcomes.count { $0.verdict == .notApplicable })")
    }

    fileprivate mutating func testCase(_ outcome: CheckOutcome, _ words: CheckWords) {
        string("    <testcase classname=\"wireaudit.check\"")
        attribute("name", "\(words.rule(outcome)): \(words.name(outcome))")
        attribute("time", "0")
        switch outcome.verdict {
        case .passed: string("/>\n")
        case .violated: fault("failure", "violation", outcome, words)
        case .unjudged: fault("error", "not judged", outcome, words)
        case .notApplicable:
            string(">\n      <skipped")
            attribute("message", words.finding(outcome))
            string("/>\n    </testcase>\n")
        }
    }

    private mutating func fault(
        _ element: StaticString, _ type: String, _ outcome: CheckOutcome, _ words: CheckWords
    ) {
        string(">\n      <")
        literal(element)
        attribute("type", type)
        attribute("message", words.finding(outcome))
        string(">")
        xmlText(words.sentence(outcome))
        string("</")
        literal(element)
        string(">\n    </testcase>\n")
    }

    fileprivate mutating func attribute(_ name: StaticString, _ value: String) {
        byte(0x20)
        literal(name)
        literal("=\"")
        xmlText(value)
        byte(0x22)
    }

    fileprivate mutating func xmlLines(_ lines: [String]) {
        for (index, line) in lines.enumerated() {
            if index > 0 { byte(0x0A) }
            xmlText(line)
        }
    }

    /// Text for content and attributes of XML 1.0. Characters that XML cannot hold stand as escapes, as on a terminal.
    package mutating func xmlText(_ text: String) {
        for scalar in displayText(text).unicodeScalars {
            switch scalar {
            case "&": literal("&amp;")
            case "<": literal("&lt;")
            case ">": literal("&gt;")
            case "\"": literal("&quot;")
            case "'": literal("&#39;")
            default: string(String(Character(scalar)))
            }
        }
    }
}

extension CheckWords {
    /// The subject and, since a baseline asks for several, what was compared.
    fileprivate func name(_ outcome: CheckOutcome) -> String {
        guard case .compared(let figure, _, _, _, _) = outcome.finding else { return subjectAndSide(outcome) }
        return "\(subjectAndSide(outcome)), \(figure.metric.rawValue)"
    }
}
