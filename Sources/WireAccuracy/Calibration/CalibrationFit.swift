/// The constants of one direction, and what they are worth on later calls.
struct CalibrationFit {
    typealias Figure = CalibrationRecorder.Figure

    /// Calls that were fitted to.
    let fitted: Int
    let total: Calibration.Total
    /// By API; nil where it has no call in this direction.
    let sides: [Calibration.Side?]

    /// - Parameter split: calls before it are fitted to.
    init(_ figures: [Figure], split: Int64, apis: Int) {
        var (all, setup) = (CalibrationSums(), ConstantSums())
        var byAPI = Array(repeating: CalibrationSums(), count: apis)
        for figure in figures where figure.time < split {
            all.add(figure)
            byAPI[Int(figure.api)].add(figure)
            if figure.setup > 0 { setup.add(figure.setup) }
        }
        let isEnough = { (sums: CalibrationSums) in sums.message.count >= Calibration.fewestCalls }
        let own = byAPI.map { isEnough($0) ? $0.constants : nil }
        var later = LaterCalls(fallback: all.constants, own: own, setup: setup.constant?.mean ?? 0)
        for figure in figures where figure.time >= split { later.add(figure) }
        fitted = all.message.count
        total = Calibration.Total(
            all: Calibration.Side(fitted, all.constants, later.all), setup: setup.constant)
        sides = byAPI.indices.map { api in
            let (calls, heldOut) = (byAPI[api].message.count, later.byAPI[api])
            return calls == 0 && heldOut == nil ? nil : Calibration.Side(calls, own[api], heldOut)
        }
    }
}

extension Calibration.Side {
    fileprivate init(_ calls: Int, _ constants: Calibration.Constants?, _ heldOut: Calibration.HeldOut?) {
        self.init()
        self.calls = calls
        self.constants = constants
        self.heldOut = heldOut
    }
}

/// What constants do to calls that they were not fitted to.
private struct LaterCalls {
    let fallback: Calibration.Constants?
    let own: [Calibration.Constants?]
    /// Of each connection.
    let setup: Double
    private(set) var all: Calibration.HeldOut?
    private(set) var byAPI: [Calibration.HeldOut?]

    init(fallback: Calibration.Constants?, own: [Calibration.Constants?], setup: Double) {
        self.fallback = fallback
        self.own = own
        self.setup = setup
        byAPI = Array(repeating: nil, count: own.count)
    }

    mutating func add(_ figure: CalibrationRecorder.Figure) {
        guard let fallback else { return }
        let (api, opening) = (Int(figure.api), figure.setup > 0 ? setup : 0)
        let used = own[api] ?? fallback
        func add(to heldOut: inout Calibration.HeldOut?) {
            var sums = heldOut ?? Calibration.HeldOut()
            sums.calls += 1
            sums.message.add(figure.estimate, figure.message, fallback.message.mean, used.message.mean)
            sums.wire.add(
                figure.estimate, figure.wire, fallback.message.mean + fallback.transport.mean + opening,
                used.message.mean + used.transport.mean + opening)
            heldOut = sums
        }
        add(to: &all)
        add(to: &byAPI[api])
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
    var message = ConstantSums()
    var transport = ConstantSums()

    mutating func add(_ figure: CalibrationRecorder.Figure) {
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
