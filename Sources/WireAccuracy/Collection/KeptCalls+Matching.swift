import WireCore
import WireJoin
import WireLogs
import WireNative

extension KeptCalls {
    /// The calls as matching wants them, with texts by the log's numbers.
    ///
    /// - Parameter cut: how the log cuts its URLs; nil: it does not.
    func wireCalls(for log: SDKLog, _ cut: CutURLs? = nil) -> [WireCall] {
        let hostTexts = hosts.texts.map { Authority($0).hostInURL }
        let hostNumbers = hostTexts.map { log.texts.find($0) ?? -1 }
        // Logs' methods are read in upper case.
        let methodNumbers = methods.texts.map { log.texts.find($0.map(\.uppercased)) ?? -1 }
        var (requests, responses, exchanges) = (LikenessTable(), LikenessTable(), LikenessTable())
        // A log that says nothing of a direction cannot tell exchanges apart by it.
        let told = Direction.allCases.filter { direction in log.rows.contains { $0[direction] != LoggedBytes() } }
        return calls.enumerated().map { number, call in
            let record = call.record
            let text = record.path.map { log.pathForm.text(path: $0, query: record.query) } ?? []
            let whole = text.isEmpty ? nil : log.texts.find(text)
            let path =
                whole ?? cut?.find(text, host: hostTexts[Int(call.host)], port: record.serverPort, in: log) ?? -1
            var wire = WireCall(
                number: number, host: hostNumbers[Int(call.host)], path: path,
                method: call.method < 0 ? -1 : methodNumbers[Int(call.method)],
                status: Int16(clamping: record.status ?? 0), clientPort: record.requester.port,
                serverPort: record.serverPort, start: record.request == nil ? .min : record.time,
                end: record.responseEnd ?? .min)
            wire.opened = openings[record.connection] ?? .min
            wire.isFirst = record.exchange == 0
            wire.isFailed = record.response?.complete != true
            if let close = record.earlyClose {
                wire.end = close.time
                (wire.isFailed, wire.isGivenUp, wire.isUnheard) = (true, true, !close.hadHead)
            }
            wire.redirectedFrom = call.redirectedFromPlace
            wire.redirectRival = call.redirectRivalPlace
            let (request, response) = (CallLikeness(call, path, .up), CallLikeness(call, path, .down))
            wire.requestLikeness = requests.number([request])
            wire.responseLikeness = responses.number([response])
            wire.exchangeLikeness = exchanges.number(told.map { $0 == .up ? request : response })
            return wire
        }
    }
}

/// What a log could tell of one direction of an exchange, its times apart, and where the report books it. Where it is
/// equal, so is any figure.
private struct CallLikeness: Hashable {
    private let api: Int32
    private let isWhole: Bool
    private let host: Int32
    private let path: Int32
    private let method: Int32
    private let status: Int
    private let isComplete: Bool
    private let startLine: Int
    private let headers: Int
    private let framing: Int
    private let body: Int
    private let decodedBody: Int?
    private let decodedHeaders: Int?
    private let pathLength: Int
    private let queryLength: Int

    init(_ call: KeptCall, _ path: Int32, _ direction: Direction) {
        let record = call.record
        let isUp = direction == .up
        let costs = isUp ? record.requestCosts : record.responseCosts
        (api, isWhole) = (call.apiName, call.isWhole)
        (host, self.path, method) = (call.host, path, call.method)
        (startLine, headers) = (costs[.startLine], costs[.headers])
        (framing, body) = (costs[.framing], costs[.body])
        // Of a reversed exchange the directions are those of the connection.
        let goesUp = isUp != record.isReversed
        decodedBody = goesUp ? record.decodedBody.up : record.decodedBody.down
        decodedHeaders = goesUp ? record.decodedHeaders.up : record.decodedHeaders.down
        status = isUp ? 0 : record.status ?? 0
        isComplete = (isUp ? record.request : record.response)?.complete == true
        pathLength = isUp ? record.path?.count ?? -1 : 0
        queryLength = isUp ? record.query?.count ?? -1 : 0
    }
}

private struct LikenessTable {
    private var numbers: [[CallLikeness]: Int32] = [:]

    mutating func number(_ likeness: [CallLikeness]) -> Int32 {
        let number = numbers[likeness] ?? Int32(truncatingIfNeeded: numbers.count)
        if Int(number) == numbers.count { numbers[likeness] = number }
        return number
    }
}
