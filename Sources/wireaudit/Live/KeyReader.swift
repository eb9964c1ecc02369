/// A key that was pressed.
package enum Key: Equatable, Sendable {
    /// One Unicode scalar that can be seen, or a space.
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, escape, backspace, delete, tab, backTab
    /// Ctrl with a letter, lower case.
    case control(Character)
}

/// Makes keys of the bytes that a terminal sends (ECMA-48, xterm's control sequences). Bytes may come in any pieces:
/// the keys are the same. Only the escape key needs the time: its one byte also begins sequences, so it is a key when
/// nothing followed it.
package struct KeyReader {
    private enum State {
        case ground
        case escape
        /// After ESC [, with the parameter bytes so far.
        case sequence
        /// After ESC O: one byte ends it.
        case single
        /// After ESC [ [, as the Linux console begins its function keys.
        case consoleKey
        /// In a UTF-8 sequence: what is still missing.
        case scalar(missing: Int)
    }

    /// Longer parameters are dropped: no key has them.
    private static let parameterLimit = 32

    private var state = State.ground
    private var parameters: [UInt8] = []
    private var scalar: UInt32 = 0
    private var leastScalar: UInt32 = 0
    private var keys: [Key] = []

    package init() {}

    /// An escape may be the key, or the begin of a sequence: `endWait` decides.
    package var isWaiting: Bool {
        if case .ground = state { false } else { true }
    }

    /// The keys that end with these bytes.
    package mutating func read(_ bytes: [UInt8]) -> [Key] {
        for byte in bytes { take(byte) }
        defer { keys.removeAll(keepingCapacity: true) }
        return keys
    }

    /// Nothing came for so long that nothing more belongs to what came before.
    package mutating func endWait() -> [Key] {
        defer { state = .ground }
        if case .escape = state { return [.escape] }
        return []
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: begin(byte)
        case .escape: afterEscape(byte)
        case .sequence: inSequence(byte)
        case .single:
            state = .ground
            if byte < 0x20 { begin(byte) } else { add(Self.named(final: byte)) }
        case .consoleKey:
            state = .ground
            if byte < 0x20 { begin(byte) }
        case .scalar(let missing): continueScalar(byte, missing)
        }
    }

    private mutating func add(_ key: Key?) {
        if let key { keys.append(key) }
    }

    // MARK: One byte

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: add(.enter)
        case 0x08, 0x7F: add(.backspace)
        case 0x09: add(.tab)
        case 0x01...0x1A: add(.control(Character(UnicodeScalar(byte + 0x60))))
        case 0x20...0x7E: add(.character(Character(UnicodeScalar(byte))))
        case 0xC2...0xDF: beginScalar(UInt32(byte & 0x1F), missing: 1, least: 0x80)
        case 0xE0...0xEF: beginScalar(UInt32(byte & 0x0F), missing: 2, least: 0x800)
        case 0xF0...0xF4: beginScalar(UInt32(byte & 0x07), missing: 3, least: 0x10000)
        default: break
        }
    }

    // MARK: UTF-8

    private mutating func beginScalar(_ bits: UInt32, missing: Int, least: UInt32) {
        scalar = bits
        leastScalar = least
        state = .scalar(missing: missing)
    }

    /// What is no UTF-8 is no key.
    private mutating func continueScalar(_ byte: UInt8, _ missing: Int) {
        guard byte & 0xC0 == 0x80 else {
            state = .ground
            begin(byte)
            return
        }
        scalar = scalar << 6 | UInt32(byte & 0x3F)
        if missing > 1 {
            state = .scalar(missing: missing - 1)
            return
        }
        state = .ground
        guard scalar >= max(leastScalar, 0xA0), let found = UnicodeScalar(scalar) else { return }
        add(.character(Character(found)))
    }

    // MARK: Sequences

    private mutating func afterEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["):
            parameters.removeAll(keepingCapacity: true)
            state = .sequence
        case UInt8(ascii: "O"): state = .single
        default:
            // Alt with a key arrives as escape and that key.
            add(.escape)
            state = .ground
            begin(byte)
        }
    }

    private mutating func inSequence(_ byte: UInt8) {
        switch byte {
        case 0x20...0x3F:
            if parameters.count < Self.parameterLimit { parameters.append(byte) }
        case UInt8(ascii: "[") where parameters.isEmpty: state = .consoleKey
        case 0x40...0x7E:
            state = .ground
            add(byte == UInt8(ascii: "~") ? numbered() : Self.named(final: byte))
        default:
            state = .ground
            begin(byte)
        }
    }

    /// The key that a letter ends, with any modifiers.
    private static func named(final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "Z"): .backTab
        default: nil
        }
    }

    /// The key that a number before `~` names.
    private func numbered() -> Key? {
        switch parameters.prefix(while: { $0 != UInt8(ascii: ";") }) {
        case [0x31], [0x37]: .home
        case [0x33]: .delete
        case [0x34], [0x38]: .end
        case [0x35]: .pageUp
        case [0x36]: .pageDown
        default: nil
        }
    }
}
