import WireCore

private final class RecordSink: AuditSink {
    var exchanges: [ExchangeRecord] = []
    var connections: [ConnectionRecord] = []

    func receive(_ record: ExchangeRecord) { exchanges.append(record) }
    func receive(_ record: ConnectionRecord) { connections.append(record) }
}

/// Audits frames in the order given, with the lines of a key log; `inspect` sees the auditor after its end. With
/// `keysBefore` the lines come only in front of the frame of that index, as they do while a capture is being made.
public func audit(
    _ frames: [CapturedFrame], _ options: AuditOptions = AuditOptions(), keys: String, keysBefore: Int? = nil,
    inspect: (borrowing Auditor) -> Void = { _ in }
) -> AuditedCapture {
    let log = KeyLog()
    log.mayGrow = keysBefore != nil
    let lines = Array(keys.utf8)
    if keysBefore == nil { unsafe log.add(lines.span.bytes) }
    let sink = RecordSink()
    var auditor = Auditor(options: options, sink: sink, keys: log)
    let file = auditor.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
    for (index, frame) in frames.enumerated() {
        if index == keysBefore {
            unsafe log.add(lines.span.bytes)
            auditor.resumeAwaited(at: frame.time)
        }
        unsafe auditor.consume(frame.facts(number: index + 1), frame.bytes.span.bytes, file: file)
    }
    let result = auditor.finish()
    inspect(auditor)
    var capture = AuditedCapture(result, exchanges: sink.exchanges, connections: sink.connections, of: frames)
    capture.keysMatched = log.hasMatched
    return capture
}
