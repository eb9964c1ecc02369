import Foundation

/// Why nothing could be written.
struct WriteError: Error {
    var text: String
}

/// Writes a capture of a shape, and what it holds into a file beside it with `.json` behind its name.
///
///     wirebench write SHAPE [--bytes N] [--packets N] [--connections N] [--open N] [--exchanges N] [--rate N]
///                           [--keep-open] [--seed N] FILE
///
/// Numbers may end in k, M or G (1000 each). Exchanges stop when bytes or packets are written; what has begun ends.
/// The same words write the same bytes, with the same zlib.
struct WriteCommand {
    static let usage = """
        write \(TrafficShape.all.map(\.name).joined(separator: "|")) [--bytes N] [--packets N] [--connections N] \
        [--open N] [--exchanges N] [--rate N] [--keep-open] [--seed N] FILE
        """

    private var shape: TrafficShape
    private var limits = TrafficLimits()
    private var path = ""

    init(_ words: [String]) throws {
        guard let name = words.first, let shape = TrafficShape.all.first(where: { $0.name == name }) else {
            throw WriteError(text: "no such shape")
        }
        self.shape = shape
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if !word.hasPrefix("--") {
                path = word
            } else if word == "--keep-open" {
                limits.keepsOpen = true
            } else {
                guard let text = rest.popFirst(), let value = Self.number(text) else {
                    throw WriteError(text: "\(word) needs a number")
                }
                try set(word, value)
            }
        }
        if path.isEmpty { throw WriteError(text: "no file is named") }
        let isLimited = limits.bytes < .max || limits.packets < .max || limits.connections < .max
        if !isLimited, let connections = shape.connections { limits.connections = connections }
        if limits.connections == .max, limits.bytes == .max, limits.packets == .max { limits.bytes = 1_000_000_000 }
    }

    func run() throws {
        var writer = try TrafficWriter(shape, limits, path: path)
        let truth = try writer.run().json(shape: shape.name, seed: limits.seed)
        try Data(truth.utf8).write(to: URL(fileURLWithPath: path + ".json"))
        print(truth, terminator: "")
    }

    private mutating func set(_ option: String, _ value: Int) throws {
        switch option {
        case "--bytes": limits.bytes = value
        case "--packets": limits.packets = value
        case "--connections": limits.connections = value
        case "--open": limits.open = value
        case "--exchanges": limits.exchanges = value
        case "--rate": limits.rate = value
        case "--seed": limits.seed = UInt64(value)
        default: throw WriteError(text: "no option \(option)")
        }
    }

    private static func number(_ text: String) -> Int? {
        let factors: [Character: Int] = ["k": 1000, "M": 1_000_000, "G": 1_000_000_000]
        let factor = text.last.flatMap { factors[$0] }
        guard let value = Int(factor == nil ? text : String(text.dropLast())), value > 0, value < 1 << 40 else {
            return nil
        }
        return value * (factor ?? 1)
    }
}
