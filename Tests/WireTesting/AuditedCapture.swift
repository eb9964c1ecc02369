import WireCore

/// A frame as it would stand in a capture.
public struct CapturedFrame: Sendable {
    /// Nanoseconds.
    public var time: Int64
    /// What was captured of it.
    public var bytes: [UInt8]
    /// Its length on the medium; nil where all of it was captured.
    public var originalLength: Int?
    public var linkType = LinkType.ethernet
    public var checkSequenceLength = 0
    public var interface = 0
    /// Number of the process that its record names.
    public var process: UInt16 = 0
    public var senderFlags: UInt8 = 0

    public init(time: Int64, bytes: [UInt8]) {
        self.time = time
        self.bytes = bytes
    }

    public init(time: Int64, _ packet: PacketBuilder) {
        self.init(time: time, bytes: packet.frame())
        linkType = packet.linkType
    }

    /// What a capture file says of it; `number` counts from 1.
    public func facts(number: Int, droppedBefore: Int = 0) -> CaptureFrame {
        var frame = CaptureFrame(
            number: number, time: time, capturedLength: bytes.count, originalLength: originalLength ?? bytes.count,
            linkType: linkType, checkSequenceLength: checkSequenceLength, interface: interface,
            droppedBefore: droppedBefore, process: process)
        frame.senderFlags = senderFlags
        return frame
    }
}

/// What an audit made of some frames.
public struct AuditedCapture: Sendable {
    public var result: AuditResult
    /// By connection, and in a connection by number.
    public var exchanges: [ExchangeRecord]
    /// By number.
    public var connections: [ConnectionRecord]
    /// Sum of the original lengths of the frames.
    public var frameBytes: Int
    /// A secret of the key log was one of the capture's.
    public var keysMatched = false

    /// `exchanges` and `connections` in the order in which they were given out.
    public init(
        _ result: AuditResult, exchanges: [ExchangeRecord], connections: [ConnectionRecord], of frames: [CapturedFrame]
    ) {
        self.result = result
        self.exchanges = exchanges.sorted { ($0.connection, $0.exchange) < ($1.connection, $1.exchange) }
        self.connections = connections.sorted { $0.connection < $1.connection }
        frameBytes = frames.reduce(0) { $0 + ($1.originalLength ?? $1.bytes.count) }
    }

    public func findings(_ code: FindingCode) -> Int {
        result.findings.first { $0.code == code }?.count ?? 0
    }

    public func exchanges(of connection: Int) -> [ExchangeRecord] {
        exchanges.filter { $0.connection == connection }
    }
}

private final class CollectingSink: AuditSink {
    var exchanges: [ExchangeRecord] = []
    var connections: [ConnectionRecord] = []

    func receive(_ record: ExchangeRecord) { exchanges.append(record) }
    func receive(_ record: ConnectionRecord) { connections.append(record) }
}

/// Audits frames in the order given, through the public interface.
public func audit(
    _ frames: [CapturedFrame], _ options: AuditOptions = AuditOptions(), processes: ProcessDirectory? = nil,
    interfaces: [String] = []
) -> AuditedCapture {
    let sink = CollectingSink()
    let result = audit(
        frames, options, sink: sink, examiner: nil, processes: processes, interfaces: interfaces)
    return AuditedCapture(result, exchanges: sink.exchanges, connections: sink.connections, of: frames)
}

/// Audits frames in the order given, for a receiver of records; `interfaces`: their names by number; `beforeEnd` is called when all frames are in.
public func audit(
    _ frames: [CapturedFrame], _ options: AuditOptions, sink: any AuditSink, examiner: (any BodyExaminer)?,
    processes: ProcessDirectory? = nil, interfaces: [String] = [], beforeEnd: () -> Void = {}
) -> AuditResult {
    var auditor = Auditor(options: options, sink: sink, examiner: examiner, processes: processes)
    let file = auditor.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
    for (number, name) in interfaces.enumerated() { auditor.addInterface(number, name: Array(name.utf8)) }
    for (index, frame) in frames.enumerated() {
        unsafe auditor.consume(frame.facts(number: index + 1), frame.bytes.span.bytes, file: file)
    }
    beforeEnd()
    return auditor.finish()
}
