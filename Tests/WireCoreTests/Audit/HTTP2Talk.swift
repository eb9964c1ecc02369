import WireCore
import WireTesting

/// An HTTP/2 connection with its account: frames go out by the streams that exchanges have.
struct HTTP2Talk {
    var talk: LayeredConversation
    var encoders = [HTTP2FieldEncoder(), HTTP2FieldEncoder()]
    /// Exchanges by stream, in the order of their beginning.
    var exchanges: [Int: Int] = [:]

    init(_ suite: TLSSuite? = nil) {
        self.init(bare: LayeredConversation(suite, protocols: ["h2"]))
        begin()
    }

    /// Nothing of HTTP/2 was sent yet.
    init(bare talk: LayeredConversation) { self.talk = talk }

    /// Preface and SETTINGS; the client's first segment ends at these places.
    mutating func begin(cuts: [Int] = []) {
        let settings = HTTP2Frame.settings([(3, 100), (4, 65_535)])
        talk.seal(.client, [KnownRun(HTTP2Frame.preface + settings.bytes, KnownRun.connection, .setupHTTP)])
        talk.sendRest(.client, cuts: cuts)
        frames(.server, [.settings(), .settingsAcknowledgement])
        frames(.client, [.settingsAcknowledgement])
    }

    /// Who pays for a frame. A HEADERS frame on a new stream begins an exchange.
    mutating func owner(_ frame: HTTP2Frame) -> Int {
        if frame.stream == 0 { return KnownRun.connection }
        if frame.type == 1, exchanges[frame.stream] == nil { exchanges[frame.stream] = exchanges.count }
        return exchanges[frame.stream] ?? KnownRun.connection
    }

    mutating func runs(_ frames: [HTTP2Frame]) -> [KnownRun] {
        frames.flatMap { frame in
            let runs = frame.runs(owner(frame))
            // A promise begins its exchange when it is whole.
            if let promised = frame.promised, exchanges[promised] == nil { exchanges[promised] = exchanges.count }
            return runs
        }
    }

    /// Frames in one record and one segment.
    mutating func frames(_ side: Dialogue.Side, _ frames: [HTTP2Frame]) {
        talk.seal(side, runs(frames))
        talk.sendRest(side)
    }

    mutating func request(
        _ path: String, method: String = "GET", host: String = "a", _ more: [(String, String)] = []
    ) -> [UInt8] {
        encoders[0].request(path, method: method, host: host, more)
    }

    mutating func response(_ status: Int = 200, _ more: [(String, String)] = []) -> [UInt8] {
        encoders[1].response(status, more)
    }

    /// A GET on a stream, and its answer.
    mutating func exchange(_ stream: Int, body: Int = 5) {
        frames(.client, [.headers(stream, request("/\(stream)"), endStream: true)])
        frames(.server, [.headers(stream, response()), .data(stream, .filler(body), endStream: true)])
        talk.acknowledge(.client)
    }
}

extension [UInt8] {
    static func filler(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x78, count: count) }
}
