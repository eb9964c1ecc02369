import Testing
import WireCore

@Suite("Header fields as sent")
struct SentFieldsTests {
    private func exchanges(_ capture: CaptureCase) throws -> [ExchangeRecord] {
        try RecordedAudit([capture.path + "/" + capture.truth().capture.file], keys: capture.keys, keepsFields: true)
            .exchanges
    }

    @Test("the fields of each message that was read whole add up to its field blocks", arguments: CaptureCase.all)
    func sums(capture: CaptureCase) throws {
        var messages = 0
        for record in try exchanges(capture) where record.stream != nil && record.unseenBytes == 0 {
            let requests = (record.requestFields, record.requestCosts, record.decodedHeaders.up)
            let responses = (record.responseFields, record.responseCosts, record.decodedHeaders.down)
            for (fields, costs, decoded) in [requests, responses] where decoded != nil {
                // Of a request that an upgrade brought, or a promise, no block was sent.
                guard let fields else {
                    #expect(costs[.headers] == 0)
                    continue
                }
                var sum = fields.prefix
                fields.forEachField { sum += $1.size }
                #expect(sum == costs[.headers], "connection \(record.connection), exchange \(record.exchange)")
                #expect((fields.prefix > 0) == (record.transport == .quic))
                messages += 1
            }
        }
        let least = ["h2-tls": 43, "h2c": 20, "chromium": 15, "h3-qlog": 2, "h3-loss": 2]
        #expect(messages >= least[capture.name] ?? 0, "\(messages) messages")
    }

    /// What Python's hpack 4.2.0 took for each field of the blocks that tshark 4.0.17 gave; of promises none. Table size
    /// updates, which it counts apart, are with `:status`, in encrypted-dns with `:method`.
    private static let requests: [String: [String: Int]] = [
        "h2-tls": [
            "x-long": 16704, ":path": 218, "cookie": 81, ":authority": 69, "user-agent": 53, "accept": 37,
            ":method": 30, ":scheme": 21, "content-length": 9, "accept-encoding": 5,
        ],
        "h2c": [
            "x-long": 16752, ":path": 157, ":authority": 67, "user-agent": 51, ":method": 19, ":scheme": 19,
            "x-req-trailer": 16, "expect": 10, "content-length": 8,
        ],
        "chromium": [
            "accept": 126, "user-agent": 97, ":path": 87, "sec-ch-ua": 56, "sec-fetch-site": 38, "sec-fetch-dest": 37,
            "sec-fetch-mode": 36, "sec-ch-ua-platform": 35, "priority": 33, "content-type": 33, "accept-encoding": 32,
            "referer": 30, "sec-ch-ua-mobile": 28, "origin": 26, ":authority": 25, "accept-language": 25,
            "upgrade-insecure-requests": 22, ":method": 17, "sec-fetch-user": 15, ":scheme": 13, "content-length": 9,
            "cache-control": 9, "if-none-match": 6,
        ],
        "encrypted-dns": [
            ":path": 40, "content-type": 38, ":authority": 20, "content-length": 20, "accept": 12, ":method": 4 + 3,
            ":scheme": 4,
        ],
    ]
    private static let responses: [String: [String: Int]] = [
        "h2-tls": [
            "date": 528, "last-modified": 384, "etag": 274, "content-type": 255, "accept-ranges": 240, "server": 132,
            "content-length": 98, ":status": 26 + 3, "location": 24, "content-encoding": 17,
        ],
        "h2c": [
            "content-type": 68, "x-number": 59, "server": 44, "content-length": 29, ":status": 28 + 3, "date": 26,
            "last-modified": 25, "x-sum": 20, "link": 19, "trailer": 14, "x-pushed": 12, "cache-control": 12,
            "x-more": 11,
        ],
        "chromium": [
            "content-type": 55, ":status": 19 + 4, "cache-control": 18, "location": 14, "etag": 7,
            "content-encoding": 6,
        ],
        "encrypted-dns": ["content-type": 38, "content-length": 13, ":status": 4],
    ]

    @Test("of HTTP/2 they are those of another decoder", arguments: requests.keys.sorted())
    func otherDecoder(name: String) throws {
        let capture = try #require(CaptureCase.all.first { $0.name == name })
        let records = try exchanges(capture).filter { $0.transport == .tcp }
        #expect(sizes(records.map(\.requestFields)) == Self.requests[name])
        #expect(sizes(records.map(\.responseFields)) == Self.responses[name])
    }

    /// What pylsqpack 1.0.0 took of HTTP/3: it was asked after how many bytes of a block it knows how many fields. Streams are
    /// those that tshark 4.0.17 decrypted.
    private static let http3: [String: (requests: [String: Int], responses: [String: Int])] = [
        "h3-qlog": (
            [":path": 182, ":authority": 38, "user-agent": 36, ":method": 16, ":scheme": 16],
            ["server": 30, ":status": 16, "content-type": 16]
        ),
        "h3-loss": (
            [":path": 150, "user-agent": 92, ":authority": 76, ":method": 20, ":scheme": 20, "accept": 20],
            [
                "set-cookie": 720, "x-request-id": 326, "cache-control": 100, "content-length": 85, "server": 70,
                ":status": 20, "content-type": 5,
            ]
        ),
        "h3-early-data": (
            ["user-agent": 70, ":path": 68, ":authority": 56, ":method": 7, ":scheme": 7, "accept": 7],
            [
                "set-cookie": 252, "x-request-id": 127, "cache-control": 55, "server": 37, "content-length": 29,
                ":status": 7, "content-type": 2,
            ]
        ),
    ]

    @Test("of HTTP/3 they are those of another decoder, too", arguments: http3.keys.sorted())
    func otherDecoder3(name: String) throws {
        let capture = try #require(CaptureCase.all.first { $0.name == name })
        let records = try exchanges(capture).filter { $0.transport == .quic }
        #expect(sizes(records.map(\.requestFields)) == Self.http3[name]?.requests)
        #expect(sizes(records.map(\.responseFields)) == Self.http3[name]?.responses)
    }

    private func sizes(_ messages: [SentFields?]) -> [String: Int] {
        var sizes: [String: Int] = [:]
        for message in messages {
            message?.forEachField { sizes[String(decoding: $0, as: UTF8.self), default: 0] += $1.size }
        }
        return sizes
    }
}
