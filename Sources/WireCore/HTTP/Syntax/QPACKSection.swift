/// Where the parts of a field section lie (RFC 9204 §4.5): what it asks of the dynamic table, and which lines refer to that.
/// It undoes no compression.
struct QPACKSection: Equatable {
    /// What a field line takes from the dynamic table.
    enum Reference: Equatable {
        case none
        /// By the absolute number of the insertion, from 0; nil where that cannot be.
        case insertion(UInt64?)
    }

    /// Insertions that must have come before it can be read, as it says it: 0 where it refers to none.
    let encodedInsertCount: UInt64
    private let isNegative: Bool
    private let deltaBase: UInt64
    /// Where its lines begin.
    let start: Int
    /// The beginning of a section that needs no insertion.
    static let emptyPrefix: [UInt8] = [0, 0]

    /// Nil where the beginning of the section is cut, or no integer that can be.
    init?(_ bytes: RawSpan) {
        var offset = 0
        guard let count = PrefixInteger.read(bytes, &offset, bits: 8), offset < bytes.byteCount else { return nil }
        isNegative = bytes.u8(offset) & 0x80 != 0
        guard let delta = PrefixInteger.read(bytes, &offset, bits: 7) else { return nil }
        (encodedInsertCount, deltaBase, start) = (count, delta, offset)
    }

    /// The number of insertions that it needs (§4.5.1.1). Nil where it can be none.
    /// - Parameters:
    ///   - capacity: SETTINGS_QPACK_MAX_TABLE_CAPACITY of its receiver.
    ///   - inserted: insertions that were read.
    func requiredInsertCount(capacity: Int, inserted: UInt64) -> UInt64? {
        guard encodedInsertCount > 0 else { return 0 }
        let most = UInt64(capacity / 32)
        let range = 2 * most
        guard encodedInsertCount <= range else { return nil }
        let highest = inserted + most
        var count = highest / range * range + encodedInsertCount - 1
        if count > highest {
            guard count > range else { return nil }
            count -= range
        }
        return count > 0 ? count : nil
    }

    /// Calls with each field line and what it refers to. False where the section ends inside a line.
    /// - Parameter required: the required insert count, which references count from.
    func forEachLine(_ bytes: RawSpan, required: UInt64, _ body: (Range<Int>, Reference) -> Void) -> Bool {
        let base: UInt64? =
            isNegative
            ? (deltaBase < required ? required - deltaBase - 1 : nil)
            : (deltaBase < 1 << 62 ? required + deltaBase : nil)
        var offset = start
        while offset < bytes.byteCount {
            let lineStart = offset
            guard let reference = readLine(bytes, &offset, base) else { return false }
            body(lineStart..<offset, reference)
        }
        return true
    }

    private func readLine(_ bytes: RawSpan, _ offset: inout Int, _ base: UInt64?) -> Reference? {
        let first = bytes.u8(offset)
        switch first {
        case 0x80...:
            guard let index = PrefixInteger.read(bytes, &offset, bits: 6) else { return nil }
            return first & 0x40 != 0 ? Reference.none : .before(base, index)
        case 0x40...:
            guard let index = PrefixInteger.read(bytes, &offset, bits: 4),
                PrefixInteger.skipString(bytes, &offset, bits: 7)
            else { return nil }
            return first & 0x10 != 0 ? Reference.none : .before(base, index)
        case 0x20...:
            guard PrefixInteger.skipString(bytes, &offset, bits: 3), PrefixInteger.skipString(bytes, &offset, bits: 7)
            else { return nil }
            return Reference.none
        case 0x10...:
            guard let index = PrefixInteger.read(bytes, &offset, bits: 4) else { return nil }
            return .behind(base, index)
        default:
            guard let index = PrefixInteger.read(bytes, &offset, bits: 3),
                PrefixInteger.skipString(bytes, &offset, bits: 7)
            else { return nil }
            return .behind(base, index)
        }
    }

    /// The section without the lines that refer to the dynamic table, as one that needs none, and how many those are. Nil
    /// where it cannot be cut into lines.
    func withoutReferences(_ bytes: RawSpan) -> (bytes: [UInt8], count: Int)? {
        var kept = QPACKSection.emptyPrefix
        var count = 0
        let isWhole = forEachLine(bytes, required: 0) { line, reference in
            if reference == .none { bytes.append(line, to: &kept) } else { count += 1 }
        }
        return isWhole ? (kept, count) : nil
    }
}

extension QPACKSection.Reference {
    /// Relative to the base, counted back (§3.2.5).
    fileprivate static func before(_ base: UInt64?, _ index: UInt64) -> Self {
        .insertion(base.flatMap { index < $0 ? $0 - index - 1 : nil })
    }

    /// Behind the base (§3.2.6).
    fileprivate static func behind(_ base: UInt64?, _ index: UInt64) -> Self {
        .insertion(base.flatMap { index < 1 << 62 ? $0 + index : nil })
    }
}

/// Integers and strings that begin inside a byte (RFC 7541 §5, RFC 9204 §4.1).
enum PrefixInteger {
    /// Reads an integer and moves the offset behind it; nil where it is cut, or above 2⁶².
    static func read(_ bytes: RawSpan, _ offset: inout Int, bits: Int) -> UInt64? {
        guard offset < bytes.byteCount else { return nil }
        let most = UInt64(1) << UInt64(bits) - 1
        var value = UInt64(bytes.u8(offset)) & most
        offset += 1
        guard value == most else { return value }
        var shift: UInt64 = 0
        while offset < bytes.byteCount, shift < 62 {
            let byte = bytes.u8(offset)
            offset += 1
            value += UInt64(byte & 0x7F) << shift
            guard value < 1 << 62 else { return nil }
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }

    /// Moves the offset behind a string; false where it is cut.
    static func skipString(_ bytes: RawSpan, _ offset: inout Int, bits: Int) -> Bool {
        guard let length = read(bytes, &offset, bits: bits), length <= UInt64(bytes.byteCount - offset) else {
            return false
        }
        offset += Int(length)
        return true
    }
}
