/// What frames of HTTP/3 told of a stream.
struct QLogStream {
    let number: Int
    private var created = QLogMessage()
    private var parsed = QLogMessage()

    init(number: Int) { self.number = number }

    /// The trace's writer made the fields of a request.
    var makesRequest: Bool { created.method != nil }
    /// The trace's writer read them.
    var readsRequest: Bool { parsed.method != nil }

    mutating func receive(_ event: QLogEvent, isCreated: Bool, at time: QLogTime?) {
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
        row.path = builder.path(path, ":path", row: row.number)
        row.method = builder.method(request.method.map { .text($0) } ?? .absent, row: row.number)
        row.status = builder.status(response.status.map { .text($0) } ?? .absent, ":status", row: row.number)
        row.time = trace.absolute(request.first)
        row.end = trace.absolute(response.last)
        setSizes(&row, request, response, of: trace, builder)
        return true
    }

    /// A message has a size where its end is known, and all of its frames have a length.
    private func setSizes(
        _ row: inout LogRow, _ request: QLogMessage, _ response: QLogMessage, of trace: QLogTrace, _ builder: LogBuilder
    ) {
        if request.isRepeated {
            builder.note("streams with two requests are of several connections, and have no sizes", row: row.number)
            return
        }
        if !request.hasSize || !response.hasSize {
            builder.note("frames without a length leave messages without a size", row: row.number)
        }
        let ends = trace.ends(of: number)
        let (up, down) = trace.isServer ? (ends.received, ends.sent) : (ends.sent, ends.received)
        if trace.tellsEnds ? isWhole(request, up, of: trace) : !trace.lacksRecords {
            request.fill(&row.up)
        } else {
            builder.note("requests whose end is not in the log have no size", row: row.number)
        }
        guard response.hasHead else { return }
        let isHEAD = request.method == QLogStream.head
        if trace.tellsEnds ? isWhole(response, down, of: trace) : response.hasAnnouncedContent(toHEAD: isHEAD) {
            response.fill(&row.down)
        } else {
            builder.note("responses whose end is not in the log have no size", row: row.number)
        }
    }

    /// Where records are lost, the frames must fill the stream.
    private func isWhole(_ message: QLogMessage, _ end: QLogStreamEnd, of trace: QLogTrace) -> Bool {
        end.isWhole && (!trace.lacksRecords || message.streamBytes == end.size)
    }

    private static let head = Array("HEAD".utf8)
}

/// The frames of one message.
struct QLogMessage {
    private var fields: Int? = 0
    private var content: Int? = 0
    /// With the headers of the frames.
    private(set) var streamBytes: Int? = 0
    private(set) var hasHead = false
    private(set) var first: QLogTime?
    private(set) var last: QLogTime?
    private(set) var method: [UInt8]?
    private(set) var authority: [UInt8]?
    private(set) var path: [UInt8]?
    private(set) var status: [UInt8]?
    private var contentLength = LogValue.absent
    /// There was a second request, which no stream can have.
    private(set) var isRepeated = false

    mutating func add(_ event: QLogEvent, at time: QLogTime?) {
        if event.isHeaders {
            hasHead = true
            event.payload.add(to: &fields)
            if event.method != nil, method != nil { isRepeated = true }
        } else {
            event.payload.add(to: &content)
        }
        addFrame(event.payload)
        first = first ?? time
        last = time ?? last
        method = method ?? event.method
        authority = authority ?? event.authority
        path = path ?? event.path
        // The last is the final response's.
        status = event.status ?? status
        if event.contentLength != .absent { contentLength = event.contentLength }
    }

    /// The content is as long as the message itself says, or there can be none.
    func hasAnnouncedContent(toHEAD: Bool) -> Bool {
        if toHEAD || status == QLogMessage.noContent || status == QLogMessage.notModified { return content == 0 }
        return content != nil && contentLength.number?.integer == content
    }

    func fill(_ bytes: inout LoggedBytes) {
        bytes.headers = fields
        bytes.body = content
        if let fields, let content { bytes.total = fields + content }
    }

    var hasSize: Bool { fields != nil && content != nil }

    /// The payload with the type, which has one byte, and the length before it (RFC 9114 §7.1).
    private mutating func addFrame(_ payload: LogValue) {
        payload.add(to: &streamBytes)
        guard let bytes = streamBytes, let length = payload.number?.integer else { return }
        streamBytes = bytes + 1 + (length < 1 << 6 ? 1 : length < 1 << 14 ? 2 : length < 1 << 30 ? 4 : 8)
    }

    private static let noContent = Array("204".utf8)
    private static let notModified = Array("304".utf8)
}
