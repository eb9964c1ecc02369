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

/// Processor time of the calling thread, nanoseconds.
public func threadProcessorTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
