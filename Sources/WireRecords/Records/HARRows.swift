import WireCore
import WireEstimates

/// HAR 1.2: one file whose entries are the exchanges. Each has its record with all costs as `_wireaudit`.
///
/// Sizes of heads are -1 in HTTP/2 and HTTP/3, where heads are compressed, and where a message is missing. A phase whose
/// time the capture does not show has 0, for HAR has no unknown ones, and a comment says so. Exchanges of which no request
/// was captured are no entries; the log's comment counts them. Header fields and bodies are left out: no output holds their
/// values.
package final class HARRows: RowRenderer {
    private let options: ReportOptions
    private let estimators: [String]
    private var json = JSONFields()
    /// Exchanges without a request that has a URL.
    private var leftOut = 0

    package init(options: ReportOptions, estimators: [String]) {
        self.options = options
        self.estimators = estimators
        json.beginElement()
        json.begin("log")
        json.constant("version", "1.2")
        json.begin("creator")
        json.constant("name", "wireaudit")
        json.text("version", toolVersion)
        json.end()
        json.beginArray("entries")
    }

    package func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome]) {
        guard let url = record.url() else {
            leftOut += 1
            return
        }
        json.beginElement()
        let start = CalendarTime(nanoseconds: record.time)
        let phases = ExchangePhases(record)
        json.text("startedDateTime", "\(start.date)T\(start.time)Z")
        milliseconds("time", phases.sum)
        request(record, url)
        response(record)
        json.begin("cache")
        json.end()
        timings(phases)
        json.text("serverIPAddress", record.responder.address.description)
        json.text("connection", String(record.requester.port))
        json.begin("_wireaudit")
        json.exchange(record, options)
        json.estimates(estimators, outcomes)
        json.end()
        json.end()
        json.buffer.byte(0x0A)
    }

    /// A connection is no entry.
    package func write(_ record: ConnectionRecord) {}

    package func finish(count: Int) {
        json.endArray()
        if leftOut > 0 {
            let exchanges = leftOut == 1 ? "1 exchange" : "\(leftOut) exchanges"
            json.text("comment", exchanges + " of which no request was captured are left out")
        }
        json.end()
        json.end()
        json.endLine()
    }

    package var pendingBytes: Int { json.buffer.count }

    package func drain(_ write: (Span<UInt8>) -> Void) {
        json.buffer.withBytes(write)
        json.buffer.removeAll()
    }

    // MARK: Parts of an entry

    private func request(_ record: ExchangeRecord, _ url: [UInt8]) {
        json.begin("request")
        json.text("method", record.method ?? [])
        json.text("url", url)
        json.text("httpVersion", record.request?.version ?? record.httpVersion ?? "")
        list("cookies")
        list("headers")
        json.beginArray("queryString")
        for pair in url.drop(while: { $0 != 0x3F }).dropFirst().split(separator: 0x26) {
            let name = pair.prefix { $0 != 0x3D }
            json.beginElement()
            json.text("name", Array(name))
            json.text("value", Array(pair.dropFirst(name.count + 1)))
            json.end()
        }
        json.endArray()
        sizes(record.requestCosts, record.request, record)
        json.end()
    }

    private func response(_ record: ExchangeRecord) {
        let costs = record.responseCosts
        let decoded = record.isReversed ? record.decodedBody.up : record.decodedBody.down
        json.begin("response")
        json.integer("status", record.status ?? 0)
        json.constant("statusText", "")
        json.text("httpVersion", record.response?.version ?? "")
        list("cookies")
        list("headers")
        json.begin("content")
        json.integer("size", record.response == nil ? -1 : decoded ?? -1)
        json.constant("mimeType", "")
        json.end()
        json.constant("redirectURL", "")
        sizes(costs, record.response, record)
        json.end()
    }

    private func sizes(_ costs: CostVector, _ message: MessageFacts?, _ record: ExchangeRecord) {
        let head = costs[.startLine] + costs[.headers] - (message?.interim ?? 0)
        json.integer("headersSize", message == nil || record.stream != nil ? -1 : head)
        json.integer("bodySize", message == nil ? -1 : costs[.body])
    }

    private func timings(_ phases: ExchangePhases) {
        json.begin("timings")
        milliseconds("send", phases.send)
        milliseconds("wait", phases.wait)
        milliseconds("receive", phases.receive)
        if !phases.areKnown { json.constant("comment", "the capture does not show when each phase ended") }
        json.end()
    }

    private func milliseconds(_ name: StaticString, _ nanoseconds: Int64) {
        json.decimal(name, Double(nanoseconds) / 1_000_000, places: 6)
    }

    private func list(_ name: StaticString) {
        json.beginArray(name)
        json.endArray()
    }
}
