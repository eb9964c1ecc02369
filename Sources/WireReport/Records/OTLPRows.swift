import WireCore
import WireEstimates

/// OpenTelemetry spans in OTLP JSON, one value with one span on each line: the attributes of the semantic conventions for
/// HTTP clients, with sizes as the capture has them, and the costs below HTTP as `wireaudit.*`.
final class OTLPRows: RowRenderer {
    private let options: ReportOptions
    private var json = JSONFields()

    init(options: ReportOptions) { self.options = options }

    func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome]) {
        json.beginElement()
        json.beginArray("resourceSpans")
        json.beginElement()
        json.begin("resource")
        json.beginArray("attributes")
        text("service.name", Array("wireaudit".utf8))
        json.endArray()
        json.end()
        json.beginArray("scopeSpans")
        json.beginElement()
        json.begin("scope")
        json.constant("name", "wireaudit")
        json.text("version", toolVersion)
        json.end()
        json.beginArray("spans")
        span(record)
        json.endArray()
        json.end()
        json.endArray()
        json.end()
        json.endArray()
        json.end()
        json.endLine()
    }

    /// A connection is no span.
    func write(_ record: ConnectionRecord) {}

    func finish(count: Int) {}

    var pendingBytes: Int { json.buffer.count }

    func drain(_ write: (Span<UInt8>) -> Void) {
        json.buffer.withBytes(write)
        json.buffer.removeAll()
    }

    // MARK: A span

    private func span(_ record: ExchangeRecord) {
        let number =
            UInt64(truncatingIfNeeded: record.connection) << 32 | UInt64(UInt32(truncatingIfNeeded: record.exchange))
        json.beginElement()
        // The same capture gives the same names. They must not be zero.
        json.text("traceId", hexadecimal(UInt64(bitPattern: record.time) | 1) + hexadecimal(number))
        json.text("spanId", hexadecimal(number &+ 1))
        json.text("name", record.method ?? Array("HTTP".utf8))
        json.integer("kind", 3)
        let end = record.time + max(0, record.knownDuration ?? 0)
        json.text("startTimeUnixNano", String(record.time))
        json.text("endTimeUnixNano", String(end))
        json.beginArray("attributes")
        names(record)
        sizes(record)
        json.endArray()
        json.begin("status")
        if record.status ?? 599 >= 400 { json.integer("code", 2) }
        json.end()
        json.end()
    }

    private func names(_ record: ExchangeRecord) {
        let url = record.url
        if !url.isEmpty { text("url.full", url) }
        if let method = record.method { text("http.request.method", method) }
        if let status = record.status { integer("http.response.status_code", status) }
        text("server.address", record.serverName)
        integer("server.port", Int(record.server.port))
        integer("network.local.port", Int(record.client.port))
        text("network.transport", Array(record.transport.rawValue.utf8))
        if let version = record.httpVersion {
            text("network.protocol.version", Array(version.utf8.drop { $0 != 0x2F }.dropFirst()))
        }
        let flags = record.flags.names.joined(separator: ",")
        if !flags.isEmpty { text("wireaudit.flags", Array(flags.utf8)) }
    }

    private func sizes(_ record: ExchangeRecord) {
        if record.request != nil {
            integer("http.request.size", record.requestCosts.message)
            integer("http.request.body.size", record.requestCosts[.body])
        }
        if record.response != nil {
            integer("http.response.size", record.responseCosts.message - (record.response?.interim ?? 0))
            integer("http.response.body.size", record.responseCosts[.body])
        }
        for (side, costs) in [("request", record.requestCosts), ("response", record.responseCosts)] {
            integer("wireaudit.\(side).wire", options.wire(costs))
            for cause in Cause.allCases where costs[cause] > 0 {
                integer("wireaudit.\(side).\(cause.name)", costs[cause])
            }
        }
    }

    private func text(_ key: String, _ value: [UInt8]) {
        json.beginElement()
        json.text("key", key)
        json.begin("value")
        json.text("stringValue", value)
        json.end()
        json.end()
    }

    /// Integers of 64 bits are texts in this encoding.
    private func integer(_ key: String, _ value: Int) {
        json.beginElement()
        json.text("key", key)
        json.begin("value")
        json.text("intValue", String(value))
        json.end()
        json.end()
    }
}

/// 16 digits.
private func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
