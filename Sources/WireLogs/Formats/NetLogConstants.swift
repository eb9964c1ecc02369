/// The numbers that a NetLog uses for its events and phases, which differ by version of Chromium, and its clock.
struct NetLogConstants {
    /// Events of which something is read.
    enum Kind: String, CaseIterable {
        case startJob = "URL_REQUEST_START_JOB"
        case alive = "REQUEST_ALIVE"
        case failed = "FAILED"
        case sendRequest = "HTTP_TRANSACTION_SEND_REQUEST"
        case sendHead = "HTTP_TRANSACTION_SEND_REQUEST_HEADERS"
        case sendHTTP2Head = "HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS"
        case sendHTTP3Head = "HTTP_TRANSACTION_QUIC_SEND_REQUEST_HEADERS"
        case sendBody = "HTTP_TRANSACTION_SEND_REQUEST_BODY"
        case upload = "UPLOAD_DATA_STREAM_INIT"
        case readHead = "HTTP_TRANSACTION_READ_RESPONSE_HEADERS"
        case encodedBytes = "URL_REQUEST_JOB_BYTES_READ"
        case decodedBytes = "URL_REQUEST_JOB_FILTERED_BYTES_READ"
        case filters = "URL_REQUEST_FILTERS_SET"
        case cacheRead = "HTTP_CACHE_READ_DATA"
        case readBody = "HTTP_TRANSACTION_READ_BODY"
        // How a request came to its socket.
        case boundToJob = "HTTP_STREAM_REQUEST_BOUND_TO_JOB"
        case boundToSocket = "SOCKET_POOL_BOUND_TO_SOCKET"
        case foundSession = "HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION"
        case importedSession = "HTTP2_SESSION_POOL_IMPORTED_SESSION_FROM_SOCKET"
        case session = "HTTP2_SESSION_INITIALIZED"
        case connected = "TCP_CONNECT"
    }

    private static let kinds: [[UInt8]: Kind] = Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { (Array($0.rawValue.utf8), $0) })

    private var numbers: [Int: Kind] = [:]
    private(set) var beginPhase = 1
    private(set) var endPhase = 2
    /// Between the clock of events and the epoch, milliseconds.
    private var offset: LogValue = .absent

    /// Uploads have an event, and bytes of responses have theirs: without a number they are not seen.
    var tellsUploads: Bool { numbers.values.contains(.upload) }
    var tellsBytes: Bool { numbers.values.contains(.decodedBytes) && numbers.values.contains(.encodedBytes) }

    /// The events that make rows have numbers.
    var isUsable: Bool { !numbers.isEmpty }

    func kind(_ number: Int) -> Kind? { numbers[number] }

    /// Nanoseconds since the epoch of a time of events, which is in milliseconds; nil where it is none.
    func time(_ value: LogValue) -> Int64? {
        guard let time = value.number?.scaled(by: 6), let offset = offset.number?.scaled(by: 6), time >= 0 else {
            return nil
        }
        let (sum, overflow) = Int64(offset).addingReportingOverflow(Int64(time))
        return overflow || sum <= 0 ? nil : sum
    }

    mutating func read(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.events:
                try readNames(&reader) { constants, name, number in
                    if let kind = NetLogConstants.kinds[name] { constants.numbers[number] = kind }
                }
            case Name.phases:
                try readNames(&reader) { constants, name, number in
                    if name == Name.begin { constants.beginPhase = number }
                    if name == Name.end { constants.endPhase = number }
                }
            case Name.offset: offset = try reader.readValue()
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readNames(
        _ reader: inout JSONReader, _ take: (inout NetLogConstants, [UInt8], Int) -> Void
    ) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            let name = reader.text
            if let number = try reader.readValue().number?.integer { take(&self, name, number) }
        }
    }

    enum Name {
        static let events = Array("logEventTypes".utf8)
        static let sources = Array("logSourceType".utf8)
        static let phases = Array("logEventPhase".utf8)
        static let offset = Array("timeTickOffset".utf8)
        static let begin = Array("PHASE_BEGIN".utf8)
        static let end = Array("PHASE_END".utf8)
    }
}

