/// The requests of one connection, as the trace of one endpoint tells them. Who wrote it may stand behind the events.
struct QLogTrace {
    /// Streams of which something is kept.
    static let streamLimit = 262_144

    var vantagePoint: [UInt8] = []
    var timeFormat: [UInt8] = []
    private(set) var streams: [QLogStream] = []
    private var localPort: UInt16 = 0
    private var remotePort: UInt16 = 0
    private var places: [Int: Int] = [:]
    /// Nanoseconds since the epoch to which times are added; nil: unknown.
    private var reference: Int64? = 0
    /// Time of the event before, nanoseconds behind the reference.
    private var previous: Int64 = 0

    var isServer: Bool { vantagePoint == Name.server }
    /// The vantage point is an endpoint, so that it is known which frames are requests.
    var isOfEndpoint: Bool { isServer || vantagePoint == Name.client }
    var clientPort: UInt16 { isServer ? remotePort : localPort }

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

    /// Takes an event; false where its stream is beyond the limit.
    mutating func receive(_ event: QLogEvent) -> Bool {
        let time = time(of: event)
        if QLogEvent.isStart(event.name) {
            func port(_ value: LogValue) -> UInt16? { value.number?.integer.flatMap { UInt16(exactly: $0) } }
            localPort = port(event.localPort) ?? localPort
            remotePort = port(event.remotePort) ?? remotePort
            return true
        }
        let isCreated = QLogEvent.isCreated(event.name)
        // Requests are on streams that the client opens in both directions (RFC 9000 §2.1).
        guard isCreated || QLogEvent.isParsed(event.name), event.isHeaders || event.isData,
            let stream = event.stream.number?.integer, stream >= 0, stream.isMultiple(of: 4)
        else { return true }
        guard let place = place(of: stream) else { return false }
        streams[place].receive(event, isCreated: isCreated, at: time)
        return true
    }

    private mutating func place(of stream: Int) -> Int? {
        if let place = places[stream] { return place }
        guard streams.count < QLogTrace.streamLimit else { return nil }
        places[stream] = streams.count
        streams.append(QLogStream())
        return streams.count - 1
    }

    /// Nanoseconds behind the reference; nil where the event has no time.
    private mutating func time(of event: QLogEvent) -> Int64? {
        guard let time = event.time.number?.scaled(by: 6).map({ Int64($0) }) else { return nil }
        guard timeFormat == Name.delta || timeFormat == Name.toPrevious else { return time }
        let (sum, overflow) = previous.addingReportingOverflow(time)
        if !overflow { previous = sum }
        return previous
    }

    /// Nanoseconds since the epoch; `Int64.min` where that is not known.
    func absolute(_ time: Int64?) -> Int64 {
        guard let time, let reference else { return .min }
        let (sum, overflow) = reference.addingReportingOverflow(time)
        return overflow || sum <= 0 ? .min : sum
    }

    private enum Name {
        static let client = Array("client".utf8)
        static let server = Array("server".utf8)
        static let delta = Array("delta".utf8)
        static let toPrevious = Array("relative_to_previous_event".utf8)
        static let beginOfTime = Array("1970-01-01T00:00:00.000Z".utf8)
    }
}

/// What frames told of a stream.
struct QLogStream {
    private var created = Message()
    private var parsed = Message()

    /// The frames of one endpoint.
    private struct Message {
        var fields: Int? = 0
        var content: Int? = 0
        var hasHead = false
        /// Nanoseconds behind the trace's reference.
        var first: Int64?
        var last: Int64?
        var method: [UInt8]?
        var authority: [UInt8]?
        var path: [UInt8]?
        var status: [UInt8]?

        mutating func add(_ event: QLogEvent, at time: Int64?) {
            if event.isHeaders {
                hasHead = true
                QLogStream.add(event.payload, to: &fields)
            } else {
                QLogStream.add(event.payload, to: &content)
            }
            first = first ?? time
            last = time ?? last
            method = method ?? event.method
            authority = authority ?? event.authority
            path = path ?? event.path
            // The last is the final response's.
            status = event.status ?? status
        }

        func fill(_ bytes: inout LoggedBytes) {
            bytes.headers = fields
            bytes.body = content
            if let fields, let content { bytes.total = fields + content }
        }

        var hasSize: Bool { fields != nil && content != nil }
    }

    mutating func receive(_ event: QLogEvent, isCreated: Bool, at time: Int64?) {
        if isCreated { created.add(event, at: time) } else { parsed.add(event, at: time) }
    }

    /// Fills a row; false where there is no request.
    func fill(_ row: inout LogRow, of trace: QLogTrace, _ builder: LogBuilder) -> Bool {
        let (request, response) = trace.isServer ? (parsed, created) : (created, parsed)
        guard request.hasHead, let authority = request.authority, let path = request.path, !authority.isEmpty else {
            builder.note("streams without a request's fields are no rows", row: row.number)
            return false
        }
        row.host = builder.host(authority, ":authority", row: row.number)
        row.serverPort = LogURL.hostAndPort(authority).1
        row.path = builder.number(path, ":path", row: row.number)
        row.method = builder.method(request.method.map { .text($0) } ?? .absent, row: row.number)
        row.status = builder.status(response.status.map { .text($0) } ?? .absent, ":status", row: row.number)
        row.time = trace.absolute(request.first)
        row.end = trace.absolute(response.last)
        request.fill(&row.up)
        if response.hasHead { response.fill(&row.down) }
        if !request.hasSize || !response.hasSize {
            builder.note("frames without a length leave messages without a size", row: row.number)
        }
        return true
    }

    private static func add(_ value: LogValue, to sum: inout Int?) {
        guard let before = sum, let count = value.number?.integer, 0...LogBuilder.sizeLimit ~= count,
            before + count <= LogBuilder.sizeLimit
        else {
            sum = nil
            return
        }
        sum = before + count
    }
}
