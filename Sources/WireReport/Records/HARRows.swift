import WireCore
import WireEstimates

/// HAR 1.2: one file whose entries are the exchanges. Each has its record with all costs as `_wireaudit`.
///
/// Sizes of heads are -1 in HTTP/2 and HTTP/3, where heads are compressed, and where a message is missing. Times that the
/// capture does not show are -1. Header fields and bodies are left out: no output holds their values.
final class HARRows: RowRenderer {
    private let options: ReportOptions
    private let estimators: [String]
    private var json = JSONFields()

    init(options: ReportOptions, estimators: [String]) {
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

    func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome]) {
        json.beginElement()
        let start = CalendarTime(nanoseconds: record.time)
        json.text("startedDateTime", "\(start.date)T\(start.time)Z")
        milliseconds("time", record.knownDuration)
        request(record)
        response(record)
        json.begin("cache")
        json.end()
        timings(record)
        json.text("serverIPAddress", record.server.address.description)
        json.text("connection", String(record.client.port))
        json.begin("_wireaudit")
        json.exchange(record, options)
        json.estimates(estimators, outcomes)
        json.end()
        json.end()
        json.buffer.byte(0x0A)
    }

    /// A connection is no entry.
    func write(_ record: ConnectionRecord) {}

    func finish(count: Int) {
        json.endArray()
        json.end()
        json.end()
        json.endLine()
    }

    var pendingBytes: Int { json.buffer.count }

    func drain(_ write: (Span<UInt8>) -> Void) {
        json.buffer.withBytes(write)
        json.buffer.removeAll()
    }

    // MARK: Parts of an entry

    private func request(_ record: ExchangeRecord) {
        json.begin("request")
        json.text("method", record.method ?? [])
        json.text("url", record.url)
        json.text("httpVersion", record.request?.version ?? record.httpVersion ?? "")
        list("cookies")
        list("headers")
        json.beginArray("queryString")
        for pair in record.query?.split(separator: 0x26) ?? [] {
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

    private func timings(_ record: ExchangeRecord) {
        let sent = record.requestEnd
        let first = sent.flatMap { sent in record.timeToFirstByte.map { sent + $0 } }
        json.begin("timings")
        milliseconds("send", sent.map { $0 - record.time })
        milliseconds("wait", record.timeToFirstByte)
        milliseconds("receive", first.flatMap { first in record.responseEnd.map { $0 - first } })
        json.end()
    }

    private func milliseconds(_ name: StaticString, _ nanoseconds: Int64?) {
        guard let nanoseconds, nanoseconds >= 0 else { return json.integer(name, -1) }
        json.decimal(name, Double(nanoseconds) / 1_000_000, places: 6)
    }

    private func list(_ name: StaticString) {
        json.beginArray(name)
        json.endArray()
    }
}

extension ExchangeRecord {
    /// The request's URL; the port where it is not the scheme's. Empty where the target is not known; of CONNECT and
    /// OPTIONS *, which have no URL, the target as sent. Credentials in front of the host are left out.
    var url: [UInt8] {
        guard let path, path.first == 0x2F else { return target.map { $0.prefix { $0 != 0x3F } }.map(Array.init) ?? [] }
        let host = serverName
        let isSecure = tlsVersion != nil || transport == .quic
        let scheme = isSecure ? "https://" : "http://"
        let port = isReversed ? client.port : server.port
        let isUsual = port == (isSecure ? 443 : 80)
        let hasPort = host.last != 0x5D && host.contains(0x3A)
        let suffix = isUsual || hasPort ? [] : Array(":\(port)".utf8)
        return Array(scheme.utf8) + host + suffix + path + (query.map { [0x3F] + $0 } ?? [])
    }

    /// The host without credentials in front of it.
    var serverName: [UInt8] { host.lastIndex(of: 0x40).map { Array(host[($0 + 1)...]) } ?? host }
}
