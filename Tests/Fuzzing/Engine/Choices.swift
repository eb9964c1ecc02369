import WireTesting

/// Takes an input apart into choices. Behind its end every choice is 0.
struct Choices {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isEmpty: Bool { place >= bytes.count }

    mutating func byte() -> Int {
        guard place < bytes.count else { return 0 }
        defer { place += 1 }
        return Int(bytes[place])
    }

    /// Two bytes, the more significant one first.
    mutating func word() -> Int { byte() << 8 | byte() }

    mutating func below(_ bound: Int) -> Int { byte() % bound }

    mutating func element<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// So many bytes, or those that are left.
    mutating func bytes(_ count: Int) -> [UInt8] {
        let end = min(place + count, bytes.count)
        defer { place = end }
        return Array(bytes[min(place, end)..<end])
    }

    mutating func rest() -> [UInt8] { bytes(bytes.count) }
}

/// Cuts byte sequences at places that follow from the whole input: the same ones whenever it is the same. The more pieces
/// there are already, the longer the others become: a long stream in single bytes would take the time of a hundred inputs.
struct Cuts {
    private var random: SeededRandom
    private var longest: Int
    private var pieceCount = 0
    /// Pieces after which the longest ones become twice as long.
    private static let doubling = 400

    init(_ input: [UInt8]) {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in input { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        random = SeededRandom(seed: hash)
        longest = random.element([1, 2, 3, 8, 40, 300, 3000])
    }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    /// The pieces of a sequence of this length. None is empty.
    mutating func pieces(of count: Int) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = 0
        while start < count {
            pieceCount += 1
            if pieceCount % Self.doubling == 0 { longest = min(2 * longest, 4096) }
            let end = min(count, start + 1 + random.below(longest))
            pieces.append(start..<end)
            start = end
        }
        return pieces
    }
}
