/// What control frames say. Each value is nil until its bytes have come, and where they are missing.
extension FrameReader {
    /// The stream that a PUSH_PROMISE reserves.
    var promisedStreamID: Int? { frame.type == FrameType.pushPromise ? control.stream(0) : nil }

    /// Bytes that a WINDOW_UPDATE allows the other endpoint to send.
    var windowIncrement: Int? { frame.type == FrameType.windowUpdate ? control.stream(0) : nil }

    /// Why a RST_STREAM ends its stream.
    var errorCode: Int? { frame.type == FrameType.resetStream ? control.be32(0).map(Int.init) : nil }
}

/// Reading them.
extension FrameReader {
    /// Takes up to `count` bytes of a payload and returns how many: all, but of SETTINGS no more than one parameter.
    mutating func readControl(_ run: RawSpan, _ offset: Int, _ count: Int) -> Int {
        guard frame.type == FrameType.settings else {
            // Behind a gap the bytes are not where a value has them.
            if !isDamaged { control.append(run, offset..<offset + count) }
            return count
        }
        // The lengths of SETTINGS that can be split into parameters are multiples of six.
        guard !frame.isMalformed else { return count }
        let left = (payloadRemaining - 1) % 6 + 1
        if left == 6 { control.removeAll() }
        let taken = min(left, count)
        control.append(run, offset..<offset + taken)
        if taken == left, control.count == 6, let identifier = control.be16(0), let value = control.be32(2) {
            if FrameSetting(identifier: identifier, value: value).isMalformed { isMalformed = true }
            if identifier == FrameSetting.maximumStreams { streamLimit = value }
            if identifier == FrameSetting.tableSize { announcedTable = value }
        }
        return taken
    }

    /// Looks at the values of a frame that has come whole: an increment or a promised stream that cannot be
    /// (RFC 9113 §5.1.1, §6.9).
    mutating func checkValues() {
        if let increment = windowIncrement, increment == 0 { isMalformed = true }
        if let stream = promisedStreamID, stream == 0 || stream % 2 == 1 { isMalformed = true }
    }
}
