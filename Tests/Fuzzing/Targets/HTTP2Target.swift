import WireNative
import WireTesting

@testable import WireCore

/// HTTP/2: frames that a script makes (`HTTP2Script`), and the same bytes straight to the frame reader and HPACK.
enum HTTP2Target: FuzzTarget {
    static let name = "http2"
    static let longestInput = 6000
    static let memory = Bound(fixed: 160 << 20, perByte: 20_000)
    static let work = Bound(fixed: 600 << 20, perByte: 200_000)

    static func packets(_ input: [UInt8]) -> (frames: [CapturedFrame], keys: [UInt8])? {
        (HTTP2Script(input).streams.frames(), [])
    }

    static func run(_ input: [UInt8]) {
        let script = HTTP2Script(input)
        var options = AuditOptions()
        options.setup = .separate
        script.streams.check(input, options: options)
        var cuts = Cuts(input)
        for side in Dialogue.Side.allCases {
            let bytes = script.streams.writes.filter { $0.side == side }.flatMap(\.bytes)
            readFrames(bytes, cuts.pieces(of: bytes.count))
        }
        inflate(input, cuts.pieces(of: input.count))
    }

    /// A frame with what its parts are.
    private struct Frame: Equatable {
        var header: FrameHeader
        var parts: [Int] = []
        var isMalformed = false
    }

    private static func readFrames(_ bytes: [UInt8], _ pieces: [Range<Int>]) {
        let whole = frames(bytes, [0..<bytes.count])
        demandEqualLists(frames(bytes, pieces), whole, "frames in pieces")
        demand(whole.reduce(0) { $0 + $1.parts.reduce(0, +) } <= bytes.count, "parts are more than the frames")
    }

    private static func frames(_ bytes: [UInt8], _ pieces: [Range<Int>]) -> [Frame] {
        var reader = FrameReader()
        var frames: [Frame] = []
        for piece in pieces {
            let run = unsafe bytes.span.bytes.extracting(piece)
            var offset = 0
            while offset < run.byteCount {
                let before = offset
                switch reader.next(run, offset) {
                case .incompleteHeader(let count): offset += count
                case .header(let count):
                    offset += count
                    frames.append(Frame(header: reader.frame, parts: [0, 0, 0, 0, 0, 0, 0]))
                case .bytes(let part, let count):
                    offset += count
                    frames[frames.count - 1].parts[number(part)] += count
                }
                demand(offset > before && offset <= run.byteCount, "a step takes \(offset - before) bytes")
                if !frames.isEmpty { frames[frames.count - 1].isMalformed = reader.isMalformed }
            }
        }
        return frames
    }

    private static func number(_ part: FramePart) -> Int {
        switch part {
        case .padLength: 0
        case .priority: 1
        case .fragment: 2
        case .data: 3
        case .padding: 4
        case .promisedStream: 5
        case .payload: 6
        }
    }

    /// The input as one field block, and as one block for each 64 bytes.
    private static func inflate(_ input: [UInt8], _ pieces: [Range<Int>]) {
        for joinsLate in [false, true] {
            let whole = fields(input, [0..<input.count], joinsLate)
            let inPieces = fields(input, pieces, joinsLate)
            demand(whole.sent <= input.count, "fields of \(whole.sent) bytes in \(input.count)")
            demand(whole == inPieces, "a field block in pieces has other fields: \(inPieces) and \(whole)")
        }
        guard let inflater = HPACKInflater() else { fail("no inflater") }
        for start in stride(from: 0, to: input.count, by: 64) {
            let block = unsafe input.span.bytes.extracting(start..<min(start + 64, input.count))
            guard inflater.inflate(block, isFinal: true, { _, _, _ in }) else { break }
            demand(inflater.tableSize <= inflater.maximumTableSize, "a table of \(inflater.tableSize)")
            demand(inflater.maximumTableSize <= HPACKInflater.largestTable, "a table too large")
        }
    }

    private struct Fields: Equatable {
        var texts: [[UInt8]] = []
        var isSound = true
        var sent = 0
        var tableSize = 0
    }

    private static func fields(_ input: [UInt8], _ pieces: [Range<Int>], _ joinsLate: Bool) -> Fields {
        guard let inflater = HPACKInflater(joinsLate: joinsLate) else { fail("no inflater") }
        var fields = Fields()
        var size = 0
        for (index, piece) in pieces.enumerated() where fields.isSound {
            let run = unsafe input.span.bytes.extracting(piece)
            fields.isSound = inflater.inflate(run, isFinal: index == pieces.count - 1) { name, value, coding in
                fields.sent += coding.size
                size += name.byteCount + value.byteCount
                // A few bytes of a block can stand for very many.
                guard size < 1 << 20 else { return }
                fields.texts += [name.array(0..<name.byteCount), value.array(0..<value.byteCount)]
            }
        }
        fields.tableSize = fields.isSound ? inflater.tableSize : 0
        return fields
    }
}
