import WireLogs

/// What causality says of a log's clock: an app asks for a request before its first byte is sent, and learns of a
/// response after its last byte came. So the offset lies in an interval, however late an app usually writes its rows.
struct ClockCausality {
    /// How much later than the first byte sent, by the fitted clock, rows of requests and exchanges start.
    private var starts: [Int64] = []
    /// How much later than the last byte received rows of responses and exchanges end.
    private var ends: [Int64] = []
    private var first = Int64.max
    private var last = Int64.min
    private let clock: ClockModel
    private let resolution: Int64
    private let coarseChannel: TimeChannel?

    private static let sampleSize = 16_384
    /// One time in twenty may contradict: clocks jump, and captures have clocks of their own.
    private static let contradicting = 20

    init(
        _ log: SDKLog, _ calls: [WireCall], _ matching: LogMatching, _ clock: ClockModel,
        _ coarseChannel: TimeChannel?
    ) {
        self.clock = clock
        self.coarseChannel = coarseChannel
        resolution = max(1, log.timeResolution)
        let certain = log.rows.indices.filter { matching.fates[$0] == .matched && matching.exchanges[$0] >= 0 }
        let stride = max(1, certain.count / ClockCausality.sampleSize)
        var places = [Int32](repeating: -1, count: calls.count)
        for (place, call) in calls.enumerated() where calls.indices.contains(call.number) {
            places[call.number] = Int32(truncatingIfNeeded: place)
        }
        for index in Swift.stride(from: 0, to: certain.count, by: stride) {
            let place = Int(places[Int(matching.exchanges[certain[index]])])
            if place >= 0 { take(log.rows[certain[index]], calls[place]) }
        }
        starts.sort()
        ends.sort()
    }

    private mutating func take(_ row: LogRow, _ call: WireCall) {
        // Times in whole seconds bound an offset by a second, which finer ones beside them do better.
        if row.kind != .response, coarseChannel != .exchangeStart { add(row.time, call.start, to: \.starts) }
        // What came of a failed response says nothing of when the app gave up.
        if row.kind != .request, coarseChannel != .exchangeEnd, !call.isFailed, !row.tellsFailure {
            add(row.kind == .response ? row.time : row.end, call.end, to: \.ends)
        }
    }

    private mutating func add(_ row: Int64, _ event: Int64, to list: WritableKeyPath<ClockCausality, [Int64]>) {
        guard UsableTime.contains(row), UsableTime.contains(event) else { return }
        self[keyPath: list].append(row.saturatingSubtract(clock.logTime(event)))
        (first, last) = (min(first, event), max(last, event))
    }

    /// The fit, its offset in the middle of what causality permits, and how far both may be off.
    var fit: ClockFit {
        var fit = clock.fit
        guard fit.pairs > 0, !starts.isEmpty || !ends.isEmpty else { return fit }
        let least = starts.isEmpty ? nil : starts[starts.count - 1 - starts.count / ClockCausality.contradicting]
        let most = ends.isEmpty ? nil : ends[ends.count / ClockCausality.contradicting].saturatingAdd(resolution - 1)
        if let least, let most {
            // Where they contradict, times scatter by so much.
            let (low, high) = (min(least, most), max(least, most))
            let half = high.saturatingSubtract(low) / 2
            fit.offset = fit.offset.saturatingAdd(low).saturatingAdd(half)
            fit.offsetError = max(half, 1000)
        }
        let span = last.saturatingSubtract(first)
        guard span > 0 else { return fit }
        // Delays change slowly with an app's load: a slope within the spread is none.
        let pairs = Double(max(1, fit.pairs)).squareRoot()
        fit.driftError = Double(max(fit.spread, 1000)) * (2 + 10 / pairs) / Double(span) * 1e6
        return fit
    }
}
