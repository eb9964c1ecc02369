import Platform
import WireCapture
import WireCore
import WireRecords
import WireReport

/// The screen of a live audit: when it is drawn, and what keys do.
final class LiveView {
    /// Nanoseconds between two pictures.
    private static let interval: Int64 = 200_000_000
    /// A picture that took long is followed by so many times its time without one, but not by more than a second.
    private static let rest: Int64 = 10
    private static let longestRest: Int64 = 1_000_000_000

    private let terminal: Terminal
    private let screen: LiveScreen
    private let options: ReportOptions
    private let limits: AuditOptions
    private var state = LiveState()
    /// Rows that the selection can be moved by at once.
    private var page = 1
    private var rates: LiveRates
    private var nextPicture = Int64.min
    private var mustDraw = true
    /// A look at the audit has begun, for the hidden snapshot or for the picture's.
    private var isLooking = false
    private var isHidden = false
    /// The snapshot that the rates are taken from while the picture stands still.
    private var hidden = AuditSnapshot()
    /// The APIs were looked at for the next picture.
    private var hasAPIs = false
    /// Nanoseconds spent on that.
    private var lookTime: Int64 = 0
    /// What the latest look was asked for, beside what all have.
    private var content = SnapshotContent()

    init(_ terminal: Terminal, invocation: Invocation, output: OutputFile) {
        self.terminal = terminal
        limits = invocation.auditOptions
        let style = Console.style(for: Console.standardOutput, isTerminal: true, color: invocation.color)
        options = invocation.reportOptions
        screen = LiveScreen(options: options, style: style)
        rates = LiveRates(options: invocation.reportOptions)
        state.filter = invocation.filter
        state.started = System.wallTime()
    }

    var inputDescriptor: Int32 { terminal.inputDescriptor }
    var longestWait: Int { System.monotonicTime() >= nextPicture ? 0 : terminal.longestWait }

    func enter() { terminal.enter() }
    func leave() { terminal.leave() }

    func renew() {
        terminal.renew()
        mustDraw = true
    }

    func resize() { mustDraw = true }

    /// Reads keys and draws when it is time. True when the person wants the end.
    func turn(_ audit: LiveAudit, _ sink: LiveSink?, _ writer: CaptureWriter?, _ alarm: LiveAlarm) -> Bool {
        for key in terminal.readKeys() {
            switch LiveControl.press(key, &state, page: page, options) {
            case .end: return true
            case .renewal: renew()
            case .nothing: break
            }
            mustDraw = true
        }
        if terminal.isGone { return true }
        let now = System.monotonicTime()
        // Another table needs another look.
        if mustDraw, !content.isSuperset(of: wanted), !isLooking { nextPicture = now }
        let isDue = now >= nextPicture
        guard mustDraw || isDue else { return false }
        if isDue {
            guard look(at: audit, now) else { return false }
            if !isHidden { take(audit, sink, writer, alarm) }
        }
        mustDraw = false
        state.follow(options)
        let size = terminal.size
        let picture = screen.picture(state, columns: size.columns, rows: size.rows)
        page = picture.page
        terminal.draw(picture.lines)
        if isDue {
            let took = lookTime + System.monotonicTime() - now
            lookTime = 0
            nextPicture = now + min(max(Self.interval, took * Self.rest), Self.longestRest)
        }
        return false
    }

    /// A frozen picture shall have every table.
    private var wanted: SnapshotContent { state.isFrozen ? [.hosts, .connections] : state.place.content }

    /// Looks at the APIs in parts, one in each turn, so that packets are taken in between; then at all else, which is
    /// to be of one moment. True when that was done.
    private func look(at audit: LiveAudit, _ now: Int64) -> Bool {
        if !isLooking {
            // While the picture stands still rates go on, from a snapshot of their own.
            isHidden = state.isFrozen && content.isSuperset(of: wanted)
            isLooking = true
            if !isHidden { hidden = AuditSnapshot() }
        }
        // Only one holds the rows while they are changed.
        var snapshot = AuditSnapshot()
        if isHidden { swap(&snapshot, &hidden) } else { swap(&snapshot, &state.snapshot) }
        defer { if isHidden { hidden = snapshot } else { state.snapshot = snapshot } }
        guard hasAPIs else {
            hasAPIs = audit.updateAPIs(of: &snapshot)
            lookTime += System.monotonicTime() - now
            return false
        }
        if !isHidden { content = wanted }
        audit.update(&snapshot, recent: 64, content: isHidden ? [] : content)
        rates.note(snapshot, at: now)
        isLooking = false
        hasAPIs = false
        return true
    }

    private func take(_ audit: LiveAudit, _ sink: LiveSink?, _ writer: CaptureWriter?, _ alarm: LiveAlarm) {
        state.interfaces = audit.interfaces
        state.elapsed = audit.elapsed
        state.rates = rates
        state.finished = sink?.latest ?? []
        state.ended = sink?.latestConnections ?? []
        state.residentBytes = residentBytes()
        state.keySecrets = audit.secrets
        state.note = alarm.latest
        state.limits = [
            LiveLimit(name: "in memory", used: state.snapshot.keptConnections, limit: limits.connectionLimit),
            LiveLimit(
                name: "bytes held", used: state.snapshot.heldBytes, limit: limits.totalHeldBytesLimit, isBytes: true),
            LiveLimit(name: "API rows", used: min(state.snapshot.apis.count, limits.apiLimit), limit: limits.apiLimit),
        ]
        state.evidence = writer.map { writer in
            LiveEvidence(
                path: writer.currentPath, bytes: writer.bytesWritten, packets: writer.packetsWritten,
                files: writer.filesWritten, deletedFiles: writer.deletedFiles, fault: writer.fault?.message)
        }
    }
}
