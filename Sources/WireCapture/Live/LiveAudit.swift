import WireCore

/// When a live audit ends by itself. What is nil sets no limit.
public struct LiveLimits: Sendable {
    /// Nanoseconds from its beginning.
    public var duration: Int64?
    /// Frames.
    public var packets: Int?
    /// Exchanges of which the response has ended.
    public var exchanges: Int?

    public init(duration: Int64? = nil, packets: Int? = nil, exchanges: Int? = nil) {
        self.duration = duration
        self.packets = packets
        self.exchanges = exchanges
    }
}

/// Audits packets while they arrive.
///
/// It waits for nothing: the caller polls `descriptors`, and calls `turn` when one is readable, and some ten times a
/// second in any case.
///
///     let audit = try LiveAudit(capture, options: options, keys: [])
///     while !audit.hasEnded { poll(audit.descriptors, audit.longestWait); audit.turn() }
///     let result = audit.finish()
///
/// What it finds is what `CaptureAudit` finds in a file of the same packets. Its memory is bounded by the limits of the
/// options, however long it runs.
public final class LiveAudit {
    /// Frames taken before the caller has its turn again.
    private static let batch = 4096
    /// How far the clock of the capture is behind, nanoseconds: no frame comes later than that.
    private static let lag: Int64 = 250_000_000
    private static let statisticsInterval: Int64 = 100_000_000
    /// Short, so that the evidence has most keys in front of the packets that they open.
    private static let keysInterval: Int64 = 5_000_000
    private static let awaitedInterval: Int64 = 50_000_000
    private static let flushInterval: Int64 = 1_000_000_000

    private let capture: LiveCapture
    private let limits: LiveLimits
    private let writer: CaptureWriter?
    private let keyFiles: KeyLogFiles?
    private let keyLog: KeyLog
    private let clock: LiveClock
    private var auditor: Auditor
    private let began: Int64
    /// Time of the latest frame, and when it came by the monotonic clock.
    private var latest: (time: Int64, moment: Int64)?
    private var packets = 0
    private var isStopping = false
    private var isFull = false
    private var nextStatistics = Int64.min
    private var nextKeys = Int64.min
    private var nextAwaited = Int64.min
    private var nextFlush = Int64.min

    /// - Parameters:
    ///   - keys: key logs of TLS, regular files that may grow, and that need not be there yet.
    ///   - writer: gets every frame, and the lines of the key logs that hold secrets of connections seen.
    public convenience init(
        _ capture: LiveCapture, options: AuditOptions, limits: LiveLimits = LiveLimits(), keys: [String] = [],
        sink: (any AuditSink)? = nil, examiner: (any BodyExaminer)? = nil, writer: CaptureWriter? = nil
    ) throws(CaptureError) {
        try self.init(
            capture, options: options, limits: limits, keys: keys, sink: sink, examiner: examiner, writer: writer,
            clock: .system)
    }

    init(
        _ capture: LiveCapture, options: AuditOptions, limits: LiveLimits, keys: [String], sink: (any AuditSink)?,
        examiner: (any BodyExaminer)?, writer: CaptureWriter?, clock: LiveClock
    ) throws(CaptureError) {
        self.capture = capture
        self.limits = limits
        self.writer = writer
        self.clock = clock
        keyFiles = keys.isEmpty ? nil : try KeyLogFiles(following: keys)
        keyLog = KeyLog(lineLimit: options.keyLineLimit, byteLimit: options.keyBytesLimit)
        keyLog.wasGiven = keyFiles != nil
        keyLog.mayGrow = keyFiles != nil
        keyLog.collectsLines = writer != nil
        auditor = Auditor(options: options, sink: sink, examiner: examiner, keys: keyLog)
        _ = auditor.addFile(
            CaptureFileSummary(path: capture.interfaces.map(\.name).joined(separator: ", "), format: "live"))
        for (number, interface) in capture.interfaces.enumerated() {
            auditor.addInterface(number, name: Array(interface.name.utf8))
        }
        began = clock.monotonic()
        readKeys(began)
    }

    // MARK: What the caller sees

