import WireTesting

@testable import WireCore

/// Key logs: the same text whole, in pieces, and from a file that stops growing now and then.
enum KeyLogTarget: FuzzTarget {
    static let name = "keylog"
    static let longestInput = 20_000
    static let memory = Bound(fixed: 1 << 20, perByte: 64)
    static let work = Bound(fixed: 1 << 20, perByte: 2000)

    static func run(_ input: [UInt8]) {
        let whole = read(input, [0..<input.count])
        var cuts = Cuts(input)
        let pieces = cuts.pieces(of: input.count)
        demand(whole == read(input, pieces), "the pieces of a key log hold other secrets")
        let growing = read(input, pieces, pauses: true)
        // A line that only its end spoils has given its secret by then.
        demand(growing.counts == whole.counts, "lines of a key log that grows are counted otherwise")
        demand(growing.secrets == whole.secrets || whole.malformed > 0, "a key log that grows holds other secrets")
        let lines = input.count { $0 == 0x0A } + 1
        let counted = whole.counts.reduce(0, +)
        demand(counted <= lines, "\(counted) lines counted of \(lines)")
    }

    private struct Outcome: Equatable {
        var lines = 0
        var ignored = 0
        var malformed = 0
        var secrets: [[UInt8]?] = []

        var counts: [Int] { [lines, ignored, malformed] }
    }

    private static func read(_ input: [UInt8], _ pieces: [Range<Int>], pauses: Bool = false) -> Outcome {
        let log = KeyLog()
        var source = KeyLog.Source()
        for (index, piece) in pieces.enumerated() where !piece.isEmpty {
            unsafe log.add(input.span.bytes.extracting(piece), of: &source)
            if pauses, index % 3 == 0 { log.pause(&source) }
        }
        log.endOfInput(of: &source)
        var outcome = Outcome(lines: log.lineCount, ignored: log.ignoredLines, malformed: log.malformedLines)
        for key in keys(input) {
            if key.count == 8 {
                outcome.secrets.append(log.premaster(encryptedPrefix: key))
            } else if let found = log.secrets(clientRandom: key) {
                outcome.secrets += found.all.map { $0.1 }
            }
        }
        return outcome
    }

    /// What may be keys in a text: hexadecimal digits between spaces, of the two lengths that keys have.
    private static func keys(_ input: [UInt8]) -> [[UInt8]] {
        input.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 }.prefix(200).compactMap { word in
            guard word.count == 64 || word.count == 16 else { return nil }
            var key: [UInt8] = []
            return unsafe Array(word).span.bytes.appendHexadecimal(to: &key) ? key : nil
        }
    }
}
