import Testing
import WireCore

@testable import WireOpportunities

@Suite("Savings of compression")
struct BodyCompressionTests {
    private static let cases: [(offer: [String], status: Int, fields: [String], kind: Opportunity.Kind?)] = [
        (["Accept-Encoding: gzip"], 200, [], .uncompressedBody),
        (["Accept-Encoding: br;q=1.0, GZIP;q=0.5"], 200, [], .uncompressedBody),
        (["Accept-Encoding: *"], 200, [], .uncompressedBody), (["Accept-Encoding: x-gzip"], 404, [], .uncompressedBody),
        (["Accept-Encoding: gzip; q=0, *"], 200, [], .compressionOffer),
        (["Accept-Encoding: identity"], 200, [], .compressionOffer),
        (["Accept-Encoding: br"], 200, [], .compressionOffer),
        (["Accept-Encoding: *;q=0"], 200, [], .compressionOffer), ([], 200, [], .compressionOffer),
        (["Accept-Encoding: gzip"], 206, [], nil),
        (["Accept-Encoding: gzip"], 200, ["Content-Range: bytes 0-9/20"], nil),
    ]

    @Test(
        "is computed where the client asked for gzip, estimated where it did not; of a range nothing is known",
        arguments: cases.indices)
    func responses(index: Int) {
        let example = Self.cases[index]
        let call = SampleCall(
            status: example.status, fields: example.fields, requestFields: example.offer, digest: nil, gzipped: 100)
        let finder = OpportunityFinder(window: 16)
        finder.receive(call.record)
        let found = finder.finish(AuditResult())
        let kinds = found.opportunities.map(\.kind).filter { $0 != .headerCompression }
        #expect(kinds == [example.kind].compactMap(\.self), "\(example)")
        let bytes = 1000 - 100 - "Content-Encoding: gzip\r\n".utf8.count
        #expect(found.computedTotal == (example.kind == .uncompressedBody ? bytes : 0), "\(example)")
    }

    @Test(
        "what comes in packets far apart is an estimate: each ends a part, and all are sent as before",
        arguments: [
            // Packets, body, milliseconds between packets: as many as it fills, a few more, twice as many.
            (3, 3000, 199, Opportunity.Kind.uncompressedBody), (3, 3000, 200, .uncompressedStream),
            (77, 102_000, 199, .uncompressedBody), (78, 102_000, 49, .uncompressedBody),
            (78, 102_000, 50, .uncompressedStream), (4, 1000, 49, .uncompressedBody),
            (4, 1000, 50, .uncompressedStream), (145, 102_000, 4, .uncompressedBody),
            (147, 102_000, 5, .uncompressedStream), (2, 1000, 900, .uncompressedBody),
        ])
    func streamed(packets: Int, body: Int, pause: Int, kind: Opportunity.Kind) throws {
        let asks = ["Accept-Encoding: gzip"]
        var call = SampleCall(requestFields: asks, body: body, digest: nil, gzipped: 100, tcpip: 52 * packets)
        call.duration = Double((packets - 1) * pause) / 1000
        let finder = OpportunityFinder(window: 16)
        finder.receive(call.record)
        let found = finder.finish(AuditResult())
        let kinds: Set<Opportunity.Kind> = [.uncompressedBody, .uncompressedStream]
        let item = try #require(found.opportunities.first { kinds.contains($0.kind) })
        #expect(item.kind == kind)
        if kind == .uncompressedStream {
            #expect(item.bytes == body - 100 - 24 - 6 * packets && !item.isComputed && found.computedTotal == 0)
        }
    }

    @Test("a stream whose parts are too small to be compressed saves nothing")
    func smallParts() {
        var call = SampleCall(
            requestFields: ["Accept-Encoding: gzip"], body: 1000, digest: nil, gzipped: 100, tcpip: 52 * 146)
        call.duration = 10
        let finder = OpportunityFinder(window: 16)
        finder.receive(call.record)
        #expect(!finder.finish(AuditResult()).opportunities.contains { $0.kind == .uncompressedStream })
    }

    @Test(
        "gRPC compresses its messages by itself: its bodies are left out",
        arguments: [
            ("application/grpc", true), ("application/grpc+proto", true), ("Application/GRPC+json; a=b", true),
            ("application/grpc;a=b", true), ("application/grpc-web+proto", false), ("application/json", false),
            ("text/html", false),
        ])
    func messagesOfRPC(type: String, isLeftOut: Bool) {
        var call = SampleCall(
            method: "POST", fields: ["Content-Type: \(type)"],
            requestFields: ["Accept-Encoding: gzip", "Content-Type: \(type)"], body: 3000, digest: nil, gzipped: 100)
        (call.requestBody, call.requestGzipped) = (5000, 400)
        let finder = OpportunityFinder(window: 16)
        finder.receive(call.record)
        let kinds = Set(finder.finish(AuditResult()).opportunities.map(\.kind))
        #expect(kinds.contains(.uncompressedBody) != isLeftOut && kinds.contains(.uncompressedRequest) != isLeftOut)
    }

    @Test("what a proxy answers to gRPC is content")
    func notRPC() {
        let asks = ["Accept-Encoding: gzip", "Content-Type: application/grpc"]
        let call = SampleCall(fields: ["Content-Type: text/html"], requestFields: asks, body: 3000, gzipped: 100)
        let finder = OpportunityFinder(window: 16)
        finder.receive(call.record)
        #expect(finder.finish(AuditResult()).opportunities.contains { $0.kind == .uncompressedBody })
    }

    @Test("bodies of requests are an estimate: the server must accept them")
    func requests() {
        var call = SampleCall(method: "POST", digest: nil)
        (call.requestBody, call.requestGzipped) = (5000, 400)
        let finder = OpportunityFinder(window: 16)
        finder.receive(call.record)
        let found = finder.finish(AuditResult())
        let item = found.opportunities.first { $0.kind == .uncompressedRequest }
        #expect(item?.bytes == 5000 - 400 - 24 && item?.isComputed == false && found.computedTotal == 0)
    }

    @Test(
        "what is less than a kilobyte and a thousandth of all is left out, also of the sum",
        arguments: [(999, 999_001, false), (999, 999_000, true), (1000, 99_000_000, true)])
    func noise(bytes: Int, wire: Int, isShown: Bool) {
        let asks = ["Accept-Encoding: gzip"]
        let call = SampleCall(requestFields: asks, body: bytes + 124, digest: nil, gzipped: 100)
        let finder = OpportunityFinder(window: 16)
        finder.receive(call.record)
        var result = AuditResult()
        result.ledger.layers.payload = wire
        let found = finder.finish(result)
        #expect(found.opportunities.contains { $0.kind == .uncompressedBody } == isShown)
        #expect(found.computedTotal == (isShown ? bytes : 0))
    }
}
