/// Header fields that a hook does not see: the loader adds them after it has looked.
struct HiddenFields: Sendable {
    private var known: UInt16 = 0
    /// Lower-case names without a number of their own.
    private var others: [[UInt8]] = []

    /// Nothing is hidden.
    init() {}

    /// A word for a set of fields, or names joined by `+`.
    init(_ text: String) {
        switch text {
        case "full": break
        case "article": hide([.host, .accept, .connection])
        case "min":
            hide([.host, .accept, .acceptLanguage, .acceptEncoding, .userAgent, .connection, .contentLength])
        case "loader":
            hide([
                .host, .contentLength, .transferEncoding, .connection, .acceptEncoding, .userAgent, .acceptLanguage,
            ])
        case "okhttp":
            hide([
                .host, .connection, .contentLength, .contentType, .transferEncoding, .acceptEncoding, .userAgent,
                .cookie,
            ])
        default:
            for name in text.utf8.split(separator: 0x2B) { hide(name.map { HeaderFields.lowercased($0) }) }
        }
    }

    /// Hides cookies too: the SDK does not add them from the cookie storage.
    mutating func hideCookies() { hide([.cookie]) }

    private mutating func hide(_ fields: [KnownField]) {
        for field in fields { known |= field.bit }
    }

    private mutating func hide(_ name: [UInt8]) {
        var field = HeaderFields(bytes: name)
        field.append(name: 0..<name.count, value: 0..<0, wireLength: 0)
        if let known = field.fields.first?.known, known != .other { hide([known]) } else { others.append(name) }
    }

    @inline(__always)
    func contains(_ field: HeaderFields.Field, in fields: HeaderFields) -> Bool {
        if field.known != .other { return known & field.known.bit != 0 }
        for name in others where fields.isEqual(field.name, name) { return true }
        return false
    }
}
