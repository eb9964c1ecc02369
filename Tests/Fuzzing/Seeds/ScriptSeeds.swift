import WireTesting

/// Scripts that do each step once, or tell a whole story.
enum ScriptSeeds {
    private static let server: UInt8 = 16

    /// A request and its response, by the numbers of their templates: said, sent in two segments each, acknowledged.
    private static func exchange(_ request: UInt8, _ response: UInt8, _ connection: UInt8 = 0) -> [UInt8] {
        let place = connection << 5
        return [
            place | 6, request, place | 2, 20, place | 2, 60, place | server | 1, place | server | 6, response,
            place | server | 2, 10, place | server | 2, 90, place | 1,
        ]
    }

    static let tcp: [[UInt8]] = {
        let pairs: [(UInt8, UInt8)] = [(0, 1), (2, 3), (14, 4), (7, 6), (9, 10), (11, 12), (13, 18), (17, 8), (25, 27)]
        let whole = pairs.map { [0, 64] + exchange($0.0, $0.1) + [8, server | 8, 1] }
        let stories: [[UInt8]] = [
            // A hole that is filled late, a retransmission, an overlap, a contradiction.
            [0, 64, 6, 0, 5, 10, 0, 20, 4, 20, 20, 4, 5, 30, 13, 20, 0xFF, 20, server | 1],
            // Sequence numbers that wrap, three connections at a time.
            [0, 0xC7] + exchange(0, 1) + exchange(2, 3, 1) + [0x40, 0x50, 0x41] + exchange(0, 1, 2),
            // Ports used again, resets, keep-alives, probes, time that jumps.
            [1, 64] + exchange(0, 1) + [14, 0x8E, 9, 15, 2, 0, 1, 0, 5, 15, 6] + exchange(0, 8) + [
                10, 38, 10, 0x90, 15, 7,
            ],
            // Snapped and repeated frames, limits of one connection.
            [0x1C, 64, 1, 0, 0] + exchange(0, 1) + [12, 30, 11, 1, 0x8B, 2, 15, 0, 0, 50, 1, 15, 3, 1],
            // TLS and HTTP/2 without keys.
            [0, 64] + exchange(32, 33) + exchange(25, 27) + exchange(29, 30),
        ]
        return whole + stories
    }()

    static let tls: [[UInt8]] = (0..<UInt8(TLSSuite.allCases.count)).flatMap { suite in
        let calls: [UInt8] = [1, 0, server | 1, 1, 14, 2, 0, server | 13, 0x20, 0, 5, server | 5]
        return [
            [suite, 0] + calls,
            [suite, 1, 1, 25, server | 1, 27, 1, 29, server | 1, 30, server | 1, 31],
            [suite, 2, 0, 3, server | 3, server | 4, 40, 2, 21, 7, 2, 1, 0] + calls,
            [suite, 0x28] + calls + [10, 0, 9, 7, 0x21, 0, server | 0x21, 1, 15, 3, 11, 0, 9],
        ]
    }

    static let http2: [[UInt8]] = {
        let call: [UInt8] = [1, 17, 0, server | 1, 1, 0, server, 17, 5, 1, 2, 3, 4, 5]
        let post: [UInt8] = [1, 3, 0x48, 5, 0, 19, 5, 1, 2, 3, 4, 5, server | 1, 0x43, 0x42, server | 13, 0x13, 1]
        let control: [UInt8] = [4, 1, 16, 0, server | 5, 0, 6, 0, 1, 0, 7, 1, 8, 8, 3, 9, 0, server | 9, 16, 11, 1]
        return [
            [0] + call + post + control, [1] + call + post, [2] + call, [3] + post,
            [4] + call + [server | 10, 1, 2, 0, server | 1, 2, 0, server, 0x12, 3, 9, 9, 9],
            [0, 1, 0x21, 0, 3, 1, 3, 0x82, 0x84, 0x86, 14, 10, 4, 1, 2, 7, 7, 15, 4, 0, 0, 1, 0],
            [0] + call + [0x20, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 17, 0x30, 0] + call,
        ]
    }()

    static let quic: [[UInt8]] = (0..<UInt8(4)).flatMap { shape in
        let begin = shape | shape << 4
        let call: [UInt8] = [0, 0, 3, server, 0, 43, 1, 2, 3, 4, 5, 3, 1, server | 3, 2]
        let parts: [UInt8] = [32, 1, 1, 0, 1, 4, server | 32, 1, 41, 9, 9, server, 1, 40]
        let control: [UInt8] = [5, 0, 0, server | 5, 0, 0, 5, 0x12, 3, 0x3F, 0xE1, 0x1F, server | 5, 0x13, 0]
        let odd: [UInt8] = [10, 6, 0, 2, 30, 4, 7, 0, 3, 50, 8, 4, 9, 0, 20, 1, 2, 3, 11, 0, 12, 3, 4, 0, 2, 5, 5]
        let rest: [UInt8] = [13, 4, 0, 7, 1, 2, 3, 4, 5, 6, 7, 8, 13, 4, 1, 9, 13, 4, 2, 14, 1, 0, 0, 0, 3, 0]
        let offload: [UInt8] = [server | 15, 40, 1, 3, server | 3, 4]
        return [
            [begin, 255] + control + call + parts + call, [begin, 255] + call + odd + rest + offload + call,
            [begin, 4] + call + parts + call + call + call, [begin, 1] + call + call + odd + call,
            [begin | 4, 255] + call + offload + parts, [begin | 8, 255] + call + rest + parts,
        ]
    }
}
