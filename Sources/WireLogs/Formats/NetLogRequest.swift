/// What a NetLog tells of one transaction of a request.
struct NetLogRequest {
    let source: Int
    let url: LogValue
    let method: LogValue
    private(set) var start = LogValue.absent
    /// Of the last event that is of the transaction.
    private(set) var last = LogValue.absent
    private(set) var status = LogValue.absent
    /// The job that found its connection.
    private(set) var job = -1
    private(set) var isSent = false
    private var isInFrames = false
    private var requestHead: Int?
    private var responseHead: Int?
    private var upload: Int?
    /// An upload began whose length no event tells.
    private var hasUnknownUpload = false
    private var encoded = NetLogCount()
    private var decoded = NetLogCount()
    private var announcesContent = false
    private var isFiltered = false
    /// Some of the body came from the cache.
    private var readsCache = false
    private var isChunked = false

    init(_ source: Int, _ params: NetLogParameters) {
        self.source = source
        url = params.url
        method = params.method
    }

    /// What its URL takes while it is open.
    var urlBytes: Int { url.text?.count ?? 0 }

    /// The same request, sent once more.
    init(again request: NetLogRequest) {
        (source, url, method, job, upload) = (request.source, request.url, request.method, request.job, request.upload)
        hasUnknownUpload = request.hasUnknownUpload
        isChunked = request.isChunked
    }

    mutating func begin(at time: LogValue) {
        isSent = true
        (start, last) = (time, time)
    }

    mutating func receive(_ event: NetLogEvent, _ kind: NetLogConstants.Kind, isEnd: Bool) {
        let params = event.params
        switch kind {
        case .boundToJob: job = params.dependency
        case .upload where isEnd:
            upload = params.totalSize.number?.integer
            hasUnknownUpload = upload == nil
            if params.isChunked == .boolean(true) { isChunked = true }
        case .sendHead: requestHead = params.head.flatMap { head in params.line.map { $0 + head + 2 } }
        case .sendHTTP2Head, .sendHTTP3Head: isInFrames = true
        case .sendBody where params.isChunked != .boolean(true): upload = params.length.number?.integer ?? upload
        case .readHead:
            responseHead = params.head.map { $0 + 2 }
            announcesContent = params.announcesContent
            status = NetLogRequest.status(params.firstLine)
            last = event.time
        case .encodedBytes: encoded.add(params.byteCount)
        case .decodedBytes:
            decoded.add(params.byteCount)
            last = event.time
        case .filters: isFiltered = true
        case .cacheRead where isSent: readsCache = true
        case .readBody where isEnd: last = event.time
        default: break
        }
    }

    /// Fills the sizes of a row. Nothing is said of what the log does not tell.
    func setSizes(_ row: inout LogRow, isWhole: Bool, _ constants: NetLogConstants, _ builder: LogBuilder) {
        // Without an upload there is no body. A stream of unknown length has a size only in its chunks.
        let isUploadKnown = constants.tellsUploads && !isChunked && (upload != nil || !hasUnknownUpload)
        row.up.body = isUploadKnown ? NetLogRequest.size(upload ?? 0) : nil
        row.up.headers = isInFrames ? nil : NetLogRequest.size(requestHead)
        row.up.total = total(row.up)
        guard status != .absent else { return }
        row.down.headers = isInFrames ? nil : NetLogRequest.size(responseHead)
        if row.status == 304 || row.status == 204 || method.text == NetLogRequest.headMethod {
            row.down.body = 0
        } else if readsCache {
            builder.note("bodies that partly came from the cache have no size", row: row.number)
        } else if !isWhole {
            builder.note("responses whose end is not in the log have no size", row: row.number)
        } else if let (body, content) = bodySizes(constants) {
            (row.down.body, row.down.decodedBody) = (body, content)
        } else {
            builder.note("responses without byte counts have no size", row: row.number)
        }
        row.down.total = total(row.down)
    }

    /// Of a response that came to its end, before decoding and behind it. Without any count it had no content, unless its
    /// head announced some.
    private func bodySizes(_ constants: NetLogConstants) -> (body: Int, content: Int?)? {
        guard constants.tellsBytes else { return nil }
        if !encoded.isMet, !decoded.isMet { return announcesContent ? nil : (0, 0) }
        let counted = isFiltered || !decoded.isMet ? encoded : decoded
        guard counted.isMet, let size = counted.size else { return nil }
        return (size, isFiltered && !decoded.isMet ? nil : decoded.isMet ? decoded.size : size)
    }

    private static let headMethod = Array("HEAD".utf8)

    private func total(_ bytes: LoggedBytes) -> Int? {
        guard let body = bytes.body else { return nil }
        return isInFrames ? body : bytes.headers.map { $0 + body }
    }

    private static func size(_ value: Int?) -> Int? {
        guard let value, 0...LogBuilder.sizeLimit ~= value else { return nil }
        return value
    }

    /// Of a status line such as `HTTP/1.1 200 OK`.
    private static func status(_ line: [UInt8]) -> LogValue {
        guard let space = line.firstIndex(of: 0x20) else { return .null }
        var rest = line[space...].trimmingSpaces
        return rest.consumeNumber(upTo: 3).map { .number(DecimalNumber($0)) } ?? .null
    }
}

/// A sum of byte counts of events.
struct NetLogCount {
    /// There was such an event.
    private(set) var isMet = false
    /// Nil: an event does not tell its count, or they are too many.
    private(set) var size: Int? = 0

    mutating func add(_ value: LogValue) {
        isMet = true
        value.add(to: &size)
    }
}

/// The client's port of a request, by way of the job that found its connection and the socket, or the session of HTTP/2
/// on it.
struct NetLogRoutes {
    private let limit: Int
    /// Job to socket or session; session to socket.
    private var links: [Int: Int] = [:]
    /// Of sockets.
    private var ports: [Int: UInt16] = [:]

    init(limit: Int) { self.limit = limit }

    /// True where the event is of no request.
    mutating func receive(_ event: NetLogEvent, _ kind: NetLogConstants.Kind) -> Bool {
        switch kind {
        case .boundToSocket, .foundSession, .importedSession, .session:
            if event.params.dependency >= 0, links.count < limit { links[event.source] = event.params.dependency }
            return true
        case .connected:
            if ports.count < limit, let port = event.params.localAddress.text.map({ LogURL.hostAndPort($0).1 }),
                port > 0
            {
                ports[event.source] = port
            }
            return true
        default: return false
        }
    }

    func port(of job: Int) -> UInt16? {
        guard let first = links[job] else { return nil }
        if let port = ports[first] { return port }
        return links[first].flatMap { ports[$0] }
    }
}
