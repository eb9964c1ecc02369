import WireAccuracy
import WireEstimates
import WireJoin
import WireLogs
import WireTesting

/// An API of the made-up capture. Sizes are bytes of one call; bodies differ from call to call.
struct SampleAPI {
    var name: String
    var calls: Int
    var isSecure = false
    /// Request: line with its end, fields that a hook sees, fields it does not, cookies, body.
    var requestLine = 40
    var query = 0
    var seenFields = 120
    var hiddenFields = 90
    var cookies = 0
    var requestBody = 0
    /// Response: head, content as sent, its chunk framing, content after decoding.
    var responseHead = 200
    var content = 800
    var framing = 0
    var decoded = 800
    /// Below HTTP, each direction.
    var transport = 140

    var requestMessage: Int { requestLine + seenFields + hiddenFields + cookies + requestBody }
    var responseMessage: Int { responseHead + content + framing }
}

/// Eight APIs, 120 calls.
let sampleAPIs: [SampleAPI] = [
    SampleAPI(name: "GET api.example.com /v1/items", calls: 30, query: 12, content: 2400, framing: 11, decoded: 14_000),
    SampleAPI(name: "GET api.example.com /v1/items/{id}", calls: 28, content: 600, framing: 11, decoded: 1900),
    SampleAPI(name: "GET api.example.com /v1/items/{id}/reviews", calls: 16, query: 20, content: 900, decoded: 3100),
    SampleAPI(
        name: "POST api.example.com /v1/cart", calls: 12, cookies: 48, requestBody: 180, content: 90, decoded: 90),
    SampleAPI(
        name: "POST api.example.com /v1/orders", calls: 4, cookies: 48, requestBody: 640, content: 310, decoded: 310),
    SampleAPI(
        name: "GET img.example.com /assets/catalog/pictures/{id}/large.jpg", calls: 20, hiddenFields: 150,
        content: 48_000, decoded: 48_000, transport: 2100),
    SampleAPI(
        name: "POST telemetry.example.net /v2/events", calls: 8, isSecure: true, requestBody: 2300, content: 0,
        decoded: 0, transport: 600),
    SampleAPI(name: "HEAD cdn.example.com /ping", calls: 2, content: 0, decoded: 0),
]

/// What a made-up source does with a call: signed bytes by cause; nil where it gives no figure.
struct SampleSource {
    var source: AccuracySource
    /// Calls that the source does not see, by the reason.
    var unseen: @Sendable (SampleAPI, Int) -> ErrorCause? = { _, _ in nil }
    var isUnknown: @Sendable (SampleAPI, Int) -> Bool = { _, _ in false }
    var up: @Sendable (SampleAPI) -> [(ErrorCause, Int)]?
    var down: @Sendable (SampleAPI) -> [(ErrorCause, Int)]?
}

/// A plausible result: ten estimators, two logs, eight APIs, 120 calls that count of 127. Everything adds up: causes to
/// errors, rows to totals.
func sampleAccuracy() -> AccuracyResult { accuracy(of: sampleAPIs, sources: sampleSources) }

/// The same with so many APIs, for tests of size; names and sizes are random by the seed.
func sampleAccuracy(apis count: Int, sources: Int = 10, seed: UInt64 = 1) -> AccuracyResult {
    var random = SeededRandom(seed: seed)
    let apis = (0..<count).map { index in
        let content = random.below(40_000)
        return SampleAPI(
            name: "\(random.element(["GET", "POST", "PUT"])) api\(index % 7).example.com /v1/resource\(index)/{id}",
            calls: 1 + random.below(12), isSecure: random.oneIn(9), query: random.below(40),
            hiddenFields: 40 + random.below(120), requestBody: random.oneIn(3) ? random.below(4000) : 0,
            content: content, framing: random.oneIn(2) ? 11 : 0, decoded: content * (1 + random.below(4)),
            transport: 100 + random.below(2000))
    }
    return accuracy(of: apis, sources: Array(sampleSources.prefix(sources)), seed: seed)
}

