/// Reads the lines of OkHttp's HttpLoggingInterceptor, from logcat or plain. A request and what follows it belong together
/// by their thread; where lines name none, by the URL, as far as only one request can be meant.
struct OkHttpLog {
    /// Longer lines are cut: those that are read begin with what counts.
    private static let lineLimit = 1 << 16
    private static let redacted = Array("%E2%96%88".utf8)

    private struct Call {
        var row: LogRow
        var figures = LogFigures()
        /// Its request ended without a word of a body.
        var hasBareEnd = false

        /// What a line says of the request's body; nil: its length is not known.
        mutating func setUp(_ size: Int?, _ definition: FigureDefinition) {
            row.up.total = size
            row.up.body = size
            figures.up = definition
        }
    }

    private var lines: LineReader
    private let builder: LogBuilder
    private var clock = LogLineClock()
    private var calls: [Call] = []
    /// Of each thread the requests whose own end, whose response and whose response's end are awaited, by place in `calls`.
    private var unsent: [UInt64: [Int]] = [:]
    private var unanswered: [UInt64: [Int]] = [:]
    private var unread: [UInt64: [Int]] = [:]
    private(set) var requests = 0

    /// Stands for lines without thread.
    private static let noThread = UInt64.max

    init(_ builder: LogBuilder, pieces: @escaping () -> [UInt8]?) {
        lines = LineReader(limit: OkHttpLog.lineLimit, pieces: pieces)
        self.builder = builder
    }

    mutating func read() {
        builder.coarsestResolution = 1_000_000
        var bytes: [UInt8] = []
        while lines.next(into: &bytes) {
            guard let line = OkHttpLine(bytes[...]) else { continue }
            let time = clock.time(Array(line.prefix)) ?? .min
            let thread = line.thread ?? OkHttpLog.noThread
            switch line.content {
            case .request(let method, let url, let measure): add(method, url, measure, thread, time)
            case .requestEnd(let method, let measure): endRequest(method, measure, thread)
            case .response(let status, let url, let measure): answer(status, url, measure, thread, time)
            case .responseEnd(let measure): endResponse(measure, thread, time)
            case .failure(let url):
                if let place = place(of: url, took: nil, thread, time) { calls[place].row.end = time }
            }
        }
        finish()
    }

    private mutating func finish() {
        cutRedactedQueries()
        for call in calls {
            let isTimed = call.row.time != .min
            builder.append(
                call.row, unit: isTimed ? .calendar : .none, written: isTimed ? call.row.time : nil,
                figures: call.figures)
        }
        if clock.hasNoYear { builder.note("times have no year: only their differences count", row: nil) }
        if clock.hasNoDate { builder.note("times have no date: only their differences count", row: nil) }
    }

    /// Values that the interceptor hides are no part of a URL: all calls are then known by path.
    private mutating func cutRedactedQueries() {
        func text(_ row: LogRow) -> [UInt8]? { row.path < 0 ? nil : builder.log.texts[row.path] }
        guard let first = calls.first(where: { text($0.row)?[...].firstRange(of: OkHttpLog.redacted) != nil }) else {
            return
        }
        builder.note("queries are redacted: calls are known by path", row: first.row.number)
        for index in calls.indices {
            guard let path = text(calls[index].row), path.contains(0x3F) else { continue }
            let cut = Array(path.prefix { $0 != 0x3F })
            calls[index].row.path = builder.number(cut, "URL", row: calls[index].row.number)
        }
    }

    // MARK: Lines

    private mutating func add(
        _ method: [UInt8], _ url: [UInt8], _ measure: OkHttpLine.Measure, _ thread: UInt64, _ time: Int64
    ) {
        requests += 1
        guard calls.count < builder.rowLimit else {
            return builder.noteIncomplete("rows beyond the limit log-rows are not read")
        }
        var call = Call(row: LogRow(kind: .exchange, number: lines.number))
        guard builder.setTarget(url, "URL", of: &call.row, records: "requests") else { return }
        call.row.method = builder.number(method, "method", row: lines.number)
        call.row.time = time
        if measure.tellsLength {
            call.setUp(measure.size, .basicBody)
        } else {
            unsent[thread, default: []].append(calls.count)
        }
        unanswered[thread, default: []].append(calls.count)
        calls.append(call)
    }

