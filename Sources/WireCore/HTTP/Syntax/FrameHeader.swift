/// Frame types (RFC 9113 §6, RFC 7838, RFC 8336, RFC 9218).
enum FrameType {
    static let data: UInt8 = 0x0
    static let headers: UInt8 = 0x1
    static let priority: UInt8 = 0x2
    static let resetStream: UInt8 = 0x3
    static let settings: UInt8 = 0x4
    static let pushPromise: UInt8 = 0x5
    static let ping: UInt8 = 0x6
    static let goAway: UInt8 = 0x7
    static let windowUpdate: UInt8 = 0x8
    static let continuation: UInt8 = 0x9
    static let altSvc: UInt8 = 0xA
    static let origin: UInt8 = 0xC
    static let priorityUpdate: UInt8 = 0x10

    /// Frames of this type are what a message consists of (RFC 9113 §8.1).
    static func isOfMessage(_ type: UInt8) -> Bool { type == data || type == headers || type == continuation }
}

/// Flags of frames (RFC 9113 §6). A bit means what the frame's type gives it.
enum FrameFlag {
    /// DATA, HEADERS: the sender sends no more on the stream.
    static let endStream: UInt8 = 0x1
    /// SETTINGS, PING.
    static let acknowledgement: UInt8 = 0x1
    /// HEADERS, PUSH_PROMISE, CONTINUATION: the field block ends with this frame.
    static let endHeaders: UInt8 = 0x4
    /// DATA, HEADERS, PUSH_PROMISE: the payload begins with the length of the padding that ends it.
    static let padded: UInt8 = 0x8
    /// HEADERS: the payload holds priority fields.
    static let priority: UInt8 = 0x20
}

/// The nine bytes that begin a frame (RFC 9113 §4.1).
struct FrameHeader: Sendable, Equatable {
    static let length = 9

    /// Bytes of the frame behind its header.
    var payloadLength = 0
    var type: UInt8 = 0
    var flags: UInt8 = 0
    /// 31 bits; 0 is the connection.
    var stream = 0
    /// The bit before the stream, which is to be 0 and has no meaning.
    var isReservedBitSet = false

    init() {}

    /// Reads a header, of which all nine bytes are there.
    init(_ bytes: RawSpan, at offset: Int) {
        payloadLength = Int(bytes.be32(offset) >> 8)
        type = bytes.u8(offset + 3)
        flags = bytes.u8(offset + 4)
        let word = bytes.be32(offset + 5)
        stream = Int(word & 0x7FFF_FFFF)
        isReservedBitSet = word >> 31 == 1
    }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// The frame's fragment is the last of its field block.
    var endsFieldBlock: Bool { carriesFragment && has(FrameFlag.endHeaders) }

    /// The sender sends no more on the stream. CONTINUATION has no such flag: its block's HEADERS says it.
    var endsStream: Bool {
        (type == FrameType.data || type == FrameType.headers) && has(FrameFlag.endStream)
    }

    /// The frame holds a fragment of a field block.
    var carriesFragment: Bool {
        type == FrameType.headers || type == FrameType.pushPromise || type == FrameType.continuation
    }

    var isAcknowledgement: Bool {
        (type == FrameType.settings || type == FrameType.ping) && has(FrameFlag.acknowledgement)
    }
}
