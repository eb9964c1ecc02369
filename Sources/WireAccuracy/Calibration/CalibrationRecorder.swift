import WireEstimates
import WireLogs

/// Keeps the figures of one source, and fits a calibration to them. Memory grows with the calls: 72 bytes for each
/// direction of one.
public final class CalibrationRecorder {
    package struct Figure {
        package var time: Int64
        package var api: Int32
        package var estimate: Int
        package var message: Int
        package var wire: Int
        /// Opening and closing the connection; above 0 in the call that opened it.
        package var setup: Int
        package var isFailed = false
        /// The part of the error that bodies contribute (`ErrorCause.dependsOnBody`): no constant.
        package var bodies = 0

        /// What the figure lacks of the message, and the message of the wire.
        package var missing: Int { message &- estimate }
        package var transport: Int { wire &- message &- setup }
    }

    private var conditions: CalibrationConditions
    private var up: [Figure] = []
    private var down: [Figure] = []
    private var names: [String] = []
    private var numbers: [String: Int32] = [:]
    /// By API and side.
    private var sums: [[Int32]: CauseSums] = [:]

    /// - Parameter conditions: its source is the one whose figures are kept.
    public init(_ conditions: CalibrationConditions) { self.conditions = conditions }

    /// To be shown every figure of a run; those of other sources, and those that do not count, are left out.
    public func take(_ call: AccuracyCall) {
        guard call.source == conditions.source, call.isCounted, let exchange = call.exchange,
            let message = call.message,
            let wire = call.wire
        else { return }
        conditions.figures += 1
        guard call.unseen == nil, !call.isUnknown else { return }
        conditions.recorded += 1
        conditions.http[exchange.http ?? "HTTP", default: 0] += 1
        conditions.tls[exchange.tls ?? "none", default: 0] += 1
        let figure = Figure(
            time: exchange.time, api: number(exchange.api), estimate: call.estimate ?? 0, message: message, wire: wire,
            setup: call.setup ?? 0, isFailed: call.isFailed, bodies: call.causes.ofBodies)
        if !call.isFailed { sums[[figure.api, call.direction == .up ? 0 : 1], default: CauseSums()].add(call.causes) }
        if call.direction == .up { up.append(figure) } else { down.append(figure) }
    }

    /// To be told before the fit, once the log was compared.
    public func noteConvention(redirects: String?, formula: String?) {
        conditions.redirects = redirects
        conditions.formula = formula
    }

    private func number(_ name: String) -> Int32 {
        if let number = numbers[name] { return number }
        let number = Int32(names.count)
        numbers[name] = number
        names.append(name)
        return number
    }

    /// The calibration: the first half of the calls is fitted to, the later ones show what it is worth.
    public func fit() throws(CalibrationRefusal) -> Calibration {
        let times = (up + down).map(\.time).sorted()
        guard let first = times.first, let last = times.last else {
            throw CalibrationRefusal("\(conditions.source) has no figure for a call of the capture")
        }
        conditions.first = first
        conditions.last = last
        conditions.split = times[times.count / 2]
        let fits = [up, down].map { CalibrationFit($0, split: conditions.split, apis: names.count) }
        let most = fits.reduce(0) { max($0, $1.fitted) }
        guard most >= Calibration.fewestCallsInAll else {
            throw CalibrationRefusal(
                "\(most) calls in the first half of the time are too few; \(Calibration.fewestCallsInAll) are needed")
        }
        let totals = fits.map { $0.fitted >= Calibration.fewestCallsInAll && $0.refusal == nil ? $0.total : nil }
        guard totals.contains(where: { $0 != nil }) else {
            throw CalibrationRefusal(fits.compactMap(\.refusal).first ?? "there are too few calls")
        }
        var apis: [Calibration.API] = []
        for number in names.indices.sorted(by: { names[$0] < names[$1] }) {
            var api = Calibration.API(name: names[number])
            for (direction, fit) in zip(Direction.allCases, fits) where totals[direction == .up ? 0 : 1] != nil {
                api[direction] = fit.sides[number]
                api[direction]?.causes = sums[[Int32(number), direction == .up ? 0 : 1]]?.means ?? [:]
            }
            apis.append(api)
        }
        var calibration = Calibration(conditions: conditions, up: totals[0], down: totals[1], apis: apis)
        calibration.up?.all.causes = means(side: 0)
        calibration.down?.all.causes = means(side: 1)
        return calibration
    }

    private func means(side: Int32) -> [ErrorCause: Double] {
        var all = CauseSums()
        for (key, sum) in sums where key[1] == side { all += sum }
        return all.means
    }
}

/// Errors of completed calls by cause.
private struct CauseSums {
    private var calls = 0
    private var causes = CauseLedger()

    mutating func add(_ causes: CauseLedger) {
        calls += 1
        self.causes += causes
    }

    static func += (left: inout CauseSums, right: CauseSums) {
        left.calls += right.calls
        left.causes += right.causes
    }

    var means: [ErrorCause: Double] {
        guard calls > 0 else { return [:] }
        return Dictionary(uniqueKeysWithValues: causes.posts.map { ($0.cause, Double($0.bytes) / Double(calls)) })
    }
}
