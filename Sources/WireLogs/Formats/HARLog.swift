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
    /// Places of rows without transferred bytes, as Chrome writes what came from its cache, and as Firefox does.
    private var cachedByChrome: Set<Int> = []
    private var cachedByFirefox: Set<Int> = []

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
        if writer == .chrome { return applyChrome() }
        // Only Chrome says what `_transferSize` is.
        builder.change(from: 0) { $0.down.total = HARLog.sum($0.down) }
        switch writer {
        case .firefox: applyFirefox()
        case .chucker: applyChucker()
        case .devTools: builder.change(from: 0) { HARLog.applyDevTools(&$0) }
        default: break
        }
    }

    /// Its sizes are never absent: -1 is the length of a request's body that is not known, which its sums add. Its time
    /// ends with the head of the response.
    private func applyChucker() {
        builder.change(from: 0) { row in
            row.end = .min
            if row.up.headers != nil, row.up.body == nil { row.up.body = -1 }
            row.up.total = HARLog.sum(row.up)
            if row.status == 0 { row.down = LoggedBytes() }
        }
    }

    /// Its heads have fields as lists of values in brackets, and neither start line; in place of a body that is no UTF-8
    /// it counts the words that it shows.
    private static func applyDevTools(_ row: inout LogRow) {
        func counted(_ body: Int?) -> LoggedBytes {
            var bytes = LoggedBytes()
            bytes.body = body == devToolsPlaceholder || row.status == 0 ? nil : body
            bytes.total = bytes.body
            return bytes
        }
        (row.up, row.down) = (counted(row.up.body), counted(row.down.body))
    }

    /// Length of `<binary data>`.
    private static let devToolsPlaceholder = 13

    private func applyChrome() {
        for row in builder.log.rows {
            guard let sum = HARLog.sum(row.down), let transferred = row.down.total, sum > transferred + 1 else {
                continue
            }
            builder.note("headersSize and bodySize are more than _transferSize", row: row.number)
        }
        builder.remove(cachedByChrome, HARLog.cacheNote)
    }

    /// Its `bodySize` is what was transferred, and 0 for a 304 of which it does not know that.
    private func applyFirefox() {
        builder.change(from: 0) { row in
            guard let transferred = row.down.body else { return }
            guard transferred > 0 || row.status != 304 else {
                row.down.body = nil
                row.down.total = nil
                return
            }
            row.down.total = transferred
            row.down.body = row.down.headers.flatMap { $0 <= transferred ? transferred - $0 : nil }
        }
        builder.remove(cachedByFirefox, HARLog.cacheNote)
    }

    private static let cacheNote = "entries answered from the cache are not on the wire"

    private mutating func readEntries() throws(JSONError) {
        hasEntries = true
        _ = try reader.advance()
        while true {
            switch try reader.advance() {
            case .beginObject:
                count += 1
                add(try HAREntry(&reader))
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

    // MARK: Rows

    private static let wireSchemes: Set<[UInt8]> = Set(["http", "https", "ws", "wss"].map { Array($0.utf8) })

    private mutating func add(_ entry: HAREntry) {
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
        if entry.isFromCache { return builder.note(HARLog.cacheNote, row: count) }
        setConnection(entry.connection, LogURL(text), &row)
        let started = setTimes(entry, &row)
        let place = builder.log.rows.count
        builder.append(row, unit: started?.unit ?? .none, written: started?.time)
        if builder.log.rows.count > place { markCached(entry, row, at: place) }
    }

    /// Remembers a row that one of the writers had from its cache.
    private mutating func markCached(_ entry: HAREntry, _ row: LogRow, at place: Int) {
        let isAnswer = row.status >= 100 && row.status != 304
        if isAnswer, entry.transferSize.number?.integer == 0, row.down.body ?? 0 == 0 { cachedByChrome.insert(place) }
        if entry.hasCacheEntry || isAnswer && row.down.body == 0 { cachedByFirefox.insert(place) }
    }

    private func setBytes(_ entry: HAREntry, _ row: inout LogRow) {
        func size(_ value: LogValue, _ name: String) -> Int? {
            builder.size(value, name, row: row.number, minusOneIsUnknown: true)
        }
        row.up.headers = size(entry.requestHeaders, "request.headersSize")
        row.up.body = size(entry.requestBody, "request.bodySize")
        row.up.total = HARLog.sum(row.up)
        row.down.headers = size(entry.responseHeaders, "response.headersSize")
        row.down.body = size(entry.responseBody, "response.bodySize")
        row.down.decodedBody = size(entry.contentSize, "response.content.size")
        row.down.total = HARLog.sum(row.down)
        if let transferred = size(entry.transferSize, "response._transferSize"), transferred > 0 {
            row.down.total = transferred
        }
    }

    private static func sum(_ bytes: LoggedBytes) -> Int? {
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
    private func setTimes(_ entry: HAREntry, _ row: inout LogRow) -> LogTime? {
        guard let started = builder.time(entry.started, "startedDateTime", row: row.number) else { return nil }
        row.time = started.time
        guard let time = entry.time.number, !time.isNegative else { return started }
        let duration = time.scaled(by: 6).map { Int64($0) } ?? .max
        let (end, overflow) = started.time.addingReportingOverflow(duration)
        guard !overflow, duration < HARLog.longestEntry else {
            builder.note("is implausibly large", column: "time", row: row.number)
            return started
        }
        let before = [entry.blocked, entry.dns, entry.connect].reduce(Int64(0)) { sum, value in
            sum + max(0, min(value.number?.scaled(by: 6).map { Int64($0) } ?? 0, HARLog.longestEntry))
        }
        if before <= duration { row.time = started.time + before }
        if !HARLog.lacksEnd(entry, after: duration - before, row) { row.end = end }
        return started
    }

    /// The entry has a response, and no time for it behind the one in which the request was sent: HAR has no unknown times,
    /// and 0 stands for them.
    private static func lacksEnd(_ entry: HAREntry, after duration: Int64, _ row: LogRow) -> Bool {
        guard row.status > 0, let wait = entry.wait.number, let receive = entry.receive.number,
            [wait, receive].allSatisfy({ $0.isNegative || $0.integer == 0 })
        else { return false }
        return duration <= entry.send.number?.scaled(by: 6).map { Int64($0) } ?? 0
    }

    /// A month, nanoseconds.
    private static let longestEntry: Int64 = 30 * 86_400 * 1_000_000_000

    private enum Name {
        static let log = Array("log".utf8)
        static let entries = Array("entries".utf8)
        static let creator = Array("creator".utf8)
        static let name = Array("name".utf8)
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
