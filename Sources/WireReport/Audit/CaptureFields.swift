import WireComparison
import WireCore
import WireRecords
import WireStatistics

/// What every report of a capture is made of.
struct CaptureReport {
    var audit: AuditResult
    var options: ReportOptions
    /// Of a report that is read; nil where it has none.
    var choices: ResultChoices?

    init(_ audit: AuditResult = AuditResult(), _ options: ReportOptions = ReportOptions()) {
        (self.audit, self.options) = (audit, options)
    }
}

/// What every report of a capture begins with.
///
/// - Parameter others: further fields of `capture`.
func captureHead(others: [Field<AuditResult>] = []) -> [Field<CaptureReport>] {
    [
        .text("version", "Version of wireaudit.") { _ in toolVersion },
        .object("options", "Choices that change what is shown.", captureOptionFields) { $0.options }
            .reading { (report, reader) throws(OwnFileReader.Problem) in
                var choices = ResultChoices()
                try reader.object(optionFields, into: &choices)
                report.choices = choices
            },
        .object("merged", "How the report of several sessions came about.", mergedFields) { $0.options.merged }.orNull,
        .object("capture", "What was read.", captureFields + others, at: \.audit),
    ]
}

private let captureOptionFields: [Field<ReportOptions>] =
    optionFields.map { $0.of { $0.choices } } + [.texts("files", "Captures in the order given.") { $0.files }]

private let mergedFields: [Field<MergedSessions>] = [
    .count("sessions", "Capture sessions.") { $0.sessions },
    .count("failed_sessions", "Sessions of the same fleet that could not be audited; they are in no figure.") {
        $0.failedSessions
    },
    .count("files", "Their capture files; capture.files has one entry for all.") { $0.files },
    .count("damaged_files", "Files that were audited only up to a damage.") { $0.damagedFiles },
    .count("doubted_logs", "Logs that may be of another session than their capture.") { $0.doubtedLogs },
    .constant("quantiles", "buckets", "Percentiles come from buckets, always."),
    .count("replicates", "Replicates of the bootstrap over sessions.") { _ in MergedSessions.replicates },
    .count(
        "fewest_sessions", "Sessions of a row from which on its interval resamples sessions, not calls."
    ) { _ in MergedSessions.fewestSessions },
]

private let captureFields: [Field<AuditResult>] = [
    .list(
        "files", of: fileFields, "Capture files in the order given.", at: \.files,
        blank: CaptureFileSummary(path: "", format: "")),
    .list("interfaces", of: interfaceFields, "Interfaces of a live capture; empty for files.") { $0.interfaces },
    .list("key_logs", of: keyLogFields, "TLS key logs. Secrets themselves are never written.") { $0.keyLogs },
]

private let keyLogFields: [Field<KeyLogSummary>] = [
    .text("path", "Path of the log, or the file it came in.") { $0.path },
    .count("secrets", "Secrets read.") { $0.secrets },
    .count("malformed", "Lines that are not of the format.") { $0.malformed },
    .text("fault", "Why it could not be read to its end.") { $0.fault }.orNull,
]

private let fileFields: [Field<CaptureFileSummary>] = [
    .text("path", "Path as given.") { $0.path }, .text("format", "pcap, pcapng, …") { $0.format }.orNull,
    .text("compression", "gzip, zstd, …") { $0.compression }.orNull,
    .texts("link_types", "Link types by their registered names (LINKTYPE_ or DLT_ without the prefix).") {
        $0.linkTypes.map(\.name)
    },
    .count("packets", "Packets read.") { $0.packets }.reading(\.packets),
    .bytes("bytes", "Sum of the original lengths of the packets.") { $0.bytes },
    .bytes("captured_bytes", "Sum of the captured lengths of the packets.") { $0.capturedBytes },
    .moment("first", "Time of the earliest packet.") { $0.first }.orNull,
    .moment("last", "Time of the latest packet.") { $0.last }.orNull,
    .count("dropped", "Packets that the capturing program lost, as far as the file says.") { $0.dropped }.orNull,
    .count("snapped", "Packets cut by the snap length.") { $0.snapped },
    .count("filtered", "Packets that the filter refused.") { $0.filtered },
    .count("damaged_at", "Offset in the file where reading ended.", of: "bytes") { $0.damagedAt }.orNull,
    .text("fault", "Reason why reading ended there.") { $0.fault }.orNull,
]

/// What came and was lost on one interface of a live capture.
private let interfaceFields: [Field<CaptureInterfaceSummary>] = [
    .text("name", "Name of the interface.") { $0.name },
    .text("description", "As the system describes it.") { $0.description }.orNull,
    .text("link_type", "Link type by its registered name.") { $0.linkType.name },
    .bytes("snapshot_length", "Bytes captured of a packet at most.") { $0.snapshotLength },
    .count("packets", "Packets read.") { $0.packets },
    .bytes("bytes", "Sum of the original lengths of the packets.") { $0.bytes },
    .count("received", "Packets that passed the filter, as the system counts.") { $0.received }.orNull,
    .count("dropped_by_kernel", "Packets lost because the buffer was full.") { $0.droppedByKernel }.orNull,
    .count("dropped_by_interface", "Packets lost by the interface or its driver.") { $0.droppedByInterface }.orNull,
    .text("fault", "Why capturing on it ended.") { $0.fault }.orNull,
]

let warningFields: [Field<AuditWarning>] = [
    .text("code", "Stable id of the finding.") { $0.code }.reading(\.code),
    .word("severity", "How much it matters.") { $0.severity }.reading { (row, reader) throws(OwnFileReader.Problem) in
        row.severity = FindingSeverity(rawValue: try reader.string()) ?? .info
    },
    .count("count", "How often it was found.") { $0.count },
    .text("file", "Capture file of the first occurrence.") { $0.file }.orNull,
    .count("packet", "Packet number of the first occurrence in its file, from 1.", of: "packet number") {
        $0.packet
    }.orNull,
    .text("message", "The finding in one sentence.") { $0.message },
]
