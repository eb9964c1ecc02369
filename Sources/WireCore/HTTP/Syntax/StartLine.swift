/// A version of HTTP; an older one has the smaller number.
struct HTTPVersion: Hashable, Sendable {
    /// Ten times the major version and the minor one; 0 where it is not known.
    let rawValue: UInt8

    static var none: HTTPVersion { HTTPVersion(rawValue: 0) }
    static var http09: HTTPVersion { HTTPVersion(rawValue: 9) }
    static var http10: HTTPVersion { HTTPVersion(rawValue: 10) }
    static var http11: HTTPVersion { HTTPVersion(rawValue: 11) }
    static var http2: HTTPVersion { HTTPVersion(rawValue: 20) }
    static var http3: HTTPVersion { HTTPVersion(rawValue: 30) }

    var name: String? {
        switch self {
        case .none: nil
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2"
        case .http3: "HTTP/3"
        default: "HTTP/\(rawValue / 10).\(rawValue % 10)"
        }
    }
}

/// Methods that change how a response is framed (RFC 9112 §6.3).
enum MethodKind: UInt8, Sendable {
    case other, head, connect
}

/// A request or status line that was read (RFC 9112 §3, §4). Ranges are offsets in the bytes it was read from.
struct StartLine: Sendable {
    var version: HTTPVersion = .none
    /// 0 in a request.
    var status = 0
    var method = 0..<0
    var target = 0..<0
    var methodKind: MethodKind = .other
    /// The target may hold an authority: it does not begin with a slash.
    var mayNameHost = false
    /// It holds a CR alone or a NUL, where programs differ on what they mean (RFC 9112 §2.2), or names no version.
    var isAmbiguous = false
    /// A status line that begins with `ICY` (SHOUTcast).
    var isShoutcast = false

    /// Refers to the same line in bytes in which it begins `distance` further on.
    mutating func move(by distance: Int) {
        method = method.lowerBound + distance..<method.upperBound + distance
        target = target.lowerBound + distance..<target.upperBound + distance
    }
}

extension StartLine {
    /// Reads a request line. `range` covers the line without its line end.
    ///
    /// `lenient` is for a place where a request must stand; elsewhere the line must end in an HTTP version to be taken
    /// for one. A line without version is HTTP/0.9's simple request (RFC 1945 §4.1), which only knew GET.
    static func request(_ bytes: RawSpan, _ range: Range<Int>) -> StartLine? {
        var line = StartLine()
        var offset = range.lowerBound
        while offset < range.upperBound, bytes.u8(offset).isToken { offset += 1 }
        guard offset > range.lowerBound, offset - range.lowerBound <= 32, offset < range.upperBound,
            bytes.u8(offset) == 0x20
        else { return nil }
        line.method = range.lowerBound..<offset
        line.methodKind = methodKind(bytes, line.method)
        var start = offset
        while start < range.upperBound, bytes.u8(start) == 0x20 { start += 1 }
        var end = range.upperBound
        while end > start, bytes.u8(end - 1) == 0x20 || bytes.u8(end - 1) == 0x09 { end -= 1 }
        guard start < end else { return nil }
        guard end - start > 9, bytes.hasBytes("HTTP/", at: end - 8), bytes.u8(end - 9) == 0x20 else {
            return simpleRequest(bytes, line, start..<end)
        }
        guard let version = version(bytes, at: end - 8) else { return nil }
        line.version = version
        var targetEnd = end - 9
        while targetEnd > start, bytes.u8(targetEnd - 1) == 0x20 { targetEnd -= 1 }
        line.target = start..<targetEnd
        line.mayNameHost = bytes.u8(start) != 0x2F
        line.isAmbiguous = hasStrayControl(bytes, line.target)
        return line
    }

    /// Whether there is a CR or a NUL.
    private static func hasStrayControl(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        guard bytes.hasControl(in: range) else { return false }
        for offset in range where bytes.u8(offset) == 0x0D || bytes.u8(offset) == 0 { return true }
        return false
    }

    private static func simpleRequest(_ bytes: RawSpan, _ line: StartLine, _ target: Range<Int>) -> StartLine? {
        guard bytes.hasBytes("GET", at: line.method.lowerBound), line.method.count == 3,
            bytes.u8(target.lowerBound) == 0x2F
        else { return nil }
        for offset in target where bytes.u8(offset) <= 0x20 || bytes.u8(offset) == 0x7F { return nil }
        var line = line
        line.version = .http09
        line.target = target
        return line
    }

    /// What SHOUTcast servers write instead of a version; clients read HTTP/1.0.
    private static let shoutcast: StaticString = "ICY "

