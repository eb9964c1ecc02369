import Foundation
import WireTesting

@testable import WireAccuracy
@testable import WireLogs
@testable import WireStatistics

/// An app of thirty APIs whose sessions differ as real ones do: how often each API is called, how large its messages
/// are, which calls carry cookies, are answered from a cache, open a connection or are lost.
struct GeneratedApp {
    /// What stays the same from session to session.
    private struct API {
        var name: String
        var popularity: Double
        /// Fields and line ends that the SDK does not count, bytes.
        var hiddenRequest: Int
        var hiddenResponse: Int
        var fields: Int
        /// Bytes of cookies, and in which share of calls they are sent; the SDK does not see them.
        var cookies: Int
        var cookieShare: Double
        /// Median body sizes, and their spread as a standard deviation of the logarithm.
        var requestBody: Double
        var responseBody: Double
        var spread: Double
        /// The SDK does not count request bodies.
        var losesBody: Bool
        /// Of decoded to sent bytes in the mean; 1 for bodies as they are.
        var decoded: Double
        /// The SDK compresses bodies again: standard deviation of the difference, a share of the body.
        var recompression: Double
        var notModified: Double
        var lost: Double
        var handshake: Double
    }

    /// A change of the SDK: the figures of one API grow by a share of the message.
    struct Plant {
        var api: Int
        var share: Double
    }

    private let apis: [API]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        apis = (0..<30).map { index in
            let isUpload = index % 7 == 3
            let isImage = index % 9 == 4
            return API(
                name: "\(isUpload ? "POST" : "GET") api.example.com /v1/resource\(index)",
                popularity: exp(random.normal() * 0.8), hiddenRequest: 60 + random.below(140),
                hiddenResponse: 12 + random.below(60), fields: 180 + random.below(400),
                cookies: random.oneIn(3) ? 20 + random.below(60) : 0, cookieShare: random.uniform(),
                requestBody: isUpload ? 300 + Double(random.below(40_000)) : 0,
                responseBody: isImage ? 20_000 + Double(random.below(60_000)) : 80 + Double(random.below(6000)),
                spread: random.uniform() * 0.9, losesBody: isUpload && random.oneIn(2),
                decoded: random.oneIn(4) ? 2 + random.uniform() * 2 : 1,
                recompression: random.oneIn(3) ? random.uniform() * 0.012 : 0,
                notModified: random.oneIn(4) ? random.uniform() * 0.4 : 0, lost: random.oneIn(6) ? 0.04 : 0,
                handshake: 0.05 + random.uniform() * 0.3)
        }
    }

    /// One session: 100 to 700 calls, or as many as asked for.
    func run(seed: UInt64, calls: ClosedRange<Int> = 100...700, plant: Plant? = nil) -> AccuracyResult {
        var random = SeededRandom(seed: seed)
        let count = calls.lowerBound + random.below(calls.count)
        // Users do other things on other days.
        let weights = apis.map { $0.popularity * exp(random.normal() * 0.4) }
        let whole = weights.reduce(0, +)
        var tallies = [[RowTally]](repeating: [RowTally(), RowTally()], count: apis.count)
        for _ in 0..<count {
            var place = random.uniform() * whole
            var api = 0
            while api < apis.count - 1, place >= weights[api] {
                place -= weights[api]
                api += 1
            }
            let planted = plant.flatMap { $0.api == api ? $0.share : nil } ?? 0
            call(apis[api], planted, &tallies[api], &random)
        }
        return result(tallies)
    }

    private func call(_ api: API, _ planted: Double, _ tallies: inout [RowTally], _ random: inout SeededRandom) {
        let isLost = random.uniform() < api.lost
        let cookies = random.uniform() < api.cookieShare ? api.cookies : 0
        let upload = api.requestBody == 0 ? 0 : Int(api.requestBody * exp(random.normal() * api.spread))
        let isCached = random.uniform() < api.notModified
        let body = isCached ? 0 : Int(api.responseBody * exp(random.normal() * api.spread))
        let setup = random.uniform() < api.handshake ? 900 + random.below(4000) : 0
        let request = api.fields + api.hiddenRequest + cookies + upload
        let response = 150 + api.hiddenResponse + body
        let seen = request - api.hiddenRequest - cookies - (api.losesBody ? upload : 0)
        var content = Double(body)
        if api.decoded > 1 { content *= api.decoded * (1 + random.normal() * 0.08) }
        content *= 1 + random.normal() * api.recompression
        let received = 150 + Int(content)
        for (side, message, estimate) in [(0, request, seen), (1, response, received)] {
            let estimate = estimate + Int((planted * Double(message)).rounded())
            let packets = message / 1400 + 1
            let wire = message + packets * 52 + random.below(3) * 40 + setup
            tallies[side].add(isLost ? nil : estimate, message: message, wire: wire)
        }
    }

    private func result(_ tallies: [[RowTally]]) -> AccuracyResult {
        var result = AccuracyResult()
        result.sources = [AccuracySource(id: "sdk.sqlite", title: "sdk.sqlite", kind: .log, note: "")]
        var totals = [RowTally(), RowTally()]
        for (api, own) in zip(apis, tallies) where own[0].coverage.calls > 0 {
            result.apis.append(api.name)
            result.apiCalls.append(own[0].coverage.calls)
            for side in 0..<2 {
                totals[side].merge(own[side])
                result.rows.append(own[side].row(api: result.apis.count - 1, side == 0 ? .up : .down))
            }
        }
        for side in 0..<2 { result.totals.append(totals[side].row(api: nil, side == 0 ? .up : .down)) }
        return result
    }

    func number(of name: String) -> Int { apis.firstIndex { $0.name == name } ?? 0 }
}