/// One event, with what is read of its parameters. They stand before the type in the file.
struct NetLogEvent {
    var source = -1
    var type = -1
    var phase = 0
    /// Milliseconds by the clock of the log.
    var time = LogValue.absent
    var params = NetLogParameters()
}

struct NetLogParameters {
    var url = LogValue.absent
    var method = LogValue.absent
    var byteCount = LogValue.absent
    var length = LogValue.absent
    var totalSize = LogValue.absent
    var isChunked = LogValue.absent
    var localAddress = LogValue.absent
    /// The source that an event names.
    var dependency = -1
    /// Bytes of the request line with its line end; nil where there is none.
    var line: Int?
    /// Bytes of the lines of a head with their line ends; nil where there is no head.
    var head: Int?
    /// The first of these lines.
    var firstLine: [UInt8] = []
    /// A line says that content follows.
    var announcesContent = false

    mutating func read(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.url: url = try reader.readValue()
            case Name.method: method = try reader.readValue()
            case Name.byteCount: byteCount = try reader.readValue()
            case Name.length: length = try reader.readValue()
            case Name.totalSize: totalSize = try reader.readValue()
            case Name.isChunked: isChunked = try reader.readValue()
            case Name.localAddress: localAddress = try reader.readValue()
            case Name.line: line = try reader.readValue().text?.count
            case Name.headers where try reader.isArrayNext(): try readHead(&reader)
            case Name.dependency where try reader.enterObject():
                while try reader.advance() == .key {
                    if reader.text == Name.id {
                        dependency = try reader.readValue().number?.integer ?? -1
                    } else {
                        try reader.skipValue()
                    }
                }
            case Name.dependency: break
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readHead(_ reader: inout JSONReader) throws(JSONError) {
        try reader.beginArray()
        var bytes = 0
        while true {
            switch try reader.advance() {
            case .string:
                // A line that was cut cannot be counted.
                guard !reader.isTextCut else {
                    try reader.skipContainer()
                    return
                }
                if bytes == 0 { firstLine = reader.text }
                if NetLogParameters.announcesContent(reader.text) { announcesContent = true }
                bytes += NetLogParameters.lineLength(reader.text) + 2
            case .endArray, .end:
                head = bytes
                return
            case .beginObject, .beginArray: try reader.skipContainer()
            default: break
            }
        }
    }

    /// Whether a line is a length other than zero, or a transfer coding.
    static func announcesContent(_ line: [UInt8]) -> Bool {
        guard let colon = line.firstIndex(of: 0x3A) else { return false }
        let name = line[..<colon].map(\.lowercased)
        if name == Name.transferEncoding { return true }
        return name == Name.contentLength && line[(colon + 1)...].trimmingSpaces.contains { $0 != 0x30 }
    }

    /// Bytes that a line of a head had. Values of some fields are hidden: `Cookie: [32 bytes were stripped]`.
    static func lineLength(_ line: [UInt8]) -> Int {
        guard line.last == 0x5D, line[...].firstRange(of: Name.stripped) != nil,
            let open = line.lastIndex(of: 0x5B)
        else { return line.count }
        var rest = line[(open + 1)...]
        guard let hidden = rest.consumeNumber(), rest.elementsEqual(Name.stripped) else { return line.count }
        return open + hidden
    }

    private enum Name {
        static let url = Array("url".utf8)
        static let method = Array("method".utf8)
        static let byteCount = Array("byte_count".utf8)
        static let length = Array("length".utf8)
        static let totalSize = Array("total_size".utf8)
        static let isChunked = Array("is_chunked".utf8)
        static let localAddress = Array("local_address".utf8)
        static let line = Array("line".utf8)
        static let headers = Array("headers".utf8)
        static let dependency = Array("source_dependency".utf8)
        static let id = Array("id".utf8)
        static let contentLength = Array("content-length".utf8)
        static let transferEncoding = Array("transfer-encoding".utf8)
        static let stripped = Array(" bytes were stripped]".utf8)
    }
}
