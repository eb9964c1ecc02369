/// Reads qlog: the requests of HTTP/3 that frames on their streams tell (draft-ietf-quic-qlog-h3-events, `frame_created`
/// and `frame_parsed`), one row for each stream, by client or server. A file is one JSON value (qlog 0.3 and later), or
/// records of JSON text sequences (RFC 7464), of which `pieces` has made lines.
///
/// A message's figures are the payloads of its HEADERS and DATA frames: compressed fields and content, without frame
/// headers.
struct QLog {
    private var reader: JSONReader
    private let builder: LogBuilder
    private var trace = QLogTrace()
    /// The trace has told who wrote it, or has begun to.
    private var hasHeader = false
    /// A line was a whole file, or is one.
    private var isFile = false
    /// All of that file was read.
    private var isFileWhole = false
    private var count = 0
    /// Events of HTTP/3 or others, whatever they tell.
    private(set) var hasEvents = false
    /// A list of traces or events was met.
    private(set) var hasList = false
    /// Events are arrays, whose members `event_fields` names: the form before draft 02, which is not read.
    private(set) var isEarlyDraft = false

    static let separator: UInt8 = 0x1E

    init(_ reader: JSONReader, _ builder: LogBuilder) {
        self.reader = reader
        self.builder = builder
    }

    /// Whether a member of the outermost object tells that it is qlog.
    static func isCharacteristic(_ key: [UInt8]) -> Bool { [Name.version, Name.format, Name.schema].contains(key) }

    /// The pieces of a text. In a sequence each text, which may have white space in it, becomes one line: separators, which
    /// stand in no JSON string, end it. Elsewhere separators are white space.
    static func pieces(_ next: @escaping () -> [UInt8]?) -> () -> [UInt8]? {
        var isSequence: Bool?
        var isFirst = true
        return {
            next().map { piece in
                isSequence = isSequence ?? piece.first { [separator, 0x7B, 0x5B].contains($0) }.map { $0 == separator }
                return piece.map { byte in
                    switch byte {
                    case separator:
                        defer { isFirst = false }
                        return isSequence == true && !isFirst ? 0x0A : 0x20
                    case 0x0A: return isSequence == true ? 0x20 : byte
                    default: return byte
                    }
                }
            }
        }
    }

    /// Reads the one value of the text. Throws where the JSON goes wrong; the events before are read.
    mutating func readDocument() throws(JSONError) {
        defer { finishTrace() }
        guard try reader.enterObject() else { return }
        do throws(JSONError) {
            try readFile()
        } catch {
            trace.lacksRecords = true
            throw error
        }
        _ = try reader.advance()
    }

    /// Reads one record on each line; a line that is none is rejected.
    mutating func readLines() {
        defer { finishTrace() }
        while true {
            do throws(JSONError) {
                switch try reader.advance() {
                case .end: return
                case .beginObject: try readRecord()
                case .beginArray:
                    try reader.skipContainer()
                    fallthrough
                default: reject("a line is not a JSON object")
                }
            } catch {
                trace.lacksRecords = true
                if isFile, !isFileWhole {
                    return builder.noteIncomplete(error.message + "; the rest is not read")
                } else if isFile {
                    reject("a line is not valid JSON: \(error.words)")
                    reader.skipLine()
                } else {
                    builder.rejectLine(error, of: &reader)
                }
            }
        }
    }

    /// Behind a file of one value what is no such file is no record of a sequence.
    private func reject(_ what: String) {
        if isFile {
            builder.noteIncomplete("text behind the end of the document is not read (\(what))")
        } else {
            builder.reject(what, row: reader.line)
        }
    }

    // MARK: Structure

    private mutating func readFile() throws(JSONError) {
        while try reader.advance() == .key {
            if reader.text == Name.traces { try readTraces() } else { try reader.skipValue() }
        }
    }

    /// Each trace is a connection of its own.
    private mutating func readTraces() throws(JSONError) {
        guard try reader.isArrayNext() else { return try reader.skipValue() }
        hasList = true
        try reader.beginArray()
        while try reader.enterElement() {
            beginTrace()
            try readTrace()
            finishTrace()
        }
    }

