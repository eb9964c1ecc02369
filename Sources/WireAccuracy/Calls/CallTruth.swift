import WireCore
import WireEstimates
import WireLogs

/// What one direction of an exchange really cost.
struct DirectionTruth: Sendable {
    /// start line + headers + framing + body.
    var message: Int
    /// What the user pays for: `message` and all that lies below.
    var wire: Int
    /// By how much the message alone falls short of the wire, by cause: sums to message − wire.
    var transport: CauseLedger
    /// Opening and closing of the connection, with name resolution: part of `wire`.
    var setup: Int { -(transport[.handshake] &+ transport[.dns]) }
    /// The part of `message` that is the body with its framing.
    var body: Int
    /// The message came to its end.
    var isComplete: Bool
    /// `message` with the TLS records around it; nil where TLS did not carry it.
    var encrypted: Int?
    /// When the exchange began, nanoseconds since the epoch.
    var time: Int64 = 0

    /// Calls like this are compared apart from completed ones: the message was cut off, or the source recorded the call
    /// as failed.
    func isFailed(_ causes: CauseLedger) -> Bool { !isComplete || causes[.failure] != 0 }

    /// - Parameters:
    ///   - frames: of a message in frames; without them all framing is the body's.
    ///   - isComplete: false of a message that was cut off, or that never came.
    ///   - withLink: link and tunnel headers count as wire bytes.
    ///   - withOffload: so do the headers that segmentation offload hid.
    init(
        _ costs: CostVector, frames: FrameHeaderBytes? = nil, isComplete: Bool = true, withLink: Bool, withOffload: Bool
    ) {
        message = costs.message
        self.isComplete = isComplete
        let bodyFrames = frames.map { min($0.dataFrames, costs[.framing]) }
        body = costs[.body] + (bodyFrames ?? costs[.framing])
        encrypted = costs[.tlsRecords] > 0 ? costs.message + costs[.tlsRecords] : nil
        transport = CauseLedger()
        transport[.tlsRecords] = -costs[.tlsRecords]
        transport[.tcpip] = -(costs[.tcpip] + costs[.quic])
        transport[.handshake] = -(costs.setup - costs[.setupDNS] + costs[.teardown])
        transport[.acknowledgments] = -(costs[.ack] + costs[.keepalive])
        transport[.retransmission] = -costs[.retransmission]
        transport[.dns] = -costs[.setupDNS]
        transport[.tunnel] = -costs[.opaque]
        if withLink { transport[.link] = -costs.link }
        if withOffload { transport[.offload] = -costs.offloadHidden }
        wire = message - transport.sum
    }
}

/// Both directions of an exchange: `up` carried the request.
struct CallTruth: Sendable {
    var up: DirectionTruth
    var down: DirectionTruth

    init(_ record: ExchangeRecord, _ options: AccuracyOptions) {
        up = DirectionTruth(
            record.requestCosts, frames: record.request?.frames, isComplete: record.request?.complete == true,
            withLink: options.countsLinkBytes, withOffload: options.undoesOffload)
        down = DirectionTruth(
            record.responseCosts, frames: record.response?.frames, isComplete: record.response?.complete == true,
            withLink: options.countsLinkBytes, withOffload: options.undoesOffload)
        (up.time, down.time) = (record.time, record.time)
    }

    subscript(direction: Direction) -> DirectionTruth { direction == .up ? up : down }
}

/// Choices of an accuracy report.
public struct AccuracyOptions: Sendable {
    /// Link and tunnel headers are part of the wire's truth.
    public var countsLinkBytes = false
    /// Packet headers that segmentation offload hid are part of the wire's truth (inferred).
    public var undoesOffload = false
    /// Compress bodies again as SDKs do.
    public var recompresses = true
    /// Threads that may be used.
    public var jobs = 1
    /// Seed of the bootstrap and of the sample of calls.
    public var seed: UInt64 = 2026
    public var content = ContentLimits()
    /// Names the APIs of rows whose calls were not read.
    package var apiNames = PathTemplate()
    /// The row of the logs whose bounds are explained; nil: none.
    public var explainedRow: Int?
    /// Exchanges of which the heads are kept for logs; of further ones errors are not told by cause.
    public var headLimit = 1_000_000
    /// Records that are sorted at one time; one that ends later than that many others comes late.
    public var sortedRecords = 16_384

    public init() {}
}

extension ExchangeRecord {
    /// Why the exchange cannot count for accuracy; nil where it counts (ByteLedger.md §6.5).
    var reasonLeftOut: String? {
        if flags.contains(.gap) { return "gap" }
        if flags.contains(.snapped) { return "snapped" }
        if flags.contains(.noStart) { return "no-start" }
        if flags.contains(.noEnd) { return "no-end" }
        if flags.contains(.noRequest) || request == nil { return "no-request" }
        if isOnServerStream { return "pushed" }
        // A stream that the server refused or that was cancelled: frames, but no message.
        if response == nil, stream != nil, responseCosts[.headers] == 0, responseCosts.message > 0 {
            return "no-response"
        }
        if hasUnreadFields(request, requestHead) || hasUnreadFields(response, responseHead) { return "unread-fields" }
        // What an SDK makes of half a head nobody can say.
        if requestHead == nil || (response != nil && responseHead == nil) { return "cut-head" }
        // Interim responses without a final one.
        if response == nil, responseCosts.message > 0 { return "cut-head" }
        return nil
    }

    /// No app asked for what the server pushes, which has the even streams of HTTP/2 (RFC 9113 §5.1.1, §8.4), and in
    /// HTTP/3 all but every fourth one (RFC 9000 §2.1, RFC 9114 §4.6).
    private var isOnServerStream: Bool {
        guard let stream, stream > 0 else { return false }
        return transport == .quic ? !stream.isMultiple(of: 4) : stream.isMultiple(of: 2)
    }

    /// Compressed fields came whole but could not be decompressed.
    private func hasUnreadFields(_ facts: MessageFacts?, _ head: MessageHead?) -> Bool {
        head == nil && facts?.isInFrames == true && facts?.complete == true
    }
}
