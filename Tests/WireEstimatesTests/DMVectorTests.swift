import Testing
import WireEstimates

@Suite("DMURLProtocol, to the byte")
struct DMVectorTests {
    /// start line, headers, body, total
    @Test(
        "request rows of the fixed exchange",
        arguments: [
            ("dm:headers=min", [28, 62, 0, 90]), ("dm:headers=min:body=data", [28, 62, 28, 118]),
            ("dm", [28, 186, 0, 214]), ("dm:body=data", [28, 186, 28, 242]), ("dm:headers=full", [28, 243, 0, 271]),
            ("dm:headers=full:body=data", [28, 243, 28, 299]), ("dm:body=none", [28, 186, 0, 214]),
            ("dm:emptyLine=yes", [28, 187, 0, 215]),
            // All of the loader's fields but Accept are hidden: Content-Type, Accept, Cookie are left.
            ("dm:headers=loader", [28, 74, 0, 102]),
            ("dm:headers=accept+connection+host", [28, 186, 0, 214]),
            ("dm:headers=host+accept+connection+cookie", [28, 155, 0, 183]),
        ])
    func requestRows(text: String, figures: [Int]) throws {
        let up = try #require(try recorded(text, FixedExchange.exchange).up)
        #expect(up.figures == figures)
        #expect(up.causes.sum == figures[3] - 319)
    }

    @Test(
        "response rows of the fixed exchange",
        arguments: [
            ("dm", [15, 178, 66, 259]), ("dm:te=chunked", [15, 177, 66, 258]),
            ("dm:statusLineEnd=lf", [16, 178, 66, 260]), ("dm:emptyLine=yes", [15, 179, 66, 260]),
        ])
    func responseRows(text: String, figures: [Int]) throws {
        let down = try #require(try recorded(text, FixedExchange.exchange).down)
        #expect(down.figures == figures)
        #expect(down.causes.sum == figures[3] - 279)
    }

    @Test(
        "causes of the request's error",
        arguments: [
            (
                "dm",
                ["T.line": -1, "T.hdr": -6, "T.blank": -2, "U.query": -8, "H.missing": -60, "B.missing": -28]
            ),
            (
                "dm:headers=min",
                ["T.line": -1, "T.hdr": -2, "T.blank": -2, "U.query": -8, "H.missing": -188, "B.missing": -28]
            ),
            ("dm:headers=full", ["T.line": -1, "T.hdr": -9, "T.blank": -2, "U.query": -8, "B.missing": -28]),
            ("dm:body=data", ["T.line": -1, "T.hdr": -6, "T.blank": -2, "U.query": -8, "H.missing": -60]),
            (
                "dm:headers=cookie:body=data",
                ["T.line": -1, "T.hdr": -8, "T.blank": -2, "U.query": -8, "C.cookie": -32]
            ),
        ])
    func requestCauses(text: String, causes: [String: Int]) throws {
        #expect(try recorded(text, FixedExchange.exchange).up?.causes.byName == causes)
    }

    @Test(
        "causes of the response's error",
        arguments: [
            ("dm", ["T.line": -2, "T.hdr": -6, "T.blank": -2, "H.rewrite": 1, "B.chunk": -11]),
            ("dm:te=chunked", ["T.line": -2, "T.hdr": -6, "T.blank": -2, "B.chunk": -11]),
        ])
    func responseCauses(text: String, causes: [String: Int]) throws {
        #expect(try recorded(text, FixedExchange.exchange).down?.causes.byName == causes)
    }

    @Test("a request with a visible content coding is compressed by the SDK")
    func compressedRequest() throws {
        var request = FixedExchange.request
        request.lines.append("Content-Encoding: gzip\r\n")
        request.body.recompressed = 46
        let up = try #require(try recorded("dm", exchange(request, FixedExchange.response)).up)
        #expect(up.figures == [28, 209, 46, 283])
        #expect(up.causes[.bodyRecompressed] == 18)
        // Hidden, it does not matter; an empty body stays empty; without the size there is no figure.
        let hidden = try recorded("dm:headers=content-encoding", exchange(request, FixedExchange.response))
        #expect(hidden.up?.body == 0)
        request.body.recompressed = nil
        #expect(try outcome("dm", exchange(request, FixedExchange.response)) == "unknown")
        request.body = body(0)
        #expect(try recorded("dm", exchange(request, FixedExchange.response)).up?.body == 0)
    }

