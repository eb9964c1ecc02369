import WireCore

/// Writes numbers of a chosen byte order, one behind the other.
public struct ByteWriter: Sendable {
    public var bytes: [UInt8] = []
    public var littleEndian: Bool

    public init(littleEndian: Bool = true) { self.littleEndian = littleEndian }

    public mutating func u16(_ value: UInt16) { number(UInt64(value), 2) }
    public mutating func u32(_ value: UInt32) { number(UInt64(value), 4) }
    public mutating func u64(_ value: UInt64) { number(value, 8) }

    private mutating func number(_ value: UInt64, _ count: Int) {
        for index in 0..<count {
            let shift = (littleEndian ? index : count - 1 - index) * 8
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// Zeros up to the next multiple of four.
    public mutating func pad() {
        while bytes.count % 4 != 0 { bytes.append(0) }
    }
}

/// Builds a pcap file record by record; every field may lie.
public struct PcapFileBuilder: Sendable {
    public var bytes: [UInt8] { writer.bytes }
    private var writer: ByteWriter
    private let modified: Bool

    public init(
        littleEndian: Bool = true, magic: UInt32 = 0xa1b2_c3d4, version: (UInt16, UInt16) = (2, 4),
        snapshotLength: UInt32 = 262_144, network: UInt32 = 1
    ) {
        writer = ByteWriter(littleEndian: littleEndian)
        modified = magic == 0xa1b2_cd34
        writer.u32(magic)
        writer.u16(version.0)
        writer.u16(version.1)
        writer.u64(0)
        writer.u32(snapshotLength)
        writer.u32(network)
    }

    /// One record. `first` and `second` are its two lengths; without them the data's.
    public mutating func record(
        seconds: UInt32, fraction: UInt32 = 0, _ data: [UInt8], first: UInt32? = nil, second: UInt32? = nil
    ) {
        writer.u32(seconds)
        writer.u32(fraction)
        writer.u32(first ?? UInt32(data.count))
        writer.u32(second ?? UInt32(data.count))
        // Interface index, protocol, packet type and padding.
        if modified { writer.u64(0x0102_0304_0506_0708) }
        writer.bytes += data
    }
}

/// Builds a pcapng file block by block; every field may lie.
public struct PcapngFileBuilder: Sendable {
    public typealias Option = (code: UInt16, value: [UInt8])

    public private(set) var bytes: [UInt8] = []
    private var littleEndian = true

    public init() {}

    /// Starts a section; its byte order holds for the blocks behind it.
    public mutating func section(littleEndian: Bool = true) {
        self.littleEndian = littleEndian
        block(0x0a0d_0d0a) { body in
            body.u32(0x1a2b_3c4d)
            body.u16(1)
            body.u16(0)
            body.u64(.max)
        }
    }

    public mutating func interface(linkType: UInt16 = 1, snapshotLength: UInt32 = 0, options: [Option] = []) {
        block(1, options: options) { body in
            body.u16(linkType)
            body.u16(0)
            body.u32(snapshotLength)
        }
    }

    public mutating func enhancedPacket(
        interface: UInt32 = 0, time: UInt64 = 0, _ data: [UInt8], captured: UInt32? = nil, original: UInt32? = nil,
        options: [Option] = []
    ) {
        block(6, options: options) { body in
            body.u32(interface)
            body.u32(UInt32(time >> 32))
            body.u32(UInt32(truncatingIfNeeded: time))
            body.u32(captured ?? UInt32(data.count))
            body.u32(original ?? UInt32(data.count))
            body.bytes += data
        }
    }

    public mutating func obsoletePacket(
        interface: UInt16 = 0, drops: UInt16 = .max, time: UInt64 = 0, _ data: [UInt8], options: [Option] = []
    ) {
        block(2, options: options) { body in
            body.u16(interface)
            body.u16(drops)
            body.u32(UInt32(time >> 32))
            body.u32(UInt32(truncatingIfNeeded: time))
            body.u32(UInt32(data.count))
            body.u32(UInt32(data.count))
            body.bytes += data
        }
    }

    public mutating func simplePacket(_ data: [UInt8], original: UInt32? = nil) {
        block(3) { body in
            body.u32(original ?? UInt32(data.count))
            body.bytes += data
        }
    }

    public mutating func statistics(interface: UInt32 = 0, interfaceDrops: UInt64? = nil, systemDrops: UInt64? = nil) {
        var options: [Option] = []
        if let interfaceDrops { options.append((5, number(interfaceDrops))) }
        if let systemDrops { options.append((7, number(systemDrops))) }
        block(5, options: options) { body in
            body.u32(interface)
            body.u64(0)
        }
    }

    /// Name records as (type, address and zero-terminated names).
    public mutating func names(_ records: [Option]) {
        block(4, options: records) { _ in }
    }

    public mutating func secrets(type: UInt32 = 0x544c_534b, _ data: [UInt8]) {
        block(10) { body in
            body.u32(type)
            body.u32(UInt32(data.count))
            body.bytes += data
        }
    }

    /// Any block: the body, padding, options, and the length before and behind.
    public mutating func block(
        _ type: UInt32, options: [Option] = [], length: UInt32? = nil, trailer: UInt32? = nil,
        _ write: (inout ByteWriter) -> Void
    ) {
        var body = ByteWriter(littleEndian: littleEndian)
        write(&body)
        body.pad()
        for option in options {
            body.u16(option.code)
            body.u16(UInt16(option.value.count))
            body.bytes += option.value
            body.pad()
        }
        if !options.isEmpty { body.u32(0) }
        let total = UInt32(body.bytes.count + 12)
        var block = ByteWriter(littleEndian: littleEndian)
        block.u32(type)
        block.u32(length ?? total)
        block.bytes += body.bytes
        block.u32(trailer ?? length ?? total)
        bytes += block.bytes
    }

    /// The bytes of a number in the section's order, as an option's value.
    public func number(_ value: UInt64) -> [UInt8] {
        var writer = ByteWriter(littleEndian: littleEndian)
        writer.u64(value)
        return writer.bytes
    }
}
