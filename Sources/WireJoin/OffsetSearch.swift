/// An assumed difference between the clocks: the anchor's counterpart is `delta` later on the other side's clock.
struct OffsetGuess {
    /// Index among the anchors.
    var anchor: Int
    var delta: Int64
    /// Bits of evidence from the events around the anchor.
    var evidence: Double
}

/// Looks for the offset between two clocks: every counterpart of an anchor is a guess, and the events around the
/// anchor tell whether it is right. A wrong guess is given up after a few of them, so most guesses cost next to
/// nothing.
struct OffsetSearch {
    let events: ClockEvents
    /// How far a row may be from where another row's pair puts it.
    let tolerance: Int64
    /// Clocks drift apart by at most one part in so many.
    static let driftDivisor: Int64 = 1000
    /// So many anchors are tried, spread over the whole time.
    private static let anchorCount = 48
    /// So many anchors at either end are held against the other side's ends.
    private static let endCount = 8
    /// So many near offsets are tried.
    private static let nearBudget = 30_000
    private var counterparts: [(event: Int, place: Int)] = []
    private(set) var guesses: [OffsetGuess] = []
    private(set) var endGuesses: [OffsetGuess] = []
    private(set) var tried = 0

    init(_ events: ClockEvents, tolerance: Int64) {
        self.events = events
        self.tolerance = tolerance
    }

    /// Tries offsets up to the given one.
    mutating func search(within reach: Int64, _ work: inout MatchingWork) {
        tryEnds(&work)
        let found = anchors { range($0, reach).count }.map { ($0, range($0, reach)) }
        var left = OffsetSearch.nearBudget
        for (anchor, range) in found.sorted(by: { ($0.1.count, $0.0) < ($1.1.count, $1.0) }) where left > 0 {
            left -= range.count
            let event = events.anchors[anchor]
            let middle = events.counterparts(event).entries.position(of: event.time, in: range)
            let kept = max(range.lowerBound, middle - 1024)..<min(range.upperBound, middle + 1024)
            tryAll(anchor, kept, &work)
        }
    }

    /// Tries all offsets at which an anchor has a counterpart, rare ones first.
    mutating func searchEverywhere(budget: Int, _ work: inout MatchingWork) {
        let sizes = anchors { events.counterparts(events.anchors[$0]).range.count }
            .map { ($0, events.counterparts(events.anchors[$0]).range) }
            .sorted { ($0.1.count, $0.0) < ($1.1.count, $1.0) }
        var left = budget
        for (anchor, range) in sizes {
            guard left > 0 else { return }
            left -= range.count
            tryAll(anchor, range, &work)
        }
    }

    /// Tries that the two sides begin, or end, with the same event. Where calls come like clockwork, only the ends tell
    /// one offset from the next.
    private mutating func tryEnds(_ work: inout MatchingWork) {
        let all = events.anchors.indices
        let (first, last) = (all.prefix(OffsetSearch.endCount), all.suffix(OffsetSearch.endCount))
        for (anchor, isFirst) in first.map({ ($0, true) }) + last.map({ ($0, false) }) {
            let range = events.counterparts(events.anchors[anchor]).range
            for place in isFirst ? range.prefix(2) : range.suffix(2) {
                let guess = guess(anchor, place, &work)
                if guess.evidence > 0 { endGuesses.append(guess) }
            }
        }
        endGuesses.sort { OffsetSearch.isBetter($0, $1) }
    }

    private mutating func guess(_ anchor: Int, _ place: Int, _ work: inout MatchingWork) -> OffsetGuess {
        tried += 1
        let event = events.anchors[anchor]
        let delta = events.counterparts(event).entries[place].time.saturatingSubtract(event.time)
        return OffsetGuess(anchor: anchor, delta: delta, evidence: evidence(anchor, delta, place, &work))
    }

    /// One anchor from each part of the time: of a handful, the one with the fewest counterparts.
    private func anchors(_ count: (Int) -> Int) -> [Int] {
        let total = events.anchors.count
        let parts = min(total, OffsetSearch.anchorCount)
        return (0..<parts).compactMap { part in
            let range = total * part / parts..<total * (part + 1) / parts
            return events.sample(range, 16).map { (count($0), $0) }.filter { $0.0 > 0 }.min { $0 < $1 }?.1
        }
    }

    private func range(_ anchor: Int, _ reach: Int64) -> Range<Int> {
        let event = events.anchors[anchor]
        let (entries, range) = events.counterparts(event)
        let low = entries.position(of: event.time.saturatingSubtract(reach), in: range)
        return low..<entries.position(of: event.time.saturatingAdd(reach), in: low..<range.upperBound)
    }

    private mutating func tryAll(_ anchor: Int, _ range: Range<Int>, _ work: inout MatchingWork) {
        let entries = events.counterparts(events.anchors[anchor]).entries
        var best: [OffsetGuess] = []
        for place in range where place == range.lowerBound || entries[place].time > entries[place - 1].time {
            let guess = guess(anchor, place, &work)
            guard guess.evidence > 0 else { continue }
            best.append(guess)
            if best.count > 64 { best = OffsetSearch.best(best, 2) }
        }
        guesses += OffsetSearch.best(best, 2)
    }

    private static func best(_ guesses: [OffsetGuess], _ count: Int) -> [OffsetGuess] {
        Array(guesses.sorted { isBetter($0, $1) }.prefix(count))
    }

    /// More evidence; of equals, the smaller offset.
    static func isBetter(_ left: OffsetGuess, _ right: OffsetGuess) -> Bool {
        (-left.evidence + cost(left.delta), left.delta.magnitude)
            < (-right.evidence + cost(right.delta), right.delta.magnitude)
    }

    /// Bits of evidence that an offset needs to be believed: the larger it is, the more.
    static func cost(_ delta: Int64) -> Double {
        Double(64 - (delta.magnitude / 1_000_000_000).leadingZeroBitCount) * 0.7
    }

    /// Bits for a guess from the events around the anchor, near ones and far ones.
    private mutating func evidence(
        _ anchor: Int, _ delta: Int64, _ place: Int, _ work: inout MatchingWork
    ) -> Double {
        let own = events.anchors[anchor]
        counterparts.removeAll(keepingCapacity: true)
        counterparts.append((anchor, place))
        var bits = 0.0
        var step = 1
        var seen = 0
        // True guesses gain bits from the start, unless there are so many events that none tells anything.
        while step < events.anchors.count, bits > -7, counterparts.count < 40, seen < 12 || bits > 2 {
            for index in [anchor + step, anchor - step] where events.anchors.indices.contains(index) {
                seen += 1
                let event = events.anchors[index]
                let apart = event.time.distance(from: own.time)
                let tolerance = self.tolerance.saturatingAdd(apart / OffsetSearch.driftDivisor)
                guard
                    let found = events.evidence(
                        event, expected: event.time.saturatingAdd(delta), tolerance: tolerance, &work)
                else { continue }
                if found.counterpart >= 0 {
                    // One counterpart cannot speak for two events.
                    let isUsed = counterparts.contains { used in
                        used.place == found.counterpart && isSameGroup(events.anchors[used.event], event)
                    }
                    if isUsed { continue }
                    counterparts.append((index, found.counterpart))
                }
                bits += found.bits
            }
            step += 1 + step / 3
        }
        return bits
    }

    private func isSameGroup(_ left: ClockEvent, _ right: ClockEvent) -> Bool {
        left.table == right.table && left.group == right.group
    }
}
