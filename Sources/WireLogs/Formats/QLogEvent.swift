/// An event of a trace, with what is read of its data.
struct QLogEvent {
    /// Frames that a packet can have: a datagram has fewer bytes than twice as many.
    private static let frameLimit = 32_768

    var name: [UInt8] = []
    var time = LogValue.absent
    var stream = LogValue.absent
    var localPort = LogValue.absent
    var remotePort = LogValue.absent
    private var frameType: [UInt8] = []
    private var length = LogValue.absent
    private var payloadLength = LogValue.absent
    private(set) var method: [UInt8]?
    private(set) var authority: [UInt8]?
    private(set) var path: [UInt8]?
    private(set) var status: [UInt8]?
    private(set) var contentLength: LogValue = .absent
    /// STREAM and RESET_STREAM frames of a packet, on streams that carry requests.
    private(set) var streamFrames: [QLogStreamFrame] = []

    init() {}

    /// Reads the object that has begun.
    init(_ reader: inout JSONReader) throws(JSONError) {
        while try reader.advance() == .key {
            if try !readMember(&reader) { try reader.skipValue() }
        }
    }

    var isHeaders: Bool { frameType == Name.headers }
    var isData: Bool { frameType == Name.data }
    /// Bytes of the frame behind its header.
    var payload: LogValue { payloadLength == .absent ? length : payloadLength }

    /// Bytes of the names of a request.
    var nameBytes: Int { (method?.count ?? 0) + (authority?.count ?? 0) + (path?.count ?? 0) }

    static func isCreated(_ name: [UInt8]) -> Bool { isHTTP3(name, Name.created) }
    static func isParsed(_ name: [UInt8]) -> Bool { isHTTP3(name, Name.parsed) }
    static func isStart(_ name: [UInt8]) -> Bool { Name.starts.contains(name) }
    static func isPacketSent(_ name: [UInt8]) -> Bool { Name.packetsSent.contains(name) }
    static func isPacketReceived(_ name: [UInt8]) -> Bool { Name.packetsReceived.contains(name) }

    /// The namespace was `http`, then `h3`, and is `http3`.
    private static func isHTTP3(_ name: [UInt8], _ event: [UInt8]) -> Bool {
        name.count > event.count && name.suffix(event.count).elementsEqual(event)
            && Name.namespaces.contains(Array(name.dropLast(event.count)))
    }

    /// Reads a member if it is one of those that are read; false, before its value, where it is another.
    mutating func readMember(_ reader: inout JSONReader) throws(JSONError) -> Bool {
        switch reader.text {
        case Name.name: name = try reader.readValue().text ?? []
        case Name.time: time = try reader.readValue()
        case Name.dataMember: if try reader.enterObject() { try readData(&reader) }
        default: return false
        }
        return true
    }

    private mutating func readData(_ reader: inout JSONReader) throws(JSONError) {
        while try reader.advance() == .key {
            switch reader.text {
            case Name.streamID: stream = try reader.readValue()
            case Name.length: length = try reader.readValue()
            case Name.sourcePort: localPort = try reader.readValue()
            case Name.destinationPort: remotePort = try reader.readValue()
            case Name.raw: if try reader.enterObject() { try readRaw(&reader) }
            case Name.frame: if try reader.enterObject() { try readFrame(&reader) }
            case Name.frames where try reader.isArrayNext():
                try reader.beginArray()
                while try reader.enterElement() {
                    guard let frame = try QLogStreamFrame(&reader), streamFrames.count < QLogEvent.frameLimit else {
                        continue
                    }
                    streamFrames.append(frame)
                }
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readRaw(_ reader: inout JSONReader) throws(JSONError) {
        while try reader.advance() == .key {
            if reader.text == Name.payloadLength {
                payloadLength = try reader.readValue()
            } else {
                try reader.skipValue()
            }
        }
    }

    private mutating func readFrame(_ reader: inout JSONReader) throws(JSONError) {
        while try reader.advance() == .key {
            switch reader.text {
            case Name.frameType: frameType = try reader.readValue().text ?? []
            case Name.raw: if try reader.enterObject() { try readRaw(&reader) }
            // The draft's name, and that of quic-go.
            case Name.headers where try reader.isArrayNext(), Name.headerFields where try reader.isArrayNext():
                try reader.beginArray()
                while try reader.enterElement() { try readField(&reader) }
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readField(_ reader: inout JSONReader) throws(JSONError) {
        var (name, value): ([UInt8], [UInt8]) = ([], [])
        while try reader.advance() == .key {
            switch reader.text {
            case Name.name: name = try reader.readValue().text ?? []
            case Name.value: value = try reader.readValue().text ?? []
            default: try reader.skipValue()
            }
        }
        switch name {
        case Name.method: method = value
        case Name.authority: authority = value
        case Name.path: path = value
        case Name.status: status = value
        case Name.contentLength: contentLength = .text(value)
        default: break
        }
    }

    private enum Name {
        static let name = Array("name".utf8)
        static let value = Array("value".utf8)
        static let time = Array("time".utf8)
        static let dataMember = Array("data".utf8)
        static let data = dataMember
        static let headers = Array("headers".utf8)
        static let headerFields = Array("header_fields".utf8)
        static let streamID = Array("stream_id".utf8)
        static let length = Array("length".utf8)
        static let payloadLength = Array("payload_length".utf8)
        static let raw = Array("raw".utf8)
        static let frame = Array("frame".utf8)
        static let frames = Array("frames".utf8)
        static let frameType = Array("frame_type".utf8)
        static let sourcePort = Array("src_port".utf8)
        static let destinationPort = Array("dst_port".utf8)
        static let method = Array(":method".utf8)
        static let authority = Array(":authority".utf8)
        static let path = Array(":path".utf8)
        static let status = Array(":status".utf8)
        static let contentLength = Array("content-length".utf8)
        static let created = Array(":frame_created".utf8)
        static let parsed = Array(":frame_parsed".utf8)
        static let namespaces = ["http", "h3", "http3"].map { Array($0.utf8) }
        static let starts = ["connectivity", "transport", "quic"].map { Array("\($0):connection_started".utf8) }
        static let packetsSent = ["transport", "quic"].map { Array("\($0):packet_sent".utf8) }
        static let packetsReceived = ["transport", "quic"].map { Array("\($0):packet_received".utf8) }
    }
}
