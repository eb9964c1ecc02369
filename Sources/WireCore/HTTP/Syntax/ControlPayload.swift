/// The first bytes of a frame's payload that say something in themselves, put together from the runs they come in.
struct ControlPayload: Sendable {
    private var bytes = InlineArray<8, UInt8>(repeating: 0)
    private(set) var count = 0

    mutating func removeAll() { count = 0 }

    /// Takes bytes of a run as far as there is room.
    mutating func append(_ run: RawSpan, _ range: Range<Int>) {
        for offset in range {
            guard count < 8 else { return }
            bytes[count] = run.u8(offset)
            count += 1
        }
    }

    /// Two bytes at an offset, most significant first; nil while they have not come.
    func be16(_ offset: Int) -> UInt16? {
        guard offset + 2 <= count else { return nil }
        return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
    }

    /// Four bytes at an offset, most significant first; nil while they have not come.
    func be32(_ offset: Int) -> UInt32? {
        guard let high = be16(offset), let low = be16(offset + 2) else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    /// The stream in four bytes at an offset; the bit before it has no meaning.
    func stream(_ offset: Int) -> Int? { be32(offset).map { Int($0 & 0x7FFF_FFFF) } }
}

/// One parameter of a SETTINGS frame (RFC 9113 §6.5).
struct FrameSetting: Sendable {
    var identifier: UInt16
    var value: UInt32

    static let tableSize: UInt16 = 0x1
    static let enablePush: UInt16 = 0x2
    static let maximumStreams: UInt16 = 0x3
    static let initialWindow: UInt16 = 0x4
    static let maximumFrameSize: UInt16 = 0x5
    /// Extended CONNECT (RFC 8441 §3).
    static let enableConnectProtocol: UInt16 = 0x8

    /// The value is one that the parameter cannot have.
    var isMalformed: Bool {
        switch identifier {
        case FrameSetting.enablePush, FrameSetting.enableConnectProtocol: value > 1
        case FrameSetting.initialWindow: value > 0x7FFF_FFFF
        case FrameSetting.maximumFrameSize: value < 1 << 14 || value >= 1 << 24
        default: false
        }
    }
}
