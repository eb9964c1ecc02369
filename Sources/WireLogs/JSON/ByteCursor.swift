/// A place in bytes that come in pieces; one piece is held.
package struct ByteCursor {
    private(set) var piece: [UInt8]
    /// In the piece.
    package var index = 0
    /// Bytes before the piece.
    private var before = 0
    private var hasEnded = false
    private let nextPiece: () -> [UInt8]?

    init(pieces: @escaping () -> [UInt8]?) {
        piece = []
        nextPiece = pieces
    }

    init(_ bytes: [UInt8]) {
        piece = bytes
        nextPiece = { nil }
    }

    /// Bytes before the place.
    package var offset: Int { before + index }

    /// The byte at the place, brought in when necessary; -1 at the end.
    mutating func peek() -> Int {
        if index < piece.count { return Int(piece[index]) }
        return refill()
    }

    private mutating func refill() -> Int {
        guard !hasEnded else { return -1 }
        repeat {
            before += piece.count
            index = 0
            guard let next = nextPiece() else {
                piece = []
                hasEnded = true
                return -1
            }
            piece = next
        } while piece.isEmpty
        return Int(piece[0])
    }

    /// Where in the piece the bytes end that stand for themselves in a JSON string.
    var plainEnd: Int {
        let bytes = piece.span
        var index = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            index += 1
        }
        return index
    }

    /// Where in the piece the line ends; the piece's end where it does not.
    package var lineEnd: Int {
        let bytes = piece.span
        var index = index
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
        return index
    }
}
