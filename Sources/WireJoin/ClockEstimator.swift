/// Finds out how the log's clock differs from the capture's, from the pattern of rows and exchanges alone.
struct ClockEstimator {
    private let tables: [TimeTable]
    /// Smallest difference of the log's times.
    private let resolution: Int64

    /// Offsets up to this are tried first: clocks of devices and computers that ask a time server are closer.
    private static let nearReach: Int64 = 8_000_000_000
    /// A row and an exchange may be apart by so much, the least first: the more exact rows are, the more they tell.
    private static let tolerances: [Int64] = [
        250_000, 1_000_000, 4_000_000, 16_000_000, 64_000_000, 256_000_000,
    ]
    /// The same where any offset is tried.
    private static let farTolerances: [Int64] = [1_000_000, 16_000_000, 256_000_000]
    /// Where too little is known to tell the clocks' difference, a row and an exchange that are alone are a pair.
    private static let blindReach: Int64 = 5_000_000_000
    private static let blindEvents = 6

    /// Clocks that differ by less are as good as equal.
    private static let equalReach: Int64 = 100_000_000

    /// A fit by which fewer of the events have a counterpart is chance.
    private static let leastShare = 0.1

    private static let followedGuesses = 24

    init(_ tables: [TimeTable], resolution: Int64) {
        self.tables = tables
        self.resolution = min(max(resolution, 1), TimeNoise.largest / 4)
    }

    func estimate(_ work: inout MatchingWork) -> ClockModel {
        guard let events = ClockEvents(tables) else { return equalClocks(ClockEstimator.blindReach, origin: 0) }
        let model = estimate(events, &work)
        guard model.fit.offset.magnitude > ClockEstimator.equalReach.magnitude + 2 * resolution.magnitude else {
            return model
        }
        let equal = ClockFit(offset: 0, drift: 0, origin: model.fit.origin, pairs: 0, spread: 0)
        let closeness = ClockCloseness(tables, equal, resolution: resolution, &work)
        let fitted = ClockCloseness(tables, model.fit, resolution: resolution, &work)
        guard closeness.refute(fitted, model.fit, of: tables.reduce(0) { $0 + $1.rows.count }) else { return model }
        var refinement = ClockRefinement(tables, resolution: resolution, equal)
        if let refined = refinement.refine(&work), refined.fit.offset.magnitude <= ClockEstimator.equalReach.magnitude {
            return refined
        }
        return equalClocks(ClockEstimator.equalReach + 2 * resolution, origin: equal.origin)
    }

    private func estimate(_ events: ClockEvents, _ work: inout MatchingWork) -> ClockModel {
        let origin = firstCall()
        var best = searchNear(events, &work)
        if best == nil, let dense = DenseClockSearch(tables, resolution: resolution).estimate(origin: origin, &work) {
            return dense
        }
        if best?.isConvincing != true { searchEverywhere(events, &best, &work) }
        if let best {
            var refinement = ClockRefinement(tables, resolution: resolution, best.tracker.fit(origin: origin))
            if let model = refinement.refine(&work) { return equalOrFitted(model, origin: origin, &work) }
        }
        if let offset = WholeShift(tables: tables, resolution: resolution).offset(&work) {
            let fit = ClockFit(offset: offset, drift: 0, origin: origin, pairs: 0, spread: 0)
            var refinement = ClockRefinement(tables, resolution: resolution, fit)
            if let model = refinement.refine(&work) { return model }
        }
        return equalClocks(blindLimit(events, &work), origin: origin)
    }

    /// Calls that come like clockwork fit at many offsets. Where equal clocks give as many rows an exchange as the fit,
    /// clocks are equal: most are.
    private func equalOrFitted(_ model: ClockModel, origin: Int64, _ work: inout MatchingWork) -> ClockModel {
        let tolerance = max(model.noise.map(\.limit).max() ?? 0, 2 * resolution)
        guard model.fit.offset.magnitude > tolerance.magnitude else { return model }
        let equal = ClockFit(offset: 0, drift: 0, origin: origin, pairs: 0, spread: 0)
        let fitted = rowsWithExchange(model.fit, tolerance, &work)
        guard rowsWithExchange(equal, tolerance, &work) >= fitted else { return model }
        var refinement = ClockRefinement(tables, resolution: resolution, equal)
        return refinement.refine(&work) ?? model
    }

    private func firstCall() -> Int64 {
        tables.reduce(Int64.max) { least, table in table.calls.reduce(least) { min($0, $1.time) } }
    }

    /// How far a row and an exchange may be apart where no fit was found. With little to go by, some seconds. With
    /// more, what the pattern says of equal clocks counts: if it speaks against them, near times are chance.
    private func blindLimit(_ events: ClockEvents, _ work: inout MatchingWork) -> Int64 {
        if events.anchors.count <= ClockEstimator.blindEvents { return ClockEstimator.blindReach }
        let limit = 100_000_000 + 2 * resolution
        return events.evidence(tolerance: limit, &work) { $0 }.bits >= 0 ? limit : 1_000_000 + resolution / 2
    }