    private mutating func endRequest(_ method: [UInt8], _ measure: OkHttpLine.Measure, _ thread: UInt64) {
        guard let number = builder.log.texts.find(method) else { return }
        let places = (unsent[thread] ?? []).filter { calls[$0].row.method == number }
        // Without threads nothing tells two requests apart whose lines are mixed.
        guard let place = places.last, thread != OkHttpLog.noThread || places.count == 1 else {
            return unsent[thread, default: []].removeAll { places.contains($0) }
        }
        unsent[thread, default: []].removeAll { $0 == place }
        // Of a body that it decompressed the line has the decoded size only.
        if measure.tellsLength, measure.compressedSize == nil { calls[place].setUp(measure.size, .loggedBody) }
        calls[place].hasBareEnd = measure.isBare
    }

    private mutating func answer(
        _ status: Int16, _ url: [UInt8], _ measure: OkHttpLine.Measure, _ thread: UInt64, _ time: Int64
    ) {
        guard let place = place(of: url, took: measure.milliseconds, thread, time) else { return }
        calls[place].row.status = status
        guard measure.tellsLength else {
            unread[thread, default: []].append(place)
            return
        }
        // Level BASIC: a request whose line tells no length has no body.
        if calls[place].figures.up == nil { calls[place].setUp(0, .basicBody) }
        calls[place].row.down.total = measure.size
        calls[place].row.down.body = measure.size
        calls[place].figures.down = .basicBody
    }

    private mutating func endResponse(_ measure: OkHttpLine.Measure, _ thread: UInt64, _ time: Int64) {
        guard let places = unread[thread], let place = places.last else { return }
        guard thread != OkHttpLog.noThread || places.count == 1 else {
            unread[thread] = []
            return builder.note("ends of responses are mixed, and no thread tells them apart", row: lines.number)
        }
        unread[thread]?.removeLast()
        guard measure.tellsLength else { return }
        // Level BODY.
        if calls[place].figures.up == nil, calls[place].hasBareEnd { calls[place].setUp(0, .loggedBody) }
        calls[place].row.end = time
        calls[place].row.down.total = measure.size
        calls[place].row.down.body = measure.compressedSize ?? measure.size
        if measure.compressedSize != nil { calls[place].row.down.decodedBody = measure.size }
        calls[place].figures.down = .loggedBody
    }

    // MARK: Requests

    /// Takes the request that a response or a failure is of; nil, and that noted, where several may be meant.
    private mutating func place(
        of url: [UInt8]?, took milliseconds: Int?, _ thread: UInt64, _ time: Int64
    ) -> Int? {
        let open = unanswered[thread] ?? []
        var place = open.last
        if thread == OkHttpLog.noThread {
            let named = open.filter { isNamed(calls[$0].row, url) }
            place = named.count > 1 ? nearest(named, milliseconds, time) : named.first ?? redirected(open, url)
            if named.count > 1, place == nil { unanswered[thread]?.removeAll { named.contains($0) } }
        }
        guard let place else {
            builder.note("a response may be of several requests, or of none", row: lines.number)
            return nil
        }
        unanswered[thread]?.removeAll { $0 == place }
        unsent[thread]?.removeAll { $0 == place }
        return place
    }

    private func isNamed(_ row: LogRow, _ url: [UInt8]?) -> Bool {
        guard let url = url.flatMap({ LogURL($0) }) else { return false }
        return row.host == builder.log.texts.find(url.host) && row.path == builder.log.texts.find(url.target)
            && row.serverPort == url.port
    }

    /// A redirected call has the URL of its last response, which no request has. Without a URL only one open request can be
    /// meant.
    private func redirected(_ open: [Int], _ url: [UInt8]?) -> Int? {
        guard open.count == 1 else { return nil }
        guard let url = url.flatMap({ LogURL($0) }) else { return open[0] }
        return builder.log.texts.find(url.target) == nil ? open[0] : nil
    }

    /// Of requests for one URL the one that began as long ago as the response took; nil where the times do not tell.
    private func nearest(_ places: [Int], _ milliseconds: Int?, _ time: Int64) -> Int? {
        guard let milliseconds, milliseconds < 1_000_000_000, time != .min else { return nil }
        let start = LogTime.moved(time, by: -Int64(milliseconds) * 1_000_000)
        let distances = places.map { LogTime.distance(calls[$0].row.time, start) }
        guard let least = distances.min(), distances.count(where: { $0 - least <= OkHttpLog.doubt }) == 1 else {
            return nil
        }
        return distances.firstIndex(of: least).map { places[$0] }
    }

    /// Times that differ by no more do not tell requests apart, nanoseconds.
    private static let doubt: UInt64 = 5_000_000
}
