/// Reads OTLP JSON (opentelemetry.io, OTLP specification, JSON encoding): the spans of HTTP clients, one exchange each. A
/// file has one value, or one on each line. Names of the older semantic conventions are read as well.
struct OTLPLog {
    private var reader: JSONReader
    private let builder: LogBuilder
    /// Spans met, those of no HTTP client too.
    private(set) var count = 0
    /// A list of resources was met.
    private(set) var hasList = false

    init(_ reader: JSONReader, _ builder: LogBuilder) {
        self.reader = reader
        self.builder = builder
    }

    /// Whether a member of a text's outermost object tells that it is OTLP.
    static func isCharacteristic(_ key: [UInt8]) -> Bool { Name.resources.contains(key) }

    /// Reads the one value of the text. Throws where the JSON goes wrong; the spans before are read.
    mutating func readDocument() throws(JSONError) {
        guard try reader.enterObject() else { return }
        try readResources()
        _ = try reader.advance()
    }

    /// Reads one value on each line; a line that is none is rejected.
    mutating func readLines() {
        while true {
            do throws(JSONError) {
                switch try reader.advance() {
                case .end: return
                case .beginObject: try readResources()
                case .beginArray:
                    try reader.skipContainer()
                    fallthrough
                default: builder.reject("a line is not a JSON object", row: reader.line)
                }
            } catch {
                builder.rejectLine(error, of: &reader)
            }
        }
    }

    // MARK: Structure

    private mutating func readResources() throws(JSONError) {
        while try reader.advance() == .key {
            guard Name.resources.contains(reader.text), try reader.isArrayNext() else {
                try reader.skipValue()
                continue
            }
            hasList = true
            try reader.beginArray()
            while try reader.enterElement() { try readScopes() }
        }
    }

    private mutating func readScopes() throws(JSONError) {
        while try reader.advance() == .key {
            guard Name.scopes.contains(reader.text), try reader.isArrayNext() else {
                try reader.skipValue()
                continue
            }
            try reader.beginArray()
            while try reader.enterElement() { try readSpans() }
        }
    }

    private mutating func readSpans() throws(JSONError) {
        while try reader.advance() == .key {
            guard reader.text == Name.spans, try reader.isArrayNext() else {
                try reader.skipValue()
                continue
            }
            try reader.beginArray()
            while try reader.enterElement() {
                count += 1
                add(try readSpan())
            }
        }
    }

    private struct Span {
        var kind = LogValue.absent
        var start = LogValue.absent
        var end = LogValue.absent
        var attributes = [LogValue](repeating: .absent, count: OTLPAttribute.allCases.count)

        subscript(attribute: OTLPAttribute) -> LogValue {
            get { attributes[attribute.rawValue] }
            set { attributes[attribute.rawValue] = newValue }
        }
    }

    private mutating func readSpan() throws(JSONError) -> Span {
        var span = Span()
        while try reader.advance() == .key {
            switch reader.text {
            case Name.kind: span.kind = try reader.readValue()
            case Name.start, Name.startSnake: span.start = try reader.readValue()
            case Name.end, Name.endSnake: span.end = try reader.readValue()
            case Name.attributes where try reader.isArrayNext():
                try reader.beginArray()
                while try reader.enterElement() { try readAttribute(&span) }
            default: try reader.skipValue()
            }
        }
        return span
    }

    private mutating func readAttribute(_ span: inout Span) throws(JSONError) {
        var attribute: OTLPAttribute?
        var value = LogValue.absent
        while try reader.advance() == .key {
            switch reader.text {
            case Name.key: attribute = try reader.readValue().text.flatMap { OTLPAttribute.names[$0] }
            case Name.value where try reader.enterObject():
                while try reader.advance() == .key {
                    guard Name.values.contains(reader.text) else {
                        try reader.skipValue()
                        continue
                    }
                    let told = try reader.readValue()
                    if told != .null { value = told }
                }
            case Name.value: break
            default: try reader.skipValue()
            }
        }
        if let attribute, span[attribute].isNothing { span[attribute] = value }
    }

    // MARK: Rows

    private mutating func add(_ span: Span) {
        let kind = span.kind.text ?? []
        guard kind.isEmpty || Name.clientKinds.contains(kind) else {
            builder.note("spans that are no client's are not requests of the app", row: count)
            return
        }
        var row = LogRow(kind: .exchange, number: count)
        guard setTarget(span, &row) else { return }
        row.method = builder.method(method(of: span), row: count)
        row.status = builder.status(span[.status], "http.response.status_code", row: count)
        row.up.body = size(span[.requestBody], "http.request.body.size")
        var figures = LogFigures()
        (row.up.total, figures.up) = LogFigures.first([
            (size(span[.requestSize], "http.request.size"), .requestSize), (row.up.body, .requestBody),
        ])
        row.down.body = size(span[.responseBody], "http.response.body.size")
        row.down.decodedBody = size(span[.responseDecoded], "http.response_content_length_uncompressed")
        (row.down.total, figures.down) = LogFigures.first([
            (size(span[.responseSize], "http.response.size"), .responseSize), (row.down.body, .responseBody),
        ])
        let start = builder.time(span.start, "startTimeUnixNano", row: count)
        let end = builder.time(span.end, "endTimeUnixNano", row: count)
        if let port = span[.localPort].number?.integer.flatMap({ UInt16(exactly: $0) }) { row.clientPort = port }
        builder.append(row, start: start, end: end, figures: figures)
    }

