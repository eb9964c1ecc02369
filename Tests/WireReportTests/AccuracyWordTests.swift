import Testing
import WireCore
import WireEstimates
import WireRecords
import WireReport

@testable import WireAccuracy
@testable import WireJoin

@Suite("The words of accuracy reports")
struct AccuracyWordTests {
    @Test("without a choice the headline is a range over all estimators, with how to choose one")
    func withoutChoice() {
        let result = accuracy(of: sampleAPIs, sources: Array(sampleSources.prefix(6)))
        let forms = AccuracyForms(result) { $0.hasChosenSources = false }
        #expect(
            forms.markdown.contains(
                "**6 simulated estimators are off by -61.3 % (`hertz`) to 0.0 % (`metrics`) of the message bytes in "
                    + "requests and by -12.1 % (`networkeye`) to"))
        for text in forms.all {
            #expect(text.contains("No SDK was chosen. Name the SDK of the app with"))
            #expect(text.contains("--estimators NAME") && text.contains("--sdk-log FILE"))
        }
        #expect(!forms.markdown.contains("Worst APIs of"))
        #expect(forms.page.contains("<p class=\"lead\">6 simulated estimators are off by −61.3 % (hertz) to"))
        let chosen = AccuracyForms(result)
        #expect(chosen.markdown.contains("**`dm` (simulated) undercounts"))
        for text in chosen.all { #expect(!text.contains("No SDK was chosen")) }
    }

    @Test("the formula of a log is not cut")
    func formula() {
        var result = smallAccuracy()
        let note = (0..<12).map { "requests part\($0) by dmurlprotocol:headers=full" }
            .joined(separator: "; ")
        result.sources[3].note = note
        for text in AccuracyForms(result).all {
            // Markdown shows these as entities.
            let shown = "():_".unicodeScalars.reduce(text) { $0.replacing("&#\($1.value);", with: String($1)) }
            #expect(shown.contains(note))
        }
    }

    @Test("causes end every sentence as nouns: nothing hides \"explained by none\"")
    func nouns() {
        for cause in ErrorCause.allCases {
            for verb in ["explained ", "hidden ", "lost ", "not "] { #expect(!cause.inSentence.hasPrefix(verb)) }
        }
    }

    @Test("a formula that explains nothing is not shown as fitted")
    func uselessFormula() {
        var result = smallAccuracy()
        func formula(_ kind: LogFormula.Kind, _ id: String, _ exact: Int) -> LogFormula {
            var formula = LogFormula(kind: kind, direction: .down, id: id, parameters: "")
            (formula.fittingExact, formula.fittingCompared) = (exact, 181)
            (formula.confirmingExact, formula.confirmingCompared) = (exact, 180)
            return formula
        }
        result.sources[3].formulas = [formula(.published, "dokit", 0)]
        for text in AccuracyForms(result).all {
            let text = text.lowercased().replacing("`", with: "").replacing("<code>", with: "")
                .replacing("</code>", with: "")
            let sentence = "no formula of this kind explains the responses: dokit, with any parameters: 0 of 361"
            #expect(text.contains(sentence))
            #expect(!text.contains("fitted formula"))
        }
        result.sources[3].formulas = [formula(.published, "dokit", 40)]
        for text in AccuracyForms(result).all { #expect(text.contains("no other parameters fit better")) }
        result.sources[3].formulas.append(formula(.fitted, "dokit:body=data", 90))
        for text in AccuracyForms(result).all {
            #expect(text.lowercased().contains("fitted formula, responses"))
            #expect(text.contains("180 of 361 figures exact"))
            #expect(!text.contains("no other parameters fit better"))
        }
    }

    @Test("a formula says which of several published definitions it is, the default too")
    func definitions() {
        var result = smallAccuracy()
        func formula(_ kind: LogFormula.Kind, _ id: String, _ parameters: String, _ exact: Int) -> LogFormula {
            var formula = LogFormula(kind: kind, direction: .down, id: id, parameters: parameters)
            (formula.fittingExact, formula.fittingCompared) = (exact, 100)
            (formula.confirmingExact, formula.confirmingCompared) = (exact, 100)
            return formula
        }
        result.sources[3].formulas = [
            formula(.published, "datadog", "figure=size,chunkedbug=no", 5),
            formula(.fitted, "datadog:figure=encoded", "figure=encoded,chunkedbug=no", 90),
        ]
        for text in AccuracyForms(result).all {
            let text = text.replacing("`", with: "").replacing("<code>", with: "").replacing("</code>", with: "")
            #expect(text.contains("datadog:figure=size") && text.contains("datadog:figure=encoded"))
            #expect(!text.contains("figure=encoded:figure"))
        }
    }

    @Test("one is singular", arguments: [(1, "1 row"), (2, "2 rows"), (0, "0 rows"), (1000, "1,000 rows")])
    func counts(number: Int, expected: String) {
        #expect(counted(number, "row") == expected)
        #expect(counted(number, "body", "bodies") == expected.replacing("row", with: number == 1 ? "body" : "bodie"))
    }

    @Test(
        "one byte is singular, whatever its sign",
        arguments: [
            ("1", "1 byte"), ("-1", "-1 byte"), ("−1", "−1 byte"), ("+1", "+1 byte"), ("0", "0 bytes"),
            ("0.1", "0.1 bytes"), ("11", "11 bytes"),
        ])
    func oneByte(number: String, expected: String) { #expect(bytesInWords(number) == expected) }

    @Test("no report says 1 calls, 1 rows or the like")
    func grammar() {
        var result = accuracy(of: [sampleAPIs[7]], sources: [sampleSources[3], sampleSources[10]])
        result.logs[0].rows = 1
        var audit = sampleAudit()
        audit.keyLogs = []
        let plurals = /[^0-9.,]1 (calls|rows|times|sources|exchanges|figures|hosts|bytes|APIs|responses)\b/
        for text in AccuracyForms(result, audit: audit).all {
            let wrong = text.matches(of: plurals).map { String($0.0) }
            #expect(wrong.isEmpty, "\(wrong)")
        }
    }

    @Test("a failed call is to be recorded with its bytes, whether its row is missing or holds zeros")
    func failureAdvice() throws {
        let advice = try #require(ErrorCause.failure.advice)
        #expect(advice.contains("with the bytes") && advice.contains("not with zeros"))
        #expect(!advice.contains("Write a row"))
    }
}
