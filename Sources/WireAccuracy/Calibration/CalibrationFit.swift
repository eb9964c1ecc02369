/// The constants of one direction, and what they are worth on later calls.
struct CalibrationFit {
    typealias Figure = CalibrationRecorder.Figure

    /// Calls that were fitted to.
    let fitted: Int
    let total: Calibration.Total
    /// By API; nil where it has no call in this direction.
    let sides: [Calibration.Side?]
    /// Why the direction gets no calibration: the constants make later calls worse.
    let refusal: String?

    /// - Parameter split: calls before it are fitted to.
    init(_ figures: [Figure], split: Int64, apis: Int) {
        var (all, setup) = (CalibrationSums(), ConstantSums())
        var byAPI = Array(repeating: CalibrationSums(), count: apis)
        for figure in figures where figure.time < split {
            all.add(figure)
            byAPI[Int(figure.api)].add(figure)
            if figure.setup > 0 { setup.add(figure.setup) }
        }
        let fallback = FallbackFit(figures.filter { $0.time < split }, byAPI, all)
        var sides = byAPI.map { CalibrationFit.side($0) }
        var later = LaterCalls(fallback: fallback.side, own: sides, setup: setup.constant?.mean ?? 0)
        for figure in figures where figure.time >= split { later.add(figure) }
        for api in sides.indices where CalibrationFit.withhold(&sides[api], later.byAPI[api]) {
            later.own[api] = sides[api]
        }
        later.clear()
        for figure in figures where figure.time >= split { later.add(figure) }
        fitted = all.calls
        var side = fallback.side
        side.calls = fitted
        side.heldOut = later.all
        total = Calibration.Total(all: side, setup: setup.constant)
        refusal = CalibrationFit.refusal(later.byAPI)
        self.sides = sides.indices.map { api in
            var side = sides[api]
            side.heldOut = later.byAPI[api]
            return side.calls == 0 && side.heldOut == nil ? nil : side
        }
    }

    private static func side(_ sums: CalibrationSums) -> Calibration.Side {
        var side = Calibration.Side()
        side.calls = sums.calls
        if sums.message.count >= Calibration.fewestCalls {
            side.constants = sums.constants
        } else {
            side.reason =
                "\(sums.message.count) completed calls to fit to, \(Calibration.fewestCalls) are needed: the fallback counts"
        }
        side.failed = sums.failed.count >= Calibration.fewestCalls ? sums.failed.constant : nil
        return side
    }

    /// Constants that make the later calls of their API worse are not given.
    private static func withhold(_ side: inout Calibration.Side, _ heldOut: Calibration.HeldOut?) -> Bool {
        guard side.constants != nil, let heldOut, let reason = worse(heldOut) else { return false }
        side.constants = nil
        side.failed = nil
        side.reason = reason
        return true
    }

    /// Of all APIs: errors of opposite signs must not make up for each other, so each API's counts without its sign.
    private static func refusal(_ byAPI: [Calibration.HeldOut?]) -> String? {
        let known = byAPI.compactMap { $0 }
        let before = known.reduce(0) { $0 + abs(Double($1.message.before)) }
        let after = known.reduce(0) { $0 + abs($1.message.after) }
        guard after > before + Double(known.reduce(0) { $0 + $1.calls }) else { return nil }
        return "the constants are worse than none on later calls: the APIs' errors of "
            + "\(Int(exactly: before.rounded()) ?? 0) B in all become \(Int(exactly: after.rounded()) ?? 0) B"
    }

    /// Nil where the constants help, or do no harm beyond a byte a call.
    private static func worse(_ heldOut: Calibration.HeldOut) -> String? {
        let (before, after) = (abs(Double(heldOut.message.before)), abs(heldOut.message.after))
        guard after > before + Double(heldOut.calls) else { return nil }
        return "worse than none on \(heldOut.calls) later calls: the error of \(heldOut.message.before) B becomes "
            + "\(Int(exactly: heldOut.message.after.rounded()) ?? 0) B"
    }
}

/// The constants for APIs that were never seen. A few large errors must not spoil them, so they are the mean of the middle
/// half of the calls, without what bodies contribute: that grows with the bodies and is no constant.
private struct FallbackFit {
    let side: Calibration.Side

