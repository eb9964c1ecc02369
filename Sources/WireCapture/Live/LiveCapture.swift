import WireCore

/// Captures on interfaces while packets arrive.
///
/// Nothing here waits: the caller polls `descriptors` for at most `longestWait`, and calls `drain` after each poll,
/// whatever the poll said.
///
///     let capture = try LiveCapture(LiveOptions(interfaces: ["eth0"]))
///     capture.drain(limit: 1000) { frame, bytes in … }
public final class LiveCapture {
    /// Nanoseconds after which the system has surely delivered a frame: twice the time for which it may keep a part of
    /// its buffer, and a little.
    static let patience = Int64(2 * PcapHandle.timeout + 10) * 1_000_000
    /// Frames taken from one interface before it is the next one's turn.
    private static let batch = 1024

    /// What the system warned of when the interfaces were opened, a line each.
    public let notes: [String]
    private var ports: [LivePort]
    /// Nil where there is but one interface: its frames go straight through.
    private var merge: LiveMerge?
    /// Frames handed out.
    private var count = 0
    private let bufferSize: Int
    private let clock: LiveClock

    /// Opens all interfaces; capturing begins.
    public convenience init(_ options: LiveOptions) throws(LiveError) {
        try Self.check(options.interfaces)
        // Without the list there are no descriptions, and no near names.
        let listed = (try? InterfaceList.read()) ?? []
        var notes: [String] = []
        var sources: [any LiveSource] = []
        for name in options.interfaces {
            sources.append(try PcapSource.open(name, options, listed: listed, notes: &notes))
        }
        self.init(
            sources, notes: notes, bufferSize: options.bufferSize, heldBytesLimit: options.heldBytesLimit,
            clock: .system)
    }

    init(
        _ sources: [any LiveSource], notes: [String] = [], bufferSize: Int, heldBytesLimit: Int = 64 << 20,
        clock: LiveClock
    ) {
        self.notes = notes
        self.bufferSize = bufferSize
        self.clock = clock
        ports = sources.map { LivePort($0) }
        if sources.count > 1 {
            merge = LiveMerge(interfaces: sources.count, patience: Self.patience, byteLimit: heldBytesLimit)
        }
    }

    deinit {
        for port in ports { port.source.close() }
    }

