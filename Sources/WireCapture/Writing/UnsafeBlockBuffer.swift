import WireCore

/// Whole pcapng blocks that wait to be written, in the byte order of this machine. One buffer is filled and emptied
/// again and again, so a packet costs no allocation. A store comes after the check that there is room.
@safe
struct UnsafeBlockBuffer: ~Copyable {
    private var storage: UnsafeMutableRawPointer
    private(set) var capacity: Int
    /// Bytes in the buffer.
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 4096)
        unsafe storage = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { unsafe storage.deallocate() }

    var room: Int { capacity - count }

    /// Lends the bytes.
    borrowing func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
        body(unsafe UnsafeRawBufferPointer(start: storage, count: count).bytes)
    }

    mutating func removeAll() { count = 0 }

    /// Makes the empty buffer large enough for a block.
    mutating func enlarge(to size: Int) {
        guard count == 0, size > capacity else { return }
        unsafe storage.deallocate()
        unsafe storage = .allocate(byteCount: size, alignment: 16)
        capacity = size
    }

    mutating func append(_ bytes: RawSpan) {
        precondition(bytes.byteCount <= room)
        unsafe copy(bytes, to: storage + count)
        count += bytes.byteCount
    }

    /// An enhanced packet block (pcapng §4.3).
    ///
    ///     | type 4 | length 4 | interface 4 | time, high 4 | time, low 4 | captured 4 | original 4 |
    ///     | frame …, padded to 4 | options … | length 4 |
    @inline(__always)
    mutating func append(_ block: PacketBlock, _ frame: RawSpan) {
        let length = block.length
        precondition(length <= room && frame.byteCount == block.captured)
        let start = unsafe storage + count
        let time = block.time
        unsafe start.storeBytes(of: PacketBlock.type, as: UInt32.self)
        unsafe start.storeBytes(of: UInt32(truncatingIfNeeded: length), toByteOffset: 4, as: UInt32.self)
        unsafe start.storeBytes(of: block.interface, toByteOffset: 8, as: UInt32.self)
        unsafe start.storeBytes(of: UInt32(truncatingIfNeeded: time >> 32), toByteOffset: 12, as: UInt32.self)
        unsafe start.storeBytes(of: UInt32(truncatingIfNeeded: time), toByteOffset: 16, as: UInt32.self)
        unsafe start.storeBytes(of: UInt32(truncatingIfNeeded: block.captured), toByteOffset: 20, as: UInt32.self)
        unsafe start.storeBytes(of: block.original, toByteOffset: 24, as: UInt32.self)
        // The padding, before the frame is laid over its beginning.
        if block.captured & 3 != 0 {
            unsafe start.storeBytes(of: 0, toByteOffset: 28 + block.captured & ~3, as: UInt32.self)
        }
        unsafe copy(frame, to: start + 28)
        if block.optionsLength > 0 { unsafe storeOptions(block, at: start + 28 + (block.captured + 3) & ~3) }
        unsafe start.storeBytes(of: UInt32(truncatingIfNeeded: length), toByteOffset: length - 4, as: UInt32.self)
        count += length
    }

    /// epb_flags with the length of the frame check sequence, and epb_dropcount.
    @inline(never)
    private func storeOptions(_ block: PacketBlock, at start: UnsafeMutableRawPointer) {
        var place = unsafe start
        if block.checkSequenceLength > 0 {
            unsafe place.storeBytes(of: 2, as: UInt16.self)
            unsafe place.storeBytes(of: 4, toByteOffset: 2, as: UInt16.self)
            unsafe place.storeBytes(of: UInt32(block.checkSequenceLength) << 5, toByteOffset: 4, as: UInt32.self)
            unsafe place += 8
        }
        if block.dropped > 0 {
            unsafe place.storeBytes(of: 4, as: UInt16.self)
            unsafe place.storeBytes(of: 8, toByteOffset: 2, as: UInt16.self)
            unsafe place.storeBytes(of: UInt64(block.dropped), toByteOffset: 4, as: UInt64.self)
            unsafe place += 12
        }
        unsafe place.storeBytes(of: 0, as: UInt32.self)
    }

    @inline(__always)
    private func copy(_ bytes: RawSpan, to place: UnsafeMutableRawPointer) {
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe place.copyMemory(from: start, byteCount: source.count)
        }
    }

    /// Where the last block ends that lies within the first `limit` bytes, and the packets behind that point.
    func wholeBlocks(within limit: Int) -> (end: Int, packetsBehind: Int) {
        var end = 0
        var offset = 0
        var packetsBehind = 0
        while offset + 12 <= count {
            let type = unsafe storage.load(fromByteOffset: offset, as: UInt32.self)
            let length = Int(unsafe storage.load(fromByteOffset: offset + 4, as: UInt32.self))
            guard length >= 12 else { break }
            offset += length
            if offset <= limit {
                end = offset
            } else if type == PacketBlock.type {
                packetsBehind += 1
            }
        }
        return (end, packetsBehind)
    }
}

/// What an enhanced packet block says besides the bytes of its frame.
struct PacketBlock {
    static let type: UInt32 = 6

    var interface: UInt32
    /// Nanoseconds since 1970, which is as far back as the format goes.
    var time: UInt64
    var captured: Int
    var original: UInt32
    /// 0 when it is not known.
    var checkSequenceLength: Int
    /// Frames lost since the one before it.
    var dropped: Int

    @inline(__always)
    init(_ frame: CaptureFrame, captured: Int) {
        interface = UInt32(truncatingIfNeeded: frame.interface)
        time = UInt64(max(frame.time, 0))
        self.captured = captured
        original = UInt32(clamping: frame.originalLength)
        checkSequenceLength = min(frame.checkSequenceLength, 15)
        dropped = frame.droppedBefore
    }

    @inline(__always)
    var optionsLength: Int {
        guard checkSequenceLength > 0 || dropped > 0 else { return 0 }
        return (checkSequenceLength > 0 ? 8 : 0) + (dropped > 0 ? 12 : 0) + 4
    }

    /// Of the whole block.
    @inline(__always)
    var length: Int { 32 &+ (captured &+ 3) & ~3 &+ optionsLength }
}