    init(_ figures: [CalibrationRecorder.Figure], _ byAPI: [CalibrationSums], _ all: CalibrationSums) {
        var side = Calibration.Side()
        let completed = figures.filter { !$0.isFailed }
        // How far an unknown API may lie from it includes its bodies.
        let means = byAPI.map { $0.message.constant?.mean }
        let transports = byAPI.map { $0.transport.constant?.mean }
        if let message = FallbackFit.constant(completed.map { $0.missing &+ $0.bodies }, means),
            let transport = FallbackFit.constant(completed.map(\.transport), transports)
        {
            side.constants = Calibration.Constants(message: message, transport: transport)
        }
        side.failed = FallbackFit.constant(
            figures.filter(\.isFailed).map(\.missing), byAPI.map { $0.failed.constant?.mean })
        self.side = side
    }

    private static func constant(_ values: [Int], _ means: [Double?]) -> Calibration.Constant? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted[(sorted.count / 4)..<(sorted.count - sorted.count / 4)]
        let mean = Double(middle.reduce(Int128(0)) { $0 + Int128($1) }) / Double(middle.count)
        let distances = means.compactMap { $0.map { abs($0 - mean) } }.sorted()
        let deviation =
            distances.count > 1 ? distances[min(distances.count - 1, distances.count * 9 / 10)] / 1.645 : nil
        return Calibration.Constant(mean: mean, count: values.count, deviation: deviation)
    }
}

/// What constants do to calls that they were not fitted to.
private struct LaterCalls {
    let fallback: Calibration.Side
    var own: [Calibration.Side]
    /// Of each connection.
    let setup: Double
    private(set) var all: Calibration.HeldOut?
    private(set) var byAPI: [Calibration.HeldOut?]

    init(fallback: Calibration.Side, own: [Calibration.Side], setup: Double) {
        self.fallback = fallback
        self.own = own
        self.setup = setup
        byAPI = Array(repeating: nil, count: own.count)
    }

    mutating func clear() {
        all = nil
        byAPI = Array(repeating: nil, count: own.count)
    }

    mutating func add(_ figure: CalibrationRecorder.Figure) {
        guard fallback.constants != nil else { return }
        let (api, opening) = (Int(figure.api), figure.setup > 0 ? setup : 0)
        let general = fallback.added(isFailed: figure.isFailed, fallback: fallback)
        let used = own[api].added(isFailed: figure.isFailed, fallback: fallback)
        func add(to heldOut: inout Calibration.HeldOut?) {
            var sums = heldOut ?? Calibration.HeldOut()
            sums.calls += 1
            sums.message.add(figure.estimate, figure.message, general.message, used.message)
            sums.wire.add(
                figure.estimate, figure.wire, general.message + general.transport + opening,
                used.message + used.transport + opening)
            heldOut = sums
        }
        add(to: &all)
        add(to: &byAPI[api])
    }
}

extension Calibration.Side {
    /// What is added to a call of the side; where it has no constants, the fallback's.
    package func added(isFailed: Bool, fallback: Calibration.Side?) -> (message: Double, transport: Double) {
        let used = constants ?? fallback?.constants
        let transport = used?.transport.mean ?? 0
        guard isFailed else { return (used?.message.mean ?? 0, transport) }
        return (((failed ?? fallback?.failed)?.mean) ?? 0, transport)
    }
}

extension Calibration.HeldOut.Errors {
    fileprivate mutating func add(_ estimate: Int, _ truth: Int, _ fallback: Double, _ own: Double) {
        let error = estimate &- truth
        self.truth &+= truth
        before &+= error
        withFallback += Double(error) + fallback
        after += Double(error) + own
    }
}

/// Sums of what calls lack.
private struct CalibrationSums {
    /// Of completed calls.
    var message = ConstantSums()
    var transport = ConstantSums()
    /// Of failed calls.
    var failed = ConstantSums()

    var calls: Int { message.count + failed.count }

    mutating func add(_ figure: CalibrationRecorder.Figure) {
        guard !figure.isFailed else { return failed.add(figure.missing) }
        message.add(figure.missing)
        transport.add(figure.transport)
    }

    var constants: Calibration.Constants? {
        guard let message = message.constant, let transport = transport.constant else { return nil }
        return Calibration.Constants(message: message, transport: transport)
    }
}

/// Sums of integers, from which mean and spread follow.
struct ConstantSums {
    private(set) var count = 0
    private var sum: Int128 = 0
    private var squares: Int128 = 0

    mutating func add(_ value: Int) {
        count += 1
        sum &+= Int128(value)
        squares &+= Int128(value) &* Int128(value)
    }

    var constant: Calibration.Constant? {
        guard count > 0 else { return nil }
        let calls = Double(count)
        let inner = max(0, Double(Int128(count) &* squares &- sum &* sum)) / calls
        return Calibration.Constant(
            mean: Double(sum) / calls, count: count, deviation: count > 1 ? (inner / (calls - 1)).squareRoot() : nil)
    }
}
