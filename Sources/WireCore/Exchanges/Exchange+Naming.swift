import WireNative

/// The host, path and API name of an exchange, from its request.
extension Exchange {
    /// Where the parts of the request target lie in `text` (RFC 9112 §3.2).
    struct Target {
        /// Host and port from an absolute-form or authority-form target, without credentials; nil else.
        var authority: Range<Int>?
        var path = 0..<0
        var query: Range<Int>?
    }

    var method: ArraySlice<UInt8> { text[0..<methodLength] }
    var target: ArraySlice<UInt8> { text[methodLength..<methodLength + targetLength] }

    func parsedTarget() -> Target {
        Exchange.target(text, methodLength..<methodLength + targetLength, methodKind)
    }

    /// The same from the fields: to call a method of an exchange in the store, the compiler copies the exchange.
    static func target(_ text: [UInt8], _ whole: Range<Int>, _ methodKind: MethodKind) -> Target {
        let bytes = unsafe text.span.bytes
        var target = Target()
        var start = whole.lowerBound
        if methodKind == .connect {
            target.authority = host(bytes, from: whole.lowerBound, to: whole.upperBound)
            target.path = whole.upperBound..<whole.upperBound
            return target
        }
        if !whole.isEmpty, bytes.u8(start) != 0x2F, let authority = Exchange.authority(bytes, whole) {
            target.authority = authority
            start = authority.upperBound
        }
        let end = bytes.firstByte(0x3F, from: start).map { min($0, whole.upperBound) } ?? whole.upperBound
        target.path = start..<end
        if end < whole.upperBound { target.query = end + 1..<whole.upperBound }
        return target
    }

    /// Host and port of an absolute-form target: behind "scheme://" and credentials, before the path or query. A target
    /// that is a query alone may hold such text, too.
    private static func authority(_ bytes: RawSpan, _ whole: Range<Int>) -> Range<Int>? {
        guard let colon = bytes.firstByte(0x3A, from: whole.lowerBound), colon - whole.lowerBound <= 8,
            bytes.hasBytes("://", at: colon), colon + 3 < whole.upperBound,
            bytes.firstByte(0x3F, from: whole.lowerBound).map({ $0 > colon }) ?? true
        else { return nil }
        return host(bytes, from: colon + 3, to: whole.upperBound)
    }

    /// Host and port of an authority that a path, a query or `limit` ends: behind credentials (RFC 3986 §3.2.1).
    private static func host(_ bytes: RawSpan, from start: Int, to limit: Int) -> Range<Int> {
        var (start, end) = (start, start)
        while end < limit, bytes.u8(end) != 0x2F, bytes.u8(end) != 0x3F {
            if bytes.u8(end) == 0x40 { start = end + 1 }
            end += 1
        }
        return start..<end
    }

    /// The target has an authority and the Host field names another. The target's counts (RFC 9112 §3.2.2).
    var hasTwoHosts: Bool {
        let named = methodLength + targetLength..<text.count
        guard !named.isEmpty, methodKind != .connect,
            let authority = parsedTarget().authority, !authority.isEmpty
        else { return false }
        return hostName(parsedTarget()) != hostName(Target(authority: named))
    }

    /// The host as the API names it: lower case, without the port that the scheme implies. Empty where the request
    /// names none.
    func hostName(_ target: Target) -> [UInt8] {
        let range = target.authority ?? methodLength + targetLength..<text.count
        var name: [UInt8] = []
        Exchange.appendHostName(text, range, methodKind, isSecure: isSecure, to: &name)
        return name
    }

    /// The same from the fields; `range` is where the name stands. International names are those of the DNS, also where a client
    /// sends their characters.
    static func appendHostName(
        _ text: [UInt8], _ range: Range<Int>, _ methodKind: MethodKind, isSecure: Bool, to name: inout [UInt8]
    ) {
        let bytes = unsafe text.span.bytes
        let port: StaticString = isSecure ? ":443" : ":80"
        let length = port.utf8CodeUnitCount
        var end = range.upperBound
        if methodKind != .connect, range.count >= length, bytes.hasBytes(port, at: end - length) { end -= length }
        let start = name.count
        bytes.appendLowercased(range.lowerBound..<end, to: &name)
        guard !bytes.isASCII(in: range.lowerBound..<end) else { return }
        if let ascii = InternationalHost.ascii(Array(name[start...])) { name.replaceSubrange(start..., with: ascii) }
    }
}
