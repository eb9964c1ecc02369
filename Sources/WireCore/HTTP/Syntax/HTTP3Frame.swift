/// Frame types (RFC 9114 §7.2, RFC 9218 §7.2).
enum HTTP3FrameType {
    static let data: UInt64 = 0x0
    static let headers: UInt64 = 0x1
    static let cancelPush: UInt64 = 0x3
    static let settings: UInt64 = 0x4
    static let pushPromise: UInt64 = 0x5
    static let goAway: UInt64 = 0x7
    static let maxPushID: UInt64 = 0xD
    /// Begins a bidirectional stream of WebTransport: no frame, and what stands for its length is the session. A draft
    /// of WebTransport over HTTP/3 has taken the number out of those for frames.
    static let webTransport: UInt64 = 0x41
    /// PRIORITY_UPDATE, of a request and of a push.
    static let priorityUpdates: ClosedRange<UInt64> = 0xF0700...0xF0701

    /// Types of HTTP/2 that no HTTP/3 frame may have (RFC 9114 §7.2.8).
    static func isOfHTTP2(_ type: UInt64) -> Bool { [0x2, 0x6, 0x8, 0x9].contains(type) }

    /// Frames of this type stand on the control stream alone (§7.2).
    static func isOfControl(_ type: UInt64) -> Bool {
        type == cancelPush || type == settings || type == goAway || type == maxPushID || priorityUpdates.contains(type)
    }

    /// Frames of this type are what a message consists of, or announce one: they do not stand on the control stream.
    static func isOfMessage(_ type: UInt64) -> Bool { type == data || type == headers || type == pushPromise }
}

/// Types of unidirectional streams (RFC 9114 §6.2, RFC 9204 §4.2).
enum HTTP3StreamType {
    static let control: UInt64 = 0x0
    static let push: UInt64 = 0x1
    static let qpackEncoder: UInt64 = 0x2
    static let qpackDecoder: UInt64 = 0x3
    /// Of WebTransport; behind it the session.
    static let webTransport: UInt64 = 0x54
}

/// Identifiers of settings (RFC 9114 §7.2.4.1, RFC 9204 §5).
enum HTTP3Setting {
    static let qpackMaximumTableCapacity: UInt64 = 0x1

    /// Settings of HTTP/2 that must not be sent (RFC 9114 §7.2.4.1).
    static func isOfHTTP2(_ identifier: UInt64) -> Bool { (0x2...0x5).contains(identifier) }
}

/// Reads the frames of one direction of a stream, run by run (RFC 9114 §7.1), and says of each byte what it is. Payloads are
/// followed by length and not kept.
struct HTTP3FrameReader: Sendable {
    enum Step: Sendable, Equatable {
        /// So many bytes of the run belong to a frame header; `isHeaderWhole` says whether it ends with them.
        case header(Int)
        /// So many bytes of the run are payload of the current frame.
        case payload(Int)
    }

    /// Of the current frame, once its header is whole.
    private(set) var type: UInt64 = 0
    private(set) var length: UInt64 = 0
    /// Bytes of its payload still to come.
    private(set) var remaining: UInt64 = 0
    /// Frames of which the header came whole.
    private(set) var count = 0
    private var first = VariableInteger()
    private var second = VariableInteger()
    private var isInHeader = false

    /// The next byte is the first of a frame.
    var isAtFrameStart: Bool { remaining == 0 && !isInHeader }
    /// Bytes of the current frame's header that came.
    var headerLength: Int { first.count + second.count }
    /// The header of the current frame is whole.
    var isHeaderWhole: Bool { !isInHeader }
    /// The current frame is whole.
    var isFrameComplete: Bool { isAtFrameStart && count > 0 }

    /// Claims bytes of the run from `offset` on: at least one, if there is one.
    mutating func next(_ run: RawSpan, _ offset: Int) -> Step {
        guard remaining == 0 else {
            let count = Int(min(remaining, UInt64(run.byteCount - offset)))
            remaining -= UInt64(count)
            return .payload(count)
        }
        if !isInHeader {
            first = VariableInteger()
            second = VariableInteger()
            isInHeader = true
        }
        var count = first.receive(run, offset)
        if first.isWhole { count += second.receive(run, offset + count) }
        if second.isWhole {
            (type, length, remaining) = (first.value, second.value, second.value)
            isInHeader = false
            self.count += 1
        }
        return .header(count)
    }

    /// Passes over bytes that are missing. False where they are more than the rest of the current frame: nobody knows then
    /// where the next one begins.
    mutating func skip(_ count: Int) -> Bool {
        guard !isInHeader, UInt64(count) <= remaining else { return false }
        remaining -= UInt64(count)
        return true
    }
}
