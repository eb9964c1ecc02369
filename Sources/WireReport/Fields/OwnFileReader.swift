import WireLogs

/// Reads the values of a result front to back and keeps nothing: a result of many APIs is large, and little of it is
/// needed.
struct OwnFileReader {
    struct Problem: Error {
        /// With the place.
        var what: String
    }

    private var json: JSONReader
    /// Read ahead.
    private var token: JSONToken?

    init(_ json: JSONReader) { self.json = json }

    func problem(_ what: String) -> Problem { Problem(what: "\(what) at byte \(json.offset)") }

    /// Gives the name of each member; the body must read its value.
    mutating func object(_ body: (inout OwnFileReader, String) throws(Problem) -> Void) throws(Problem) {
        guard try next() == .beginObject else { throw problem("expected an object") }
        // The reader gives nothing but names and the end at this place.
        while case .key(let name) = try next() { try body(&self, String(decoding: name, as: UTF8.self)) }
    }

    /// Whether null is next; if it is, it was read.
    mutating func null() throws(Problem) -> Bool {
        let first = try next()
        if first != .null { token = first }
        return first == .null
    }

    /// The same, or null: then there is no member.
    mutating func optionalObject(_ body: (inout OwnFileReader, String) throws(Problem) -> Void) throws(Problem) {
        if try !null() { try object(body) }
    }

    /// The body must read an element.
    mutating func array(_ body: (inout OwnFileReader) throws(Problem) -> Void) throws(Problem) {
        guard try next() == .beginArray else { throw problem("expected an array") }
        while true {
            let first = try next()
            if first == .endArray { return }
            token = first
            try body(&self)
        }
    }

    mutating func string() throws(Problem) -> String {
        guard case .string(let text) = try next() else { throw problem("expected a string") }
        return String(decoding: text, as: UTF8.self)
    }

    mutating func strings() throws(Problem) -> [String] {
        var strings: [String] = []
        try array { (reader) throws(Problem) in strings.append(try reader.string()) }
        return strings
    }

    /// Nil for null.
    mutating func optionalString() throws(Problem) -> String? {
        let isNull = try null()
        return isNull ? nil : try string()
    }

    mutating func integer() throws(Problem) -> Int {
        guard case .number(let digits) = try next(), let value = Int(String(decoding: digits, as: UTF8.self)) else {
            throw problem("expected a whole number")
        }
        return value
    }

    /// A whole number of up to 128 bits; nil for null.
    mutating func exactInteger() throws(Problem) -> Int128? {
        let token = try next()
        if token == .null { return nil }
        guard case .number(let digits) = token, let value = Int128(String(decoding: digits, as: UTF8.self)) else {
            throw problem("expected a whole number")
        }
        return value
    }

    mutating func boolean() throws(Problem) -> Bool {
        guard case .boolean(let value) = try next() else { throw problem("expected true or false") }
        return value
    }

    /// Nil for null.
    mutating func number() throws(Problem) -> Double? {
        let token = try next()
        if token == .null { return nil }
        guard case .number(let digits) = token, let value = Double(String(decoding: digits, as: UTF8.self)),
            value.isFinite
        else { throw problem("expected a number") }
        return value
    }

    /// A value of any kind, which must not have been read ahead: the value of a member.
    mutating func skip() throws(Problem) {
        do { try json.skipValue() } catch { throw Problem(what: error.message) }
    }

    /// Nothing but blanks may follow the value.
    mutating func end() throws(Problem) {
        guard try next() == .end else { throw problem("there is data after the JSON value") }
    }

    private mutating func next() throws(Problem) -> JSONToken {
        if let token {
            self.token = nil
            return token
        }
        do { return try json.next() } catch { throw Problem(what: error.message) }
    }
}
