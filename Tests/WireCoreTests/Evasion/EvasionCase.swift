import Testing
import WireTesting

@testable import WireCore

/// A capture that somebody made to mislead, or that misleads by itself, and what the audit must say of it.
struct EvasionCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Findings by code: all of them.
    var findings: [String: Int]
    /// Every exchange in the form of `line`.
    var exchanges: [String]
    var write: @Sendable (inout Dialogue) -> Void

    init(
        _ name: String, findings: [String: Int] = [:], _ exchanges: [String],
        write: @escaping @Sendable (inout Dialogue) -> Void
    ) {
        testDescription = name
        self.findings = findings
        self.exchanges = exchanges
        self.write = write
    }

    /// The whole capture, for further checks.
    @discardableResult
    func check() -> AuditedCapture {
        var talk = Dialogue()
        write(&talk)
        let capture = checkEvasion(talk.frames, testDescription)
        #expect(capture.findingCounts == findings)
        #expect(capture.exchanges.map(EvasionCase.line) == exchanges)
        return capture
    }

    /// Method, target, framing of the request; status and framing of the response; flags.
    static func line(_ record: ExchangeRecord) -> String {
        let method = record.method.map { String(decoding: $0, as: UTF8.self) } ?? "-"
        let target = record.target.map { String(decoding: $0, as: UTF8.self) } ?? "-"
        let status = record.status.map { "\($0)" } ?? "-"
        return
            ([method, target, framing(record.request), status, framing(record.response)] + record.flags.names)
            .joined(separator: " ")
    }

    private static func framing(_ message: MessageFacts?) -> String {
        guard let message else { return "-" }
        return message.framing.name + (message.complete ? "" : "…")
    }
}

extension AuditedCapture {
    /// How often each finding was met, by code.
    var findingCounts: [String: Int] {
        Dictionary(uniqueKeysWithValues: result.findings.map { ($0.code.code, $0.count) })
    }
}

/// What holds of every capture: the books add up, and looks at them while frames are awaited change nothing.
@discardableResult
func checkEvasion(
    _ frames: [CapturedFrame], _ name: String, _ options: AuditOptions = AuditOptions()
) -> AuditedCapture {
    let watched = WatchedAudit(frames: frames, options: options)
    let (transcript, capture) = watched.run()
    #expect(capture.contradictions == [], "\(name)")
    #expect(capture.result.ledger.balanced, "\(name)")
    var random = SeededRandom(seed: 5)
    let live = watched.runLive(&random)
    #expect(live.transcript.differences(transcript) == [], "\(name), with looks between the frames")
    return capture
}
