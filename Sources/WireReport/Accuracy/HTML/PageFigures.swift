import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireRecords

/// What can be added up over directions and APIs.
struct PageFigures {
    /// Exchanges that count, and those that the source gives a figure for; the larger number of both directions.
    var calls = 0
    var compared = 0
    /// Requests and responses that count, and those of them that the source recorded: directions may differ, so each
    /// counts by itself.
    var messages = 0
    var recorded = 0
    /// Exchanges that the source has no record of, by direction.
    var lacking = Directions(up: 0, down: 0)
    /// Message and wire bytes of the exchanges with a figure, and the sum of the figures.
    var message = 0
    var wire = 0
    var estimate = 0
    /// Sum of |estimate − message| over exchanges and directions.
    var absoluteError = 0
    /// Bytes of all exchanges that count, recorded or not.
    var allMessage = 0
    var allWire = 0
    /// estimate − wire by cause, and message bytes of unrecorded exchanges by reason.
    var causes = CauseBytes()
    var unseen = CauseBytes()

    init(_ rows: AccuracyRow?...) {
        for case let row? in rows { add(row) }
    }

    private mutating func add(_ row: AccuracyRow) {
        calls = max(calls, row.coverage.calls)
        compared = max(compared, row.message.count)
        messages = clampedSum(messages, row.coverage.calls)
        recorded = clampedSum(recorded, row.coverage.recordedCalls)
        let missing = max(clampedDifference(row.coverage.calls, row.coverage.recordedCalls), 0)
        if row.direction == .up { lacking.up = missing } else { lacking.down = missing }
        message = clampedSum(message, row.message.truthTotal)
        wire = clampedSum(wire, row.wire.truthTotal)
        estimate = clampedSum(estimate, row.message.estimateTotal)
        absoluteError = clampedSum(absoluteError, nearest(row.message.meanAbsolute * Double(row.message.count)))
        allMessage = clampedSum(allMessage, row.coverage.messageBytes)
        allWire = clampedSum(allWire, row.coverage.wireBytes)
        causes.add(row.causes)
        unseen.add(row.unseen)
    }

    /// The calls without a record in words: `1 of 23 responses`, `15 of 120 calls` where both directions lack as many.
    /// Nil where none lacks.
    var lackingInWords: String? {
        guard lacking.up > 0 || lacking.down > 0 else { return nil }
        if lacking.up == lacking.down { return "\(grouped(lacking.up)) of \(counted(calls, "call"))" }
        let parts = [(lacking.up, "request"), (lacking.down, "response")].filter { $0.0 > 0 }
        return parts.map { "\(grouped($0.0)) of \(counted(calls, $0.1))" }.joined(separator: ", ")
    }

    /// Message bytes of calls that the source has no record of.
    var missed: Int { Int(clamping: unseen.sum.magnitude) }
    var error: Int { clampedDifference(estimate, message) }
    var wireError: Int { clampedDifference(estimate, wire) }
}

/// Signed bytes by cause with sums that never trap.
struct CauseBytes {
    private var values = [Int](repeating: 0, count: ErrorCause.allCases.count)

    subscript(cause: ErrorCause) -> Int {
        get { values[cause.rawValue] }
        set { values[cause.rawValue] = newValue }
    }

    mutating func add(_ ledger: CauseLedger) {
        for cause in ErrorCause.allCases { self[cause] = clampedSum(self[cause], ledger[cause]) }
    }

    /// Causes that are not zero, the largest first; ties in the order of the taxonomy.
    func largestFirst(where included: (ErrorCause) -> Bool = { _ in true }) -> [(cause: ErrorCause, bytes: Int)] {
        ErrorCause.allCases.filter { self[$0] != 0 && included($0) }
            .map { ($0, self[$0]) }
            .sorted { ($0.bytes.magnitude, $1.cause.rawValue) > ($1.bytes.magnitude, $0.cause.rawValue) }
    }

    var sum: Int { values.reduce(0, clampedSum) }
}

extension AccuracySource {
    var isMeasured: Bool { kind == .log }
}

extension Direction {
    var nouns: String { noun + "s" }
}
