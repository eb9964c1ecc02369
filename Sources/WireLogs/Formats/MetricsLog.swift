/// Reads URLSessionTaskMetrics as JSON: any nesting of objects and arrays in which some objects have the six sizes of a
/// transaction. Each transaction that used the network is a row. What a transaction does not say itself (URL, method,
/// status) is taken from the objects around it.
struct MetricsLog {
    /// Objects deeper than this hold no transactions.
    private static let depthLimit = 16
    /// In Pulse's array of dates.
    private static let fetchStartPlace = 0, requestStartPlace = 7, responseEndPlace = 10

    private var reader: JSONReader
    private let builder: LogBuilder
    /// Transactions met, those that used no network too.
    private(set) var count = 0
    /// The text is a list without anything in it.
    private(set) var isEmptyList = false

    init(_ reader: JSONReader, _ builder: LogBuilder) {
        self.reader = reader
        self.builder = builder
    }

    /// Reads the one value of the text. Throws where the JSON goes wrong; the transactions before are read.
    mutating func readDocument() throws(JSONError) {
        try readValue(depth: 0)
        _ = try reader.advance()
    }

    /// Reads one value on each line; a line that is none is rejected.
    mutating func readLines() {
        while true {
            do throws(JSONError) {
                let before = count
                guard try readValue(depth: 0) else { return }
                if count == before { builder.reject("a line has no transaction", row: reader.line) }
            } catch {
                builder.rejectLine(error, of: &reader)
            }
        }
    }

    // MARK: Structure

    /// Reads a value of whatever kind; false at the end.
    @discardableResult
    private mutating func readValue(depth: Int) throws(JSONError) -> Bool {
        switch try reader.advance() {
        case .beginObject: try readObject(depth: depth)
        case .beginArray:
            var isEmpty = true
            while try readElement(depth: depth) { isEmpty = false }
            if depth == 0, isEmpty { isEmptyList = true }
        case .end: return false
        default: break
        }
        return true
    }

    /// False at the array's end.
    private mutating func readElement(depth: Int) throws(JSONError) -> Bool {
        switch try reader.advance() {
        case .endArray, .end: return false
        case .beginObject: try readObject(depth: depth + 1)
        case .beginArray:
            if depth < MetricsLog.depthLimit {
                while try readElement(depth: depth + 1) {}
            } else {
                try reader.skipContainer()
            }
        default: break
        }
        return true
    }

    /// What an object says of an exchange.
    private struct Facts {
        var values = [LogValue](repeating: .absent, count: MetricsNames.Field.allCases.count)

        subscript(field: MetricsNames.Field) -> LogValue {
            get { values[field.rawValue] }
            set { values[field.rawValue] = newValue }
        }

        var hasSizes: Bool {
            values[...MetricsNames.Field.responseBodyAfter.rawValue].contains { $0 != .absent }
        }

        /// Takes over what is not known yet.
        mutating func add(_ other: Facts, _ fields: [MetricsNames.Field]) {
            for field in fields where self[field].isNothing { self[field] = other[field] }
        }
    }

    private mutating func readObject(depth: Int) throws(JSONError) {
        guard depth < MetricsLog.depthLimit else { return try reader.skipContainer() }
        let firstRow = builder.log.rows.count
        let firstCount = count
        var facts = Facts()
        while try reader.advance() == .key {
            guard let field = MetricsNames.field(reader.text) else {
                try readValue(depth: depth + 1)
                continue
            }
            switch field {
            case .transferSize: try readSizes(&facts)
            case .timing: try readTiming(&facts)
            case .request: facts.add(try readMessage(field), [.url, .method])
            case .response: facts.add(try readMessage(field), [.url, .status])
            default: facts[field] = try reader.readValue()
            }
        }
        if count > firstCount {
            // An object around transactions: its sizes, if it has any, are their sums.
            complete(from: firstRow, with: facts)
        } else if facts.hasSizes {
            add(facts)
        }
    }

    /// Reads a request or response, which may be a URL only.
    private mutating func readMessage(_ field: MetricsNames.Field) throws(JSONError) -> Facts {
        var facts = Facts()
        switch try reader.advance() {
        case .beginObject:
            while try reader.advance() == .key {
                switch MetricsNames.field(reader.text) {
                case let field? where [.url, .method, .status].contains(field): facts[field] = try reader.readValue()
                default: try reader.skipValue()
                }
            }
        case .beginArray: try reader.skipContainer()
        case .string: facts[.url] = .text(reader.text)
        default: break
        }
        return facts
    }

    private mutating func readSizes(_ facts: inout Facts) throws(JSONError) {
        guard try reader.isArrayNext() else { return try readFields(&facts) }
        for (place, value) in try readArray().prefix(6).enumerated() { facts.values[place] = value }
    }