    /// Reads a status line. `range` covers the line without its line end.
    static func status(_ bytes: RawSpan, _ range: Range<Int>) -> StartLine? {
        if range.count >= 12, bytes.hasBytes("HTTP/", at: range.lowerBound),
            let version = version(bytes, at: range.lowerBound)
        {
            return status(bytes, range, version, behind: range.lowerBound + 8)
        }
        guard range.count >= 7, bytes.hasBytes(shoutcast, at: range.lowerBound) else { return nil }
        var line = status(bytes, range, .http10, behind: range.lowerBound + 3)
        line?.isShoutcast = true
        return line
    }

    @inline(__always)
    private static func status(
        _ bytes: RawSpan, _ range: Range<Int>, _ version: HTTPVersion, behind start: Int
    ) -> StartLine? {
        var offset = start
        guard bytes.u8(offset) == 0x20 else { return nil }
        while offset < range.upperBound, bytes.u8(offset) == 0x20 { offset += 1 }
        guard range.upperBound - offset >= 3 else { return nil }
        var status = 0
        for index in 0..<3 {
            guard bytes.u8(offset + index).isASCIIDigit else { return nil }
            status = status * 10 + Int(bytes.u8(offset + index) - 0x30)
        }
        guard status >= 100, range.upperBound == offset + 3 || !bytes.u8(offset + 3).isASCIIDigit else { return nil }
        var line = StartLine()
        line.version = version
        line.status = status
        line.isAmbiguous = hasStrayControl(bytes, offset + 3..<range.upperBound)
        return line
    }

    /// What is there of a request line whose end is missing, if that is its method at least: the target, and whether it
    /// ends where the bytes do and may be longer.
    static func cutRequest(_ bytes: RawSpan) -> (line: StartLine, isTargetCut: Bool)? {
        var line = StartLine()
        var offset = 0
        while offset < bytes.byteCount, bytes.u8(offset).isToken { offset += 1 }
        guard offset > 0, offset <= 32, offset < bytes.byteCount, bytes.u8(offset) == 0x20 else { return nil }
        line.method = 0..<offset
        line.methodKind = methodKind(bytes, line.method)
        while offset < bytes.byteCount, bytes.u8(offset) == 0x20 { offset += 1 }
        let start = offset
        while offset < bytes.byteCount, bytes.u8(offset) > 0x20 { offset += 1 }
        line.target = start..<offset
        let isWhole = offset < bytes.byteCount && mayBeVersion(bytes, offset)
        if !isWhole { line.target = start..<bytes.byteCount }
        return (line, !isWhole && !line.target.isEmpty)
    }

    /// Whether an unfinished line can still become a start line.
    static func couldBegin(_ bytes: RawSpan, _ offset: Int, _ role: MessageRole) -> Bool {
        if role == .response { return mayBe("HTTP/1.", bytes, offset) || mayBe(shoutcast, bytes, offset) }
        var end = offset
        while end < bytes.byteCount, bytes.u8(end).isToken { end += 1 }
        return end - offset <= 32 && (end == bytes.byteCount || (end > offset && bytes.u8(end) == 0x20))
    }

    /// Whether from `offset` to the end there are spaces and the beginning of a version, or nothing more.
    private static func mayBeVersion(_ bytes: RawSpan, _ offset: Int) -> Bool {
        var start = offset
        while start < bytes.byteCount, bytes.u8(start) == 0x20 { start += 1 }
        return mayBe("HTTP/1.", bytes, start)
    }

    /// Whether the bytes from `offset` on are the word, or its beginning where they end before.
    static func mayBe(_ word: StaticString, _ bytes: RawSpan, _ offset: Int) -> Bool {
        for index in 0..<min(bytes.byteCount - offset, word.utf8CodeUnitCount)
        where unsafe bytes.u8(offset + index) != word.utf8Start[index] { return false }
        return true
    }

    /// Of "HTTP/1.n". Every n above 0 is read as 1.1 (RFC 9110 §6.2).
    private static func version(_ bytes: RawSpan, at offset: Int) -> HTTPVersion? {
        guard bytes.u8(offset + 5) == 0x31, bytes.u8(offset + 6) == 0x2E else { return nil }
        let minor = bytes.u8(offset + 7)
        guard minor.isASCIIDigit else { return nil }
        return HTTPVersion(rawValue: 10 + minor - 0x30)
    }

    private static func methodKind(_ bytes: RawSpan, _ range: Range<Int>) -> MethodKind {
        if range.count == 4, bytes.hasBytes("HEAD", at: range.lowerBound) { return .head }
        if range.count == 7, bytes.hasBytes("CONNECT", at: range.lowerBound) { return .connect }
        return .other
    }
}

