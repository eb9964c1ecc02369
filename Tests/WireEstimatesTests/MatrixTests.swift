import Testing
import WireEstimates

/// Which causes an estimator can have at all.
@Suite("Estimators and their causes")
struct MatrixTests {
    /// Causes of the fixed exchange, and others that some exchange of plain HTTP/1.1 may have.
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var always: Set<String>
        var sometimes: Set<String> = []

        var testDescription: String { text }
    }

    private static let bodyOnly: Set<String> = ["L.none", "H.none", "C.cookie", "U.query"]

    static let rows = [
        Row(
            text: "dm",
            always: ["T.line", "T.hdr", "T.blank", "H.missing", "H.rewrite", "U.query", "B.missing", "B.chunk"],
            sometimes: ["U.path", "B.recompress", "B.encodingTest", "B.decoded", "R.redirect", "C.cookie", "S.scope"]),
        Row(
            text: "networkeye", always: bodyOnly.union(["B.missing", "B.expected", "B.chunk"]),
            sometimes: ["R.redirect"]),
        Row(
            text: "godeye", always: bodyOnly.union(["B.missing", "B.expected", "B.chunk"]), sometimes: ["R.redirect"]),
        Row(
            text: "hertz", always: bodyOnly.union(["B.missing", "B.decoded", "B.chunk"]), sometimes: ["R.redirect"]),
        Row(
            text: "wedjat",
            always: ["L.none", "T.blank", "H.missing", "H.format", "H.rewrite", "U.query", "B.decoded", "B.chunk"],
            sometimes: ["C.cookie", "B.expected", "R.redirect"]),
        Row(
            text: "dokit",
            always: ["L.none", "T.blank", "H.missing", "H.format", "H.rewrite", "U.query", "B.decoded", "B.chunk"],
            sometimes: ["C.cookie", "B.expected", "B.missing", "R.redirect", "S.scope"]),
        Row(text: "mtnm", always: [], sometimes: ["R.redirect"]),
        Row(
            text: "mtnm:os=pre13", always: bodyOnly.union(["B.decoded", "B.chunk"]),
            sometimes: ["B.missing", "R.redirect"]),
        Row(
            text: "netfox", always: bodyOnly.union(["B.decoded", "B.chunk"]), sometimes: ["B.missing", "R.redirect"]),
        Row(text: "flex", always: bodyOnly.union(["B.decoded", "B.chunk"]), sometimes: ["R.redirect"]),
        Row(text: "otel", always: []), Row(text: "netlog", always: ["B.chunk"]),
        Row(text: "otel:figure=body", always: ["L.none", "H.none", "C.cookie", "U.query", "B.chunk"]),
        Row(text: "pulse", always: []), Row(text: "wormholy", always: []), Row(text: "cfnetwork", always: []),
        Row(text: "firebase", always: bodyOnly.union(["B.decoded", "B.chunk"]), sometimes: ["R.redirect"]),
        Row(text: "sentry", always: bodyOnly.union(["B.decoded", "B.chunk"]), sometimes: ["R.redirect"]),
        Row(text: "newrelic", always: bodyOnly.union(["B.decoded", "B.chunk"]), sometimes: ["R.redirect"]),
        Row(text: "datadog", always: ["L.none", "H.none", "B.decoded", "B.chunk"], sometimes: ["R.redirect"]),
        Row(text: "sentry:figure=encoded", always: bodyOnly.union(["B.chunk"]), sometimes: ["R.redirect"]),
        Row(text: "sentry:figure=transfer", always: [], sometimes: ["R.redirect"]),
        Row(text: "newrelic:figure=encoded", always: bodyOnly.union(["B.chunk"]), sometimes: ["R.redirect"]),
        Row(text: "newrelic:figure=definition", always: [], sometimes: ["R.redirect"]),
        Row(text: "datadog:figure=content", always: bodyOnly.union(["B.chunk"]), sometimes: ["R.redirect"]),
        Row(text: "okhttp", always: ["L.none", "H.none", "U.query", "B.chunk"], sometimes: ["R.redirect"]),
        Row(text: "har", always: ["B.chunk"]), Row(text: "har-chrome", always: [], sometimes: ["B.chunk"]),
        Row(text: "drd", always: ["B.chunk"], sometimes: ["R.redirect"]),
    ]

    /// Ordinary exchanges, each with something of its own.
    private var samples: [ObservedExchange] {
        var plain = SampleMessage("HTTP/1.1 200 OK", ["Content-Length: 5", "Via: a", "Via: b"], body: body(5))
        var upload = SampleMessage(
            "PUT /a%20b/ HTTP/1.1", ["Host: h", "Transfer-Encoding: chunked", "Cookie: a=1", "Cookie: b=2"],
            body: body(40, framing: 12))
        var samples = [exchange(upload, plain), exchange(FixedExchange.request, plain)]
        upload.lines.append("Content-Type: multipart/form-data; boundary=b\r\n")
        samples.append(exchange(upload, plain))
        for coding in ["gzip", "br"] {
            plain.lines = ["Content-Encoding: \(coding)\r\n", "Content-Length: 50\r\n"]
            plain.body = body(50, decoded: 90, recompressed: 45)
            samples.append(exchange(FixedExchange.request, plain))
        }
        let head = SampleMessage("HEAD / HTTP/1.1", ["Host: h"])
        samples.append(exchange(head, SampleMessage("HTTP/1.1 200 OK", ["Content-Length: 70"])))
        plain.body.isText = false
        samples.append(exchange(FixedExchange.request, plain))
        return samples + [RedirectTests.hop, RedirectTests.final, exchange(upload, plain, scheme: .https)]
    }

    private func causes(_ text: String, _ exchange: ObservedExchange) throws -> Set<String> {
        switch try estimator(text).estimate(exchange) {
        case .recorded(let up, let down):
            Set((up?.causes.byName ?? [:]).keys).union((down?.causes.byName ?? [:]).keys)
        case .unseen(let cause): [cause.name]
        case .unknown: ["unknown"]
        }
    }

    /// Over HTTP/2 heads are told by text, or lack as a whole.
    @Test(
        "causes of the fixed exchange over HTTP/2 and TLS",
        arguments: [
            ("dm", ["S.scope"]),
            ("dm:gate=both", ["T.line", "T.hdr", "T.blank", "H.missing", "U.query", "B.missing", "P.h2"]),
            ("networkeye", ["H.none", "B.missing", "B.expected", "P.h2"]),
            ("godeye", ["H.none", "B.missing", "B.expected", "P.h2"]),
            ("hertz", ["H.none", "B.missing", "B.decoded", "P.h2"]),
            ("wedjat", ["L.none", "T.blank", "H.missing", "H.format", "U.query", "B.decoded", "P.h2"]),
            ("dokit", ["L.none", "T.blank", "H.missing", "H.format", "U.query", "B.decoded", "P.h2"]),
            ("mtnm", []), ("mtnm:h2HeaderFraming=excluded", ["P.h2"]),
            ("mtnm:os=pre13", ["H.none", "B.decoded", "P.h2"]), ("dada", ["H.none", "B.decoded", "P.h2"]),
            ("pps", ["H.none", "B.missing", "B.decoded", "P.h2"]), ("netfox", ["H.none", "B.decoded", "P.h2"]),
            ("flex", ["H.none", "B.decoded", "P.h2"]), ("pulse", []), ("wormholy", []), ("cfnetwork", []),
            ("firebase", ["H.none", "B.decoded", "P.h2"]), ("sentry", ["H.none", "B.decoded", "P.h2"]),
            ("newrelic", ["H.none", "B.decoded", "P.h2"]), ("datadog", ["H.none", "B.decoded", "P.h2"]),
            ("okhttp", ["H.none", "P.h2"]), ("har", ["P.h2"]), ("har-chrome", ["H.none", "P.h2"]), ("drd", ["P.h2"]),
            ("interceptor-sample", []), ("android-uid", ["X.tls", "X.handshake"]),
            ("matrix", ["X.tls", "X.handshake"]),
        ] as [(String, Set<String>)])
    func http2(text: String, expected: Set<String>) throws {
        var exchange = FixedHTTP2Exchange.first
        exchange.upTransport.tlsRecords = 22
        exchange.upTransport.tlsSetup = 600
        #expect(try causes(text, exchange) == expected)
    }

    @Test("causes of the fixed exchange, and of others", arguments: rows)
    func row(_ row: Row) throws {
        #expect(try causes(row.text, FixedExchange.exchange) == row.always)
        var seen: Set<String> = []
        for sample in samples { seen.formUnion(try causes(row.text, sample)) }
        #expect(seen.subtracting(row.always).isSubset(of: row.sometimes))
        // Each that is named as possible does occur, unless its name needs a parameter.
        #expect(row.sometimes.subtracting(seen).isSubset(of: ["R.redirect", "B.decoded", "C.cookie"]))
    }
}
