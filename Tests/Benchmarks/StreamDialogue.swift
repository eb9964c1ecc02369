import WireTesting

/// The calls of an API over HTTP/2: rounds of parallel streams whose frames alternate.
struct StreamDialogue {
    private static let rounds = 6
    private static let parallel = 4
    /// Content of one DATA frame at most.
    private static let frameLength = 1_000

    private var requests = HTTP2FieldEncoder(.indexing)
    private var responses = HTTP2FieldEncoder(.indexing)
    private let scheme: String

    static func play(on channel: inout Channel, scheme: String, _ bytes: inout SeededBytes) {
        var dialogue = StreamDialogue(scheme: scheme)
        let opening: [HTTP2Frame] = [.settings([(3, 100), (4, 1 << 20)]), .windowUpdate(0)]
        channel.send(up: true, HTTP2Frame.preface + opening.bytes)
        let answer: [HTTP2Frame] = [.settings([(3, 128)]), .settingsAcknowledgement]
        channel.send(up: false, answer.bytes)
        channel.send(up: true, HTTP2Frame.settingsAcknowledgement.bytes)
        for round in 0..<rounds { dialogue.play(round: round, on: &channel, &bytes) }
        channel.send(up: true, HTTP2Frame.goAway(last: 0).bytes)
    }

    private init(scheme: String) { self.scheme = scheme }

    /// All requests in one segment; every response's fields, then their bodies in turns.
    private mutating func play(round: Int, on channel: inout Channel, _ bytes: inout SeededBytes) {
        let numbers = (0..<Self.parallel).map { round * Self.parallel + $0 }
        channel.send(up: true, numbers.flatMap { request($0).bytes })
        let bodies = numbers.map { bytes.next(400 + $0 * 150) }
        for (number, body) in zip(numbers, bodies) {
            let fields = [
                ("content-type", "application/json"), ("content-length", "\(body.count)"), ("server", "bench"),
            ]
            channel.send(up: false, HTTP2Frame.headers(2 * number + 1, responses.response(200, fields)).bytes)
        }
        for place in stride(from: 0, to: bodies.map(\.count).max() ?? 0, by: Self.frameLength) {
            for (number, body) in zip(numbers, bodies) where place < body.count {
                let end = min(place + Self.frameLength, body.count)
                let frame = HTTP2Frame.data(2 * number + 1, Array(body[place..<end]), endStream: end == body.count)
                channel.send(up: false, frame.bytes)
            }
        }
        let control: [HTTP2Frame] = [.windowUpdate(0, 8_000), .ping()]
        channel.send(up: true, control.bytes)
        channel.send(up: false, HTTP2Frame.ping(acknowledges: true).bytes)
    }

    private mutating func request(_ number: Int) -> HTTP2Frame {
        let path = number % 3 == 0 ? "/v1/items/\(number * 91)" : "/v1/lists/\(number % 4)?page=\(number)"
        let fields = [
            ("accept", "*/*"), ("user-agent", "bench/1"), ("x-token", String(repeating: "t", count: 200)),
        ]
        let block = requests.request(path, host: "api.example.com", scheme: scheme, fields)
        return .headers(2 * number + 1, block, endStream: true)
    }
}
