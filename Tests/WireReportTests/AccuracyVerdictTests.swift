import Testing
import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords
import WireReport
import WireTesting

/// One row for a verdict: calls with a message of 1000 bytes each.
struct VerdictCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var causes: [(ErrorCause, Int)] = []
    var calls = 10
    /// Calls that are not recorded, and their reasons with the bytes.
    var unseenCalls = 0
    var unseen: [(ErrorCause, Int)] = []
    /// Largest error of a call; nil: that of the mean.
    var maximum: Int?
    var meanAbsolute: Double?
    var medianAbsolute: Double?
    var text: String

    var row: AccuracyRow {
        var row = AccuracyRow(source: 0, api: nil, direction: .up)
        for (cause, bytes) in causes { row.messageCauses[cause] += bytes }
        let net = row.messageCauses.sum
        row.coverage.calls = calls + unseenCalls
        row.coverage.recordedCalls = calls
        row.coverage.messageBytes = 1000 * row.coverage.calls
        row.coverage.recordedMessageBytes = 1000 * calls
        row.message.count = calls
        row.message.truthTotal = 1000 * calls
        row.message.estimateTotal = row.message.truthTotal + net
        row.message.bias = calls == 0 ? 0 : Double(net) / Double(calls)
        row.message.meanAbsolute = meanAbsolute ?? abs(row.message.bias)
        row.message.medianAbsolute = medianAbsolute ?? row.message.meanAbsolute
        row.message.maximum = maximum ?? Int(abs(row.message.bias).rounded(.up))
        for (cause, bytes) in unseen { row.unseen[cause] -= bytes }
        return row
    }
}

private let verdictCases: [VerdictCase] = [
    VerdictCase(testDescription: "no call", calls: 0, text: "no call to compare."),
    VerdictCase(testDescription: "exact", text: "exact; all 10 calls are counted to the byte."),
    VerdictCase(testDescription: "one exact call", calls: 1, text: "exact; the one call is counted to the byte."),
    VerdictCase(
        testDescription: "errors of single calls cancel within a cause", maximum: 40, meanAbsolute: 12,
        text: "the total is right, but single calls are not: errors of both signs cancel, up to 40 bytes in one call."),
    VerdictCase(
        testDescription: "a single cause", causes: [(.fieldsMissing, -600)],
        text: "all of the undercount (60 bytes per call) comes from header fields that the hook cannot see."),
    VerdictCase(
        testDescription: "one large cause", causes: [(.fieldLineEnd, -150), (.fieldsMissing, -850)],
        text: "85 % of the undercount (85 of 100 bytes per call) comes from header fields that the hook cannot see."),
    VerdictCase(
        testDescription: "two large causes", causes: [(.bodyMissing, -450), (.fieldsMissing, -600)],
        text: "57 % of the undercount (60 of 105 bytes per call) comes from header fields that the hook cannot see; "
            + "43 % from bodies, which are not counted."),
    VerdictCase(
        testDescription: "equal causes stay in the order of the taxonomy",
        causes: [(.bodyMissing, -100), (.fieldsMissing, -100)],
        text: "50 % of the undercount (10 of 20 bytes per call) comes from header fields that the hook cannot see; "
            + "50 % from bodies, which are not counted."),
    VerdictCase(
        testDescription: "too much", causes: [(.bodyDecoded, 17_300), (.fieldsFormat, 1)],
        text: "more than 99 % of the overcount (1,730 of 1,730 bytes per call) comes from bodies counted after "
            + "decompression."),
    VerdictCase(
        testDescription: "both signs, the larger repaired alone helps",
        causes: [(.bodyDecoded, 17_000), (.fieldsNotCounted, -1500), (.startLineNotCounted, -500)],
        text: "1,500 bytes per call too high: 200 missing, 1,700 surplus. All of the surplus comes from bodies counted "
            + "after decompression. If only this were fixed, the total would be 200 bytes per call too low."),
    VerdictCase(
        testDescription: "both signs, repairing one alone makes it worse",
        causes: [(.fieldsMissing, -1000), (.fieldsFormat, 900)],
        text: "10 bytes per call too low: 100 missing, 90 surplus. All of the shortfall comes from header fields that "
            + "the hook cannot see. If only this were fixed, the total would be worse, 90 bytes per call too high, "
            + "because it now masks "
            + "the other format that header fields are counted in."),
    VerdictCase(
        testDescription: "both signs cancel to nothing",
        causes: [(.fieldsMissing, -900), (.cookie, -100), (.fieldsFormat, 1000)],
        text: "the total is right only because errors cancel: 100 bytes per call are missing (chiefly header fields "
            + "that the hook cannot see), and as many are surplus (the other format that header fields are counted "
            + "in)."),
    VerdictCase(
        testDescription: "repaired alone, nothing is left",
        causes: [(.fieldsMissing, -500), (.cookie, -7), (.cache, 7)],
        text: "50 bytes per call too low: 50.7 missing, 0.7 surplus. 99 % of the shortfall (50 bytes per call) comes "
            + "from header fields that the hook cannot see. If only this were fixed, the total would be right."),
    VerdictCase(
        testDescription: "single calls are farther off than the mean", causes: [(.bodyRecompressed, -20)], maximum: 70,
        meanAbsolute: 31.25,
        text:
            "all of the undercount (2 bytes per call) comes from bodies compressed again by another compressor. On average "
            + "a call is off by 31.3 bytes, some calls too high, some too low."),
    VerdictCase(
        testDescription: "a few calls make the mean", causes: [(.bodyMissing, -79_630)], medianAbsolute: 196,
        text: "all of the undercount (7,963 bytes per call) comes from bodies, which are not counted. Half of the "
            + "calls are off by no more than 196 bytes: a few calls cause most of the error."),
    VerdictCase(
        testDescription: "most calls are exact", causes: [(.bodyMissing, -5000)], medianAbsolute: 0,
        text:
            "all of the undercount (500 bytes per call) comes from bodies, which are not counted. Half of the calls are "
            + "exact: a few calls cause most of the error."),
    VerdictCase(
        testDescription: "what is hidden is not explained", causes: [(.fieldsMissing, -1000), (.unexplained, 900)],
        text: "10 bytes per call too low: 100 missing, 90 surplus. All of the shortfall comes from header fields that "
            + "the hook cannot see. If only this were fixed, the total would be worse, 90 bytes per call too high, "
            + "because it now masks "
            + "bytes that none of the log's known formulas explains."),
    VerdictCase(
        testDescription: "nothing recorded", calls: 0, unseenCalls: 8, unseen: [(.scope, 8000)],
        text: "none of 8 calls is recorded: exchanges invisible to the SDK."),
    VerdictCase(
        testDescription: "calls that are not recorded weigh more", causes: [(.fieldsMissing, -600)], unseenCalls: 10,
        unseen: [(.scope, 9000), (.failure, 1000)],
        text: "10 of 20 calls (50 % of the bytes) are not recorded: chiefly exchanges invisible to the SDK. In the "
            + "others, all of the undercount (60 bytes per call) comes from header fields that the hook cannot see."),
    VerdictCase(
        testDescription: "calls that are not recorded weigh less", causes: [(.fieldsMissing, -6000)], unseenCalls: 1,
        unseen: [(.failure, 1000)],
        text: "all of the undercount (600 bytes per call) comes from header fields that the hook cannot see. 1 of 11 "
            + "calls (9.1 % of the bytes) is not recorded: failed or cancelled exchanges."),
    VerdictCase(
        testDescription: "a figure that no formula gives", causes: [(.unexplained, -30)],
        text: "all of the undercount (3 bytes per call) comes from bytes that none of the log's known formulas "
            + "explains."),
]

