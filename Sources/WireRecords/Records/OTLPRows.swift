import WireCore
import WireEstimates
import WireNative

/// OpenTelemetry spans in OTLP JSON, one value with one span on each line: the attributes of the semantic conventions for
/// HTTP clients, with sizes as the capture has them, and the costs below HTTP as `wireaudit.*`. Exchanges of which no
/// request was captured are no spans. A last value without spans counts them; there is one as well where there is no span.
package final class OTLPRows: RowRenderer {
    /// RFC 9110 §9, RFC 5789, and QUERY (draft-ietf-httpbis-safe-method-w-body), in this case alone.
    private static let knownMethods = Set(
        ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"].map {
            Array($0.utf8)
        })

    private let options: ReportOptions
    private var json = JSONFields()
    private var spans = 0
    /// Exchanges without a request that has a URL.
    private var leftOut = 0
    private var isFinished = false

    package init(options: ReportOptions) { self.options = options }

    package func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome]) {
        guard let url = record.url(withFragment: true), let method = record.method else {
            leftOut += 1
            return
        }
        spans += 1
        beginValue()
        json.beginArray("scopeSpans")
        json.beginElement()
        json.begin("scope")
        json.constant("name", "wireaudit")
        json.text("version", toolVersion)
        json.end()
        json.beginArray("spans")
        span(record, url, method)
        json.endArray()
        json.end()
        endValue()
    }

    /// Up to the spans of a resource.
    private func beginValue() {
        json.beginElement()
        json.beginArray("resourceSpans")
        json.beginElement()
        json.begin("resource")
        json.beginArray("attributes")
        text("service.name", Array("wireaudit".utf8))
        if leftOut > 0, isFinished { integer("wireaudit.exchanges_without_request", leftOut) }
        json.endArray()
        json.end()
    }

    private func endValue() {
        json.endArray()
        json.end()
        json.endArray()
        json.end()
        json.endLine()
    }

    /// A connection is no span.
    package func write(_ record: ConnectionRecord) {}

    package func finish(count: Int) {
        guard spans == 0 || leftOut > 0 else { return }
        isFinished = true
        beginValue()
        json.beginArray("scopeSpans")
        endValue()
    }

    package var pendingBytes: Int { json.buffer.count }

    package func drain(_ write: (Span<UInt8>) -> Void) {
        json.buffer.withBytes(write)
        json.buffer.removeAll()
    }

    // MARK: A span

    private func span(_ record: ExchangeRecord, _ url: [UInt8], _ method: [UInt8]) {
        let isKnown = OTLPRows.knownMethods.contains(method)
        let number =
            UInt64(truncatingIfNeeded: record.connection) << 32 | UInt64(UInt32(truncatingIfNeeded: record.exchange))
        json.beginElement()
        // The same capture gives the same names. They must not be zero.
        json.text("traceId", hexadecimal(UInt64(bitPattern: record.time) | 1) + hexadecimal(number))
        json.text("spanId", hexadecimal(number &+ 1))
        json.text("name", isKnown ? method : Array("HTTP".utf8))
        json.integer("kind", 3)
        let end = record.time + max(0, record.knownDuration ?? 0)
        json.text("startTimeUnixNano", String(record.time))
        json.text("endTimeUnixNano", String(end))
        json.beginArray("attributes")
        text("http.request.method", isKnown ? method : Array("_OTHER".utf8))
        if !isKnown { text("http.request.method_original", method) }
        text("url.full", url)
        names(record)
        sizes(record)
        json.endArray()
        json.begin("status")
        if record.errorType != nil { json.integer("code", 2) }
        json.end()
        json.end()
    }

    private func names(_ record: ExchangeRecord) {
        if let status = record.status { integer("http.response.status_code", status) }
        if let error = record.errorType { text("error.type", Array(error.utf8)) }
        text("server.address", Authority(record.host).hostInURL)
        integer("server.port", Int(record.serverPort))
        text("network.peer.address", Array(record.responder.address.description.utf8))
        integer("network.peer.port", Int(record.responder.port))
        integer("network.local.port", Int(record.requester.port))
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

extension ExchangeRecord {
    /// The status of an error, or that there was no response (OpenTelemetry, error.type); nil where there was no error.
    fileprivate var errorType: String? {
        guard let status else { return "_OTHER" }
        return status >= 400 ? String(status) : nil
    }
}

/// 16 digits.
private func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
