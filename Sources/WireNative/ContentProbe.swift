import Platform

/// Whether content, taken piece by piece, is UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing cut.
public struct UTF8Check: Sendable {
    private var isBroken = false
    /// Continuation bytes still to come, and what the next one must lie between.
    private var awaited = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    public init() {}

    public mutating func consume(_ bytes: RawSpan) {
        guard !isBroken else { return }
        var offset = 0
        while offset < bytes.byteCount {
            if awaited == 0, offset + 8 <= bytes.byteCount,
                unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                offset += 8
                continue
            }
            take(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            if isBroken { return }
            offset += 1
        }
    }

    /// All content was UTF-8, and its last character came whole.
    public var isText: Bool { !isBroken && awaited == 0 }

    private mutating func take(_ byte: UInt8) {
        if awaited > 0 {
            isBroken = byte < lowest || byte > highest
            awaited -= 1
            lowest = 0x80
            highest = 0xBF
            return
        }
        switch byte {
        case 0..<0x80: break
        case 0xC2...0xDF: awaited = 1
        case 0xE0...0xEF:
            awaited = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            awaited = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: isBroken = true
        }
    }
}

/// How long UTF-8 text is as a string of JavaScript, taken piece by piece. Of other content it means nothing.
public struct StringLength: Sendable, Equatable {
    /// UTF-16 code units, without a byte order mark in front.
    public private(set) var units = 0
    private var escapes = 0
    private var offset = 0
    private var mark = 0

    public init() {}

    /// UTF-16 code units of the text as a JSON string, with quotes and escapes (ECMA-262 §25.5.4.3, QuoteJSONString).
    public var quoted: Int { units + escapes + 2 }

    public mutating func consume(_ bytes: RawSpan) {
        for index in 0..<bytes.byteCount { consume(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
    }

    private mutating func consume(_ byte: UInt8) {
        // Every character has one byte that continues none; those of four bytes take two units.
        if byte & 0xC0 != 0x80 { units += byte >= 0xF0 ? 2 : 1 }
        switch byte {
        case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: escapes += 1
        case ..<0x20: escapes += 5
        default: break
        }
        let byteOrderMark: [3 of UInt8] = [0xEF, 0xBB, 0xBF]
        if offset < 3 {
            if byte == byteOrderMark[offset] { mark += 1 }
            if mark == 3 { units -= 1 }
            offset += 1
        }
    }
}

/// A hash of bytes that is the same within one run of the program only.
public func runHash(_ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
}

/// Appends all bytes.
public func append(_ bytes: RawSpan, to array: inout [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe array.append(contentsOf: $0) }
}