@Suite("Verdicts in words")
struct AccuracyVerdictTests {
    @Test("the sentences are exact", arguments: verdictCases)
    func sentences(verdict: VerdictCase) { #expect(verdictText(verdict.row) == verdict.text) }

    @Test("causes that do not add up to the error are not believed")
    func broken() {
        var row = VerdictCase(testDescription: "", causes: [(.fieldsMissing, -600)], text: "").row
        row.message.estimateTotal -= 400
        #expect(
            verdictText(row) == "60 % of the undercount (60 of 100 bytes per call) comes from header fields that the "
                + "hook cannot see; 40 % from bytes that none of the log's known formulas explains.")
    }

    @Test("every source has a verdict on both directions, in order, with its direction's name first")
    func all() {
        let result = sampleAccuracy()
        let verdicts = accuracyVerdicts(result)
        #expect(verdicts.map(\.source) == result.sources.indices.flatMap { [$0, $0] })
        #expect(verdicts.map(\.direction) == result.sources.flatMap { _ in [Direction.up, .down] })
        for verdict in verdicts {
            #expect(verdict.text.hasPrefix(verdict.direction == .up ? "Request: " : "Response: "))
            #expect(verdict.text.hasSuffix("."))
        }
        let silent = verdicts.filter { $0.text.contains("no figures for this direction") }
            .map { result.sources[$0.source].id }
        #expect(silent == ["networkeye", "datadog"])
    }

    @Test("a source without any row has no figure")
    func rowless() {
        var result = AccuracyResult()
        result.sources = [AccuracySource(id: "x", title: "x", kind: .simulated, note: "")]
        #expect(
            accuracyVerdicts(result).map(\.text) == [
                "Request: no figure for any call.", "Response: no figure for any call.",
            ])
    }

    @Test("every cause can end a sentence, and no two read the same")
    func words() {
        let texts = ErrorCause.allCases.map(\.inSentence)
        #expect(Set(texts).count == texts.count)
        for text in texts { #expect(!text.isEmpty && !text.hasSuffix(".") && text.first != " ") }
    }

    @Test("any causes: shares lie between 0 and 100 %, and the chief is the largest", arguments: [UInt64(5), 6, 7])
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var chiefs = 0
        for _ in 0..<500 {
            var verdict = VerdictCase(testDescription: "", calls: 1 + random.below(50), text: "")
            for _ in 0..<random.below(6) {
                verdict.causes.append((random.element(ErrorCause.allCases), random.below(2001) - 1000))
            }
            let errors = ErrorBreakdown(verdict.row)
            #expect(errors.surplus - errors.missing == errors.net, "seed \(seed)")
            let sizes = errors.posts.map { $0.bytes.magnitude }
            #expect(sizes == sizes.sorted(by: >), "seed \(seed)")
            let text = verdictText(verdict.row)
            for match in text.matches(of: /([0-9,]+) %/) {
                let percent = try #require(Int(match.1))
                #expect((1...100).contains(percent), "seed \(seed): \(text)")
            }
            if let chief = errors.chief, errors.missing != errors.surplus {
                #expect(text.contains(chief.cause.inSentence), "seed \(seed): \(text)")
                chiefs += 1
            }
        }
        #expect(chiefs > 0, "seed \(seed)")
    }
}
