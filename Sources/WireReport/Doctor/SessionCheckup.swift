import WireAccuracy
import WireCore
import WireLogs
import WireRecords

/// Whether the files of a test session fit each other, and what each report can say of them.
public struct SessionCheckup {
    public enum Grade: String, Sendable, CaseIterable {
        case ready, partly, missing
    }

    /// A part of the session, or a report, with the verdict on it.
    public struct Line: Sendable {
        public var name: String
        public var grade: Grade
        public var words: String
        /// What to do; nil where nothing is.
        public var advice: String?
    }

    /// A file as it was recognised by its content.
    public struct File: Sendable {
        public enum Kind: String, Sendable, CaseIterable {
            case capture, keys, log, other
        }

        public var path: String
        public var kind: Kind
        /// The format of a log; why a file is of no kind.
        public var words: String?

        public init(path: String, kind: Kind, words: String? = nil) {
            (self.path, self.kind, self.words) = (path, kind, words)
        }
    }

    public let files: [File]
    public let parts: [Line]
    public let reports: [Line]

    /// - Parameters:
    ///   - audit: nil where no file is a capture.
    ///   - accuracy: of the logs against it; nil without logs.
    public init(files: [File], audit: AuditResult?, accuracy: AccuracyResult?) {
        self.files = files
        guard let audit else {
            let advice = "record one, see GettingACapture; nothing else can be checked without it"
            parts = [Line(name: "capture", grade: .missing, words: "no file is a capture", advice: advice)]
            reports = []
            return
        }
        let security = Security(audit)
        let logs = accuracy?.logs ?? []
        parts =
            [Self.capture(audit), Self.beginnings(audit), Self.keys(audit, security), Self.apps(audit)]
            + (logs.isEmpty ? [Self.noLog] : logs.map(Self.log))
        reports = Self.reports(audit, security, logs)
    }

    /// Connections over TLS, by whether they were decrypted.
    struct Security {
        var all = 0
        var unread = 0
        var partlyRead = 0

        init(_ audit: AuditResult) {
            for host in audit.hosts {
                all += host.setup.tlsConnections
                unread += host.setup.unreadConnections
                partlyRead += host.setup.partlyReadConnections
            }
        }

        var isWhole: Bool { unread == 0 && partlyRead == 0 }
    }
}

// MARK: - Parts

extension SessionCheckup {
    private static func capture(_ audit: AuditResult) -> Line {
        let trust = AuditTrust(audit)
        let packets = audit.files.reduce(0) { $0 + $1.packets }
        let words = counted(packets, "packet") + " in " + counted(audit.files.count, "file") + "; " + trust.remark
        if trust.isEmpty {
            return Line(name: "capture", grade: .missing, words: words, advice: "record while the app is used")
        }
        let isWhole = trust.grade == .whole || trust.grade == .unread
        return Line(
            name: "capture", grade: isWhole ? .ready : .partly, words: words,
            advice: isWhole ? nil : "record whole packets, on an interface that loses none")
    }

    private static func beginnings(_ audit: AuditResult) -> Line {
        guard audit.lateConnections > 0 else {
            let words = audit.connections > 0 ? "every connection was captured from its beginning" : "no connection"
            return Line(name: "beginnings", grade: .ready, words: words)
        }
        let late = grouped(audit.lateConnections) + " of " + counted(audit.connections, "connection")
        return Line(
            name: "beginnings", grade: .partly,
            words: late + " began before the capture: what they carried before is missing",
            advice: "start the capture before the app")
    }

    private static func keys(_ audit: AuditResult, _ security: Security) -> Line {
        guard security.all > 0 else {
            return Line(name: "keys", grade: .ready, words: "no connection has TLS: none are needed")
        }
        let secrets = audit.keyLogs.reduce(0) { $0 + $1.secrets }
        let logs = audit.keyLogs.isEmpty ? "no key log" : counted(secrets, "secret")
        if security.isWhole {
            return Line(name: "keys", grade: .ready, words: "all TLS connections decrypted (\(logs))")
        }
        let closed = grouped(security.unread) + " of " + counted(security.all, "TLS connection") + " not decrypted"
        let isOther = secrets > 0 && audit.keyLogs.allSatisfy { $0.isOfOtherCapture || $0.secrets == 0 }
        let advice =
            isOther
            ? "the secrets are of another session: fetch the key log of this one"
            : secrets == 0
                ? "let the app or the server write a key log, see GettingACapture"
                : "connections --format ndjson says why; let every app or server of the session write its keys"
        let grade: Grade = secrets == 0 || isOther ? .missing : .partly
        let rest = security.partlyRead > 0 ? ", \(grouped(security.partlyRead)) in part" : ""
        return Line(name: "keys", grade: grade, words: "\(closed)\(rest) (\(logs))", advice: advice)
    }

    private static func apps(_ audit: AuditResult) -> Line {
        let names = audit.apps.compactMap(\.app).sorted()
        guard !names.isEmpty else {
            return Line(
                name: "apps", grade: .missing, words: "the capture names no app",
                advice: "only needed to tell apps apart: pktap, pymobiledevice3 and PCAPdroid name them")
        }
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        return Line(name: "apps", grade: .ready, words: counted(names.count, "app") + " named: " + shown)
    }

