import Testing
import WireTesting

@testable import WireLogs

@Suite("JSON token by token")
struct JSONReaderTests {
    /// All tokens up to the end, or to the error.
    private static func tokens(_ reader: JSONReader) -> ([JSONToken], JSONError?) {
        var reader = reader
        var tokens: [JSONToken] = []
        while true {
            do throws(JSONError) {
                let token = try reader.next()
                if token == .end { return (tokens, nil) }
                tokens.append(token)
            } catch {
                return (tokens, error)
            }
        }
    }

    private static func tokens(_ text: String, layout: JSONReader.Layout = .document) -> ([JSONToken], JSONError?) {
        tokens(JSONReader(Array(text.utf8), layout: layout))
    }

    private static func text(_ token: JSONToken) -> String {
        switch token {
        case .beginObject: "{"
        case .endObject: "}"
        case .beginArray: "["
        case .endArray: "]"
        case .key(let key): String(decoding: key, as: UTF8.self) + ":"
        case .string(let text): "'" + String(decoding: text, as: UTF8.self) + "'"
        case .number(let text): String(decoding: text, as: UTF8.self)
        case .boolean(let isTrue): "\(isTrue)"
        case .null: "null"
        case .end: "."
        }
    }

    static let sound: [(String, String)] = [
        ("{}", "{ }"), ("[]", "[ ]"), ("null", "null"), (" true ", "true"), ("false", "false"), ("0", "0"),
        ("\u{FEFF}[1]", "[ 1 ]"), ("\"\"", "''"),
        (#"{"a":1,"b":[2,{"c":null}],"":"x"}"#, "{ a: 1 b: [ 2 { c: null } ] : 'x' }"),
        ("[-0, -1.5e+3, 9007199254740993, 1E9, 0.001]", "[ -0 -1.5e+3 9007199254740993 1E9 0.001 ]"),
        (#""\"\\\/\b\f\n\r\t""#, "'\"\\/\u{8}\u{C}\n\r\t'"),
        (#""\u00e9\u20AC\uD83D\ude00""#, "'é€😀'"),
        // Halves of surrogate pairs.
        (#""\ud83d""#, "'\u{FFFD}'"), (#""\ude00x""#, "'\u{FFFD}x'"), (#""\ud83d\n""#, "'\u{FFFD}\n'"),
        (#""\ud83d\ud83d\ude00""#, "'\u{FFFD}😀'"), (#""\ud83dA""#, "'\u{FFFD}A'"),
        (#""\ud83d\u0041""#, "'\u{FFFD}A'"),
        (" [ [ ] , { } ,\r\n\t1 ] ", "[ [ ] { } 1 ]"),
    ]

    @Test("sound texts give their tokens", arguments: sound)
    func tokens(input: String, expected: String) {
        let (tokens, error) = Self.tokens(input)
        #expect(error == nil)
        #expect(tokens.map(Self.text).joined(separator: " ") == expected)
    }

    static let unsound: [(String, JSONError)] = [
        ("", JSONError(.endsEarly, offset: 0)), ("  ", JSONError(.endsEarly, offset: 2)),
        ("{", JSONError(.endsEarly, offset: 1)), ("[1", JSONError(.endsEarly, offset: 2)),
        ("[1,]", JSONError(.unexpectedByte, offset: 3)), ("[1 2]", JSONError(.unexpectedByte, offset: 3)),
        ("{1:2}", JSONError(.unexpectedByte, offset: 1)), (#"{"a" 1}"#, JSONError(.unexpectedByte, offset: 5)),
        (#"{"a":1,}"#, JSONError(.unexpectedByte, offset: 7)), ("[}", JSONError(.unexpectedByte, offset: 1)),
        ("{]", JSONError(.unexpectedByte, offset: 1)), ("1 2", JSONError(.unexpectedByte, offset: 2)),
        ("tru", JSONError(.endsEarly, offset: 3)), ("trus", JSONError(.badWord, offset: 0)),
        ("NaN", JSONError(.unexpectedByte, offset: 0)), ("01", JSONError(.badNumber, offset: 0)),
        ("1.", JSONError(.endsEarly, offset: 2)), ("[1.x]", JSONError(.badNumber, offset: 1)),
        ("-", JSONError(.endsEarly, offset: 1)), ("1e", JSONError(.endsEarly, offset: 2)),
        ("0x1", JSONError(.badNumber, offset: 0)), ("\"a", JSONError(.endsEarly, offset: 2)),
        (#""\x""#, JSONError(.badEscape, offset: 1)), (#""ab\u12g4""#, JSONError(.badEscape, offset: 3)),
        (#""\u12"#, JSONError(.endsEarly, offset: 5)), ("\u{FEFF}", JSONError(.endsEarly, offset: 3)),
    ]

    @Test("unsound texts give an error with its place", arguments: unsound)
    func errors(input: String, expected: JSONError) {
        #expect(Self.tokens(input).1 == expected)
    }

    @Test("the depth has a limit")
    func depth() {
        let limit = JSONReader.depthLimit
        let deep = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(Self.tokens(deep).1 == nil)
        #expect(Self.tokens(String(repeating: "[", count: limit + 1)).1 == JSONError(.tooDeep, offset: limit))
        var reader = JSONReader(Array(String(repeating: "[", count: 1_000_000).utf8))
        #expect(throws: JSONError(.tooDeep, offset: limit)) { try reader.skipValue() }
    }

    @Test("bytes that are no UTF-8, and raw control characters, are taken as they are")
    func invalidText() {
        let (tokens, error) = Self.tokens(JSONReader([0x22, 0xC3, 0x28, 0xFF, 0x00, 0x0A, 0x22]))
        #expect(error == nil)
        #expect(tokens == [.string([0xC3, 0x28, 0xFF, 0x00, 0x0A])])
    }

    @Test("long texts are refused, unless they are passed over")
    func textLimit() throws {
        let input = Array(#"["abcdef","ab","\u20ac\u20ac",123456]"#.utf8)
        #expect(Self.tokens(JSONReader(input, textLimit: 5)).1 == JSONError(.textTooLong, offset: 1))
        var reader = JSONReader(input, textLimit: 5)
        #expect(try reader.next() == .beginArray)
        try reader.skipValue()
        #expect(try reader.next() == .string(Array("ab".utf8)))
        #expect(try reader.advance() == .string)
        #expect(reader.isTextCut && reader.text == Array("€".utf8))
        #expect(try reader.advance() == .number)
        #expect(reader.isTextCut && reader.text == Array("12345".utf8))
    }

    @Test("values and rests of containers are passed over")
    func skipping() throws {
        var reader = JSONReader(Array(#"{"a":{"b":[1,{"c":"]}"}]},"d":2,"e":[[],3,4],"f":5}"#.utf8))
        #expect(try reader.next() == .beginObject)
        #expect(try reader.next() == .key(Array("a".utf8)))
        try reader.skipValue()
        #expect(try reader.next() == .key(Array("d".utf8)))
        try reader.skipValue()
        #expect(try reader.next() == .key(Array("e".utf8)))
        #expect(try reader.next() == .beginArray)
        #expect(try reader.next() == .beginArray)
        try reader.skipContainer()
        try reader.skipContainer()
        #expect(reader.depth == 1)
        #expect(try reader.next() == .key(Array("f".utf8)))
        try reader.skipContainer()
        #expect(try reader.next() == .end)
        #expect(try reader.next() == .end)
    }

    @Test("lines hold one value each, and a broken one does not hide the next")
    func lines() throws {
        let input = "{\"a\":1}\r\n\n  [2]  \n{\"b\":\n{\"c\":3}\n\"x\ny\"\n4 5\n6"
        var reader = JSONReader(Array(input.utf8), layout: .lines)
        var seen: [String] = []
        while true {
            do throws(JSONError) {
                let token = try reader.next()
                if token == .end { break }
                if reader.depth == 0 || token == .beginObject { seen.append("\(reader.line) \(Self.text(token))") }
            } catch {
                seen.append("\(reader.line) \(error.kind)")
                reader.skipLine()
            }
        }
        #expect(
            seen == [
                "1 {", "1 }", "3 ]", "4 {", "4 lineEndsEarly", "5 {", "5 }", "6 lineEndsEarly", "7 unexpectedByte",
                "8 4",
                "8 lineHasMore", "9 6",
            ])
    }

    /// A random text of sound JSON.
    private static func value(_ random: inout SeededRandom, depth: Int = 0) -> String {
        let space = random.element(["", " ", "\n", "\r\n\t"])
        switch random.below(depth > 4 ? 5 : 8) {
        case 0: return space + random.element(["true", "false", "null"])
        case 1: return space + "\(Int(truncatingIfNeeded: random.next()))"
        case 2: return space + "-\(random.below(1000)).\(random.below(1000))e\(random.below(30))"
        case 3, 4: return space + string(&random)
        case 5, 6:
            let members = (0..<random.below(5)).map { _ in
                string(&random) + space + ":" + value(&random, depth: depth + 1)
            }
            return "{" + space + members.joined(separator: space + ",") + "}"
        default:
            return "[" + (0..<random.below(5)).map { _ in value(&random, depth: depth + 1) }.joined(separator: ",")
                + space + "]"
        }
    }

    private static func string(_ random: inout SeededRandom) -> String {
        let parts = [
            "a", "xyz ", "é", "😀", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\/", "{", "]",
        ]
        return "\"" + (0..<random.below(6)).map { _ in random.element(parts) }.joined() + "\""
    }

    @Test("pieces of any length give the same tokens", arguments: 1...40 as ClosedRange<UInt64>)
    func drip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var input = Array(("\u{FEFF}" + Self.value(&random)).utf8)
        // Some are broken: errors too must not depend on the pieces.
        if random.oneIn(3) { input[random.below(input.count)] = UInt8(random.below(256)) }
        let whole = Self.tokens(JSONReader(input))
        var cuts: [[Int]] = [Array(0...input.count)]
        for cut in 0...min(input.count, 300) { cuts.append([0, cut, input.count]) }
        for cut in cuts {
            var pieces = zip(cut, cut.dropFirst()).map { Array(input[$0..<$1]) }
            let dripped = Self.tokens(JSONReader(pieces: { pieces.isEmpty ? nil : pieces.removeFirst() }))
            #expect(dripped.0 == whole.0 && dripped.1 == whole.1, "seed \(seed), cut \(cut.prefix(3))")
        }
    }

    @Test("any bytes end in tokens or an error", arguments: 1...20 as ClosedRange<UInt64>)
    func noise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let alphabet = Array("{}[],:\"\\u0019eE+-. tfnrals\n".utf8) + [0xFF, 0xC3]
            let input = (0..<random.below(40)).map { _ in random.element(alphabet) }
            let (tokens, error) = Self.tokens(JSONReader(input))
            #expect(tokens.count <= input.count)
            if let error { #expect(error.offset <= input.count, "seed \(seed)") }
            var lines = JSONReader(input, layout: .lines)
            for _ in 0...input.count * 2 {
                do throws(JSONError) { if try lines.advance() == .end { break } } catch { lines.skipLine() }
            }
        }
    }
}