    /// A frame that comes on two of the captured interfaces would be counted twice.
    static func check(_ names: [String]) throws(LiveError) {
        guard let first = names.first else {
            throw .cannotCapture(interface: "no interface", reason: "none was named")
        }
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            throw .cannotCapture(interface: name, reason: "it is named twice")
        }
        guard names.count > 1, names.contains(PcapHandle.anyInterface) else { return }
        let other = first == PcapHandle.anyInterface ? names[1] : first
        throw .cannotCapture(interface: other, reason: "\"\(PcapHandle.anyInterface)\" captures on it already")
    }

    /// What came from each interface so far. Losses are as of the last `readStatistics`.
    public var interfaces: [CaptureInterfaceSummary] { ports.map(\.summary) }

    /// To be polled for reading. Interfaces that ended, and those that cannot be polled, have none.
    public var descriptors: [Int32] {
        ports.compactMap { $0.state == .living ? $0.source.descriptor : nil }
    }

    /// Milliseconds that a poll may last at most; 0 when there may be frames that no descriptor tells of, `Int.max` when
    /// any time will do.
    public var longestWait: Int {
        let now = clock.monotonic()
        let forMerge = merge?.nextMoment.map { $0 <= now ? 0 : Self.milliseconds($0 - now) }
        return ports.map { $0.longestWait(now: now) ?? .max }.reduce(forMerge ?? .max, min)
    }

    /// Rounded up, so that the time is over when the wait is.
    static func milliseconds(_ nanoseconds: Int64) -> Int {
        nanoseconds <= 0 ? 0 : Int((nanoseconds - 1) / 1_000_000) + 1
    }

    /// Hands out the frames that are there now, at most `limit`; returns their number.
    ///
    /// Frames are numbered from 1 over all interfaces; `interface` is the index in `interfaces`. Frames of several
    /// interfaces come in the order of their times, each interface's own in the order in which it saw them.
    public func drain(limit: Int, _ body: (CaptureFrame, RawSpan) -> Void) -> Int {
        guard limit > 0 else { return 0 }
        return merge == nil ? drainOne(limit, body) : drainSeveral(limit, body)
    }

    private func drainOne(_ limit: Int, _ body: (CaptureFrame, RawSpan) -> Void) -> Int {
        guard !ports.isEmpty else { return 0 }
        var number = count
        var byteCount = 0
        let linkType = ports[0].summary.linkType
        var port = ports[0]
        _ = port.fetch(limit: limit, clock: clock) { time, length, dropped, bytes in
            number += 1
            byteCount += length
            body(
                CaptureFrame(
                    number: number, time: time, capturedLength: bytes.byteCount, originalLength: length,
                    linkType: linkType, interface: 0, droppedBefore: dropped), bytes)
        }
        let handedOut = number - count
        port.handedOut(packets: handedOut, bytes: byteCount)
        ports[0] = port
        count = number
        return handedOut
    }

    private func drainSeveral(_ limit: Int, _ body: (CaptureFrame, RawSpan) -> Void) -> Int {
        // Taken out while in use: `body` may ask for anything but this.
        var taken: LiveMerge?
        swap(&taken, &self.merge)
        guard var merge = taken.take() else { return 0 }
        defer { self.merge = merge }
        var handedOut = 0
        var hasMore = true
        while true {
            handedOut += release(from: &merge, limit: limit - handedOut, body)
            guard handedOut < limit, hasMore else { return handedOut }
            hasMore = fetch(into: &merge)
        }
    }

    /// Takes a batch from each interface; whether one of them has more.
    private func fetch(into merge: inout LiveMerge) -> Bool {
        var hasMore = false
        for index in ports.indices where ports[index].state != .ended {
            let now = clock.monotonic()
            let fetched = ports[index].fetch(limit: Self.batch, clock: clock) { time, length, dropped, bytes in
                merge.add(
                    HeldFrame(time: time, originalLength: length, droppedBefore: dropped, fetched: now), bytes,
                    interface: index)
            }
            if fetched >= Self.batch { hasMore = true }
            if ports[index].state == .ended { merge.end(index) }
        }
        return hasMore
    }

    private func release(
        from merge: inout LiveMerge, limit: Int, _ body: (CaptureFrame, RawSpan) -> Void
    ) -> Int {
        merge.release(limit: limit, now: clock.monotonic()) { interface, held, bytes in
            count += 1
            ports[interface].handedOut(packets: 1, bytes: held.originalLength)
            body(
                CaptureFrame(
                    number: count, time: held.time, capturedLength: bytes.byteCount,
                    originalLength: held.originalLength, linkType: ports[interface].summary.linkType,
                    interface: interface, droppedBefore: held.droppedBefore), bytes)
        }
    }

    /// Asks the system what was lost. The frame behind a loss says so when it is handed out.
    public func readStatistics() {
        for index in ports.indices { ports[index].readStatistics(clock) }
    }

    /// No interface is left, and all that came from them was handed out.
    public var hasEnded: Bool { ports.allSatisfy { $0.state == .ended } && merge?.isEmpty ?? true }

    /// The capture is to end: frames from before this moment that the system still has are handed out by `drain`, later
    /// ones are not.
    public func beginStop() {
        for index in ports.indices { ports[index].beginStop(bufferSize: bufferSize, clock: clock) }
    }

    /// After `beginStop`: there is nothing more to drain.
    public var isDrained: Bool { hasEnded }

    /// Closes all interfaces, after a last look at the statistics. What was not drained is lost.
    public func close() {
        for index in ports.indices {
            ports[index].end(clock)
            merge?.end(index)
        }
    }
}