/// How sure it is that a start line begins at some place.
enum StartLinePlausibility: Sendable {
    case no
    /// What is there could become a start line; the rest has not come yet.
    case maybe
    case request
    case response
}

extension StartLinePlausibility {
    /// Longest beginning that is kept undecided. A longer unfinished line is taken for a start line when it begins
    /// with a method of common use, or with what may be one at the very start of a connection; else for none.
    private static let undecidedLimit = 24

    /// Judges the bytes from `offset` on. `isFirst`: the connection's stream begins there, in sight of its SYN.
    static func probe(_ bytes: RawSpan, at offset: Int, isFirst: Bool = false) -> StartLinePlausibility {
        let count = bytes.byteCount - offset
        guard count > 0 else { return .maybe }
        let first = bytes.u8(offset)
        guard first.isToken, first > 0x40 else { return .no }
        if first == 0x48, let answer = probeStatusLine(bytes, at: offset, count) { return answer }
        if first == 0x49, StartLine.status(bytes, offset..<(offset + min(count, 8))) != nil { return .response }
        var end = offset
        let limit = min(bytes.byteCount, offset + 33)
        while end < limit, bytes.u8(end).isToken { end += 1 }
        if end == bytes.byteCount { return count <= undecidedLimit && isMethodLike(bytes, offset..<end) ? .maybe : .no }
        guard bytes.u8(end) == 0x20, end > offset else { return .no }
        if let lineFeed = bytes.firstLineFeed(from: end) {
            var lineEnd = lineFeed
            if lineEnd > offset, bytes.u8(lineEnd - 1) == 0x0D { lineEnd -= 1 }
            guard isPrintable(bytes, end..<lineEnd) else { return .no }
            return StartLine.request(bytes, offset..<lineEnd) == nil ? .no : .request
        }
        let mayBeMethod = isFirst ? isMethodLike(bytes, offset..<end) : isCommonMethod(bytes, offset..<end)
        return mayBeMethod && isPrintable(bytes, end..<bytes.byteCount) ? .maybe : .no
    }

    /// Whether a request line stands there: a whole one, or the beginning of one with a method of common use.
    static func isRequest(_ bytes: RawSpan, at offset: Int) -> Bool {
        switch probe(bytes, at: offset) {
        case .request: true
        case .maybe: bytes.firstByte(0x20, from: offset) != nil && bytes.u8(offset) != 0x48
        case .no, .response: false
        }
    }

    /// Where the next start line begins of those that are certain.
    static func next(_ run: RawSpan, _ start: Int, _ role: MessageRole) -> Int? {
        var offset = start
        if role == .request {
            while let lineFeed = run.firstLineFeed(from: offset) {
                if probe(run, at: lineFeed + 1) == .request { return lineFeed + 1 }
                offset = lineFeed + 1
            }
            return nil
        }
        while let candidate = run.firstByte(0x48, from: offset) {
            if probe(run, at: candidate) == .response { return candidate }
            offset = candidate + 1
        }
        return nil
    }

    private static func probeStatusLine(_ bytes: RawSpan, at offset: Int, _ count: Int) -> StartLinePlausibility? {
        guard StartLine.mayBe("HTTP/1.", bytes, offset) else { return nil }
        guard count >= 12 else { return .maybe }
        return StartLine.status(bytes, offset..<(offset + min(count, 13))) == nil ? .no : .response
    }

    /// Upper case and hyphens: what registered methods are made of (RFC 9110 §16.1).
    private static func isMethodLike(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        for offset in range where !bytes.u8(offset).isUppercaseASCII && bytes.u8(offset) != 0x2D { return false }
        return true
    }

    private static func isPrintable(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        guard bytes.hasControl(in: range) else { return true }
        for offset in range where bytes.u8(offset) < 0x20 && bytes.u8(offset) != 0x0D { return false }
        return true
    }

    /// Methods that most requests have. None is the end of another registered one.
    static func isCommonMethod(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        switch range.count {
        case 3: bytes.hasBytes("GET", at: range.lowerBound) || bytes.hasBytes("PUT", at: range.lowerBound)
        case 4: bytes.hasBytes("POST", at: range.lowerBound) || bytes.hasBytes("HEAD", at: range.lowerBound)
        case 5: bytes.hasBytes("PATCH", at: range.lowerBound) || bytes.hasBytes("TRACE", at: range.lowerBound)
        case 6: bytes.hasBytes("DELETE", at: range.lowerBound)
        case 7: bytes.hasBytes("OPTIONS", at: range.lowerBound) || bytes.hasBytes("CONNECT", at: range.lowerBound)
        default: false
        }
    }
}
