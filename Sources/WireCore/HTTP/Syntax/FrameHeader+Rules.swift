/// What RFC 9113 asks of a frame and its header shows.
extension FrameHeader {
    /// The frame stands on the connection where it needs a stream, or the other way, or has a length that its type
    /// cannot have (RFC 9113 §6, RFC 9218 §7.1).
    var isMalformed: Bool { hasWrongStream || hasWrongLength }

    private var hasWrongStream: Bool {
        switch type {
        case FrameType.data, FrameType.headers, FrameType.priority, FrameType.resetStream, FrameType.pushPromise,
            FrameType.continuation:
            stream == 0
        case FrameType.settings, FrameType.ping, FrameType.goAway, FrameType.priorityUpdate: stream != 0
        default: false
        }
    }

    private var hasWrongLength: Bool {
        switch type {
        case FrameType.data: payloadLength < lengthOfPadLength
        case FrameType.headers: payloadLength < lengthOfPadLength + (has(FrameFlag.priority) ? 5 : 0)
        case FrameType.pushPromise: payloadLength < lengthOfPadLength + 4
        case FrameType.priority: payloadLength != 5
        case FrameType.resetStream, FrameType.windowUpdate: payloadLength != 4
        case FrameType.settings: isAcknowledgement ? payloadLength != 0 : payloadLength % 6 != 0
        case FrameType.ping: payloadLength != 8
        case FrameType.goAway: payloadLength < 8
        case FrameType.altSvc: payloadLength < 2
        case FrameType.priorityUpdate: payloadLength < 4
        default: false
        }
    }

    private var lengthOfPadLength: Int { isPadded ? 1 : 0 }

    /// The payload begins with the length of its padding.
    var isPadded: Bool {
        (type == FrameType.data || type == FrameType.headers || type == FrameType.pushPromise)
            && has(FrameFlag.padded)
    }

    /// Whether an ordinary sender would send it, for telling frames from other bytes: a known type with the flags that
    /// the type has, and of a believable length.
    var isBelievable: Bool {
        guard !isReservedBitSet, !isMalformed, let rules = believableFlagsAndLength else { return false }
        guard flags & ~rules.flags == 0, payloadLength <= rules.length else { return false }
        // A DATA frame without content says nothing unless it ends its stream.
        return type != FrameType.data || payloadLength > 0 || endsStream
    }

    private var believableFlagsAndLength: (flags: UInt8, length: Int)? {
        let fields = FrameFlag.endHeaders | FrameFlag.padded
        return switch type {
        case FrameType.data: (FrameFlag.endStream | FrameFlag.padded, 1 << 20)
        case FrameType.headers: (fields | FrameFlag.endStream | FrameFlag.priority, 1 << 16)
        case FrameType.pushPromise: (fields, 1 << 16)
        case FrameType.continuation: (FrameFlag.endHeaders, 1 << 16)
        case FrameType.settings: (FrameFlag.acknowledgement, 6 * 64)
        case FrameType.ping: (FrameFlag.acknowledgement, 8)
        case FrameType.priority, FrameType.resetStream, FrameType.windowUpdate: (0, 5)
        case FrameType.goAway, FrameType.altSvc, FrameType.origin, FrameType.priorityUpdate: (0, 1 << 14)
        default: nil
        }
    }
}
