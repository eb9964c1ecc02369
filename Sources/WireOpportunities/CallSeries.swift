import WireCore

/// Calls that follow each other: small ones that could be one, and the same one again and again with an equal answer.
///
/// What is found rests on suppositions about the app, so it is estimated.
struct CallSeries {
    private struct Series {
        var lastTime: Int64 = 0
        var digest: UInt64?
        var isFirst = true
        /// The report is about its API.
        var isIncluded = false
        /// Intervals between equal answers: how many, their sum and the sum of their squares, milliseconds.
        var count = 0
        var sum = 0.0
        var squares = 0.0
        var bytes = 0
        var parts: [Opportunity.Part] = []
        var name = ""
    }

    /// Small calls that follow each other sooner than this could be one, nanoseconds.
    private static let burst: Int64 = 1_000_000_000
    /// Intervals from which it is called polling.
    private static let leastIntervals = 4
    /// Mean interval and whole time from which it is called polling, milliseconds: what comes sooner is a burst.
    private static let leastInterval = 1000.0
    private static let leastTime = 10_000.0
    /// Largest body of a POST request that may ask for nothing but news, bytes.
    private static let mostQuestion = 1024
    /// Largest share of the intervals' spread in their mean.
    private static let mostSpread = 0.25
    private static let limit = 65_536

    private var byAPI: [[UInt8]: Int64] = [:]
    private var byTarget: [[UInt8]: Series] = [:]
    /// Of all series together. Of further calls only the bytes are known.
    private var partCount = 0
    private var small = SubjectSums()

    /// Takes a call; calls must come in the order of their times.
    /// - Parameters:
    ///   - wire: what it cost without set-up.
    ///   - isIncluded: the report is about it.
    mutating func take(_ record: ExchangeRecord, wire: Int, isIncluded: Bool) {
        takeSmall(record, wire, isIncluded)
        takePoll(record, wire, isIncluded)
    }

    private mutating func takeSmall(_ record: ExchangeRecord, _ wire: Int, _ isIncluded: Bool) {
        let message = record.costs.up.message + record.costs.down.message
        let key = Array(record.client.address.description.utf8) + [0x20] + record.api
        guard byAPI[key] != nil || byAPI.count < CallSeries.limit else { return }
        let last = byAPI[key]
        byAPI[key] = record.time
        guard let last, record.time - last <= CallSeries.burst, message > 0, wire - message > message, isIncluded
        else { return }
        let part = Opportunity.Part(record, bytes: wire - message)
        small.add(part, String(decoding: record.api, as: UTF8.self))
    }

    /// A question that changes nothing: a safe method, or a POST with a small body, which is then a part of the question.
    private static func question(_ record: ExchangeRecord) -> [UInt8]? {
        guard let method = record.method else { return nil }
        if ["GET", "HEAD"].contains(String(decoding: method, as: UTF8.self)) { return method }
        guard method == Array("POST".utf8), record.requestCosts[.body] <= mostQuestion,
            let digest = record.requestBody?.facts.digest
        else { return nil }
        return method + "\(digest)".utf8
    }

    private mutating func takePoll(_ record: ExchangeRecord, _ wire: Int, _ isIncluded: Bool) {
        guard let target = record.target, let digest = record.responseBody?.facts.digest,
            let question = CallSeries.question(record)
        else { return }
        let key = Array(record.client.address.description.utf8) + [0x20] + question + [0x20] + record.host + target
        guard byTarget[key] != nil || byTarget.count < CallSeries.limit else { return }
        var series = byTarget[key] ?? Series()
        // The dictionary must not share the list while it grows.
        byTarget[key] = nil
        let interval = Double(record.time - series.lastTime) / 1_000_000
        if !series.isFirst, series.digest == digest {
            series.count += 1
            series.sum += interval
            series.squares += interval * interval
            series.bytes += wire
            if partCount < CallSeries.limit {
                partCount += 1
                series.parts.append(Opportunity.Part(record, bytes: wire))
            }
        }
        series.isFirst = false
        if isIncluded { series.isIncluded = true }
        series.lastTime = record.time
        series.digest = digest
        if series.name.isEmpty { series.name = String(decoding: record.api, as: UTF8.self) }
        byTarget[key] = series
    }

    func opportunities() -> [Opportunity] {
        var polls = SubjectSums()
        for series in byTarget.values where series.isIncluded && series.count >= CallSeries.leastIntervals {
            let mean = series.sum / Double(series.count)
            let spread = max(series.squares / Double(series.count) - mean * mean, 0).squareRoot()
            guard mean >= CallSeries.leastInterval, series.sum >= CallSeries.leastTime,
                spread <= CallSeries.mostSpread * mean
            else { continue }
            polls.add(series.bytes, count: series.count, series.name)
            for part in series.parts { polls.parts.add(part) }
        }
        return [
            small.opportunity(.smallCalls, isComputed: false), polls.opportunity(.polling, isComputed: false),
        ].compactMap(\.self)
    }
}