    private func size(_ value: LogValue, _ name: String) -> Int? { builder.size(value, name, row: count) }

    /// A method that the writer does not know is `_OTHER`, and what was sent stands beside it.
    private func method(of span: Span) -> LogValue {
        span[.method].text == Name.other ? span[.originalMethod] : span[.method]
    }

    /// False where the span is about no HTTP request.
    private func setTarget(_ span: Span, _ row: inout LogRow) -> Bool {
        if let url = span[.url].text, !url.isEmpty {
            guard builder.setURL(url, "url.full", of: &row) else {
                builder.reject("a span has no URL with a host", row: count)
                return false
            }
            return true
        }
        let target = (span[.path].text ?? []) + (span[.query].text.map { $0.isEmpty ? [] : [0x3F] + $0 } ?? [])
        guard let host = span[.host].text, !host.isEmpty, !target.isEmpty else {
            builder.note("spans without a URL are no HTTP requests", row: count)
            return false
        }
        row.host = builder.host(host, "server.address", row: count)
        row.path = builder.path(target, "url.path", row: count)
        row.serverPort = span[.port].number?.integer.flatMap { UInt16(exactly: $0) } ?? 0
        return true
    }

    private enum Name {
        static let resources = [Array("resourceSpans".utf8), Array("resource_spans".utf8)]
        /// Today's, and those before version 0.15 of the protocol.
        static let scopes = [
            "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans",
        ].map { Array($0.utf8) }
        static let spans = Array("spans".utf8)
        static let kind = Array("kind".utf8)
        static let start = Array("startTimeUnixNano".utf8)
        static let startSnake = Array("start_time_unix_nano".utf8)
        static let end = Array("endTimeUnixNano".utf8)
        static let endSnake = Array("end_time_unix_nano".utf8)
        static let attributes = Array("attributes".utf8)
        static let key = Array("key".utf8)
        static let value = Array("value".utf8)
        /// The kinds of values. Members that this version of the format does not know are no values.
        static let values = [
            "stringValue", "intValue", "doubleValue", "boolValue", "bytesValue", "arrayValue", "kvlistValue",
            "string_value", "int_value", "double_value", "bool_value", "bytes_value", "array_value", "kvlist_value",
        ].map { Array($0.utf8) }
        static let other = Array("_OTHER".utf8)
        static let clientKinds = [Array("3".utf8), Array("SPAN_KIND_CLIENT".utf8)]
    }
}

/// What is read of a span's attributes (OpenTelemetry semantic conventions for HTTP).
enum OTLPAttribute: Int, CaseIterable {
    case url, host, port, path, query, method, originalMethod, status, localPort
    case requestSize, responseSize, requestBody, responseBody, responseDecoded

    /// By the names of the attributes, today's and those before 2023.
    static let names: [[UInt8]: OTLPAttribute] = {
        let names: [(String, OTLPAttribute)] = [
            ("url.full", .url), ("http.url", .url), ("server.address", .host), ("net.peer.name", .host),
            ("server.port", .port), ("net.peer.port", .port), ("url.path", .path), ("http.target", .path),
            ("url.query", .query), ("http.request.method", .method), ("http.method", .method),
            ("http.request.method_original", .originalMethod),
            ("http.response.status_code", .status), ("http.status_code", .status), ("network.local.port", .localPort),
            ("http.request.size", .requestSize), ("http.response.size", .responseSize),
            ("http.request.body.size", .requestBody), ("http.request_content_length", .requestBody),
            ("http.response.body.size", .responseBody), ("http.response_content_length", .responseBody),
            ("http.response_content_length_uncompressed", .responseDecoded),
        ]
        return Dictionary(uniqueKeysWithValues: names.map { (Array($0.0.utf8), $0.1) })
    }()
}

extension JSONReader {
    /// Passes over the bracket that begins the array that is next.
    package mutating func beginArray() throws(JSONError) { _ = try advance() }

    /// Begins the next object of an array, passing over other elements; false at the array's end.
    mutating func enterElement() throws(JSONError) -> Bool {
        while true {
            switch try advance() {
            case .beginObject: return true
            case .beginArray: try skipContainer()
            case .endArray, .end: return false
            default: break
            }
        }
    }
}
