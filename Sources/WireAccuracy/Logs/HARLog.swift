/// Reads HAR 1.2: the entries of a log, one exchange each. Everything else in the file, bodies first of all, is passed
/// over without being kept.
struct HARLog {
    private var reader: JSONReader
    private let builder: LogBuilder
    private var count = 0
    /// The log's list of entries was met.
    private(set) var hasEntries = false
    /// Some `connection` can be no client port, so that they are numbers of the writer's own.
    private var connectionsAreNumbers = false

    init(_ reader: JSONReader, _ builder: LogBuilder) {
        self.reader = reader
        self.builder = builder
    }

    /// Throws where the JSON goes wrong; the entries before are read.
    mutating func read() throws(JSONError) {
        defer { applyWriter() }
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            if reader.text == Name.log { try readLog() } else { try reader.skipValue() }
        }
        // What follows the value is an error.
        _ = try reader.advance()
    }

    private mutating func readLog() throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            if reader.text == Name.entries, try reader.isArrayNext() {
                try readEntries()
            } else if reader.text == Name.creator {
                try readCreator()
            } else {
                try reader.skipValue()
            }
        }
    }

    private mutating func readCreator() throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            if reader.text == Name.name {
                builder.setWriter(HARWriter(try reader.readValue().text ?? []))
            } else {
                try reader.skipValue()
            }
        }
    }

    /// Reads what the entries say as their writer means it, who may be named behind them.
    private func applyWriter() {
        let writer = builder.log.writer
        // Their `connection` is a number of their own, and Firefox's the server's port.
        if connectionsAreNumbers || writer != .other { builder.change(from: 0) { $0.clientPort = 0 } }
        guard writer == .firefox else { return }
        builder.change(from: 0) { row in
            guard let transferred = row.down.body else { return }
            row.down.total = transferred
            row.down.body = row.down.headers.flatMap { $0 <= transferred ? transferred - $0 : nil }
        }
    }

    private mutating func readEntries() throws(JSONError) {
        hasEntries = true
        _ = try reader.advance()
        while true {
            switch try reader.advance() {
            case .beginObject:
                count += 1
                add(try readEntry())
            case .endArray, .end: return
            case .beginArray:
                try reader.skipContainer()
                fallthrough
            default:
                count += 1
                builder.reject("an entry is not a JSON object", row: count)
            }
        }
    }

    // MARK: Entries

    private struct Entry {
        var started = LogValue.absent
        var time = LogValue.absent
        var connection = LogValue.absent
        var isFromCache = false
        var url = LogValue.absent
        var method = LogValue.absent
        var status = LogValue.absent
        var contentSize = LogValue.absent
        var transferSize = LogValue.absent
        var requestHeaders = LogValue.absent
        var requestBody = LogValue.absent
        var responseHeaders = LogValue.absent
        var responseBody = LogValue.absent
        /// What of the time passed before the request was sent, milliseconds.
        var blocked = LogValue.absent
        var dns = LogValue.absent
        var connect = LogValue.absent
    }

    private mutating func readEntry() throws(JSONError) -> Entry {
        var entry = Entry()
        while try reader.advance() == .key {
            switch reader.text {
            case Name.started: entry.started = try reader.readValue()
            case Name.time: entry.time = try reader.readValue()
            case Name.connection: entry.connection = try reader.readValue()
            case Name.fromCache:
                let value = try reader.readValue()
                entry.isFromCache = !value.isNothing && value != .boolean(false)
            case Name.request: try readRequest(&entry)
            case Name.response: try readResponse(&entry)
            case Name.timings: try readTimings(&entry)
            default: try reader.skipValue()
            }
        }
        return entry
    }

    private mutating func readRequest(_ entry: inout Entry) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.url: entry.url = try reader.readValue()
            case Name.method: entry.method = try reader.readValue()
            case Name.headersSize: entry.requestHeaders = try reader.readValue()
            case Name.bodySize: entry.requestBody = try reader.readValue()
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readResponse(_ entry: inout Entry) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.status: entry.status = try reader.readValue()
            case Name.headersSize: entry.responseHeaders = try reader.readValue()
            case Name.bodySize: entry.responseBody = try reader.readValue()
            case Name.transferSize: entry.transferSize = try reader.readValue()
            case Name.content:
                guard try reader.enterObject() else { continue }
                while try reader.advance() == .key {
                    if reader.text == Name.size {
                        entry.contentSize = try reader.readValue()
                    } else {
                        try reader.skipValue()
                    }
                }
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readTimings(_ entry: inout Entry) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.blocked: entry.blocked = try reader.readValue()
            case Name.dns: entry.dns = try reader.readValue()
            case Name.connect: entry.connect = try reader.readValue()
            default: try reader.skipValue()
            }
        }
    }

    // MARK: Rows

    private static let wireSchemes: Set<[UInt8]> = Set(["http", "https", "ws", "wss"].map { Array($0.utf8) })

    private mutating func add(_ entry: Entry) {
        guard let text = entry.url.text, !text.isEmpty else {
            builder.reject("an entry has no URL", row: count)
            return
        }
        let scheme = text.prefix { $0 != 0x3A }.map(\.lowercased)
        if scheme.count < text.count, !HARLog.wireSchemes.contains(scheme) {
            builder.note("entries with schemes other than http and https are not on the wire", row: count)
            return
        }
        var row = LogRow(kind: .exchange, number: count)
        guard builder.setURL(text, "request.url", of: &row) else {
            builder.reject("an entry has no URL with a host", row: count)
            return
        }
        row.method = builder.method(entry.method, row: count)
        row.status = builder.status(entry.status, "response.status", row: count)
        setBytes(entry, &row)
        if isFromCache(entry, row) {
            builder.note("entries answered from the cache are not on the wire", row: count)
            return
        }
        setConnection(entry.connection, LogURL(text), &row)
        let started = setTimes(entry, &row)
        builder.append(row, unit: started?.unit ?? .none, written: started?.time)
    }

    private func isFromCache(_ entry: Entry, _ row: LogRow) -> Bool {
        if entry.isFromCache { return true }
        let hasBody = (row.down.body ?? 0) > 0
        return entry.transferSize.number?.integer == 0 && !hasBody && row.status >= 100 && row.status != 304
    }

    private func setBytes(_ entry: Entry, _ row: inout LogRow) {
        func size(_ value: LogValue, _ name: String) -> Int? {
            builder.size(value, name, row: row.number, minusOneIsUnknown: true)
        }
        row.up.headers = size(entry.requestHeaders, "request.headersSize")
        row.up.body = size(entry.requestBody, "request.bodySize")
        row.up.total = sum(row.up)
        row.down.headers = size(entry.responseHeaders, "response.headersSize")
        row.down.body = size(entry.responseBody, "response.bodySize")
        row.down.decodedBody = size(entry.contentSize, "response.content.size")
        row.down.total = sum(row.down)
        guard let transferred = size(entry.transferSize, "response._transferSize"), transferred > 0 else { return }
        if let total = row.down.total, total > transferred + 1 {
            builder.note("headersSize and bodySize are more than _transferSize", row: row.number)
        }
        row.down.total = transferred
    }

    private func sum(_ bytes: LoggedBytes) -> Int? {
        guard let headers = bytes.headers, let body = bytes.body else { return nil }
        return headers + body
    }

    /// HAR says that `connection` is the client's or server's port, or any other mark of a connection.
    private mutating func setConnection(_ value: LogValue, _ url: LogURL?, _ row: inout LogRow) {
        guard let url, let number = value.number?.integer else { return }
        let standard = url.scheme.last == 0x73 ? 443 : 80
        guard number != (url.port == 0 ? standard : Int(url.port)) else { return }
        if let port = UInt16(exactly: number), port >= 1024 {
            row.clientPort = port
        } else {
            connectionsAreNumbers = true
        }
    }

    /// The exchange begins when its request is sent, and ends with the entry. Returns the entry's own time.
    private func setTimes(_ entry: Entry, _ row: inout LogRow) -> LogTime? {
        guard let started = builder.time(entry.started, "startedDateTime", row: row.number) else { return nil }
        row.time = started.time
        guard let time = entry.time.number, !time.isNegative else { return started }
        let duration = time.scaled(by: 6).map { Int64($0) } ?? .max
        let (end, overflow) = started.time.addingReportingOverflow(duration)
        guard !overflow, duration < HARLog.longestEntry else {
            builder.note("is implausibly large", column: "time", row: row.number)
            return started
        }
        row.end = end
        let before = [entry.blocked, entry.dns, entry.connect].reduce(Int64(0)) { sum, value in
            sum + max(0, min(value.number?.scaled(by: 6).map { Int64($0) } ?? 0, HARLog.longestEntry))
        }
        if before <= duration { row.time = started.time + before }
        return started
    }

    /// A month, nanoseconds.
    private static let longestEntry: Int64 = 30 * 86_400 * 1_000_000_000

    private enum Name {
        static let log = Array("log".utf8)
        static let entries = Array("entries".utf8)
        static let creator = Array("creator".utf8)
        static let name = Array("name".utf8)
        static let started = Array("startedDateTime".utf8)
        static let time = Array("time".utf8)
        static let connection = Array("connection".utf8)
        static let fromCache = Array("_fromCache".utf8)
        static let request = Array("request".utf8)
        static let response = Array("response".utf8)
        static let timings = Array("timings".utf8)
        static let url = Array("url".utf8)
        static let method = Array("method".utf8)
        static let status = Array("status".utf8)
        static let headersSize = Array("headersSize".utf8)
        static let bodySize = Array("bodySize".utf8)
        static let transferSize = Array("_transferSize".utf8)
        static let content = Array("content".utf8)
        static let size = Array("size".utf8)
        static let blocked = Array("blocked".utf8)
        static let dns = Array("dns".utf8)
        static let connect = Array("connect".utf8)
    }
}

extension JSONReader {
    /// Begins the object that follows a key; false where something else follows, which is passed over.
    mutating func enterObject() throws(JSONError) -> Bool {
        switch try advance() {
        case .beginObject: return true
        case .beginArray: try skipContainer()
        default: break
        }
        return false
    }
}
