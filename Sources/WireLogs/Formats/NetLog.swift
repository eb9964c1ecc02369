/// Reads a NetLog of Chromium (net/log/net_log_event_type_list.h): one row for each transaction that used the network,
/// each hop of a redirection as its own. Numbers of events and sources are those that the file's own constants name.
///
/// Chromium gives the text of heads, and bodies before and after they were decoded. So a row of HTTP/1 has its head and
/// its body, and one of HTTP/2 or HTTP/3 only its body: what fields cost after compression is in no event. Values that
/// the log hides are counted with the length that it names for them.
struct NetLog {
    private var reader: JSONReader
    private let builder: LogBuilder
    private var constants = NetLogConstants()
    private var requests: [Int: NetLogRequest] = [:]
    /// Of the URLs of open requests.
    private var openBytes = 0
    private var routes: NetLogRoutes
    /// The list of events was met.
    private(set) var hasEvents = false
    /// Rows so far.
    private var count = 0

    /// Requests that are open at one time.
    static let openLimit = 65_536

    init(_ reader: JSONReader, _ builder: LogBuilder) {
        self.reader = reader
        self.builder = builder
        routes = NetLogRoutes(limit: 4 * NetLog.openLimit)
    }

    /// Whether a member of the outermost object's members tells that it is a NetLog.
    static func isCharacteristic(_ key: [UInt8], depth: Int) -> Bool {
        depth == 2 && (key == NetLogConstants.Name.events || key == NetLogConstants.Name.sources)
    }

    /// Throws where the JSON goes wrong; the requests before are read.
    mutating func read() throws(JSONError) {
        defer { finish() }
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.constants: try constants.read(&reader)
            case Name.events where try reader.isArrayNext():
                hasEvents = true
                try reader.beginArray()
                var isFirst = true
                while try reader.enterElement() {
                    if isFirst, !constants.isUsable {
                        builder.note("events before the constants that name them", row: nil)
                    }
                    isFirst = false
                    receive(try readEvent())
                }
            default: try reader.skipValue()
            }
        }
        _ = try reader.advance()
    }

    // MARK: Events

    private mutating func readEvent() throws(JSONError) -> NetLogEvent {
        var event = NetLogEvent()
        while try reader.advance() == .key {
            switch reader.text {
            case Name.params: try event.params.read(&reader)
            case Name.phase: event.phase = try reader.readValue().number?.integer ?? 0
            case Name.time: event.time = try reader.readValue()
            case Name.type: event.type = try reader.readValue().number?.integer ?? -1
            case Name.source where try reader.enterObject():
                while try reader.advance() == .key {
                    if reader.text == Name.id {
                        event.source = try reader.readValue().number?.integer ?? -1
                    } else {
                        try reader.skipValue()
                    }
                }
            case Name.source: break
            default: try reader.skipValue()
            }
        }
        return event
    }

    private mutating func receive(_ event: NetLogEvent) {
        guard event.source >= 0, let kind = constants.kind(event.type) else { return }
        if routes.receive(event, kind) { return }
        let isBegin = event.phase == constants.beginPhase
        let isEnd = event.phase == constants.endPhase
        if kind == .startJob, isBegin {
            open(NetLogRequest(event.source, event.params))
            return
        }
        guard var request = requests[event.source] else { return }
        requests[event.source] = nil
        if kind == .alive {
            if isEnd {
                openBytes -= request.urlBytes
                return add(request, isWhole: true)
            }
        } else if kind == .sendRequest, isBegin {
            // The same request again, such as with credentials.
            if request.isSent {
                add(request, isWhole: true)
                request = NetLogRequest(again: request)
            }
            request.begin(at: event.time)
        } else {
            request.receive(event, kind, isEnd: isEnd)
        }
        requests[event.source] = request
    }

    /// Ends the request before it of the same source, which it follows as the next hop.
    private mutating func open(_ request: NetLogRequest) {
        if let before = requests.removeValue(forKey: request.source) {
            openBytes -= before.urlBytes
            add(before, isWhole: true)
        }
        guard requests.count < NetLog.openLimit else {
            builder.note("requests beyond \(NetLog.openLimit) open ones are not read", row: nil)
            return
        }
        guard openBytes <= builder.textBudget - request.urlBytes else { return builder.noteBeyondBudget(row: nil) }
        openBytes += request.urlBytes
        requests[request.source] = request
    }

    /// Requests that the log does not tell the end of.
    private mutating func finish() {
        for request in requests.values.sorted(by: { $0.source < $1.source }) { add(request, isWhole: false) }
        requests = [:]
    }

    // MARK: Rows

    private mutating func add(_ request: NetLogRequest, isWhole: Bool) {
        guard request.isSent else {
            if isWhole, request.url.text != nil {
                builder.note("requests that never used the network are not on the wire", row: nil)
            }
            return
        }
        count += 1
        var row = LogRow(kind: .exchange, number: count)
        guard let url = request.url.text, builder.setURL(url, "url", of: &row) else {
            builder.reject("a request has no URL with a host", row: count)
            return
        }
        row.method = builder.method(request.method, row: count)
        row.status = builder.status(request.status, "status", row: count)
        row.clientPort = routes.port(of: request.job) ?? 0
        row.time = constants.time(request.start) ?? .min
        row.end = constants.time(request.last) ?? .min
        request.setSizes(&row, isWhole: isWhole, constants, builder)
        if row.time == .min { builder.note("has no time that fits the constants", column: "time", row: count) }
        builder.append(row, unit: row.anyTime == .min ? .none : .milliseconds, written: row.anyTime)
    }

    private enum Name {
        static let constants = Array("constants".utf8)
        static let events = Array("events".utf8)
        static let params = Array("params".utf8)
        static let phase = Array("phase".utf8)
        static let source = Array("source".utf8)
        static let time = Array("time".utf8)
        static let type = Array("type".utf8)
        static let id = Array("id".utf8)
    }
}
