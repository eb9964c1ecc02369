import WireEstimates
import WireLogs

/// What a calibration expects of the calls of one API in one direction, and how surely.
public struct CalibrationExpectation: Sendable, Equatable {
    /// Index in `AccuracyResult.apis`.
    public var api: Int
    public var direction: Direction
    /// What a completed call lacks, bytes.
    public var constant: Calibration.Constant
    /// It is that of all APIs.
    public var isFallback = false
    /// Mean error of a call by cause when the constants were fitted, bytes.
    public var causes: [ErrorCause: Double] = [:]
    /// Calls that were corrected.
    public var calls = 0
    /// Of the error in total after the correction, squared bytes, if nothing changed.
    package var variance = 0.0
    package var freedom = 0.0

    public init(api: Int, direction: Direction, constant: Calibration.Constant) {
        self.api = api
        self.direction = direction
        self.constant = constant
    }
}

/// How far the sum of corrected calls may be off by chance: single calls spread, and the constant itself was fitted to
/// few. A fallback may miss all calls of an API alike.
struct CalibrationUncertainty {
    private let hasOwn: Bool
    private let hasOwnFailed: Bool
    private var completed = 0.0
    private var failed = 0.0

    init(hasOwn: Bool = false, hasOwnFailed: Bool = false) {
        self.hasOwn = hasOwn
        self.hasOwnFailed = hasOwnFailed
    }

    mutating func count(isFailed: Bool) {
        if isFailed { failed += 1 } else { completed += 1 }
    }

    var calls: Int { Int(completed + failed) }

    func variance(_ message: Calibration.Constant, _ failure: Calibration.Constant?) -> Double {
        // Without any constant for failed calls nothing is known of them but that they lack something.
        part(completed, message, hasOwn) + (failure.map { part(failed, $0, hasOwnFailed) } ?? 0)
    }

    /// A fallback's spread is that between APIs, of which there are many.
    func freedom(_ message: Calibration.Constant) -> Double { hasOwn ? Double(max(message.count, 2)) : 30 }

    private func part(_ calls: Double, _ constant: Calibration.Constant, _ hasOwn: Bool) -> Double {
        // Sizes are whole bytes, and a header field more or less makes a byte.
        let deviation = max(constant.deviation ?? abs(constant.mean), 0.5)
        let common = hasOwn ? calls / Double(max(constant.count, 1)) : calls
        return calls * deviation * deviation * (1 + common)
    }
}
