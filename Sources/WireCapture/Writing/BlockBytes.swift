/// A pcapng block that is written seldom, in the byte order of this machine, and is built field by field.
struct BlockBytes {
    private(set) var bytes: [UInt8] = []
    private var hasOptions = false

    init(type: UInt32) {
        u32(type)
        u32(0)
    }

    mutating func u16(_ value: UInt16) { number(UInt64(value), of: 2) }
    mutating func u32(_ value: UInt32) { number(UInt64(value), of: 4) }
    mutating func u64(_ value: UInt64) { number(value, of: 8) }

    /// A time in two halves, the high one first whatever the byte order is.
    mutating func time(_ nanoseconds: Int64) {
        let ticks = UInt64(max(nanoseconds, 0))
        u32(UInt32(truncatingIfNeeded: ticks >> 32))
        u32(UInt32(truncatingIfNeeded: ticks))
    }

    mutating func append(_ data: ArraySlice<UInt8>) {
        bytes += data
        pad()
    }

    /// An option; one that its length field cannot hold is left out.
    mutating func option(_ code: UInt16, _ value: some Collection<UInt8>) {
        guard value.count <= Int(UInt16.max), !value.isEmpty else { return }
        startOption(code, length: value.count)
        bytes += value
        pad()
    }

    mutating func option(_ code: UInt16, _ text: String) { option(code, Array(text.utf8)) }

    mutating func option(_ code: UInt16, count: Int) {
        startOption(code, length: 8)
        u64(UInt64(max(count, 0)))
    }

    mutating func option(_ code: UInt16, time nanoseconds: Int64) {
        startOption(code, length: 8)
        time(nanoseconds)
    }

    /// The whole block: the end of its options, and its length before and behind.
    consuming func finished() -> [UInt8] {
        if hasOptions { u32(0) }
        let length = UInt32(truncatingIfNeeded: bytes.count + 4)
        u32(length)
        bytes.replaceSubrange(4..<8, with: bytes.suffix(4))
        return bytes
    }

    private mutating func startOption(_ code: UInt16, length: Int) {
        hasOptions = true
        u16(code)
        u16(UInt16(truncatingIfNeeded: length))
    }

    private mutating func number(_ value: UInt64, of size: Int) {
        #if _endian(little)
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
        #else
            for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
        #endif
    }

    private mutating func pad() {
        while bytes.count & 3 != 0 { bytes.append(0) }
    }
}
