/// What is read of an entry of HAR.
struct HAREntry {
    var started = LogValue.absent
    var time = LogValue.absent
    var connection = LogValue.absent
    var isFromCache = false
    /// The entry of the cache after the request, which Firefox names where that answered.
    var hasCacheEntry = false
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
    /// What passed until the request was sent, until the response began, and until it ended.
    var send = LogValue.absent
    var wait = LogValue.absent
    var receive = LogValue.absent

    /// Reads the object that has begun.
    init(_ reader: inout JSONReader) throws(JSONError) {
        while try reader.advance() == .key {
            switch reader.text {
            case Name.started: started = try reader.readValue()
            case Name.time: time = try reader.readValue()
            case Name.connection: connection = try reader.readValue()
            case Name.fromCache:
                let value = try reader.readValue()
                isFromCache = !value.isNothing && value != .boolean(false)
            case Name.cache where try reader.enterObject():
                while try reader.advance() == .key {
                    if reader.text == Name.afterRequest { hasCacheEntry = true }
                    try reader.skipValue()
                }
            case Name.cache: break
            case Name.request: try readRequest(&reader)
            case Name.response: try readResponse(&reader)
            case Name.timings: try readTimings(&reader)
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readRequest(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.url: url = try reader.readValue()
            case Name.method: method = try reader.readValue()
            case Name.headersSize: requestHeaders = try reader.readValue()
            case Name.bodySize: requestBody = try reader.readValue()
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readResponse(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.status: status = try reader.readValue()
            case Name.headersSize: responseHeaders = try reader.readValue()
            case Name.bodySize: responseBody = try reader.readValue()
            case Name.transferSize: transferSize = try reader.readValue()
            case Name.content:
                guard try reader.enterObject() else { continue }
                while try reader.advance() == .key {
                    if reader.text == Name.size {
                        contentSize = try reader.readValue()
                    } else {
                        try reader.skipValue()
                    }
                }
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readTimings(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.enterObject() else { return }
        while try reader.advance() == .key {
            switch reader.text {
            case Name.blocked: blocked = try reader.readValue()
            case Name.dns: dns = try reader.readValue()
            case Name.connect: connect = try reader.readValue()
            case Name.send: send = try reader.readValue()
            case Name.wait: wait = try reader.readValue()
            case Name.receive: receive = try reader.readValue()
            default: try reader.skipValue()
            }
        }
    }

    private enum Name {
        static let started = Array("startedDateTime".utf8)
        static let time = Array("time".utf8)
        static let connection = Array("connection".utf8)
        static let fromCache = Array("_fromCache".utf8)
        static let cache = Array("cache".utf8)
        static let afterRequest = Array("afterRequest".utf8)
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
        static let send = Array("send".utf8)
        static let wait = Array("wait".utf8)
        static let receive = Array("receive".utf8)
    }
}
