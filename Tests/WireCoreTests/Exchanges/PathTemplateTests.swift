import Testing
import WireTesting

@testable import WireCore

@Suite("Path template")
struct PathTemplateTests {
    private func template(_ path: String, _ patterns: [String] = []) -> String {
        let bytes = Array(path.utf8)
        var output: [UInt8] = []
        unsafe PathTemplate(patterns: patterns).append(bytes.span.bytes, 0..<bytes.count, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    static let table: [(path: String, template: String)] = [
        ("/", "/"), ("", ""), ("//", "//"), ("/a/", "/a/"), ("/users", "/users"), ("/users/42", "/users/{id}"),
        ("/users/42/", "/users/{id}/"), ("/v1/users/42/orders/7", "/v1/users/{id}/orders/{id}"), ("/0", "/{id}"),
        ("/u/550e8400-e29b-41d4-a716-446655440000", "/u/{id}"), ("/u/550E8400-E29B-41D4-A716-446655440000", "/u/{id}"),
        ("/d/2026-11-21", "/d/{id}"), ("/d/2026-11", "/d/2026-11"), ("/c/deadbeef", "/c/deadbeef"),
        ("/c/deadbee1", "/c/{id}"), ("/c/dead1", "/c/dead1"), ("/img/12345.png", "/img/{id}.png"),
        ("/img/logo.png", "/img/logo.png"), ("/img/.png", "/img/.png"), ("/a/b1.min.js", "/a/b1.min.js"),
        ("/t/dGhpcyBpcyBhIDE2IGJ5dGU", "/t/{id}"), ("/t/thisIsALongCamelCaseWord", "/t/thisIsALongCamelCaseWord"),
        ("/t/ord-12345678", "/t/{id}"), ("/t/order-12345678", "/t/order-12345678"), ("/v2/api", "/v2/api"),
        ("/a/20%2F1", "/a/20%2F1"), ("*", "*"),
        ("/a/1/../2", "/a/{id}/../{id}"),
        // One path has one name, encoded or not.
        ("/caf%C3%A9", "/café"), ("/caf%c3%a9/7", "/café/{id}"), ("/café", "/café"), ("/%63af%65", "/cafe"),
        ("/%E3%82%AB%E3%83%BC%E3%83%88/42", "/カート/{id}"), ("/%F0%9F%98%80", "/😀"), ("/u/%31%32", "/u/{id}"),
        // What would be another path, or could not be seen, stays escaped.
        ("/a%2fb", "/a%2Fb"), ("/a%3F%23%25", "/a%3F%23%25"), ("/%2525", "/%2525"), ("/a%20b%0A%00", "/a%20b%0A%00"),
        ("/%E2%80%AEgpj", "/%E2%80%AEgpj"), ("/\u{202E}gpj", "/%E2%80%AEgpj"), ("/%C2%A0", "/%C2%A0"),
        ("/%E1%85%9F", "/%E1%85%9F"), ("/%EF%BB%BF", "/%EF%BB%BF"), ("/%C2%85", "/%C2%85"),
        ("/%EE%80%80", "/%EE%80%80"),
        // What is no UTF-8 stays escaped, byte for byte.
        ("/%E3%82", "/%E3%82"), ("/%FF%C3%A9", "/%FFé"), ("/%C0%AF", "/%C0%AF"), ("/%ED%A0%80", "/%ED%A0%80"),
        ("/100%", "/100%"), ("/%z1%4", "/%z1%4"),
    ]

    @Test("replaces what identifies something, and nothing else", arguments: 0..<table.count)
    func replaces(index: Int) {
        #expect(template(Self.table[index].path) == Self.table[index].template)
    }

    @Test("takes the user's patterns first, the first that fits")
    func takesPatterns() {
        let patterns = ["/users/{name}", "/users/{name}/posts/{post}", "/files/{path}/raw", "/users/me"]
        #expect(template("/users/anna", patterns) == "/users/{name}")
        #expect(template("/users/me", patterns) == "/users/{name}")
        #expect(template("/users/anna/posts/first", patterns) == "/users/{name}/posts/{post}")
        #expect(template("/users/", patterns) == "/users/")
        #expect(template("/users/anna/42", patterns) == "/users/anna/{id}")
        #expect(template("/files/x/raw", patterns) == "/files/{path}/raw")
        #expect(template("/files/x/raw/", patterns) == "/files/x/raw/")
        #expect(template("/files/7/other", patterns) == "/files/{id}/other")
    }

    @Test("patterns fit paths however both are encoded")
    func encodedPatterns() {
        #expect(template("/%E3%82%AB/a", ["/カ/{x}"]) == "/カ/{x}")
        #expect(template("/カ/a", ["/%e3%82%ab/{x}"]) == "/カ/{x}")
    }

    @Test("bytes that are no UTF-8 are escaped, as who encodes them would")
    func rawBytes() {
        let bytes: [UInt8] = [0x2F, 0xE9, 0x2F, 0xC3, 0xA9]
        var output: [UInt8] = []
        unsafe PathTemplate().append(bytes.span.bytes, 0..<bytes.count, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "/%E9/é")
    }

    @Test("reads no more than its range")
    func keepsRange() {
        let bytes = Array("GET/users/42?x=/9".utf8)
        var output: [UInt8] = []
        unsafe PathTemplate().append(bytes.span.bytes, 3..<12, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "/users/{id}")
    }
}

@Suite("Name table")
struct NameTableTests {
    @Test("numbers names in order of first sight, up to a limit")
    func numbersNames() {
        var table = NameTable()
        #expect(["a", "b", "a", "", "b", ""].map { table.intern(Array($0.utf8)) } == [0, 1, 0, 2, 1, 2])
        #expect(table.intern(Array("c".utf8), limit: 3) == nil)
        #expect(table.intern(Array("b".utf8), limit: 3) == 1)
        #expect(table.intern(Array("c".utf8), limit: 4) == 3)
        #expect(table.names.map { String(decoding: $0, as: UTF8.self) } == ["a", "b", "", "c"])
    }

    @Test("finds each of many names again, alike as they may be")
    func findsMany() {
        var table = NameTable()
        let names = (0..<2000).map { Array("GET api.example.com /v1/some/long/path/\($0 / 7)/\($0 % 7)".utf8) }
        for (index, name) in names.enumerated() { #expect(table.intern(name) == index) }
        for (index, name) in names.enumerated() { #expect(table.intern(name) == index) }
        for (index, name) in names.enumerated() { #expect(table.names[index] == name) }
        #expect(table.count == 2000)
    }
}
