import Foundation
import WireCapture
import WireNative
import WireTesting

@testable import WireCore

/// Capture files: pcap and pcapng, plain, in gzip and in zstd. The input is the file.
enum CaptureTarget: FuzzTarget {
    static let name = "capture"
    static let longestInput = 24_000
    /// The largest window of a zstd file is 128 MiB.
    static let memory = Bound(fixed: 300 << 20, perByte: 4000)
    /// A packet may be that long as well; a file is audited up to three times.
    static let work = Bound(fixed: 800 << 20, perByte: 200_000)

    static func run(_ input: [UInt8]) {
        var file = input
        if let format = unsafe StreamInflater.Format(firstBytes: input.span.bytes) {
            let inflated = Inflating(format).run(input, [0..<input.count], room: 30_000)
            if inflated.isCut { return }
            file = inflated.content
        }
        var cuts = Cuts(input)
        let whole = ParsedFile(file, [0..<file.count])
        let inPieces = ParsedFile(file, cuts.pieces(of: file.count))
        demand(whole == inPieces, "in pieces: \(inPieces)\nnot: \(whole)")
        demand(whole.consumed <= file.count, "\(whole.consumed) bytes read of \(file.count)")
        audit(input, frames: whole.frames)
    }

    /// Reads it as the program would.
    private static func audit(_ input: [UInt8], frames: [ParsedCapture.Frame]) {
        let descriptor = makeMemoryFile("capture", 0)
        defer { close(descriptor) }
        let written = input.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        demand(written == input.count, "the file cannot be written: \(errno)")
        do {
            let path = "/proc/self/fd/\(descriptor)"
            let result = try CaptureAudit(paths: [path]).run()
            demand(result.ledger.balanced, "the ledger is out of balance")
            demand(result.files[0].packets == frames.count, "\(result.files[0].packets) packets of \(frames.count)")
            let bytes = frames.reduce(0) { $0 + $1.original }
            demand(result.ledger.bytes == bytes, "\(result.ledger.bytes) bytes of \(bytes)")
            try demandSameWithThreads(input, path)
        } catch {
            demand(frames.isEmpty, "a capture with \(frames.count) frames was refused")
        }
    }
}

/// Demands, for some inputs, that two threads find the same in the file and give the records out in the same order.
private func demandSameWithThreads(_ input: [UInt8], _ path: String) throws(CaptureError) {
    var cuts = Cuts(input)
    guard cuts.asksForThreads() else { return }
    let (one, two) = (ProbeSink(), ProbeSink())
    let resultOfOne = try CaptureAudit(paths: [path], jobs: 1).run(sink: one)
    let resultOfTwo = try AllocationWatch.withThreads { () throws(CaptureError) in
        try CaptureAudit(paths: [path], jobs: 2).run(sink: two)
    }
    two.audited(resultOfTwo, []).demandEqual(one.audited(resultOfOne, []), "with two threads")
    demandEqualLists(two.order, one.order, "with two threads: order of records")
}

/// What the parser makes of a file that comes in pieces.
private struct ParsedFile: Equatable {
    var frames: [ParsedCapture.Frame] = []
    var ending = CaptureParser.Step.end
    var position = 0
    var dropped: Int?
    var names: [CaptureName] = []
    var secrets: [UInt8] = []
    /// Bytes that the steps passed.
    var consumed = 0

    init(_ file: [UInt8], _ pieces: [Range<Int>]) {
        var parser = CaptureParser(processes: ProcessDirectory())
        var start = 0
        var steps = 0
        var ends = pieces.map(\.upperBound)[...]
        var end = ends.popFirst() ?? 0
        while true {
            // A step reads nothing before its own beginning, and says itself how much it needs.
            let window = Array(file[min(start, end)..<end])
            steps += 1
            demand(steps <= 2 * file.count + pieces.count + 16, "\(steps) steps in a file of \(file.count) bytes")
            let step =
                start <= end
                ? unsafe parser.next(window.span.bytes, at: 0, endOfInput: end == file.count) : .needMore(atLeast: 1)
            names += parser.removeNames()
            secrets += parser.removeSecrets()
            switch step {
            case .frame(let data, let next):
                let bytes = Array(window[data..<data + parser.frame.capturedLength])
                frames.append(ParsedCapture.Frame(parser.frame, bytes))
                start += next
            case .skipped(let next): start += next
            case .needMore(let count):
                demand(count > window.count || start > end, "\(count) bytes are wanted, and there")
                if start > file.count {
                    // What is to be skipped is not all there.
                    end = file.count
                    start = file.count
                } else {
                    demand(end < file.count, "more is wanted at the end")
                    repeat { end = ends.popFirst() ?? file.count } while end < min(start + count, file.count)
                }
            case .end, .cut, .damaged, .notACapture:
                ending = step
                position = parser.position
                dropped = parser.droppedFrames
                consumed = start
                return
            }
        }
    }
}

/// Linux's own; Swift's module of the C library leaves it out.
@_silgen_name("memfd_create")
private func makeMemoryFile(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32
