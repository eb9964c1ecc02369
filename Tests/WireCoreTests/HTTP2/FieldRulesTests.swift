import Testing
import WireNative
import WireTesting

@testable import WireCore

@Suite("HTTP/2: rules of fields")
struct FieldRulesTests {
    static let broken: [(name: String, kind: FieldSection.Kind, fields: SampleFields)] = [
        ("no method", .request, [":scheme": "https", ":path": "/"]),
        ("no scheme", .request, [":method": "GET", ":path": "/"]),
        ("no path", .request, [":method": "GET", ":scheme": "https"]),
        ("an empty path", .request, [":method": "GET", ":scheme": "https", ":path": ""]),
        ("two methods", .request, [":method": "GET", ":method": "GET", ":scheme": "https", ":path": "/"]),
        ("a status", .request, [":method": "GET", ":scheme": "https", ":path": "/", ":status": "200"]),
        ("an unknown pseudo-field", .request, [":method": "GET", ":scheme": "https", ":path": "/", ":x": "y"]),
        ("a late pseudo-field", .request, [":method": "GET", ":scheme": "https", "a": "b", ":path": "/"]),
        ("CONNECT with a path", .request, [":method": "CONNECT", ":authority": "a:1", ":path": "/"]),
        ("CONNECT to nowhere", .request, [":method": "CONNECT"]),
        (
            "a protocol without CONNECT", .request,
            [":method": "GET", ":scheme": "https", ":path": "/", ":authority": "a", ":protocol": "websocket"]
        ),
        ("a protocol without a path", .request, [":method": "CONNECT", ":authority": "a", ":protocol": "websocket"]),
        ("no status", .response, ["a": "b"]), ("nothing", .response, [:]), ("nothing", .request, [:]),
        ("two statuses", .response, [":status": "200", ":status": "200"]),
        ("a status of two digits", .response, [":status": "20"]),
        ("a status of four digits", .response, [":status": "2000"]),
        ("a status below 100", .response, [":status": "099"]),
        ("a status that is no number", .response, [":status": "2x0"]),
        ("a method in a response", .response, [":status": "200", ":method": "GET"]),
        ("an upper case name", .response, [":status": "200", "Server": "x"]),
        ("an upper case pseudo-field", .response, [":Status": "200"]),
        ("a name with a space", .response, [":status": "200", "a b": "x"]),
        ("a name with a colon", .response, [":status": "200", "a:b": "x"]),
        ("a name beyond ASCII", .response, [":status": "200", "ä": "x"]),
        ("a line end in a value", .response, [":status": "200", "a": "b\r\nc: d"]),
        ("a zero byte in a value", .response, [":status": "200", "a": "b\0"]),
        ("white space before a value", .response, [":status": "200", "a": " b"]),
        ("white space behind a value", .response, [":status": "200", "a": "b\t"]),
        ("connection", .response, [":status": "200", "connection": "close"]),
        ("keep-alive", .response, [":status": "200", "keep-alive": "5"]),
        ("proxy-connection", .response, [":status": "200", "proxy-connection": "close"]),
        ("transfer-encoding", .response, [":status": "200", "transfer-encoding": "chunked"]),
        ("upgrade", .response, [":status": "200", "upgrade": "h2c"]),
        ("te with codings", .request, [":method": "GET", ":scheme": "https", ":path": "/", "te": "gzip"]),
        ("a pseudo-field in trailers", .trailer, [":status": "200"]),
        ("an unknown pseudo-field in trailers", .trailer, [":x": "200"]),
    ]

    @Test("a section that breaks the rules is malformed", arguments: broken.indices)
    func malformed(index: Int) {
        let (name, kind, fields) = Self.broken[index]
        #expect(FieldSection.of(fields).isMalformed(as: kind), "\(name)")
    }

    @Test("bytes that end a line are found wherever they are looked for")
    func lineEnds() {
        for index in 0..<FieldRules.examined {
            for byte in [0, 0x0A, 0x0D] as [UInt8] {
                var value = Array(repeating: UInt8(0xE4), count: 200)
                value[max(index, 1) - 1] = index > 1 ? 0x09 : 0x61
                let name = Array("a".utf8)
                #expect(unsafe FieldRules.allow(name.span.bytes, value.span.bytes))
                value[index] = byte
                #expect(unsafe !FieldRules.allow(name.span.bytes, value.span.bytes), "\(byte) at \(index)")
            }
        }
    }

    static let good: [(kind: FieldSection.Kind, fields: SampleFields)] = [
        (.request, [":method": "GET", ":scheme": "https", ":path": "/"]),
        (.request, [":path": "*", ":authority": "", ":scheme": "http", ":method": "OPTIONS", "te": "trailers"]),
        (.request, [":method": "CONNECT", ":authority": "a:1"]),
        (.response, [":status": "100"]), (.response, [":status": "200", "a": "", "b": "\u{e4}", "c": "x y\tz"]),
        (.response, [":status": "200", "trailer": "x", "te-": "y", "upgrades": "1", "keepalives": "1"]),
        (.trailer, [:]), (.trailer, ["grpc-status": "0"]),
        // What is not known is not missed.
        (.request, ["": "", "": "x"]), (.request, [":method": "GET", "": ""]), (.response, ["": ""]),
    ]

    @Test("a section that keeps the rules is not", arguments: good.indices)
    func wellFormed(index: Int) {
        let (kind, fields) = Self.good[index]
        #expect(!FieldSection.of(fields).isMalformed(as: kind))
    }

    @Test("unknown fields are said to be there")
    func unknownFields() {
        let section = FieldSection.of([":status": "200", "": "x", "a": "b"])
        #expect(section.hasUnknownFields && section.count == 3 && section.decodedSize == 2 + 6)
        #expect(!FieldSection.of([":status": "200"]).hasUnknownFields)
    }

    @Test("random fields never trap and count the same with and without text", arguments: 1...8 as ClosedRange<UInt64>)
    func randomFields(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let names = [
            ":method", ":path", ":status", ":authority", ":scheme", ":protocol", ":", "", "host", "cookie",
            "content-length", "content-encoding", "te", "connection", "x",
        ]
        var heads = 0
        for _ in 0..<300 {
            var kept = FieldSection(keepsText: true)
            var counted = FieldSection()
            let limit = random.below(300)
            for _ in 0..<random.below(12) {
                let name = random.oneIn(5) ? random.bytes(random.below(20)) : Array(random.element(names).utf8)
                let value = random.oneIn(2) ? random.bytes(random.below(50)) : Array("\(random.below(1000))".utf8)
                unsafe kept.add(name: name.span.bytes, value: value.span.bytes, limit: limit)
                unsafe counted.add(name: name.span.bytes, value: value.span.bytes, limit: limit)
            }
            #expect(kept.decodedSize == counted.decodedSize && kept.count == counted.count, "seed \(seed)")
            #expect(kept.keptBytes <= limit && counted.keptBytes <= limit, "seed \(seed)")
            for isRequest in [true, false] {
                guard let head = kept.head(isRequest: isRequest) else { continue }
                #expect(head.bytes.count - head.startLine == kept.decodedSize, "seed \(seed)")
                heads += 1
            }
        }
        #expect(heads > 0, "seed \(seed)")
    }
}