/// A row while calls come in; what the comparison of runs does not use is left out.
private struct RowTally {
    var coverage = Coverage()
    private var calls: [(estimate: Int, message: Int, wire: Int)] = []
    private var sizes: [Int] = []

    mutating func add(_ estimate: Int?, message: Int, wire: Int) {
        coverage.calls += 1
        coverage.messageBytes += message
        coverage.wireBytes += wire
        sizes.append(wire)
        guard let estimate else { return }
        coverage.recordedCalls += 1
        coverage.recordedMessageBytes += message
        coverage.recordedWireBytes += wire
        calls.append((estimate, message, wire))
    }

    mutating func merge(_ other: RowTally) {
        coverage += other.coverage
        calls += other.calls
        sizes += other.sizes
    }

    func row(api: Int?, _ direction: Direction) -> AccuracyRow {
        var row = AccuracyRow(source: 0, api: api, direction: direction)
        row.coverage = coverage
        row.message = statistics { $0.message }
        row.wire = statistics { $0.wire }
        row.messageCauses[.unexplained] = row.message.errorTotal
        row.causes[.unexplained] = row.wire.errorTotal
        var (message, wire, size) = (RelativeErrorSums(), RelativeErrorSums(), SizeSums())
        for call in calls {
            message.add(estimate: call.estimate, truth: call.message)
            wire.add(estimate: call.estimate, truth: call.wire)
        }
        for bytes in sizes { size.add(bytes) }
        row.spread = RowSpread(message: message.spread, wire: wire.spread, size: size.spread)
        return row
    }

    private func statistics(_ truth: ((estimate: Int, message: Int, wire: Int)) -> Int) -> ErrorStatistics {
        var statistics = ErrorStatistics()
        statistics.count = calls.count
        statistics.truthTotal = calls.reduce(0) { $0 + truth($1) }
        statistics.estimateTotal = calls.reduce(0) { $0 + $1.estimate }
        guard !calls.isEmpty else { return statistics }
        statistics.bias = Double(statistics.errorTotal) / Double(calls.count)
        let absolute = calls.reduce(0) { $0 + abs($1.estimate - truth($1)) }
        statistics.meanAbsolute = Double(absolute) / Double(calls.count)
        return statistics
    }
}

extension SeededRandom {
    /// From 0 up to, not including, 1.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Standard normal (Box and Muller).
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - uniform())).squareRoot()
        return radius * cos(2 * Double.pi * uniform())
    }
}
