import WireCapture
import WireCore
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
    private let limits: AuditOptions
    private var state = LiveState()
    private var rates: LiveRates
    private var nextPicture = Int64.min
    private var mustDraw = true

    init(_ terminal: Terminal, invocation: Invocation, output: OutputFile) {
        self.terminal = terminal
        limits = invocation.auditOptions
        let style = Console.style(for: Console.standardOutput, isTerminal: true, color: invocation.color)
        screen = LiveScreen(options: invocation.reportOptions, style: style)
        rates = LiveRates(options: invocation.reportOptions)
        state.filter = invocation.filter
        state.started = System.wallTime()
    }

    var inputDescriptor: Int32 { terminal.inputDescriptor }
    var longestWait: Int { terminal.longestWait }

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
            if press(key) { return true }
            mustDraw = true
        }
        if terminal.isGone { return true }
        let now = System.monotonicTime()
        guard mustDraw || now >= nextPicture else { return false }
        mustDraw = false
        if now >= nextPicture {
            // Rates go on while the picture stands still.
            let snapshot = audit.snapshot(recent: 64)
            rates.note(snapshot, at: now)
            if !state.isPaused { take(snapshot, audit, sink, writer, alarm) }
        }
        let size = terminal.size
        terminal.draw(screen.lines(state, columns: size.columns, rows: size.rows))
        if now >= nextPicture {
            let took = System.monotonicTime() - now
            nextPicture = now + min(max(Self.interval, took * Self.rest), Self.longestRest)
        }
        return false
    }

    private func take(
        _ snapshot: AuditSnapshot, _ audit: LiveAudit, _ sink: LiveSink?, _ writer: CaptureWriter?, _ alarm: LiveAlarm
    ) {
        state.interfaces = audit.interfaces
        state.elapsed = audit.elapsed
        state.snapshot = snapshot
        state.rates = rates
        state.finished = sink?.latest ?? []
        state.residentBytes = System.residentBytes()
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

    // MARK: Keys

    /// True for the end.
    private func press(_ key: Key) -> Bool {
        if key == .control("c") { return true }
        if state.isEditingFilter {
            edit(key)
            return false
        }
        switch key {
        case .character("q"): return true
        case .character("s"): state.sort = state.sort.next
        case .character("p"), .character(" "): state.isPaused.toggle()
        case .character("/"): state.isEditingFilter = true
        case .character("?"), .character("h"): state.showsHelp.toggle()
        case .control("l"): renew()
        case .escape:
            state.filterText = ""
            state.showsHelp = false
        default: break
        }
        return false
    }

    private func edit(_ key: Key) {
        switch key {
        case .character(let character):
            if state.filterText.count < 200 { state.filterText.append(character) }
        case .backspace: _ = state.filterText.popLast()
        case .control("u"): state.filterText = ""
        case .enter: state.isEditingFilter = false
        case .escape:
            state.filterText = ""
            state.isEditingFilter = false
        default: break
        }
    }
}
