import WireCore

/// Audits capture files: pcap or pcapng, plain or compressed with gzip or zstd, from disk, pipes or standard input.
///
/// Several files are one audit: their frames are taken in the order of their times, so that connections go on over
/// the files of a rotated capture, and captures of one time interleave.
///
///     let result = try CaptureAudit(paths: ["shop.pcap"]).run()
public struct CaptureAudit {
    /// Most threads used: as many as there are shards.
    private static let jobLimit = 16

    private let paths: [String]
    private let options: AuditOptions
    private let filter: String?
    private let keys: [String]
    private let jobs: Int
    /// Notes of which frame each byte is; of one file.
    package var trace: ClaimTrace?

    /// - Parameters:
    ///   - paths: the files in any order; "-" is standard input.
    ///   - filter: frames that do not match this expression (pcap-filter(7)) are counted as left out and else ignored.
    ///   - keys: files with TLS keys in the format of NSS key logs. They may grow while captures are read. Keys that a
    ///     capture holds itself are used as well.
    ///   - jobs: threads that may be used, the caller's included. What is found does not depend on it.
    public init(
        paths: [String], options: AuditOptions = AuditOptions(), filter: String? = nil, keys: [String] = [],
        jobs: Int = 1
    ) {
        self.keys = keys
        self.jobs = min(max(jobs, 1), CaptureAudit.jobLimit)
        self.paths = paths
        self.options = options
        self.filter = filter
    }

    /// Reads everything and closes the books.
    /// - Parameters:
    ///   - sink: receives the records of exchanges and connections.
    ///   - examiner: looks at the content of bodies.
    ///   - progress: called after each piece of input.
    public func run(
        sink: (any AuditSink)? = nil, examiner: (any BodyExaminer)? = nil, progress: ((AuditProgress) -> Void)? = nil
    ) throws(CaptureError) -> AuditResult {
        let processes = ProcessDirectory(limit: options.processLimit)
        var inputs = try CaptureInputs(paths: paths, openFiles: options.openFileLimit, processes: processes)
        let captureFilter = filter.map { CaptureFilter($0) }
        // A wrong expression is reported before the long reading begins, and for a capture without frames too.
        for linkType in inputs.firstLinkTypes { try captureFilter?.prepare(for: linkType) }
        let keyLog = KeyLog(lineLimit: options.keyLineLimit, byteLimit: options.keyBytesLimit)
        let opened = keys.isEmpty ? nil : try KeyLogFile.open(paths: keys, into: keyLog)
        keyLog.wasGiven = opened != nil
        keyLog.mayGrow = inputs.hasPipe && (opened != nil || inputs.summaries.contains { $0.format == "pcapng" })
        let blockFiles = inputs.plainBlockFiles
        if !blockFiles.isEmpty { keyLog.follower = CaptureSecrets(paths: blockFiles, beside: keyLog.follower) }
        var faults: [Int: String] = [:]
        var auditor = Auditor(options: options, sink: sink, examiner: examiner, keys: keyLog, processes: processes)
        if let trace { auditor.begin(trace) }
        for summary in inputs.summaries { _ = auditor.addFile(summary) }
        // Who waits for keys must be gone on with at certain frames, and an examiner is used in one order.
        let feeder =
            jobs > 1 && !keyLog.mayGrow && examiner == nil && trace == nil ? BatchFeeder(&auditor, jobs: jobs) : nil
        defer { feeder?.close() }
        while let turn = inputs.nextTurn() {
            let pause = try take(turn, &auditor, captureFilter, feeder)
            if pause == .finished { faults[turn.file] = turn.reader.systemFault }
            guard let progress, pause == .needsBytes || pause == .finished else { continue }
            if let feeder {
                feeder.betweenSettlements { progress(inputs.progress) }
            } else {
                progress(inputs.progress)
            }
        }
        feeder?.finish(&auditor)
        var result = auditor.finish()
        for (file, fault) in faults { result.files[file].fault = fault }
        result.keyLogs = opened?.1.summaries ?? []
        for log in result.keyLogs.indices { result.keyLogs[log].isOfOtherCapture = !keyLog.hasMatched }
        return result
    }

    /// Hands frames of one file to the auditor until its turn is over or its buffer used up.
    private func take(
        _ turn: CaptureInputs.Turn, _ auditor: inout Auditor, _ filter: CaptureFilter?, _ feeder: BatchFeeder?
    ) throws(CaptureError) -> CaptureFileReader.Pause {
        let reader = turn.reader
        for name in reader.removeNames() { auditor.addName(name.address, name: name.name) }
        for (number, name) in reader.removeInterfaceNames() {
            auditor.addInterface(turn.number(of: number), name: name)
        }
        let secrets = reader.removeSecrets()
        if !secrets.isEmpty {
            // They are for frames behind them.
            feeder?.drain()
            unsafe auditor.addSecrets(secrets.span.bytes)
        }
        let pause: CaptureFileReader.Pause
        if let feeder {
            pause = try feeder.take(turn, &auditor, filter)
        } else {
            pause = try reader.drain(through: turn.limit) { frame, bytes, _, following throws(CaptureError) in
                auditor.expect(following)
                if let filter, try !filter.passes(frame, bytes) {
                    auditor.leftOut(file: turn.file)
                    return
                }
                if let trace {
                    auditor.consume(turn.numbered(frame), bytes, file: turn.file, noting: trace)
                } else {
                    auditor.consume(turn.numbered(frame), bytes, file: turn.file)
                }
            }
        }
        switch pause {
        case .needsBytes: reader.refill()
        case .finished: end(reader, file: turn.file, &auditor)
        case .timeLimit, .names: break
        }
        return pause
    }

    private func end(_ reader: CaptureFileReader, file: Int, _ auditor: inout Auditor) {
        switch reader.ending {
        case .cut: auditor.find(.captureCut, file: file, packet: reader.frameCount + 1)
        case .damaged: auditor.find(.captureDamaged, file: file, packet: reader.frameCount + 1)
        case .complete, nil: break
        }
        if reader.blocksPassedOver > 0 {
            auditor.find(.blockLimit, file: file, packet: 0, count: reader.blocksPassedOver)
        }
        if reader.source.isExtremelyCompressed { auditor.find(.compressionRatio, file: file, packet: 0) }
        if let packet = reader.firstFollowing { auditor.find(.captureFollows, file: file, packet: packet) }
        if reader.wrongFractions.count > 0 {
            let (count, packet) = reader.wrongFractions
            auditor.find(.fractionWrong, file: file, packet: packet, count: count)
        }
        auditor.endFile(file, dropped: reader.droppedFrames, damagedAt: reader.damagedAt)
    }
}