/// The result that these APIs and sources give.
func accuracy(of apis: [SampleAPI], sources: [SampleSource], seed: UInt64 = 7) -> AccuracyResult {
    var result = AccuracyResult()
    result.counted = apis.reduce(0) { $0 + $1.calls }
    result.leftOut = [("gap", 4), ("no-start", 1), ("no-request", 2)]
    result.exchanges = result.counted + 7
    result.apis = apis.map(\.name)
    result.apiCalls = apis.map(\.calls)
    for (index, source) in sources.enumerated() {
        result.sources.append(source.source)
        var totals = [SampleTally(), SampleTally()]
        for (number, api) in apis.enumerated() {
            // All sources see the same calls.
            var random = SeededRandom(seed: seed &+ UInt64(number))
            var tallies = [SampleTally(), SampleTally()]
            for call in 0..<api.calls {
                let varied = vary(api, &random)
                for side in 0..<2 {
                    let figures = tallies[side].add(varied, call: call, to: source, isUp: side == 0)
                    if side == 0, source.isUnknown(varied, call) { result.sources[index].unknown += 1 }
                    guard let figures, result.scatter.count < 400 * (index + 1) else { continue }
                    result.scatter.append(
                        ScatterPoint(
                            source: index, api: number, direction: side == 0 ? .up : .down, message: figures.message,
                            wire: figures.wire, estimate: figures.estimate))
                }
            }
            for side in 0..<2 where tallies[side].coverage.calls > 0 {
                totals[side].merge(tallies[side])
                result.rows.append(tallies[side].row(source: index, api: number, side == 0 ? .up : .down))
            }
        }
        for side in 0..<2 where totals[side].coverage.calls > 0 {
            result.totals.append(totals[side].row(source: index, api: nil, side == 0 ? .up : .down))
        }
        if source.source.kind == .log { result.logs.append(logSummary(source.source, index, totals)) }
    }
    result.work.decodedBodies = 74
    result.work.codedBytes = 103_000
    result.work.decodedBytes = 516_000
    result.work.recompressedBodies = 74
    result.work.recompressedBytes = 516_000
    result.work.remembered = 11
    result.work.undecodable = 2
    return result
}

/// One call of an API: its bodies are up to a quarter smaller.
private func vary(_ api: SampleAPI, _ random: inout SeededRandom) -> SampleAPI {
    var api = api
    let cut = random.below(25)
    api.content -= api.content * cut / 100
    api.decoded -= api.decoded * cut / 100
    api.requestBody -= api.requestBody * cut / 100
    return api
}

private func logSummary(_ source: AccuracySource, _ index: Int, _ totals: [SampleTally]) -> LogSummary {
    let format: SDKLogFormat = source.id.hasSuffix(".har") ? .har : .dmSQLite
    var log = LogSummary(source: index, path: "logs/" + source.id, format: format)
    let coverage = totals[0].coverage
    log.exchangesTotal = coverage.calls
    log.exchangesUnseen = coverage.calls - coverage.recordedCalls
    for total in totals {
        log.unseenMessageBytes += total.coverage.messageBytes - total.coverage.recordedMessageBytes
        log.unseenWireBytes += total.coverage.wireBytes - total.coverage.recordedWireBytes
    }
    let rowsPerCall = format == .har ? 1 : 2
    log.matched = coverage.recordedCalls * rowsPerCall - 3
    log.ambiguous = 3
    if format == .dmSQLite {
        log.duplicates = 4
        log.withoutExchange = 2
        log.foreignHost = 9
        log.outsideCapture = 5
        log.rejected = 1
        log.clock = ClockFit(
            offset: 1_284_000_000, drift: 12.4, origin: 1_795_168_800_123_456_789, pairs: 212, spread: 640_000)
        log.problems = [LogProblem(what: "length is not the sum of its parts", count: 3, firstRow: 17)]
        log.explainedFigures = 190
    }
    log.rows =
        log.matched + log.ambiguous + log.duplicates + log.withoutExchange + log.foreignHost + log.outsideCapture
        + log.rejected
    log.comparedFigures = log.matched + log.ambiguous
    return log
}