    @Test("a build that does not compress again counts bodies as decoded, and requests as given")
    func withoutRecompression() throws {
        var request = FixedExchange.request
        request.lines.append("Content-Encoding: gzip\r\n")
        let row = try recorded("dm:recompression=no:body=data", exchange(request, FixedExchange.response))
        let (up, down) = (try #require(row.up), try #require(row.down))
        #expect(up.figures == [28, 209, 28, 265])
        #expect(down.figures == [15, 178, 2000, 2193])
        #expect(up.causes[.bodyRecompressed] == 0 && down.causes[.bodyRecompressed] == 0)
        #expect(down.causes[.bodyDecoded] == 1934)
    }

    @Test(
        "any coding but the word gzip is not recognised",
        arguments: [
            ("br", [15, 176, 2000, 2191]), ("GZIP", [15, 178, 2000, 2193]), ("gzip, br", [15, 182, 2000, 2197]),
            ("gzip", [15, 178, 66, 259]),
        ])
    func otherCodings(coding: String, figures: [Int]) throws {
        var response = FixedExchange.response
        response.lines[1] = "Content-Encoding: \(coding)\r\n"
        let down = try #require(try recorded("dm", exchange(FixedExchange.request, response)).down)
        #expect(down.figures == figures)
        #expect(down.causes[.encodingTest] == (coding == "gzip" ? 0 : 1934))
    }

    @Test(
        "the SDK's compressor and the server's differ",
        arguments: [(4903, -1073), (3830, 0), (3765, 65), (3775, 55)])
    func recompression(sent: Int, error: Int) throws {
        var response = FixedExchange.response
        response.body = body(sent, framing: 11, decoded: 20_000, recompressed: 3830)
        let down = try #require(try recorded("dm", exchange(FixedExchange.request, response)).down)
        #expect(down.body == 3830)
        #expect(down.causes[.bodyRecompressed] == error)
        response.body.recompressed = nil
        #expect(try outcome("dm", exchange(FixedExchange.request, response)) == "unknown")
    }

    @Test("the gate is the scheme", arguments: [("dm", true, false), ("dm:gate=https", false, true)])
    func gate(text: String, http: Bool, https: Bool) throws {
        var sample = FixedExchange.exchange
        #expect(try outcome(text, sample) == (http ? "recorded" : "S.scope"))
        #expect(try outcome("dm:gate=both", sample) == "recorded")
        sample.scheme = .https
        #expect(try outcome(text, sample) == (https ? "recorded" : "S.scope"))
        #expect(try outcome("dm:gate=both", sample) == "recorded")
    }

    @Test("the variant dcapm counts fields and bodies")
    func dcapm() throws {
        let (up, down) = try recorded("dm:variant=dcapm:body=data", FixedExchange.exchange)
        #expect(up?.figures == [nil, 186, 28, 214])
        #expect(down?.figures == [nil, nil, 2000, 2000])
        #expect(down?.causes[.bodyDecoded] == 1934)
    }

    @Test("a failed load has rows: zeros without response, what came of a cut one")
    func failure() throws {
        let lost = try recorded("dm", exchange(FixedExchange.request, nil))
        #expect(lost.up?.total == 214)
        #expect(lost.down?.figures == [0, 0, 0, 0])
        #expect(lost.down?.causes == CauseLedger())
        var cut = FixedExchange.response
        cut.isComplete = false
        cut.body = body(30, framing: 4, decoded: 700, recompressed: 40)
        #expect(try recorded("dm", exchange(FixedExchange.request, cut)).down?.figures == [15, 178, 40, 233])
    }
}