    private mutating func readTiming(_ facts: inout Facts) throws(JSONError) {
        guard try reader.isArrayNext() else { return try readFields(&facts) }
        let dates = try readArray()
        guard dates.count > MetricsLog.responseEndPlace else { return }
        facts[.fetchStart] = dates[MetricsLog.fetchStartPlace]
        facts[.requestStart] = dates[MetricsLog.requestStartPlace]
        facts[.responseEnd] = dates[MetricsLog.responseEndPlace]
    }

    /// Sizes or dates as an object with names.
    private mutating func readFields(_ facts: inout Facts) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            guard let field = MetricsNames.field(reader.text) else {
                try reader.skipValue()
                continue
            }
            facts[field] = try reader.readValue()
        }
    }

    /// The plain values of an array, the first few of them.
    private mutating func readArray() throws(JSONError) -> [LogValue] {
        var values: [LogValue] = []
        _ = try reader.advance()
        while true {
            var value = LogValue.null
            switch try reader.advance() {
            case .endArray, .end: return values
            case .beginObject, .beginArray:
                try reader.skipContainer()
                value = .structure
            case .number: value = DecimalNumber(reader.text[...]).map { .number($0) } ?? .structure
            case .string: value = .text(reader.text)
            default: break
            }
            if values.count < 16 { values.append(value) }
        }
    }

    // MARK: Rows

    private mutating func add(_ facts: Facts) {
        count += 1
        guard builder.usedNetwork(facts[.fetchType], row: count) else { return }
        var row = LogRow(kind: .exchange, number: count)
        setNames(facts, &row)
        func size(_ field: MetricsNames.Field) -> Int? {
            builder.size(facts[field], MetricsNames.name(field), row: count, minusOneIsUnknown: true)
        }
        row.up.headers = size(.requestHeader)
        row.up.body = size(.requestBody)
        row.up.decodedBody = size(.requestBodyBefore)
        row.down.headers = size(.responseHeader)
        row.down.body = size(.responseBody)
        row.down.decodedBody = size(.responseBodyAfter)
        if let headers = row.up.headers, let body = row.up.body { row.up.total = headers + body }
        if let headers = row.down.headers, let body = row.down.body { row.down.total = headers + body }
        row.clientPort = port(facts[.localPort])
        // A proxy listens on another port than the server that the URL names.
        if row.serverPort == 0, !facts[.remotePort].isNothing { row.serverPort = port(facts[.remotePort]) }
        let hasRequestStart = !facts[.requestStart].isNothing
        let start = builder.time(facts[hasRequestStart ? .requestStart : .fetchStart], "start date", row: count)
        let hasEnd = !facts[.responseEnd].isNothing
        let end = hasEnd ? builder.time(facts[.responseEnd], "response end date", row: count) : nil
        builder.append(row, start: start, end: end)
    }

    private func setNames(_ facts: Facts, _ row: inout LogRow) {
        if let url = facts[.url].text {
            _ = builder.setURL(url, "URL", of: &row)
        } else if let host = facts[.host].text, !host.isEmpty {
            row.host = builder.host(host, "host", row: row.number)
            row.path = facts[.path].text.map { builder.path($0, "path", row: row.number) } ?? -1
        }
        row.method = builder.method(facts[.method], row: row.number)
        row.status = builder.status(facts[.status], "status", row: row.number)
    }

    /// Gives rows what only an object around them says.
    private func complete(from place: Int, with facts: Facts) {
        var names = LogRow(kind: .exchange, number: count)
        setNames(facts, &names)
        // Texts beyond the budget are none.
        (names.host, names.path, names.method) = (max(names.host, -1), max(names.path, -1), max(names.method, -1))
        guard names.host >= 0 || names.method >= 0 || names.status != 0 else { return }
        let last = builder.log.rows.count - 1
        builder.change(from: place) { row in
            if row.host < 0 {
                row.host = names.host
                row.path = names.path
                row.isPlain = names.isPlain
                if row.serverPort == 0 { row.serverPort = names.serverPort }
            }
            if row.method < 0 { row.method = names.method }
        }
        // The task's status is that of its last transaction.
        guard last >= place else { return }
        builder.change(from: last) { if $0.status == 0 { $0.status = names.status } }
    }

    private func port(_ value: LogValue) -> UInt16 {
        value.number?.integer.flatMap { UInt16(exactly: $0) } ?? 0
    }

    /// Rows without host can be matched with nothing.
    func noteRowsWithoutHost() {
        for row in builder.log.rows where row.host < 0 {
            builder.note("rows have no URL", row: row.number)
        }
    }
}

extension LogBuilder {
    /// Whether a transaction of the system's metrics was on the wire (URLSessionTaskMetrics.ResourceFetchType).
    func usedNetwork(_ type: LogValue, row: Int) -> Bool {
        let word = type.text.map(RecordColumns.plain) ?? []
        if word == Array("3".utf8) || word == Array("localcache".utf8) {
            note("transactions answered from the cache are not on the wire", row: row)
            return false
        }
        if word == Array("2".utf8) || word == Array("serverpush".utf8) {
            note("transactions pushed by the server are not requests of the client", row: row)
            return false
        }
        return true
    }
}
