import WireNative
import WireTesting

/// Content codings, alone and in chains, and what measures content.
///
/// Input: a byte that says how many codings, then a byte for each, then the body.
enum ContentTarget: FuzzTarget {
    static let name = "content"
    static let longestInput = 16_384
    /// Windows of the codings in the chain, and of the decoders that were made before.
    static let memory = Bound(fixed: 200 << 20, perByte: 0)
    static let work = Bound(fixed: 600 << 20, perByte: 20_000)

    private static let outputLimit = 1 << 20
    /// Most that comes out at one time.
    private static let slack = 64 << 10

    struct Outcome: Equatable {
        var size: Int?
        var sizeSoFar: Int
        var state: String
        var content: [UInt8]
    }

    static func run(_ input: [UInt8]) {
        var choices = Choices(input)
        let count = choices.below(4)
        let codings = (0..<count).map { _ in ContentCoding(rawValue: UInt8(choices.below(4))) ?? .gzip }
        let body = choices.rest()
        var cuts = Cuts(input)
        let pieces = cuts.pieces(of: body.count)
        let decoder = BodyDecoder(codings: codings, outputLimit: outputLimit)
        let whole = decode(body, [0..<body.count], decoder)
        demand(whole.sizeSoFar <= outputLimit + slack, "\(whole.sizeSoFar) bytes came out")
        decoder.reset(codings: codings, outputLimit: outputLimit)
        let again = decode(body, pieces, decoder)
        switch whole.state {
        case "failed":
            // How much comes out before a library meets the damage depends on what it is given at a time.
            let isPrefix = whole.content.starts(with: again.content) || again.content.starts(with: whole.content)
            demand(again.state == "failed" && isPrefix, "pieces decode to other content before they fail")
        case "limitReached": demand(again.state == "limitReached", "pieces end as \(again.state)")
        default:
            demand(whole == again, "pieces: \(again.state) \(again.sizeSoFar), not \(whole.state) \(whole.sizeSoFar)")
        }
        measure(body, pieces)
        measure(whole.content, cuts.pieces(of: whole.content.count))
        inflate(body, pieces)
    }

    private static func decode(_ body: [UInt8], _ pieces: [Range<Int>], _ decoder: BodyDecoder) -> Outcome {
        var content: [UInt8] = []
        decoder.onContent = { append($0, to: &content) }
        defer { decoder.onContent = nil }
        for piece in pieces { unsafe decoder.consume(body.span.bytes.extracting(piece)) }
        demand(decoder.state == .limitReached || content.count == decoder.decodedSize, "content and size differ")
        return Outcome(
            size: decoder.finish(), sizeSoFar: decoder.decodedSize, state: "\(decoder.state)", content: content)
    }

    /// What a measure and a check of text say, whole and in pieces.
    private static func measure(_ content: [UInt8], _ pieces: [Range<Int>]) {
        let gzip = GzipMeasure()
        unsafe gzip.consume(content.span.bytes)
        let size = gzip.finish()
        gzip.reset()
        var text = UTF8Check()
        for piece in pieces {
            unsafe gzip.consume(content.span.bytes.extracting(piece))
            unsafe text.consume(content.span.bytes.extracting(piece))
        }
        demand(gzip.finish() == size, "the size after gzip depends on the pieces")
        let isText = String(validating: content, as: UTF8.self) != nil
        demand(text.isText == isText, "text is \(text.isText), to the standard library \(isText)")
    }

    /// The same bytes as a compressed file.
    private static func inflate(_ body: [UInt8], _ pieces: [Range<Int>]) {
        guard let format = unsafe StreamInflater.Format(firstBytes: body.span.bytes) else { return }
        let whole = Inflating(format).run(body, [0..<body.count], room: 30_000)
        let inPieces = Inflating(format).run(body, pieces, room: 1 + pieces.count * 7 % 5000)
        let isEqual = whole == inPieces || whole.isAlmost(inPieces)
        demand(isEqual, "a compressed file in pieces gives \(inPieces), not \(whole)")
    }
}

/// A compressed file on its way through the inflater.
struct Inflating: Equatable, CustomStringConvertible {
    private(set) var content: [UInt8] = []
    private(set) var isCorrupt = false
    private(set) var isComplete = false
    private(set) var isCut = false
    private let format: StreamInflater.Format
    private let limit: Int

    init(_ format: StreamInflater.Format, limit: Int = 1 << 20) {
        self.format = format
        self.limit = limit
    }

    /// Both are damaged, and differ in the last bytes in front of the damage, of which a library gives what it got in
    /// a call of its own: with zstd as much as a block of uncompressed bytes that is too much for its frame.
    func isAlmost(_ other: Inflating) -> Bool {
        let most = format == .zstd ? 128 << 10 : 3
        guard isCorrupt, other.isCorrupt, abs(content.count - other.content.count) <= most else { return false }
        return content.starts(with: other.content) || other.content.starts(with: content)
    }

    var description: String { "\(content.count) bytes, corrupt \(isCorrupt), complete \(isComplete)" }

    /// Inflates pieces into a buffer of `room` bytes, up to the limit.
    func run(_ file: [UInt8], _ pieces: [Range<Int>], room: Int) -> Inflating {
        var outcome = self
        let inflater = StreamInflater(format: format)
        var buffer = [UInt8](repeating: 0, count: room)
        for piece in pieces {
            var rest = piece
            while !outcome.isCorrupt {
                let step = unsafe inflater.inflate(file.span.bytes.extracting(rest), into: &buffer, 0..<room)
                rest = rest.lowerBound + inflater.consumed..<rest.upperBound
                let count: Int
                switch step {
                case .produced(let produced): count = produced
                case .corrupt(let produced):
                    count = produced
                    outcome.isCorrupt = true
                }
                outcome.content += buffer[..<count]
                guard outcome.content.count <= limit else {
                    outcome.content.removeSubrange(limit...)
                    outcome.isCut = true
                    outcome.isCorrupt = false
                    return outcome
                }
                if count == 0 { break }
            }
            if outcome.isCorrupt { break }
        }
        outcome.isComplete = inflater.mayEnd
        return outcome
    }
}
