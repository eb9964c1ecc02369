import WireNative

/// The bytes of a capture, or of a log, decompressed when the file is gzip or zstd, whatever its name is.
package final class CaptureSource {
    package enum ReadResult {
        case bytes(Int)
        /// Everything was read.
        case end
        /// The compressed data ends before its stream does, or goes wrong; or the system cannot read on. All bytes
        /// before that were given out.
        case broken(SourceFault)
    }

    let file: InputFile
    private var inflater: StreamInflater?
    /// Bytes read from the file and not yet given out: those that the format was recognised by, or compressed ones.
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)
    private var chunkRange = 0..<0
    private var isRecognised = false
    private var fileHasEnded = false

    /// "gzip" or "zstd"; nil when the file is not compressed. Known after the first read.
    var compression: String? { inflater?.format.rawValue }

    /// What was read is so much larger than its compressed form that the file was probably made for it: no traffic has
    /// so little in so many bytes.
    var isExtremelyCompressed: Bool {
        inflater.map { $0.position / CaptureSource.usualRatio > $0.compressedPosition } ?? false
    }

    private static let usualRatio = 1000

    init(_ file: InputFile) {
        self.file = file
    }

    /// Opens a file, or takes standard input for "-".
    package convenience init(path: String) throws(CaptureError) {
        self.init(try InputFile(path: path, among: OpenFiles()))
    }

    /// Nothing more will be read.
    package func close() { file.close() }

    /// Fills `buffer[range]` as far as one read, or one chunk of compressed data, goes.
    package func read(into buffer: inout [UInt8], _ range: Range<Int>) -> ReadResult {
        if !isRecognised, let fault = recognise() { return .broken(fault) }
        if let inflater { return inflate(inflater, into: &buffer, range) }
        guard chunkRange.isEmpty else { return giveOutChunk(into: &buffer, range) }
        switch file.read(into: &buffer, range) {
        case .bytes(let count): return .bytes(count)
        case .end: return .end
        case .failed(let reason): return .broken(.system(reason: reason))
        }
    }

    private func recognise() -> SourceFault? {
        isRecognised = true
        while chunkRange.count < 4 {
            switch file.read(into: &chunk, chunkRange.upperBound..<chunk.count) {
            case .bytes(let count): chunkRange = 0..<chunkRange.upperBound + count
            case .end: return nil
            case .failed(let reason): return .system(reason: reason)
            }
        }
        inflater = unsafe StreamInflater.Format(firstBytes: chunk.span.bytes.extracting(chunkRange))
            .map { StreamInflater(format: $0) }
        return nil
    }

    private func giveOutChunk(into buffer: inout [UInt8], _ range: Range<Int>) -> ReadResult {
        let count = min(range.count, chunkRange.count)
        buffer.replaceSubrange(
            range.lowerBound..<range.lowerBound + count,
            with: chunk[chunkRange.lowerBound..<chunkRange.lowerBound + count])
        chunkRange = chunkRange.lowerBound + count..<chunkRange.upperBound
        if chunkRange.isEmpty { chunk = [] }
        return .bytes(count)
    }

    private func inflate(
        _ inflater: StreamInflater, into buffer: inout [UInt8], _ range: Range<Int>
    ) -> ReadResult {
        while true {
            let step = unsafe inflater.inflate(chunk.span.bytes.extracting(chunkRange), into: &buffer, range)
            chunkRange = chunkRange.lowerBound + inflater.consumed..<chunkRange.upperBound
            switch step {
            case .produced(let count) where count > 0, .corrupt(let count) where count > 0: return .bytes(count)
            case .corrupt: return .broken(.corrupt(compressedPosition: inflater.compressedPosition))
            case .produced: break
            }
            if fileHasEnded {
                return inflater.mayEnd ? .end : .broken(.truncated(compressedPosition: inflater.compressedPosition))
            }
            switch file.read(into: &chunk, 0..<chunk.count) {
            case .bytes(let count): chunkRange = 0..<count
            case .end: fileHasEnded = true
            case .failed(let reason): return .broken(.system(reason: reason))
            }
        }
    }
}

/// Why a file's bytes end before the file should.
package enum SourceFault: Equatable {
    case truncated(compressedPosition: Int)
    case corrupt(compressedPosition: Int)
    case system(reason: String)

    /// One clause for the messages of `CaptureError`.
    package var reason: String {
        switch self {
        case .truncated(let position): "its compressed data ends too early, at byte \(position)"
        case .corrupt(let position): "its compressed data is damaged at byte \(position)"
        case .system(let reason): "reading it failed: \(reason)"
        }
    }
}
