import WireCore
import WireEstimates

/// Makes of an exchange's record what an estimator may see of it.
struct ExchangeObserver {
    private var redirects = RedirectLinks()
    /// Of the record observed last.
    private(set) var redirect = RedirectLinks.Finding()

    /// Records must come in the order of their times, for a redirection is recognised by the request that follows it.
    mutating func observe(_ record: ExchangeRecord) -> ObservedExchange {
        var exchange = ObservedExchange(record)
        redirect = redirects.find(record)
        exchange.redirectedFrom = redirect.origin?.request
        redirects.recordRedirect(record, exchange)
        return exchange
    }
}

extension ObservedExchange {
    init(_ record: ExchangeRecord) {
        self.init(
            scheme: record.tlsVersion == nil ? .http : .https, host: record.host, request: ObservedRequest(record),
            response: ObservedResponse(record))
        upTransport = TransportBytes(record.requestCosts)
        downTransport = TransportBytes(record.responseCosts)
    }
}

extension ObservedRequest {
    /// Nil where the head did not come whole.
    fileprivate init?(_ record: ExchangeRecord) {
        guard let facts = record.request, let head = record.requestHead, let method = record.method,
            let path = record.path
        else { return nil }
        let costs = record.requestCosts
        if let http2 = HTTP2Costs(costs, facts) {
            self.init(
                method: method, path: path, query: record.query, fields: HeaderFields(head),
                body: ObservedBody(costs, facts, record.requestBody), isComplete: facts.complete, http2: http2)
            return
        }
        self.init(
            method: method, path: path, query: record.query, fields: HeaderFields(head), startLine: costs[.startLine],
            headers: costs[.headers], body: ObservedBody(costs, facts, record.requestBody), isComplete: facts.complete,
            lineEnd: head.startLine - head.startLineText)
    }
}

extension ObservedResponse {
    fileprivate init?(_ record: ExchangeRecord) {
        guard let facts = record.response, let head = record.responseHead else { return nil }
        let costs = record.responseCosts
        if let http2 = HTTP2Costs(costs, facts) {
            self.init(
                status: record.status ?? 0, fields: HeaderFields(head), interim: facts.interim,
                body: ObservedBody(costs, facts, record.responseBody), isComplete: facts.complete, http2: http2)
            return
        }
        self.init(
            status: record.status ?? 0, statusText: head.startLineText, fields: HeaderFields(head),
            startLine: costs[.startLine], headers: costs[.headers], interim: facts.interim,
            body: ObservedBody(costs, facts, record.responseBody), isComplete: facts.complete)
    }
}

extension HTTP2Costs {
    /// Nil for a message of HTTP/1. Where headers of frames were not counted, one frame with fields is supposed.
    fileprivate init?(_ costs: CostVector, _ facts: MessageFacts) {
        guard facts.isInFrames else { return nil }
        self.init(
            fieldBlocks: costs[.startLine] + costs[.headers], framing: costs[.framing],
            headerFrames: facts.frames?.headerFrames ?? HTTP2Costs.frameHeader,
            dataFrames: facts.frames?.dataFrames ?? 0)
    }
}

extension MessageFacts {
    /// Of HTTP/2 or HTTP/3.
    package var isInFrames: Bool { version == "HTTP/2" || version == "HTTP/3" }
}

extension ObservedBody {
    fileprivate init(_ costs: CostVector, _ facts: MessageFacts, _ examined: (any ExaminedBody)?) {
        // All framing of HTTP/2 and HTTP/3 stands with the head: a body has none that text could tell.
        self.init(content: costs[.body], framing: facts.isInFrames ? 0 : costs[.framing])
        if let examined {
            let content = examined.facts
            decoded = content.decoded
            recompressed = content.recompressed
            isText = content.isText
            string = content.string.map { StringUnits(plain: $0.units, quoted: $0.quoted) }
        }
        if !facts.isCoded { decoded = self.content }
        if self.content == 0, facts.complete {
            decoded = 0
            recompressed = 0
            isText = true
        }
    }
}

extension HeaderFields {
    init(_ head: MessageHead) {
        self.init(bytes: head.bytes)
        head.forEachField { append(name: $0.name, value: $0.value, wireLength: $0.line.count) }
    }
}

extension TransportBytes {
    init(_ costs: CostVector) {
        self.init()
        tlsRecords = costs[.tlsRecords]
        tcpip = costs[.tcpip] + costs[.quic]
        tlsSetup = costs[.setupTLS] + costs[.setupHTTP]
        handshake = costs[.setupTCP] + costs[.setupQUIC] + costs[.teardown]
        acknowledgments = costs[.ack] + costs[.keepalive]
        retransmission = costs[.retransmission]
        dns = costs[.setupDNS]
        opaque = costs[.opaque]
        offloadHidden = costs.offloadHidden
        setupHeaders = costs.handshakeHeaders
        closingPayload = costs.closingRecords
    }
}
