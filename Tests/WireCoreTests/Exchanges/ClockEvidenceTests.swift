import Testing
import WireTesting

@testable import WireCore

@Suite("Clocks of a connection's directions")
struct ClockEvidenceTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Times from segments of a direction to their acknowledgments.
        var delays: [[Int64]]
        var lead: ClosedRange<Int64>?
    }

    static let examples = [
        Example(testDescription: "no evidence", delays: [[], []]),
        Example(
            testDescription: "answers behind their causes: clocks may agree",
            delays: [[5, 3, 9], [40, 20]]),
        Example(
            testDescription: "one answer too early may follow a lost first copy",
            delays: [[-5, 3, 9], [40, 20]]),
        Example(
            testDescription: "the server's clock is behind", delays: [[-5, -3, 9], [40, 20]],
            lead: -20 ... -5),
        Example(
            testDescription: "the server's clock is ahead", delays: [[30, 12], [-4, -7]], lead: 7...12),
        Example(testDescription: "no single difference explains both", delays: [[-5, -5], [3, -2]]),
        Example(testDescription: "only one bound is known", delays: [[-5, -5], []]),
    ]

    @Test("the interval that causality permits", arguments: examples)
    func lead(example: Example) {
        var clocks = ClockEvidence()
        var proofs = 0
        for direction in Direction.both {
            for delay in example.delays[direction.index] where clocks.note(delay, of: direction) {
                proofs += 1
            }
        }
        #expect(clocks.lead(of: 1) == example.lead)
        #expect(clocks.lead(of: 0) == example.lead.map { -$0.upperBound ... -$0.lowerBound })
        #expect(example.lead == nil || proofs == 1)
    }

    @Test("an observed time becomes an interval that is never below zero")
    func corrects() {
        #expect(ClosedRange<Int64>.corrected(10, by: 2...4) == 6...8)
        #expect(ClosedRange<Int64>.corrected(-10, by: -15 ... -4) == 0...5)
        #expect(ClosedRange<Int64>.corrected(-10, by: -4 ... -2) == nil)
    }
}
