/// Follows the stream of a QPACK encoder (RFC 9204 §4.3), run by run: which instructions there are, and how long each is.
/// It keeps no more than an integer.
struct QPACKInstructionReader: Sendable {
    enum Instruction: Sendable, Equatable {
        /// An entry was inserted, by an instruction of so many bytes.
        case insertion(bytes: Int)
        /// The table has this capacity from here on.
        case capacity(UInt64)
    }

    private enum State: Sendable {
        /// The next byte begins an instruction.
        case start
        /// An integer goes on: its value so far, and where its next seven bits belong.
        case integer(UInt64, shift: UInt64)
        /// The next byte begins the length of the value.
        case valueLength
        /// Bytes of a string to come.
        case string(UInt64)
    }

    private enum Kind: Sendable { case capacity, duplicate, indexedName, literalName }

    private var state = State.start
    private var kind = Kind.capacity
    /// The string that follows is the value: the instruction ends with it.
    private var isInValue = false
    private var byteCount = 0
    /// An integer was above what can be: nothing is read any more.
    private(set) var isMalformed = false

    /// Reads a run. Calls with each instruction that ends in it.
    mutating func receive(_ run: RawSpan, _ body: (Instruction) -> Void) {
        var offset = 0
        while offset < run.byteCount, !isMalformed {
            if case .string(let left) = state {
                let count = Int(min(left, UInt64(run.byteCount - offset)))
                offset += count
                byteCount += count
                if UInt64(count) == left { endString(body) } else { state = .string(left - UInt64(count)) }
                continue
            }
            let byte = run.u8(offset)
            offset += 1
            byteCount += 1
            readByte(byte, body)
        }
    }

    private mutating func readByte(_ byte: UInt8, _ body: (Instruction) -> Void) {
        switch state {
        case .start: begin(byte, body)
        case .valueLength: beginInteger(byte, bits: 7, body)
        case .integer(let value, let shift):
            let sum = value + UInt64(byte & 0x7F) << shift
            guard sum < 1 << 62, shift < 56 else {
                isMalformed = true
                return
            }
            if byte & 0x80 == 0 { endInteger(sum, body) } else { state = .integer(sum, shift: shift + 7) }
        case .string: break
        }
    }

    private mutating func begin(_ byte: UInt8, _ body: (Instruction) -> Void) {
        isInValue = false
        switch byte {
        case 0x80...:
            kind = .indexedName
            beginInteger(byte, bits: 6, body)
        case 0x40...:
            kind = .literalName
            beginInteger(byte, bits: 5, body)
        case 0x20...:
            kind = .capacity
            beginInteger(byte, bits: 5, body)
        default:
            kind = .duplicate
            beginInteger(byte, bits: 5, body)
        }
    }

    private mutating func beginInteger(_ byte: UInt8, bits: UInt8, _ body: (Instruction) -> Void) {
        let most = UInt64(1) << UInt64(bits) - 1
        if case .valueLength = state { isInValue = true }
        let value = UInt64(byte) & most
        if value < most { endInteger(value, body) } else { state = .integer(value, shift: 0) }
    }

    private mutating func endInteger(_ value: UInt64, _ body: (Instruction) -> Void) {
        if isInValue || kind == .literalName {
            state = .string(value)
            if value == 0 { endString(body) }
        } else if kind == .indexedName {
            state = .valueLength
        } else {
            end(kind == .capacity ? .capacity(value) : .insertion(bytes: byteCount), body)
        }
    }

    private mutating func endString(_ body: (Instruction) -> Void) {
        if isInValue { end(.insertion(bytes: byteCount), body) } else { state = .valueLength }
    }

    private mutating func end(_ instruction: Instruction, _ body: (Instruction) -> Void) {
        body(instruction)
        state = .start
        byteCount = 0
    }
}
