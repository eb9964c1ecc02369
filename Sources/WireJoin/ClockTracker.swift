/// Follows a guess of the offset away from its anchor, in both directions, so that drift does not blur what is found:
/// in ever wider stretches of time, each of which makes the drift known well enough for the next.
struct ClockTracker {
    /// Expected time of a counterpart: time + delta + slope × (time − origin).
    struct Line {
        var origin: Int64
        var delta: Int64
        var slope: Double

        func expected(_ time: Int64) -> Int64 {
            let since = Double(time.saturatingSubtract(origin))
            return time.saturatingAdd(delta).saturatingAdd(Int64(nearest: slope * since))
        }
    }

    private let events: ClockEvents
    private let tolerance: Double
    private(set) var line: Line
    /// The slope is off by no more than that.
    private var slopeError = 1 / Double(OffsetSearch.driftDivisor)
    /// So many events of each stretch are looked at.
    private static let sampleSize = 1024

    init(_ events: ClockEvents, _ guess: OffsetGuess, tolerance: Int64, _ work: inout MatchingWork) {
        self.events = events
        self.tolerance = Double(tolerance)
        line = Line(origin: events.anchors[guess.anchor].time, delta: guess.delta, slope: 0)
        var reach = 8
        while true {
            let range = max(0, guess.anchor - reach)..<min(events.anchors.count, guess.anchor + reach + 1)
            improve(range, &work)
            if range == events.anchors.indices { return }
            reach *= 2
        }
    }

    private mutating func improve(_ range: Range<Int>, _ work: inout MatchingWork) {
        var points: [(x: Double, y: Double)] = []
        for index in events.sample(range, ClockTracker.sampleSize) {
            let event = events.anchors[index]
            let apart = Double(event.time.saturatingSubtract(line.origin))
            let expected = line.expected(event.time)
            let reach = Int64(nearest: tolerance + slopeError * abs(apart))
            let (entries, group) = events.counterparts(event)
            let low = entries.position(of: expected.saturatingSubtract(reach), in: group)
            var place = low
            work.searchSteps &+= Int.bitWidth - group.count.leadingZeroBitCount
            while place < group.upperBound, place - low <= 24,
                entries[place].time.saturatingSubtract(expected) <= reach
            {
                place += 1
            }
            work.comparedPairs &+= place - low
            guard place - low <= 24 else { continue }
            for place in low..<place {
                points.append((apart, Double(entries[place].time.saturatingSubtract(expected))))
            }
        }
        let slope = bestSlope(points)
        let inliers = points.filter { abs($0.y - slope * $0.x) <= 2 * tolerance }
        guard inliers.count >= 4 else { return }
        let fitted = RobustLine(inliers)
        line.delta = line.delta.saturatingAdd(Int64(nearest: fitted.height))
        line.slope += fitted.slope
        slopeError = min(slopeError, max(fitted.slopeError * 2, 1e-7))
    }

    /// The change of slope on which most points agree that are far enough to tell.
    private func bestSlope(_ points: [(x: Double, y: Double)]) -> Double {
        let width = points.reduce(0) { max($0, abs($1.x)) }
        guard width * slopeError > tolerance else { return 0 }
        let slopes = points.filter { abs($0.x) >= width / 4 }.map { $0.y / $0.x }.sorted()
        let window = 2 * tolerance / width
        var best = (count: 0, slope: 0.0)
        var first = 0
        for (last, slope) in slopes.enumerated() {
            while slope - slopes[first] > window { first += 1 }
            if last - first + 1 > best.count {
                best = (last - first + 1, slopes[(first + last) / 2])
            }
        }
        return best.slope
    }

    /// Bits of evidence from events over the whole time, and the share of events that have a counterpart.
    func evidence(_ work: inout MatchingWork) -> (bits: Double, share: Double) {
        events.evidence(tolerance: Int64(tolerance), &work) { line.expected($0) }
    }

    /// The line as the log's clock against the capture's.
    func fit(origin: Int64) -> ClockFit {
        let since = Double(origin.saturatingSubtract(line.origin))
        var fit = ClockFit(offset: 0, drift: 0, origin: origin, pairs: 0, spread: 0)
        if events.anchorsAreRows {
            // The exchange's time is what the line gives for the row's; solved for the row's time.
            let drifted = line.slope * (since - Double(line.delta)) / (1 + line.slope)
            fit.offset = Int64(0).saturatingSubtract(line.delta).saturatingSubtract(Int64(nearest: drifted))
            fit.drift = -line.slope / (1 + line.slope) * 1e6
        } else {
            fit.offset = line.delta.saturatingAdd(Int64(nearest: line.slope * since))
            fit.drift = line.slope * 1e6
        }
        return fit
    }
}