    private mutating func readTrace() throws(JSONError) {
        while try reader.advance() == .key {
            switch reader.text {
            case Name.vantagePoint: try readVantagePoint()
            case Name.commonFields: try readCommonFields()
            case Name.eventFields:
                isEarlyDraft = true
                try reader.skipValue()
            case Name.events where try reader.isArrayNext():
                hasList = true
                try reader.beginArray()
                while try reader.enterElement() { receive(try QLogEvent(&reader)) }
            default: try reader.skipValue()
            }
        }
    }

    /// The header of a sequence, an event, or a file of its own.
    private mutating func readRecord() throws(JSONError) {
        var event = QLogEvent()
        var isRecord = false
        while try reader.advance() == .key {
            if reader.text == Name.trace {
                isRecord = true
                beginTrace()
                if try reader.enterObject() { try readTrace() }
            } else if reader.text == Name.traces {
                (isRecord, isFile) = (true, true)
                try readTraces()
            } else if try !event.readMember(&reader) {
                try reader.skipValue()
            }
        }
        isFileWhole = isFile
        if !event.name.isEmpty {
            receive(event)
        } else if !isRecord {
            reject("an object is no record")
        }
    }

    private mutating func readVantagePoint() throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            if reader.text == Name.type {
                trace.vantagePoint = try reader.readValue().text ?? []
            } else {
                try reader.skipValue()
            }
        }
    }

    private mutating func readCommonFields() throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.timeFormat: trace.timeFormat = try reader.readValue().text ?? []
            case Name.referenceTime:
                try readReferenceTime()
            default: try reader.skipValue()
            }
        }
    }

    /// A number of milliseconds, or in newer drafts an object with an epoch and a wall clock.
    private mutating func readReferenceTime() throws(JSONError) {
        switch try reader.advance() {
        case .number: trace.setReference(DecimalNumber(reader.text[...]).map { .number($0) } ?? .null)
        case .string: trace.setReference(.text(reader.text))
        case .beginObject:
            while try reader.advance() == .key {
                switch reader.text {
                case Name.epoch: trace.setReference(try reader.readValue())
                case Name.wallClock: trace.setWallClock(try reader.readValue())
                default: try reader.skipValue()
                }
            }
        case .beginArray: try reader.skipContainer()
        default: break
        }
    }

    // MARK: Events

    private mutating func receive(_ event: QLogEvent) {
        hasEvents = true
        guard trace.nameBytes <= builder.textBudget - event.nameBytes else { return builder.noteBeyondBudget(row: nil) }
        if !trace.receive(event) {
            builder.note("streams beyond \(QLogTrace.streamLimit) of a connection are not read", row: nil)
        }
    }

    /// Ends the trace before, if there was one.
    private mutating func beginTrace() {
        if hasHeader { finishTrace() }
        hasHeader = true
    }

    /// Rows of the trace's streams, in the order of their first frames.
    private mutating func finishTrace() {
        defer { (trace, hasHeader) = (QLogTrace(), false) }
        trace.inferVantagePoint()
        guard trace.isOfEndpoint else {
            if !trace.streams.isEmpty {
                builder.note("traces of a vantage point other than client and server are not read", row: nil)
            }
            return
        }
        for stream in trace.streams {
            count += 1
            var row = LogRow(kind: .exchange, number: count)
            guard stream.fill(&row, of: trace, builder) else { continue }
            row.clientPort = trace.clientPort
            builder.append(row, unit: row.anyTime == .min ? .none : .milliseconds, written: row.anyTime)
        }
    }

    private enum Name {
        static let version = Array("qlog_version".utf8)
        static let format = Array("qlog_format".utf8)
        static let schema = Array("file_schema".utf8)
        static let traces = Array("traces".utf8)
        static let trace = Array("trace".utf8)
        static let events = Array("events".utf8)
        static let eventFields = Array("event_fields".utf8)
        static let vantagePoint = Array("vantage_point".utf8)
        static let commonFields = Array("common_fields".utf8)
        static let type = Array("type".utf8)
        static let timeFormat = Array("time_format".utf8)
        static let referenceTime = Array("reference_time".utf8)
        static let epoch = Array("epoch".utf8)
        static let wallClock = Array("wall_clock_time".utf8)
    }
}
