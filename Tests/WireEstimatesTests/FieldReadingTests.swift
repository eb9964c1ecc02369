import Testing
import WireEstimates
import WireTesting

@Suite("Header fields and start lines")
struct FieldReadingTests {
    @Test(
        "known names, in any case",
        arguments: [
            ("Host", .host), ("aCCept", .accept), ("COOKIE", .cookie), ("Location", .location),
            ("user-agent", .userAgent), ("Connection", .connection), ("Content-Type", .contentType),
            ("content-length", .contentLength), ("Accept-Encoding", .acceptEncoding),
            ("Accept-Language", .acceptLanguage), ("Content-Encoding", .contentEncoding),
            ("Transfer-Encoding", .transferEncoding), ("Hosts", .other), ("Accepts", .other), ("", .other),
            ("Accept-Languagf", .other), ("cookiE2", .other),
        ] as [(String, KnownField)])
    func knownNames(name: String, known: KnownField) {
        let fields = HeaderFields([(name, "x")])
        #expect(fields.fields.first?.known == known)
        #expect(fields.contains(known))
        #expect(fields.first(known)?.first == 0)
    }

    @Test("the first field of each name, among few and many", arguments: [3, 20, 47, 48, 49, 60, 400])
    func firstOfName(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let names = (0..<count).map { _ in
            let name = "n\(random.below(max(count / 2, 1)))"
            return random.oneIn(2) ? name.uppercased() : name
        }
        let fields = HeaderFields(names.map { ($0, "v") })
        for (index, name) in names.enumerated() {
            let expected = names.firstIndex { $0.lowercased() == name.lowercased() }
            #expect(fields.fields[index].first == expected)
        }
    }

    @Test(
        "line ends and folds",
        arguments: [
            ("A: b\r\n", 2, 1), ("A: b\n", 1, 1), ("A:b \r\n", 2, 1), ("A: b\r\n c\r\n", 2, 3),
            ("A: b \n \t c\n", 1, 3), ("A: b  c\r\n", 2, 4), ("A: b\r\n \r\n c\r\n", 2, 3),
        ])
    func folds(line: String, lineEnd: Int, valueLength: Int) throws {
        var message = SampleMessage("GET / HTTP/1.1")
        message.lines = [line]
        let field = try #require(message.request.fields.fields.first)
        #expect(field.lineEnd == lineEnd)
        #expect(field.valueLength == valueLength)
        #expect(field.wireLength == line.utf8.count)
    }

    @Test("ranges beyond the bytes are cut, not fatal")
    func wildRanges() {
        var fields = HeaderFields(bytes: Array("Host: h".utf8))
        fields.append(name: 3..<900, value: 700..<900, wireLength: .max)
        fields.append(name: 0..<4, value: 6..<7, wireLength: -4)
        #expect(fields.fields[0].name == 3..<7)
        #expect(fields.fields[0].value.isEmpty)
        #expect(fields.fields[1].known == .host)
    }

    @Test("equal names in folded, spaced and doubled lines become one entry of a dictionary")
    func merging() throws {
        var response = SampleMessage("HTTP/1.1 200 OK", body: body(0))
        response.lines = ["Via: a\r\n", "vIA : b\r\n", "VIA:c\n", "Set-Cookie: x\r\n y\r\n"]
        let sample = exchange(SampleMessage("GET / HTTP/1.1", ["Cookie: a=1", "cookie: b=2"]), response)
        let (up, down) = try recorded("dm", sample)
        #expect(down?.headers == "Via: a, b, c\nSet-Cookie: x y\n".utf8.count)
        #expect(up?.headers == "Cookie: a=1; b=2\n".utf8.count)
        // The second cookie's line costs 13 bytes and counts 5.
        #expect(up?.causes[.cookie] == -8)
        #expect(try recorded("dm:merge=comma", sample).down?.headers == "Via: a,b,c\nSet-Cookie: x y\n".utf8.count)
    }

    @Test(
        "paths as a URL object gives them",
        arguments: [
            ("/", "/"), ("/a%20b/", "/a b"), ("/a%2", "/a%2"), ("/%zz", "/%zz"), ("/a//", "/a/"),
            ("/a;p=1", "/a;p=1"), ("/a#f", "/a"), ("/%41%42?q=%20", "/AB"), ("/a?", "/a"), ("/a%2", "/a%2"),
        ])
    func paths(target: String, path: String) throws {
        let sample = exchange(SampleMessage("GET \(target) HTTP/1.1"), SampleMessage("HTTP/1.1 204 No Content"))
        let up = try #require(try recorded("dm", sample).up)
        #expect(up.startLine == "GET \(path) HTTP/1.1\n".utf8.count)
        let query = target.firstIndex(of: "?").map { target[$0...].utf8.count } ?? 0
        #expect(up.causes[.queryDropped] == -query)
        #expect(up.causes[.pathRewritten] == path.utf8.count - (target.utf8.count - query))
        #expect(up.causes[.startLineRewritten] == 0)
    }

    @Test("a fragment with escapes is cut as a whole")
    func fragment() throws {
        let sample = exchange(SampleMessage("GET /a%20#%20%20 HTTP/1.1"), nil)
        #expect(try recorded("dm", sample).up?.startLine == "GET /a  HTTP/1.1\n".utf8.count)
    }

    @Test("odd start lines are written anew")
    func oddLines() throws {
        let response = SampleMessage("HTTP/1.1 204 No Content")
        func causes(_ request: SampleMessage) throws -> [String: Int]? {
            try recorded("dm", exchange(request, response)).up?.causes.byName
        }
        var request = SampleMessage("GET http://api.example.com/a HTTP/1.1")
        #expect(try causes(request) == ["L.rewrite": -22, "T.line": -1, "T.blank": -2])
        request.startLine = "GET  /a HTTP/1.1"
        request.startLineEnd = "\n"
        request.emptyLine = "\n"
        #expect(try causes(request) == ["L.rewrite": -1, "T.blank": -1])
        request = SampleMessage("GET /a")
        request.emptyLine = ""
        #expect(try causes(request) == ["L.rewrite": 9, "T.line": -1])
    }
}
