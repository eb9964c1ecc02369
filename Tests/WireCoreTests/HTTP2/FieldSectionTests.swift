import Testing
import WireNative
import WireTesting

@testable import WireCore

/// Fields by name and value, in order.
typealias SampleFields = KeyValuePairs<String, String>

extension FieldSection {
    static func of(_ fields: SampleFields, keepsText: Bool = true, limit: Int = 65536) -> FieldSection {
        var section = FieldSection(keepsText: keepsText)
        section.add(fields, limit: limit)
        return section
    }

    mutating func add(_ fields: SampleFields, limit: Int = 65536) {
        for (name, value) in fields {
            let (name, value) = (Array(name.utf8), Array(value.utf8))
            unsafe add(name: name.span.bytes, value: value.span.bytes, limit: limit)
        }
    }

    func text(isRequest: Bool) -> String? {
        head(isRequest: isRequest).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}

@Suite("HTTP/2: fields")
struct FieldSectionTests {
    private static let get: SampleFields = [
        ":method": "GET", ":scheme": "https", ":authority": "example.com", ":path": "/a?b", "accept": "*/*",
    ]

    private func string(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test("a request says what its pseudo-fields say")
    func request() {
        let section = FieldSection.of(Self.get)
        #expect(string(section.method) == "GET" && string(section.scheme) == "https")
        #expect(string(section.authority) == "example.com" && string(section.path) == "/a?b")
        #expect(section.host == nil && section.protocolName == nil && section.status == nil)
        #expect(section.count == 5 && !section.isConnect)
        #expect(!section.isMalformed(as: .request))
        #expect(section.isMalformed(as: .response) && section.isMalformed(as: .trailer))
    }

    @Test("an extended CONNECT names its protocol")
    func extendedConnect() {
        let section = FieldSection.of([
            ":method": "CONNECT", ":protocol": "websocket", ":scheme": "https", ":path": "/chat",
            ":authority": "example.com",
        ])
        #expect(string(section.protocolName) == "websocket" && section.isConnect)
        #expect(!section.isMalformed(as: .request))
        #expect(section.text(isRequest: true) == "CONNECT /chat HTTP/2\r\nhost: example.com\r\n\r\n")
    }

    @Test("content fields are read as in HTTP/1")
    func contentFields() {
        let section = FieldSection.of([
            ":status": "200", "content-length": "1234", "content-encoding": "gzip", "content-type": "text/html",
        ])
        #expect(section.status == 200 && section.contentLength == 1234 && !section.contentLengthIsInvalid)
        #expect(section.codings.array == [.gzip] && section.hasContentEncoding && section.isLiterallyGzip)
        let several = FieldSection.of([
            ":status": "200", "content-length": "12", "content-length": "12, 13", "content-encoding": "gzip, br",
            "content-encoding": "zstd",
        ])
        #expect(several.contentLength == 12 && several.contentLengthIsInvalid)
        #expect(several.codings.array == [.gzip, .brotli, .zstd] && !several.isLiterallyGzip)
        let unreadable = FieldSection.of([
            ":status": "200", "content-length": "", "content-encoding": String(repeating: "gzip,", count: 60),
        ])
        #expect(unreadable.contentLength == nil && unreadable.contentLengthIsInvalid)
        #expect(unreadable.codings.isUndecodable)
        #expect(FieldSection.of(["content-length": String(repeating: "1", count: 300)]).contentLengthIsInvalid)
    }

    static let heads: [(fields: SampleFields, isRequest: Bool, text: String)] = [
        (get, true, "GET /a?b HTTP/2\r\nhost: example.com\r\naccept: */*\r\n\r\n"),
        ([":status": "204"], false, "HTTP/2 204\r\n\r\n"),
        ([":status": "200", "a": "", "b": "1"], false, "HTTP/2 200\r\na: \r\nb: 1\r\n\r\n"),
        // Host takes the place of :authority.
        (
            [":method": "GET", ":authority": "one", ":scheme": "http", ":path": "/", "a": "b", "host": "other"], true,
            "GET / HTTP/2\r\na: b\r\nhost: other\r\n\r\n"
        ),
        ([":method": "CONNECT", ":authority": "h:443"], true, "CONNECT h:443 HTTP/2\r\nhost: h:443\r\n\r\n"),
        // The pieces of Cookie are one field.
        (
            [
                ":method": "GET", ":scheme": "http", ":path": "/", "cookie": "a=1", "x": "y", "cookie": "b=2",
                "cookie": "c",
            ], true,
            "GET / HTTP/2\r\ncookie: a=1; b=2; c\r\nx: y\r\n\r\n"
        ),
        // One field stays one.
        ([":status": "200", "a": "b\r\nc: d"], false, "HTTP/2 200\r\na: b  c: d\r\n\r\n"),
    ]

    @Test("the head is spelled as HTTP/1.1, and has the decoded size", arguments: heads.indices)
    func head(index: Int) throws {
        let (fields, isRequest, text) = Self.heads[index]
        let section = FieldSection.of(fields)
        let head = try #require(section.head(isRequest: isRequest))
        #expect(String(decoding: head.bytes, as: UTF8.self) == text)
        #expect(head.bytes.count - head.startLine == section.decodedSize)
        let counted = FieldSection.of(fields, keepsText: false)
        #expect(counted.decodedSize == section.decodedSize && counted.head(isRequest: isRequest) == nil)
    }

    @Test("the decoded size is that of names, values and line ends")
    func decodedSize() {
        #expect(FieldSection.of([:]).decodedSize == 2)
        #expect(FieldSection.of(["ab": "cde"]).decodedSize == 2 + 9)
        #expect(FieldSection.of([":method": "GET", ":path": "/", ":scheme": "https"]).decodedSize == 2)
        #expect(FieldSection.of([":authority": "abc"]).decodedSize == 2 + 11)
        #expect(FieldSection.of([":authority": "abc", "host": "abc"]).decodedSize == 2 + 11)
        #expect(FieldSection.of([":authority": "abc", "host": "abcd", "host": "x"]).decodedSize == 2 + 12 + 9)
        #expect(FieldSection.of(["cookie": "a=1", "cookie": "b=2"]).decodedSize == 2 + 6 + 4 + 3 + 2 + 3)
    }

    @Test("a head lacks nothing or is not given")
    func headIsWhole() {
        #expect(FieldSection.of([":path": "/"]).head(isRequest: true) == nil)
        #expect(FieldSection.of([":method": "GET"]).head(isRequest: true) == nil)
        #expect(FieldSection.of(["a": "b"]).head(isRequest: false) == nil)
        #expect(FieldSection.of([":status": "200", "": "x"]).head(isRequest: false) == nil)
    }

    @Test("text is kept up to the limit, counts go on")
    func limit() {
        for limit in 0..<80 {
            let section = FieldSection.of(Self.get, limit: limit)
            #expect(section.keptBytes <= limit && section.count == 5 && section.decodedSize == 2 + 19 + 13)
            // Three values, of 3, 5 and 11 and 4 bytes, and a line of 13.
            #expect(section.isCut == (limit < 36) && (section.head(isRequest: true) == nil) == section.isCut)
            #expect(section.isMalformed(as: .request) == false)
        }
    }

    @Test("a section used again knows nothing of what was before")
    func reset() {
        var section = FieldSection.of([":status": "200", "": "", "A": "b", "cookie": "a", "host": "x", "te": "x"])
        section.add(Self.get, limit: 3)
        section.reset(keepsText: true)
        section.add(Self.get)
        let fresh = FieldSection.of(Self.get)
        #expect(section.text(isRequest: true) == fresh.text(isRequest: true) && section.text == fresh.text)
        #expect(section.decodedSize == fresh.decodedSize && section.count == fresh.count)
        #expect(!section.isMalformed(as: .request) && !section.hasUnknownFields && !section.isCut)
        section.reset(keepsText: false)
        #expect(section.head(isRequest: true) == nil && section.keptBytes == 0)
    }

    @Test("a bomb of fields is counted without being kept")
    func bomb() {
        var section = FieldSection(keepsText: true)
        let value = Array(repeating: UInt8(0x61), count: 60_000)
        let name = Array("n".utf8)
        for _ in 0..<5000 { unsafe section.add(name: name.span.bytes, value: value.span.bytes, limit: 65536) }
        #expect(section.decodedSize == 2 + 5000 * 60_005 && section.keptBytes == 60_005 && section.isCut)
    }
}
