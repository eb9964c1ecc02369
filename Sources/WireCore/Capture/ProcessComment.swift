/// A packet's comment in which a capturing program tells of its process.
///
///     PID: 501, ProcName: Shop, EPID: 501, EProcName: Shop, SVC: BE     pymobiledevice3
///     PID: 4711↵Cmd: /usr/bin/curl↵Args: curl -s https://…              ptcpdump
///     PID=4 TID=5280                                                    etl2pcapng
///     u-10123                                                           PCAPdroid: the user that the app is
struct ProcessComment {
    /// Names are ranges of the bytes.
    private(set) var name = 0..<0
    private(set) var pid = ProcessIdentity.untold
    private(set) var effectiveName = 0..<0
    private(set) var effectivePID = ProcessIdentity.untold
    private(set) var isUser = false

    /// Nil where the comment is of another kind.
    init?(_ bytes: RawSpan, _ range: Range<Int>) {
        var reader = Reader(offset: range.lowerBound, end: range.upperBound)
        if reader.skip("PID: ", bytes) {
            pid = reader.number(bytes)
            if reader.skip(", ProcName: ", bytes) {
                name = reader.text(before: ", EPID: ", bytes)
                effectivePID = reader.number(bytes)
                if reader.skip(", EProcName: ", bytes) { effectiveName = reader.text(before: ", SVC: ", bytes) }
            } else if reader.skip("\nCmd: ", bytes) || reader.skip("\nCommand: ", bytes) {
                name = Self.fileName(bytes, reader.text(before: "\n", bytes))
            }
        } else if reader.skip("PID=", bytes) {
            pid = reader.number(bytes)
        } else if reader.skip("u-", bytes) {
            isUser = true
            pid = reader.number(bytes)
            // Other comments may begin so.
            guard reader.offset == range.upperBound else { return nil }
        }
        guard pid != ProcessIdentity.untold || !name.isEmpty || effectivePID != ProcessIdentity.untold else {
            return nil
        }
    }

    /// The last part of a path.
    private static func fileName(_ bytes: RawSpan, _ path: Range<Int>) -> Range<Int> {
        var start = path.upperBound
        while start > path.lowerBound, bytes.u8(start - 1) != UInt8(ascii: "/") { start -= 1 }
        return start..<path.upperBound
    }

    private struct Reader {
        var offset: Int
        let end: Int

        /// Moves behind the word, where it stands here.
        mutating func skip(_ word: StaticString, _ bytes: RawSpan) -> Bool {
            guard offset + word.utf8CodeUnitCount <= end, bytes.hasBytes(word, at: offset) else { return false }
            offset += word.utf8CodeUnitCount
            return true
        }

        /// The number here; `untold` where there is none, or -1, or one that is too large.
        mutating func number(_ bytes: RawSpan) -> UInt32 {
            let isNegative = skip("-", bytes)
            var value: UInt64?
            while offset < end, case let digit = bytes.u8(offset) &- UInt8(ascii: "0"), digit < 10 {
                value = min((value ?? 0) * 10 + UInt64(digit), 1 << 40)
                offset += 1
            }
            guard let value, !isNegative, value < UInt64(ProcessIdentity.untold) else { return ProcessIdentity.untold }
            return UInt32(value)
        }

        /// What stands before a word, and moves behind that; the rest, where the word does not follow.
        mutating func text(before word: StaticString, _ bytes: RawSpan) -> Range<Int> {
            let start = offset
            while offset < end {
                let place = offset
                if skip(word, bytes) { return start..<place }
                offset += 1
            }
            return start..<end
        }
    }
}
