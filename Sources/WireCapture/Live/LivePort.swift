import WireCore

/// One interface of a live capture: where its frames come from, and how far it is.
struct LivePort {
    enum State: Equatable {
        case living
        /// It is gone; what it had in the system's buffer may come until this moment of the monotonic clock.
        case ending(until: Int64)
        case ended
    }

    /// What is left to do once the capture is to end.
    struct Stop: Equatable {
        /// Frames later than this, by their own clock, are not handed out.
        var time: Int64
        /// When the system has delivered all that is older, by the monotonic clock.
        var moment: Int64
        /// Bytes that the system's buffer can hold at most: more than these cannot be older.
        var budget: Int
    }

    let source: any LiveSource
    private(set) var summary: CaptureInterfaceSummary
    private(set) var state = State.living
    private(set) var stop: Stop?
    /// The last fetch was ended by its limit. What the library then holds itself makes no descriptor readable.
    private var mayHaveMore = false
    /// Time of the latest frame taken from it.
    private var latest = Int64.min
    private var received = WideCounter()
    private var droppedByKernel = WideCounter()
    private var droppedByInterface = WideCounter()
    private var marks = DropMarks()

    init(_ source: any LiveSource) {
        self.source = source
        summary = source.summary
    }

    /// Takes frames from the system, at most `limit`, with the losses that each is to tell of; returns how many there
    /// were, those included that came too late for the capture's end.
    mutating func fetch(
        limit: Int, clock: LiveClock, _ body: (_ time: Int64, _ length: Int, _ dropped: Int, _ bytes: RawSpan) -> Void
    ) -> Int {
        guard state != .ended else { return 0 }
        let now = clock.monotonic()
        var marks = marks
        var count = 0
        var taken = 0
        var latest = latest
        let last = stop?.time ?? .max
        var isPast = false
        let fault = source.dispatch(limit: limit) { time, length, bytes in
            count += 1
            guard time <= last else {
                isPast = true
                return
            }
            if time > latest { latest = time }
            taken += bytes.byteCount
            body(time, length, marks.isEmpty ? 0 : marks.take(before: time), bytes)
        }
        if count == 0 { marks.bufferWasEmpty(since: now - LiveCapture.patience) }
        self.marks = marks
        self.latest = latest
        mayHaveMore = count >= limit
        update(fault: fault, now: now, count: count, taken: taken, isPast: isPast, clock: clock)
        return count
    }

    private mutating func update(
        fault: String?, now: Int64, count: Int, taken: Int, isPast: Bool, clock: LiveClock
    ) {
        if let fault, state == .living {
            summary.fault = fault
            state = .ending(until: now + LiveCapture.patience)
        }
        if case .ending(let moment) = state, count == 0, now >= moment { end(clock) }
        guard stop != nil else { return }
        stop?.budget -= taken
        if let stop, isPast || stop.budget < 0 || (count == 0 && now >= stop.moment) { end(clock) }
    }

    /// Reads the system's counters.
    mutating func readStatistics(_ clock: LiveClock) {
        guard state != .ended, let counts = source.statistics() else { return }
        if let count = counts.received {
            _ = received.advance(to: count)
            summary.received = received.total
        }
        let lost =
            droppedByKernel.advance(to: counts.droppedByKernel)
            + droppedByInterface.advance(to: counts.droppedByInterface)
        summary.droppedByKernel = droppedByKernel.total
        summary.droppedByInterface = droppedByInterface.total
        marks.lost(lost, time: clock.wall(), reading: clock.monotonic())
    }

    mutating func handedOut(packets: Int, bytes: Int) {
        summary.packets += packets
        summary.bytes += bytes
    }

    /// The capture is to end now.
    mutating func beginStop(bufferSize: Int, clock: LiveClock) {
        guard state != .ended, stop == nil else { return }
        // Where the clock was set back a moment ago, frames from before that are later than now.
        stop = Stop(
            time: max(clock.wall(), latest), moment: clock.monotonic() + LiveCapture.patience,
            budget: 2 * bufferSize + (1 << 20))
    }

    /// Reads the counters for the last time and closes the interface.
    mutating func end(_ clock: LiveClock) {
        guard state != .ended else { return }
        readStatistics(clock)
        state = .ended
        source.close()
    }

    /// Milliseconds that waiting may last at most; nil when any time will do.
    func longestWait(now: Int64) -> Int? {
        let moments: [Int64?]
        switch state {
        case .ended: return nil
        case _ where mayHaveMore: return 0
        case .living: moments = [stop?.moment]
        case .ending(let until): moments = [until, stop?.moment]
        }
        let own = moments.compactMap { $0 }.map { LiveCapture.milliseconds($0 - now) }.min()
        return [own, source.longestWait].compactMap { $0 }.min()
    }
}
