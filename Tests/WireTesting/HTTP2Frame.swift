/// One HTTP/2 frame as bytes (RFC 9113 §4.1), right or wrong: nothing is checked.
///
///     let frames: [HTTP2Frame] = [.settings(), .headers(1, block, endStream: true)]
public struct HTTP2Frame: Sendable {
    /// What a client sends before its first frame (RFC 9113 §3.4).
    public static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    public var type: UInt8
    public var flags: UInt8
    public var stream: Int
    public var payload: [UInt8]
    /// Payload bytes that are content of a body.
    public var bodyBytes = 0
    /// Payload bytes that are part of a field block.
    public var fieldBytes = 0
    /// The stream that it reserves.
    public private(set) var promised: Int?

    public init(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, payload: [UInt8] = []) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    public var bytes: [UInt8] {
        let length = [UInt8](be32: UInt32(payload.count))
        return Array(length[1...]) + [type, flags] + [UInt8](be32: UInt32(stream)) + payload
    }

    private func padded(_ padding: Int?) -> HTTP2Frame {
        guard let padding else { return self }
        var frame = self
        frame.flags |= 0x8
        frame.payload = [UInt8(padding)] + payload + [UInt8](repeating: 0, count: padding)
        return frame
    }
}

// MARK: - Frames by their names

extension HTTP2Frame {
    public static func data(
        _ stream: Int, _ content: [UInt8], endStream: Bool = false, padding: Int? = nil
    ) -> HTTP2Frame {
        var frame = HTTP2Frame(0, flags: endStream ? 1 : 0, stream: stream, payload: content)
        frame.bodyBytes = content.count
        return frame.padded(padding)
    }

    /// `priority`: with five bytes of priority fields.
    public static func headers(
        _ stream: Int, _ block: [UInt8], endStream: Bool = false, endHeaders: Bool = true, padding: Int? = nil,
        priority: Bool = false
    ) -> HTTP2Frame {
        let flags: UInt8 = (endStream ? 1 : 0) | (endHeaders ? 4 : 0) | (priority ? 0x20 : 0)
        let fields: [UInt8] = priority ? [0, 0, 0, 0, 15] : []
        var frame = HTTP2Frame(1, flags: flags, stream: stream, payload: fields + block)
        frame.fieldBytes = block.count
        return frame.padded(padding)
    }

    public static func continuation(_ stream: Int, _ block: [UInt8], endHeaders: Bool = true) -> HTTP2Frame {
        var frame = HTTP2Frame(9, flags: endHeaders ? 4 : 0, stream: stream, payload: block)
        frame.fieldBytes = block.count
        return frame
    }

    public static func priority(_ stream: Int) -> HTTP2Frame {
        HTTP2Frame(2, stream: stream, payload: [0, 0, 0, 0, 31])
    }

    public static func reset(_ stream: Int, error: UInt32 = 8) -> HTTP2Frame {
        HTTP2Frame(3, stream: stream, payload: [UInt8](be32: error))
    }

    public static func settings(_ parameters: [(identifier: UInt16, value: UInt32)] = []) -> HTTP2Frame {
        HTTP2Frame(4, payload: parameters.flatMap { [UInt8](be16: $0.identifier) + [UInt8](be32: $0.value) })
    }

    public static let settingsAcknowledgement = HTTP2Frame(4, flags: 1)

    /// PUSH_PROMISE on `stream`, which reserves `promised`.
    public static func promise(
        _ stream: Int, _ promised: Int, _ block: [UInt8], endHeaders: Bool = true, padding: Int? = nil
    ) -> HTTP2Frame {
        let payload = [UInt8](be32: UInt32(promised)) + block
        var frame = HTTP2Frame(5, flags: endHeaders ? 4 : 0, stream: stream, payload: payload)
        frame.promised = promised
        return frame.padded(padding)
    }

    public static func ping(acknowledges: Bool = false) -> HTTP2Frame {
        HTTP2Frame(6, flags: acknowledges ? 1 : 0, payload: [1, 2, 3, 4, 5, 6, 7, 8])
    }

    public static func goAway(last: Int, error: UInt32 = 0, text: String = "") -> HTTP2Frame {
        HTTP2Frame(7, payload: [UInt8](be32: UInt32(last)) + [UInt8](be32: error) + Array(text.utf8))
    }

    public static func windowUpdate(_ stream: Int, _ increment: UInt32 = 65_535) -> HTTP2Frame {
        HTTP2Frame(8, stream: stream, payload: [UInt8](be32: increment))
    }
}

extension [HTTP2Frame] {
    /// All of them, one behind the other.
    public var bytes: [UInt8] { flatMap(\.bytes) }
}
