import Foundation
import Testing
import WireEstimates
import WireTesting

/// Header texts built for real, to hold the counters against.
@Suite("Counted texts against texts that were built")
struct SlowModelTests {
    /// Names and values as a platform's dictionary has them, in the order of first names.
    private func dictionary(_ fields: HeaderFields, separator: String, identity: Bool) -> [(
        name: String, value: String
    )] {
        var entries: [(name: String, value: String)] = []
        for field in fields.fields {
            let name = String(decoding: fields.name(field), as: UTF8.self)
            var value = String(decoding: fields.value(field), as: UTF8.self)
            value = unfolded(value)
            if identity, name.lowercased() == "transfer-encoding", value.lowercased() == "chunked" {
                value = "Identity"
            }
            if let index = entries.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
                entries[index].value += (name.lowercased() == "cookie" ? "; " : separator) + value
            } else {
                entries.append((name, value))
            }
        }
        return entries
    }

    private func unfolded(_ value: String) -> String {
        let fold = /[ \t\r]*\n[ \t\r\n]*/.matchingSemantics(.unicodeScalar)
        return value.replacing(fold, with: " ")
    }

    private func text(_ entries: [(name: String, value: String)], lineEnd: String) -> Int {
        entries.map { "\($0.name): \($0.value)\(lineEnd)" }.joined().utf8.count
    }

    private func json(_ entries: [(name: String, value: String)]) throws -> Int {
        let object = Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first }
        return try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted).count
    }

    @Test("fields as text and as JSON", arguments: 1...6 as ClosedRange<UInt64>)
    func fields(seed: UInt64) throws {
        let text = try (estimator("dm:gate=both:headers=full"), estimator("dm:gate=both:merge=comma:te=chunked"))
        let json = try (estimator("wedjat:headers=full:merge=comma"), estimator("dokit"))
        var source = RandomExchange(seed: seed, isPlain: true)
        for number in 0..<200 {
            let request = source.request()
            var response = source.response()
            response.lines.removeAll { $0.lowercased().hasPrefix("location") }
            let sample = exchange(request, response)
            let up = try #require(sample.request).fields
            let down = try #require(sample.response).fields
            let note = Comment("seed \(seed), exchange \(number)")
            let merged = dictionary(up, separator: ", ", identity: false)
            if case .recorded(let first, let second) = text.0.estimate(sample) {
                #expect(first?.headers == self.text(merged, lineEnd: "\n"), note)
                let entries = dictionary(down, separator: ", ", identity: true)
                #expect(second?.headers == self.text(entries, lineEnd: "\n"), note)
            }
            if case .recorded(_, let second) = text.1.estimate(sample) {
                let entries = dictionary(down, separator: ",", identity: false)
                #expect(second?.headers == self.text(entries, lineEnd: "\n"), note)
            }
            if case .recorded(let first, let second) = json.0.estimate(sample) {
                #expect(try first?.headers == self.json(dictionary(up, separator: ",", identity: false)), note)
                #expect(try second?.headers == self.json(dictionary(down, separator: ",", identity: true)), note)
            }
            if case .recorded(_, let second) = json.1.estimate(sample) {
                #expect(try second?.headers == self.json(dictionary(down, separator: ", ", identity: true)), note)
            }
        }
    }

    @Test("JSON of the fixed request has the known sizes")
    func knownJSON() throws {
        #expect(try json([("Content-Type", "application/json"), ("Cookie", "sid=abc123; theme=dark")]) == 81)
        #expect(try json([]) == 4)
        let bare = exchange(SampleMessage("GET / HTTP/1.1", ["Host: h"]), SampleMessage("HTTP/1.1 200 OK"))
        #expect(try recorded("wedjat", bare).up?.headers == 4)
        #expect(try recorded("wedjat", bare).down?.headers == 4)
    }

    @Test("lines that are read by OkHttp's rule", arguments: [7] as [UInt64])
    func byteCount(seed: UInt64) throws {
        let okhttp = try estimator("okhttp")
        var source = RandomExchange(seed: seed, isPlain: true)
        for number in 0..<200 {
            let sample = exchange(source.request(), source.response())
            guard case .recorded(let up, _) = okhttp.estimate(sample), let fields = sample.request?.fields else {
                continue
            }
            let lines = fields.fields.map { field in
                let value = String(decoding: fields.value(field), as: UTF8.self)
                return (
                    name: String(decoding: fields.name(field), as: UTF8.self),
                    value: unfolded(value)
                )
            }
            #expect(up?.headers == text(lines, lineEnd: "\r\n"), "seed \(seed), exchange \(number)")
        }
    }
}
