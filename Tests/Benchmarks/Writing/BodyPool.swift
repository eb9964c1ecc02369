import WireTesting

/// A body as it is sent.
struct PooledBody {
    /// With its chunk framing, where it has one.
    var wire: [UInt8]
    /// Bytes that are not framing.
    var entity: Int
    var type: String
    var isChunked = false
    var isGzip = false
}

/// Bodies that are made once and sent often.
struct BodyPool {
    private var bodies: [[PooledBody]]
    /// What downloads are cut from.
    private(set) var block: [UInt8] = []

    private static let words = [
        "apple", "basket", "copper", "dune", "elm", "fern", "glacier", "hazel", "iris", "juniper", "kelp", "lagoon",
    ]

    init(kinds: [MessageKind], random: inout SeededRandom) {
        bodies = MessageKind.allCases.map { _ in [] }
        for kind in kinds {
            if kind == .download { block = Self.noise(64 << 20, &random) }
            guard let recipe = Self.recipe(of: kind) else { continue }
            for _ in 0..<recipe.count {
                let count = Int(random.logarithmic(recipe.bytes))
                bodies[kind.rawValue].append(Self.body(of: kind, bytes: count, &random))
            }
        }
    }

    func body(of kind: MessageKind, _ random: inout SeededRandom) -> PooledBody {
        let choice = bodies[kind.rawValue]
        return choice[random.below(choice.count)]
    }

    /// How many different bodies there are of a kind, and how long they are before compression.
    private static func recipe(of kind: MessageKind) -> (count: Int, bytes: ClosedRange<Double>)? {
        switch kind {
        case .json, .head: (256, 300...4_000)
        case .jsonInChunks: (64, 1_000...8_000)
        case .jsonAsGzip: (128, 2_500...14_000)
        case .document: (64, 12_000...60_000)
        case .longDocument: (16, 400_000...1_000_000)
        case .picture: (96, 5_000...60_000)
        case .largePicture: (24, 60_000...300_000)
        case .upload: (64, 200...2_000)
        case .beacon: (64, 200...800)
        case .noContent, .notModified, .download: nil
        }
    }

    private static func body(of kind: MessageKind, bytes count: Int, _ random: inout SeededRandom) -> PooledBody {
        switch kind {
        case .picture, .largePicture:
            let wire = noise(count, &random)
            return PooledBody(wire: wire, entity: wire.count, type: "image/jpeg")
        case .jsonInChunks:
            return chunked(json(count, &random), of: 2048, type: "application/json", &random)
        case .jsonAsGzip:
            let packed = GzipWriter.compress(json(count, &random))
            return PooledBody(wire: packed, entity: packed.count, type: "application/json", isGzip: true)
        case .document, .longDocument:
            let packed = GzipWriter.compress(json(count, &random))
            var body = chunked(packed, of: 8192, type: "text/html; charset=utf-8", &random)
            body.isGzip = true
            return body
        default:
            let wire = json(count, &random)
            return PooledBody(wire: wire, entity: wire.count, type: "application/json")
        }
    }

    /// Chunks of `size` bytes or fewer, and the last chunk (RFC 9112 §7.1).
    private static func chunked(
        _ content: [UInt8], of size: Int, type: String, _ random: inout SeededRandom
    ) -> PooledBody {
        var wire: [UInt8] = []
        var start = 0
        while start < content.count {
            let wanted = random.oneIn(2) ? size : size / 2 + random.below(size / 2)
            let end = min(start + wanted, content.count)
            wire += Array("\(String(end - start, radix: 16))\r\n".utf8) + content[start..<end] + [13, 10]
            start = end
        }
        wire += Array("0\r\n\r\n".utf8)
        return PooledBody(wire: wire, entity: content.count, type: type, isChunked: true)
    }

    /// Text that compresses like a list of records.
    private static func json(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        var text: [UInt8] = [0x5b]
        while text.count < count {
            let name = random.element(words) + " " + random.element(words)
            let (number, price) = (random.below(10_000_000), random.below(90_000))
            text += Array(
                """
                {"id":\(number),"name":"\(name)","price":\(price),"stock":\(random.below(500)),\
                "label":"\(random.element(words))","active":\(random.oneIn(4) ? "false" : "true")},
                """.utf8)
        }
        text.removeLast(text.count - count)
        text[count - 1] = 0x5d
        return text
    }

    /// Bytes that do not compress.
    private static func noise(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            var value = random.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: value))
                value >>= 8
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