    private static var noLog: Line {
        Line(
            name: "log", grade: .missing, words: "no file is the log of an SDK",
            advice: "only needed for its errors: fetch it from the app when the capture ends")
    }

    private static func log(_ log: LogSummary) -> Line {
        let joined = log.matched + log.ambiguous + log.hostTotal
        var words =
            "\(log.path): \(log.format.rawValue), \(counted(log.rows, "row")), \(grouped(log.matched)) joined with calls"
        if log.exchangesUnseen > 0 { words += ", no row for \(lackingInWords(log))" }
        if log.hostTotal > 0 { words += ", \(grouped(log.hostTotal)) of hosts that were not decrypted" }
        if log.outsideCapture > 0 { words += ", \(grouped(log.outsideCapture)) outside of the capture's time" }
        if log.rejected > 0 { words += ", \(grouped(log.rejected)) unreadable" }
        if let clock = clockInWords(log) { words += "; " + clock }
        guard joined > 0 else {
            return Line(
                name: "log", grade: .missing, words: words,
                advice: log.outsideCapture > 0
                    ? "the log is of another time: fetch it when the capture ends, and set both clocks"
                    : "the log is of other hosts or another session")
        }
        let isWhole = log.matched == log.rows - log.duplicates && !log.isIncomplete && !lacksMostCalls(log)
        let doubt = sessionDoubtInWords(log)
        let advice = lacksMostCalls(log) ? "fetch the log when the capture ends, whole and of the same session" : nil
        return Line(
            name: "log", grade: isWhole && doubt == nil ? .ready : .partly, words: words, advice: doubt ?? advice)
    }

    private static func calls(of log: LogSummary) -> Int { log.exchangesTotal - log.exchangesForeign }

    private static func lackingInWords(_ log: LogSummary) -> String {
        "\(grouped(log.exchangesUnseen)) of \(counted(calls(of: log), "call"))"
    }

    /// What is known of its errors rests on a small part of the calls, and nothing shows that it is a fair sample.
    private static func lacksMostCalls(_ log: LogSummary) -> Bool {
        log.sample == nil && log.exchangesUnseen > calls(of: log) / 2
    }
}

// MARK: - Reports

extension SessionCheckup {
    private static func reports(_ audit: AuditResult, _ security: Security, _ logs: [LogSummary]) -> [Line] {
        let isEmpty = audit.ledger.layers.internet == 0
        let calls = counted(audit.exchanges, "call")
        let callGrade: Grade = audit.exchanges == 0 ? .missing : security.isWhole ? .ready : .partly
        let unread =
            security.isWhole
            ? ""
            : "; the calls of " + counted(security.unread + security.partlyRead, "TLS connection")
                + " are missing"
        let hosts: Line =
            isEmpty
            ? Line(name: "wireaudit", grade: .missing, words: "the capture has no packets of IP")
            : Line(
                name: "wireaudit", grade: callGrade == .ready ? .ready : .partly,
                words: "all bytes by host and cause"
                    + (audit.exchanges > 0 ? ", and by API: \(calls)\(unread)" : "; no call was read"))
        return [
            hosts,
            Line(
                name: "exchanges, --opportunities, --headers",
                grade: callGrade == .missing && security.unread > 0 ? .partly : callGrade,
                words: audit.exchanges > 0
                    ? calls + unread
                    : security.unread > 0
                        ? "no call was read; exchanges gives what TLS tells of single calls, without names"
                        : "no call was read"),
            Line(
                name: "accuracy, check (simulated SDKs)", grade: callGrade,
                words: audit.exchanges == 0
                    ? "no call was read" : "the errors of built-in estimators on \(calls)\(unread)"),
            accuracy(logs),
            Line(
                name: "--app", grade: audit.apps.isEmpty ? .missing : .ready,
                words: audit.apps.isEmpty ? "the capture names no app" : "a table of apps, and each app alone"),
        ]
    }

    private static func accuracy(_ logs: [LogSummary]) -> Line {
        let name = "accuracy, check (--sdk-log)"
        let matched = logs.reduce(0) { $0 + $1.matched }
        let totals = logs.reduce(0) { $0 + $1.hostTotal }
        if matched > 0 {
            let few = logs.filter(lacksMostCalls)
            let rest =
                (totals > 0 ? "; totals by host and bounds by API of \(counted(totals, "row"))" : "")
                + few.map { "; no row for \(lackingInWords($0))" }.joined()
            let isWhole = totals == 0 && few.isEmpty && logs.allSatisfy { $0.sessionDoubt == nil }
            return Line(
                name: name, grade: isWhole ? .ready : .partly,
                words: "errors by API and cause of \(counted(matched, "row"))\(rest)")
        }
        if totals > 0 {
            return Line(
                name: name, grade: .partly,
                words: "totals by host and bounds by API of \(counted(totals, "row")), no causes")
        }
        return Line(name: name, grade: .missing, words: logs.isEmpty ? "no log" : "no row fits a call")
    }
}