    /// To be polled for reading.
    public var descriptors: [Int32] { capture.descriptors }
    /// Milliseconds that a poll may last at most.
    public var longestWait: Int {
        var wait = min(capture.longestWait, 100)
        if let duration = limits.duration, !isStopping {
            wait = min(wait, max(Int((began + duration - clock.monotonic() + 999_999) / 1_000_000), 0))
        }
        return isStopping ? min(wait, 10) : wait
    }
    public var interfaces: [CaptureInterfaceSummary] { capture.interfaces }
    /// Names of interfaces that are still captured on but down: nothing comes from them until they are up again.
    public var downInterfaces: [String] {
        InterfaceState.down(among: capture.interfaces.filter { $0.fault == nil }.map(\.name))
    }
    /// What the system said of the opening, one clause each.
    public var notes: [String] { capture.notes }
    /// There is nothing more to come: `finish`.
    public var hasEnded: Bool { isFull || capture.hasEnded || (isStopping && capture.isDrained) }
    /// Key logs that do not exist yet.
    public var missingKeyLogs: [String] { keyFiles?.summaries.filter { $0.problem != nil }.map(\.path) ?? [] }
    /// Key logs that came to be but cannot be opened, with the reason.
    public var keyLogProblems: [(path: String, reason: String)] { keyFiles?.problems ?? [] }
    /// Lines with a secret read so far; nil without key logs.
    public var secrets: Int? { keyFiles.map { _ in keyLog.lineCount } }
    /// Nanoseconds since the beginning.
    public var elapsed: Int64 { clock.monotonic() - began }

    public func snapshot(recent: Int = 32) -> AuditSnapshot { auditor.snapshot(recent: recent) }
    /// See `Auditor`.
    public func update(_ snapshot: inout AuditSnapshot, recent: Int = 32, content: SnapshotContent = []) {
        auditor.update(&snapshot, recent: recent, content: content)
    }
    /// See `Auditor`: a part of the work; true when that was the last.
    public func updateAPIs(of snapshot: inout AuditSnapshot) -> Bool { auditor.updateAPIs(of: &snapshot) }

    /// Ends the capture: what the system took before now still comes, with the next turns.
    public func stop() {
        guard !isStopping else { return }
        isStopping = true
        capture.beginStop()
    }

    // MARK: Work

    /// Takes what is there, and does what time does. Returns how many frames there were.
    @discardableResult
    public func turn() -> Int {
        let now = clock.monotonic()
        if let duration = limits.duration, now - began >= duration { stop() }
        if now >= nextStatistics {
            nextStatistics = now + Self.statisticsInterval
            capture.readStatistics()
            writer?.note(capture.interfaces)
        }
        if keyFiles != nil, now >= nextKeys { readKeys(now) }
        let count = takeFrames(now)
        if count == 0, let latest { auditor.advance(to: latest.time + max(now - latest.moment - Self.lag, 0)) }
        if now >= nextFlush {
            nextFlush = now + Self.flushInterval
            writer?.flush()
        }
        return count
    }

    private func takeFrames(_ now: Int64) -> Int {
        guard !isFull else { return 0 }
        let room = limits.packets.map { $0 - packets } ?? .max
        let before = packets
        if limits.exchanges != nil {
            // Looks after each frame, so that the last exchange is the last one.
            var count = 1
            while count > 0, packets - before < Self.batch, !isFull {
                count = capture.drain(limit: 1) { frame, bytes in take(frame, bytes) }
                noteLimits()
            }
        } else {
            _ = capture.drain(limit: min(room, Self.batch)) { frame, bytes in take(frame, bytes) }
        }
        noteLimits()
        if packets > before, let time = latest?.time { latest = (time, now) }
        return packets - before
    }

    @inline(__always)
    private func take(_ frame: CaptureFrame, _ bytes: RawSpan) {
        packets += 1
        latest = (frame.time, 0)
        writer?.write(frame, bytes)
        auditor.consume(frame, bytes, file: 0)
        if keyLog.hasCollected { writer?.addSecrets(keyLog.takeCollected()) }
    }

    private func noteLimits() {
        if let limit = limits.packets, packets >= limit { isFull = true }
        if let limit = limits.exchanges, auditor.answeredExchanges >= limit { isFull = true }
    }

    /// Reads what the key logs came to hold, and goes on with what waited for it.
    private func readKeys(_ now: Int64) {
        nextKeys = now + Self.keysInterval
        guard let keyFiles else { return }
        let hadMore = keyFiles.readMore(into: keyLog)
        if keyLog.hasCollected { writer?.addSecrets(keyLog.takeCollected()) }
        guard let latest else { return }
        // Without new keys, for those that were waited for long enough.
        guard hadMore || (auditor.awaitsKeys && now >= nextAwaited) else { return }
        nextAwaited = now + Self.awaitedInterval
        auditor.resumeAwaited(at: latest.time + max(now - latest.moment, 0))
    }

    /// Closes the books and the evidence.
    public func finish() -> AuditResult {
        capture.readStatistics()
        readKeys(clock.monotonic())
        let interfaces = capture.interfaces
        auditor.endFile(0, dropped: interfaces.reduce(0) { $0 + $1.dropped }, damagedAt: nil)
        var result = auditor.finish()
        result.interfaces = interfaces
        result.keyLogs = keyFiles?.summaries ?? []
        writer?.finish(interfaces)
        capture.close()
        return result
    }
}
