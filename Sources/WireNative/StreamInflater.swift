/// Decompresses a whole file, piece by piece: gzip with any number of members, zstd with any number of frames.
///
/// It gives out every byte that decodes before the input ends or goes wrong, and says which of both it was, and where.
public final class StreamInflater {
    public enum Format: String, Sendable {
        case gzip, zstd

        /// Recognises the format by a file's first four bytes; nil for anything else.
        public init?(firstBytes bytes: RawSpan) {
            guard bytes.byteCount >= 4 else { return nil }
            let magic = (0..<4).reduce(UInt32(0)) { value, offset in
                unsafe value << 8 | UInt32(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            }
            switch magic {
            // RFC 1952 §2.3.1: two bytes of identification, then method 8.
            case 0x1f8b_0800...0x1f8b_08ff: self = .gzip
            // RFC 8878 §3.1: a frame, or a skippable frame.
            case 0x28b5_2ffd: self = .zstd
            case _ where magic & 0xf0ff_ffff == 0x502a_4d18: self = .zstd
            default: return nil
            }
        }
    }

    public enum Step: Sendable, Equatable {
        /// So many bytes were put to the buffer; 0 when the input was not enough for any.
        case produced(Int)
        /// The input is damaged at `compressedPosition`. So many bytes were still put to the buffer.
        case corrupt(produced: Int)
    }

    public let format: Format
    /// Compressed bytes taken so far: where in the compressed file the reading is.
    public private(set) var compressedPosition = 0
    /// Bytes given out so far: where in the decompressed file the reading is.
    public private(set) var position = 0
    /// Compressed bytes that the last step took from its input.
    public private(set) var consumed = 0
    /// Whether the input may end here: the last stream is complete.
    public private(set) var mayEnd = false

    private let decompressor: any Decompressor
    /// Zeros stand behind the last stream, as tapes and block devices leave them; only zeros may follow.
    private var inPadding = false
    private var isCorrupt = false

    public init(format: Format) {
        self.format = format
        switch format {
        case .gzip: decompressor = ZlibDecompressor(wrapper: .gzip)
        case .zstd: decompressor = ZstdDecompressor(windowLog: ZstdDecompressor.fileWindowLog)
        }
    }

    /// Decompresses into `buffer[range]` until that is full or the input is used up; `consumed` says how much was.
    /// Call it with what is left of the input, even nothing, until it produces nothing. After `.corrupt` it gives
    /// nothing but `.corrupt(produced: 0)`.
    public func inflate(_ input: RawSpan, into buffer: inout [UInt8], _ range: Range<Int>) -> Step {
        consumed = 0
        guard !isCorrupt else { return .corrupt(produced: 0) }
        let produced = unsafe buffer.withUnsafeMutableBytes { target in
            unsafe input.withUnsafeBytes { source in
                unsafe inflate(source, UnsafeMutableRawBufferPointer(rebasing: target[range]))
            }
        }
        compressedPosition += consumed
        position += produced
        return isCorrupt ? .corrupt(produced: produced) : .produced(produced)
    }

    /// Bytes put out; sets `consumed` and `isCorrupt`.
    private func inflate(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> Int {
        var produced = 0
        while produced < output.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: input[consumed...])
            if mayEnd {
                guard let first = unsafe rest.first else { break }
                if first == 0 || inPadding {
                    unsafe skipPadding(rest)
                    break
                }
                mayEnd = false
                isCorrupt = !decompressor.restart()
                if isCorrupt { break }
            }
            let step = unsafe decompressor.step(
                rest, UnsafeMutableRawBufferPointer(rebasing: output[produced...]))
            consumed += step.consumed
            produced += step.produced
            switch step.outcome {
            case .needsRoom where step.produced > 0: continue
            case .needsInput where consumed == input.count: return produced
            case .ended: mayEnd = true
            default:
                isCorrupt = true
                return produced
            }
        }
        return produced
    }

    private func skipPadding(_ rest: UnsafeRawBufferPointer) {
        inPadding = true
        let zeros = unsafe rest.prefix { $0 == 0 }.count
        consumed += zeros
        isCorrupt = zeros < rest.count
    }
}
