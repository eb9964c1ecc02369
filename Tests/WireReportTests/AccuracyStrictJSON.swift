import WireRecords

/// A value of JSON as RFC 8259 has it; members keep their order.
indirect enum StrictJSON: Equatable {
    case null
    case boolean(Bool)
    /// As written.
    case number(String)
    case string(String)
    case array([StrictJSON])
    case object([Member])

    struct Member: Equatable {
        var name: String
        var value: StrictJSON
    }

    subscript(name: String) -> StrictJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var array: [StrictJSON] { if case .array(let elements) = self { elements } else { [] } }
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
    var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
    var names: [String] { members.map(\.name) }

    struct Fault: Error {
        var what: String
        var offset: Int
    }

    /// One value and nothing else but white space; no name twice in an object, no control character in a string.
    static func parse(_ text: String) throws(Fault) -> StrictJSON {
        var parser = Parser(bytes: Array(text.utf8))
        let value = try parser.value()
        parser.skipSpace()
        guard parser.index == parser.bytes.count else { throw parser.fault("something follows the value") }
        return value
    }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0

        func fault(_ what: String) -> Fault { Fault(what: what, offset: index) }

        var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
        }

        mutating func take(_ byte: UInt8) -> Bool {
            skipSpace()
            guard next == byte else { return false }
            index += 1
            return true
        }

        mutating func value() throws(Fault) -> StrictJSON {
            skipSpace()
            switch next {
            case UInt8(ascii: "{"): return try object()
            case UInt8(ascii: "["): return try array()
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .boolean(true))
            case UInt8(ascii: "f"): return try word("false", .boolean(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            default: return try number()
            }
        }

        private mutating func word(_ word: String, _ value: StrictJSON) throws(Fault) -> StrictJSON {
            guard bytes[index...].starts(with: word.utf8) else { throw fault("no value") }
            index += word.utf8.count
            return value
        }

        private mutating func object() throws(Fault) -> StrictJSON {
            index += 1
            var members: [Member] = []
            var names: Set<String> = []
            if take(UInt8(ascii: "}")) { return .object([]) }
            repeat {
                skipSpace()
                let name = try string()
                guard names.insert(name).inserted else { throw fault("'\(name)' is there twice") }
                guard take(UInt8(ascii: ":")) else { throw fault("no colon") }
                members.append(Member(name: name, value: try value()))
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw fault("object does not end") }
            return .object(members)
        }

        private mutating func array() throws(Fault) -> StrictJSON {
            index += 1
            var elements: [StrictJSON] = []
            if take(UInt8(ascii: "]")) { return .array([]) }
            repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw fault("array does not end") }
            return .array(elements)
        }

        private mutating func number() throws(Fault) -> StrictJSON {
            let start = index
            while let byte = next, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { index += 1 }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
                throw fault("'\(text)' is no number")
            }
            return .number(text)
        }

        private mutating func string() throws(Fault) -> String {
            guard next == UInt8(ascii: "\"") else { throw fault("no string") }
            index += 1
            var units: [UInt16] = []
            var plain: [UInt8] = []
            var text = ""
            func flushed() -> String { String(decoding: units, as: UTF16.self) }
            while let byte = next, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw fault("a control character in a string") }
                index += 1
                if byte == UInt8(ascii: "\\") {
                    text += String(decoding: plain, as: UTF8.self)
                    plain = []
                    units.append(try escape())
                } else {
                    if !units.isEmpty { text += flushed() }
                    units = []
                    plain.append(byte)
                }
            }
            guard next != nil else { throw fault("string does not end") }
            index += 1
            return text + flushed() + String(decoding: plain, as: UTF8.self)
        }

        private mutating func escape() throws(Fault) -> UInt16 {
            guard let byte = next else { throw fault("string does not end") }
            index += 1
            switch byte {
            case UInt8(ascii: "n"): return 0x0A
            case UInt8(ascii: "r"): return 0x0D
            case UInt8(ascii: "t"): return 0x09
            case UInt8(ascii: "b"): return 0x08
            case UInt8(ascii: "f"): return 0x0C
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
            case UInt8(ascii: "u"):
                guard index + 4 <= bytes.count,
                    let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
                else { throw fault("a broken \\u escape") }
                index += 4
                return unit
            default: throw fault("an unknown escape")
            }
        }
    }
}
