/// The requests of one connection, as the trace of one endpoint tells them. Who wrote it may stand behind the events.
struct QLogTrace {
    /// Streams of which something is kept.
    static let streamLimit = 262_144

    var vantagePoint: [UInt8] = []
    var timeFormat: [UInt8] = []
    private(set) var streams: [QLogStream] = []
    /// Of the names of all requests.
    private(set) var nameBytes = 0
    private var localPort: UInt16 = 0
    private var remotePort: UInt16 = 0
    private var places: [Int: Int] = [:]
    private var ends: [Int: QLogStreamEnds] = [:]
    /// Records of the trace could not be read.
    var lacksRecords = false
    /// Nanoseconds since the epoch to which times are added; nil: unknown.
    private var reference: Int64? = 0
    /// The sum of the times of all events so far.
    private var sum: Int64 = 0

    var isServer: Bool { vantagePoint == Name.server }
    /// The vantage point is an endpoint, so that it is known which frames are requests.
    var isOfEndpoint: Bool { isServer || vantagePoint == Name.client }
    var clientPort: UInt16 { isServer ? remotePort : localPort }

    /// Who wrote the trace. Where it does not say so, as one that ends before it would, its requests do: a client makes
    /// them, and a server reads them (RFC 9114 §4.1).
    mutating func inferVantagePoint() {
        guard vantagePoint.isEmpty || vantagePoint == Name.unknown else { return }
        let (makes, reads) = (streams.contains(where: \.makesRequest), streams.contains(where: \.readsRequest))
        if makes != reads { vantagePoint = makes ? Name.client : Name.server }
    }

    mutating func setReference(_ value: LogValue) {
        if let number = value.number {
            reference = number.scaled(by: 6).map { Int64($0) }
        } else if value.text == Name.beginOfTime {
            reference = 0
        } else {
            // "unknown" where the clock is monotonic.
            reference = (try? LogTime(value))?.time
        }
    }

    /// The time of day at which a monotonic clock began.
    mutating func setWallClock(_ value: LogValue) {
        if let time = (try? LogTime(value))?.time { reference = time }
    }

    /// Packets tell which streams came to their end.
    var tellsEnds: Bool { !ends.isEmpty }

    /// What packets tell of a stream's directions.
    func ends(of stream: Int) -> QLogStreamEnds { ends[stream] ?? QLogStreamEnds() }

    /// Takes an event; false where its stream is beyond the limit.
    mutating func receive(_ event: QLogEvent) -> Bool {
        let time = time(of: event)
        if QLogEvent.isStart(event.name) {
            func port(_ value: LogValue) -> UInt16? { value.number?.integer.flatMap { UInt16(exactly: $0) } }
            localPort = port(event.localPort) ?? localPort
            remotePort = port(event.remotePort) ?? remotePort
            return true
        }
        if !event.streamFrames.isEmpty { return receivePacket(event) }
        let isCreated = QLogEvent.isCreated(event.name)
        // Requests are on streams that the client opens in both directions (RFC 9000 §2.1).
        guard isCreated || QLogEvent.isParsed(event.name), event.isHeaders || event.isData,
            let stream = event.stream.number?.integer, stream >= 0, stream.isMultiple(of: 4)
        else { return true }
        guard let place = place(of: stream) else { return false }
        nameBytes += event.nameBytes
        streams[place].receive(event, isCreated: isCreated, at: time)
        return true
    }

    private mutating func receivePacket(_ event: QLogEvent) -> Bool {
        let isSent = QLogEvent.isPacketSent(event.name)
        guard isSent || QLogEvent.isPacketReceived(event.name) else { return true }
        var isRead = true
        for frame in event.streamFrames {
            guard ends[frame.stream] != nil || ends.count < QLogTrace.streamLimit else {
                isRead = false
                continue
            }
            if isSent {
                ends[frame.stream, default: QLogStreamEnds()].sent.add(frame)
            } else {
                ends[frame.stream, default: QLogStreamEnds()].received.add(frame)
            }
        }
        return isRead
    }

    private mutating func place(of stream: Int) -> Int? {
        if let place = places[stream] { return place }
        guard streams.count < QLogTrace.streamLimit else { return nil }
        places[stream] = streams.count
        streams.append(QLogStream(number: stream))
        return streams.count - 1
    }

    /// Nil where the event has no time.
    private mutating func time(of event: QLogEvent) -> QLogTime? {
        guard let time = event.time.number?.scaled(by: 6).map({ Int64($0) }) else { return nil }
        let (next, overflow) = sum.addingReportingOverflow(time)
        if !overflow { sum = next }
        return QLogTime(written: time, summed: sum)
    }

    /// Nanoseconds since the epoch; `Int64.min` where that is not known.
    func absolute(_ time: QLogTime?) -> Int64 {
        guard let time, let reference else { return .min }
        let isDifference = timeFormat == Name.delta || timeFormat == Name.toPrevious
        let (sum, overflow) = reference.addingReportingOverflow(isDifference ? time.summed : time.written)
        return overflow || sum <= 0 ? .min : sum
    }

    private enum Name {
        static let client = Array("client".utf8)
        static let server = Array("server".utf8)
        static let unknown = Array("unknown".utf8)
        static let delta = Array("delta".utf8)
        static let toPrevious = Array("relative_to_previous_event".utf8)
        static let beginOfTime = Array("1970-01-01T00:00:00.000Z".utf8)
    }
}

/// A time of an event, nanoseconds behind the trace's reference: which of both it is, the trace may say behind its
/// events.
struct QLogTime {
    /// As it is written.
    let written: Int64
    /// With the times of all events before it: each is written as the difference to the one before.
    let summed: Int64
}

/// The ends of a stream, of what the trace's writer sent and of what it received.
struct QLogStreamEnds {
    var sent = QLogStreamEnd()
    var received = QLogStreamEnd()
}
