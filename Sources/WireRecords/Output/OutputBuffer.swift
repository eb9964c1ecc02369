/// Bytes of output that wait to be written. One buffer is filled and emptied again and again, so rows cost no
/// allocation. All unsafe memory of the reports is in this file: a store comes after the check that there is room.
@safe
public struct OutputBuffer: ~Copyable {
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Bytes in the buffer.
    public private(set) var count = 0

    public init(capacity: Int = 1 << 17) {
        self.capacity = max(capacity, 64)
        unsafe storage = .allocate(capacity: self.capacity)
    }

    deinit { unsafe storage.deallocate() }

    /// Lends the bytes.
    public borrowing func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(unsafe UnsafeBufferPointer(start: storage, count: count).span)
    }

    /// The bytes as text; an invalid sequence would be a fault of a writer.
    public var text: String {
        unsafe String(decoding: UnsafeBufferPointer(start: storage, count: count), as: UTF8.self)
    }

    public mutating func removeAll() { count = 0 }

    @inline(__always)
    package mutating func reserve(_ needed: Int) {
        if capacity - count < needed { grow(needed) }
    }

    @inline(never)
    private mutating func grow(_ needed: Int) {
        let larger = max(capacity * 2, count + needed)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe moved.update(from: storage, count: count)
        unsafe storage.deallocate()
        unsafe storage = moved
        capacity = larger
    }

    @inline(__always)
    package mutating func byte(_ value: UInt8) {
        reserve(1)
        unsafe storage[count] = value
        count += 1
    }

    @inline(__always)
    package mutating func literal(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        unsafe (storage + count).update(from: text.utf8Start, count: length)
        count += length
    }

    /// `"name":`, after a comma where one is needed. JSON is mostly names, so they are stored with one check.
    @inline(__always)
    package mutating func jsonName(_ name: StaticString, afterComma: Bool) {
        let length = name.utf8CodeUnitCount
        reserve(length + 4)
        unsafe storage[count] = 0x2C
        let start = count + (afterComma ? 1 : 0)
        unsafe storage[start] = 0x22
        unsafe (storage + start + 1).update(from: name.utf8Start, count: length)
        unsafe storage[start + 1 + length] = 0x22
        unsafe storage[start + 2 + length] = 0x3A
        count = start + 3 + length
    }

    package mutating func bytes(_ source: Span<UInt8>) {
        guard !source.isEmpty else { return }
        reserve(source.count)
        unsafe source.withUnsafeBufferPointer { from in
            unsafe (storage + count).update(from: from.baseAddress!, count: from.count)
        }
        count += source.count
    }

    public mutating func string(_ text: String) {
        bytes(text.utf8Span.span)
    }
}

// MARK: Numbers

extension OutputBuffer {
    @inline(__always)
    package mutating func integer(_ value: Int) {
        if value >= 0, value < 10 {
            byte(0x30 + UInt8(truncatingIfNeeded: value))
        } else {
            if value < 0 { byte(0x2D) }
            digits(UInt64(value.magnitude))
        }
    }

    /// Decimal digits without sign.
    package mutating func digits(_ value: UInt64) {
        digits(value, width: decimalWidth(value))
    }

    /// Exactly `width` decimal digits, with leading zeros; higher digits are left out.
    package mutating func digits(_ value: UInt64, width: Int) {
        reserve(width)
        var rest = value
        var index = count + width
        while index > count {
            index -= 1
            unsafe storage[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += width
    }

    /// Nanoseconds as seconds with all nine decimals: exact, and never through floating point.
    package mutating func seconds(_ nanoseconds: Int64) {
        if nanoseconds < 0 { byte(0x2D) }
        let magnitude = nanoseconds.magnitude
        digits(magnitude / 1_000_000_000)
        byte(0x2E)
        digits(magnitude % 1_000_000_000, width: 9)
    }
}

private func decimalWidth(_ value: UInt64) -> Int {
    var width = 1
    var rest = value
    while rest >= 10_000 {
        rest /= 10_000
        width += 4
    }
    return width + (rest >= 10 ? 1 : 0) + (rest >= 100 ? 1 : 0) + (rest >= 1000 ? 1 : 0)
}
