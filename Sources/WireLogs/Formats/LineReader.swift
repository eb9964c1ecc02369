/// Lines of a text that comes in pieces. A line ends with LF; a CR before it is taken off.
package struct LineReader {
    private var bytes: ByteCursor
    private let limit: Int
    /// Number of the last line, from 1.
    package private(set) var number = 0
    /// The last line was longer than the limit; what is beyond it was passed over.
    private(set) var isCut = false
    /// The last line has no line end, because the text has none there.
    private(set) var isUnended = false

    package init(limit: Int, pieces: @escaping () -> [UInt8]?) {
        bytes = ByteCursor(pieces: pieces)
        self.limit = limit
    }

    /// Reads the next line; false when there is none.
    package mutating func next(into line: inout [UInt8]) -> Bool {
        line.removeAll(keepingCapacity: true)
        isCut = false
        guard bytes.peek() >= 0 else { return false }
        number += 1
        if bytes.offset == 0 { skipByteOrderMark(&line) }
        isUnended = true
        while bytes.peek() >= 0 {
            let start = bytes.index
            let end = bytes.lineEnd
            let room = max(0, limit - line.count)
            line += bytes.piece[start..<min(end, start + room)]
            if end - start > room { isCut = true }
            bytes.index = end
            if end < bytes.piece.count {
                bytes.index += 1
                isUnended = false
                break
            }
        }
        if line.last == 0x0D { line.removeLast() }
        return true
    }

    /// What of the mark turns out to be none belongs to the line.
    private mutating func skipByteOrderMark(_ line: inout [UInt8]) {
        for byte in [UInt8]([0xEF, 0xBB, 0xBF]) {
            guard bytes.peek() == Int(byte) else { return }
            line.append(byte)
            bytes.index += 1
        }
        line.removeAll()
    }
}