    private func equalClocks(_ limit: Int64, origin: Int64) -> ClockModel {
        ClockModel(
            fit: ClockFit(offset: 0, drift: 0, origin: origin, pairs: 0, spread: 0),
            noise: TimeChannel.allCases.map { _ in TimeNoise.unknown(limit) })
    }

    // MARK: Search

    private struct Candidate {
        var tracker: ClockTracker
        var bits: Double
        var share: Double

        /// So many events have a counterpart that no other offset can be the right one.
        var isConvincing: Bool { share > 0.7 }
    }

    private func searchNear(_ events: ClockEvents, _ work: inout MatchingWork) -> Candidate? {
        var best: Candidate?
        for tolerance in ClockEstimator.tolerances {
            var search = OffsetSearch(events, tolerance: tolerance + resolution)
            search.search(within: ClockEstimator.nearReach, &work)
            consider(search, &best, &work)
            if let best, best.isConvincing { break }
        }
        return best
    }

    private func searchEverywhere(_ events: ClockEvents, _ best: inout Candidate?, _ work: inout MatchingWork) {
        for tolerance in ClockEstimator.farTolerances {
            var search = OffsetSearch(events, tolerance: tolerance + resolution)
            search.searchEverywhere(budget: 100_000 + 2 * events.anchors.count, &work)
            consider(search, &best, &work)
            if let best, best.isConvincing { break }
        }
    }

    /// Follows the best guesses over the whole time and keeps the one that explains most.
    private func consider(_ search: OffsetSearch, _ best: inout Candidate?, _ work: inout MatchingWork) {
        var candidates: [Candidate] = []
        var followed = 0
        for guess in worthwhile(search) where followed < ClockEstimator.followedGuesses {
            let time = search.events.anchors[guess.anchor].time
            func isKnown(_ expected: Int64) -> Bool {
                candidates.contains {
                    $0.tracker.line.expected(time).distance(from: expected) <= search.tolerance
                }
            }
            if isKnown(time.saturatingAdd(guess.delta)) { continue }
            followed += 1
            let tracker = ClockTracker(search.events, guess, tolerance: search.tolerance, &work)
            let (bits, share) = tracker.evidence(&work)
            if share < ClockEstimator.leastShare || isKnown(tracker.line.expected(time)) { continue }
            candidates.append(Candidate(tracker: tracker, bits: bits - OffsetSearch.cost(guess.delta), share: share))
        }
        guard let found = mostFitting(candidates, search.tolerance, &work), found.bits > best?.bits ?? 0 else { return }
        best = found
    }

    /// Guesses that are no chance. Among many, some look good by chance.
    private func worthwhile(_ search: OffsetSearch) -> [OffsetGuess] {
        func needed(_ tried: Int) -> Double { 5 + Double(Int.bitWidth - tried.leadingZeroBitCount) }
        let (few, many) = (needed(search.endGuesses.count), needed(search.tried))
        return search.endGuesses.filter { $0.evidence >= few + OffsetSearch.cost($0.delta) }
            + search.guesses.filter { $0.evidence >= many + OffsetSearch.cost($0.delta) }
            .sorted { OffsetSearch.isBetter($0, $1) }
    }

    /// The candidate with most evidence. Where calls come like clockwork, several have nearly as much, and the one that
    /// gives most rows an exchange is it.
    private func mostFitting(
        _ candidates: [Candidate], _ tolerance: Int64, _ work: inout MatchingWork
    ) -> Candidate? {
        let sorted = candidates.sorted { $0.bits > $1.bits }
        guard let first = sorted.first else { return nil }
        let rivals = sorted.filter { $0.bits >= 0.8 * first.bits }
        guard rivals.count > 1 else { return first }
        var best = (hits: -1, candidate: first)
        for rival in rivals {
            let rough = rival.tracker.fit(origin: firstCall())
            var refinement = ClockRefinement(tables, resolution: resolution, rough)
            let hits = rowsWithExchange(refinement.refine(&work)?.fit ?? rough, tolerance, &work)
            if hits > best.hits { best = (hits, rival) }
        }
        return best.candidate
    }

    private func rowsWithExchange(_ fit: ClockFit, _ tolerance: Int64, _ work: inout MatchingWork) -> Int {
        let model = ClockModel(fit: fit, noise: [])
        var hits = 0
        for table in tables {
            for group in 0..<table.groupCount {
                let calls = table.callRange(group)
                if calls.isEmpty { continue }
                work.searchSteps &+= table.rowRange(group).count * (Int.bitWidth - calls.count.leadingZeroBitCount)
                for row in table.rows[table.rowRange(group)] {
                    let time = model.captureTime(row.time)
                    let place = table.calls.position(of: time.saturatingSubtract(tolerance), in: calls)
                    guard place < calls.upperBound else { continue }
                    if table.calls[place].time.saturatingSubtract(time) <= tolerance { hits += 1 }
                }
            }
        }
        return hits
    }
}
