import WireEstimates
import WireLogs

/// Adds the constants of a calibration to the figures of one source.
struct CalibrationCorrection {
    /// Adds a mean that is no whole number in whole bytes, so that the sum is never more than half a byte off.
    private struct Steps {
        var mean = 0.0
        var count = 0.0

        mutating func next() -> Int {
            count += 1
            return Int(clamping(mean * count)) - Int(clamping(mean * (count - 1)))
        }

        private func clamping(_ value: Double) -> Double { max(-0x1p60, min(0x1p60, value.rounded())) }
    }

    private struct Cell {
        var message = Steps()
        var failed = Steps()
        var transport = Steps()
        var hasOwn = false
        var uncertainty = CalibrationUncertainty()
        var constants: (message: Calibration.Constant, failed: Calibration.Constant?)?
    }

    private let calibration: Calibration
    private let source: Int
    private let numbers: [String: Int]
    /// By API, then direction.
    private var cells: [[Cell]] = []
    private var setups: [Steps]
    private(set) var effect = CalibrationEffect()

    /// - Parameter source: index of the source that is corrected.
    init(_ calibration: Calibration, source: Int) {
        self.calibration = calibration
        self.source = source
        numbers = Dictionary(calibration.apis.indices.map { (calibration.apis[$0].name, $0) }) { first, _ in first }
        setups = Direction.allCases.map { Steps(mean: calibration[$0]?.setup?.mean ?? 0) }
    }

    /// APIs are told in the order of their numbers.
    mutating func addAPI(_ name: String) {
        let api = numbers[name].map { calibration.apis[$0] }
        cells.append(
            Direction.allCases.map { direction in
                let (own, fallback) = (api?[direction], calibration[direction]?.all)
                guard let used = own?.constants ?? fallback?.constants else { return Cell() }
                let failed = own?.failed ?? fallback?.failed
                return Cell(
                    message: Steps(mean: used.message.mean), failed: Steps(mean: failed?.mean ?? 0),
                    transport: Steps(mean: used.transport.mean), hasOwn: own?.constants != nil,
                    uncertainty: CalibrationUncertainty(
                        hasOwn: own?.constants != nil, hasOwnFailed: own?.failed != nil),
                    constants: (used.message, failed))
            })
    }

    /// The figure as an estimate of the message, and of the wire bytes. Other sources stay as they are.
    mutating func correct(
        _ estimate: Int, _ causes: CauseLedger = CauseLedger(), source: Int, api: Int, _ direction: Direction,
        _ truth: DirectionTruth
    ) -> (message: Int, wire: Int) {
        guard source == self.source, cells.indices.contains(api) else { return (estimate, estimate) }
        let side = direction == .up ? 0 : 1
        let isFailed = truth.isFailed(causes)
        let added = isFailed ? cells[api][side].failed.next() : cells[api][side].message.next()
        cells[api][side].uncertainty.count(isFailed: isFailed)
        let message = estimate &+ added
        var wire = message &+ cells[api][side].transport.next()
        if truth.setup > 0 { wire = wire &+ setups[side].next() }
        effect.add(
            direction, hasOwn: cells[api][side].hasOwn, estimate: estimate, message: message, wire: wire, truth)
        return (message, wire)
    }

    /// By how much each API's error in total may miss by chance, and what the calibration expected of it.
    func expectations(_ apis: [String]) -> [CalibrationExpectation] {
        var found: [CalibrationExpectation] = []
        for (api, sides) in cells.enumerated() {
            for (direction, cell) in zip(Direction.allCases, sides) {
                guard let constants = cell.constants, cell.uncertainty.calls > 0 else { continue }
                let fitted = calibration.apis.first { $0.name == apis[api] }?[direction]
                var expected = CalibrationExpectation(api: api, direction: direction, constant: constants.message)
                expected.isFallback = !cell.hasOwn
                expected.causes = (cell.hasOwn ? fitted : calibration[direction]?.all)?.causes ?? [:]
                expected.calls = cell.uncertainty.calls
                expected.variance = cell.uncertainty.variance(constants.message, constants.failed)
                expected.freedom = cell.uncertainty.freedom(constants.message)
                found.append(expected)
            }
        }
        return found
    }
}

/// What a calibration did to the figures of a log.
public struct CalibrationEffect: Sendable, Equatable {
    /// Errors in total, bytes, against each truth.
    public struct Side: Sendable, Equatable {
        public var calls = 0
        /// Of them those whose API has no constant of its own.
        public var byFallback = 0
        public var message = 0
        public var messageBefore = 0
        public var messageAfter = 0
        public var wire = 0
        public var wireBefore = 0
        public var wireAfter = 0

        public init() {}
    }

    public var up = Side()
    public var down = Side()

    public init() {}

    public subscript(direction: Direction) -> Side {
        get { direction == .up ? up : down }
        set { if direction == .up { up = newValue } else { down = newValue } }
    }

    fileprivate mutating func add(
        _ direction: Direction, hasOwn: Bool, estimate: Int, message: Int, wire: Int, _ truth: DirectionTruth
    ) {
        var side = self[direction]
        side.calls += 1
        side.byFallback += hasOwn ? 0 : 1
        side.message &+= truth.message
        side.messageBefore &+= estimate &- truth.message
        side.messageAfter &+= message &- truth.message
        side.wire &+= truth.wire
        side.wireBefore &+= estimate &- truth.wire
        side.wireAfter &+= wire &- truth.wire
        self[direction] = side
    }
}
