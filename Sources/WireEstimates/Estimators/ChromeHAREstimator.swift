/// HAR as Chrome's developer tools export it, or as Playwright writes it of Chrome.
public struct ChromeHAREstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "har-chrome", aliases: ["har.chrome"], title: "HAR of Chrome DevTools", evidence: .source,
        source: "Chrome DevTools, models/har/Log; microsoft/playwright, server/network.ts",
        sees: "Every exchange of the browser, each hop of a redirection as an entry.",
        cannotSee: "Everything below HTTP; framing of request bodies; head sizes with HTTP/2 and HTTP/3.",
        counts: """
            Request: the raw head, plus the body's data. Response: the raw head, plus all else that was received for \
            the exchange, framing included; for a 304 the head only. With HTTP/2 the sizes of heads are -1: a request \
            has only the body's data, a response only the figure _transferSize, which includes compressed fields, body \
            and the headers of their frames. writer=playwright: a request has its head as text without query and \
            empty line (method + path + 12, and name + value + 4 for each field, pseudo-header fields included); a \
            redirection has no bytes beyond the raw head, which HTTP/2 does not have.
            """,
        parameters: [
            .init(
                "writer", ["devtools", "playwright"],
                "devtools: Chrome's own export. playwright: the file of a browser context.")
        ])

    private let isPlaywright: Bool

    public init(_ parameters: EstimatorParameters) { isPlaywright = parameters["writer"] == "playwright" }

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        var up = DirectionCount()
        if isPlaywright {
            up.countRebuiltHead(of: request, scheme: exchange.scheme)
        } else if request.http2 == nil {
            up.countWholeHead(of: request)
        } else {
            up.skipHead(of: request)
        }
        up.countBody(request.body.content, of: request.body, .bodyMissing)
        guard let response = exchange.response else {
            return .recorded(up: up.finish(), down: DirectionCount().finishWithoutFigure())
        }
        return .recorded(up: up.finish(), down: down(response))
    }

    private func down(_ response: ObservedResponse) -> DirectionEstimate {
        let hasNoSize = isPlaywright && response.isRedirect
        var count = DirectionCount()
        if response.http2 != nil {
            // `_transferSize`.
            guard hasNoSize else { return chromiumTransfer(response, response.message) }
            count.charge(0, for: response.message, .redirect)
            count.headers = 0
            count.body = 0
            return count.finish()
        }
        count.countWholeHead(of: response)
        if hasNoSize {
            count.charge(0, for: response.body.transferred, .redirect)
            count.body = 0
        } else if response.status == 304 {
            count.charge(0, for: response.body.transferred, .cache)
            count.body = 0
        } else {
            // What was transferred beyond the head's text is taken for the body: interim responses too.
            count.charge(response.interim, for: 0, .retry)
            count.body = response.body.transferred + response.interim
        }
        return count.finish()
    }
}

extension DirectionCount {
    /// Playwright's `requestHeadersSize`: a request line without query, and the fields that Chrome tells, in HTTP/2 and
    /// HTTP/3 with the pseudo-header fields. The empty line is not counted.
    fileprivate mutating func countRebuiltHead(of request: ObservedRequest, scheme: ObservedExchange.Scheme) {
        countRequestLine(of: request, fromURL: false, lineEnd: 2)
        let query = request.query.map { $0.count + 1 } ?? 0
        charge(0, for: query, .queryDropped)
        startLine = startLine.map { $0 - query }
        countFields(of: request, as: FieldFormat(style: .text(lineEnd: 2)))
        guard request.http2 != nil else { return }
        let scheme = scheme == .https ? "https" : "http"
        let target = request.path.count + query
        // `:authority` stands for Host.
        let names = ":authority".utf8.count - "Host".utf8.count + ":method".utf8.count + ":path".utf8.count
        let lines = names + ":scheme".utf8.count + 3 * ": \r\n".utf8.count
        let pseudoFields = lines + request.method.count + target + scheme.utf8.count
        charge(pseudoFields, for: 0, .fieldsFormat)
        headers = headers.map { $0 + pseudoFields }
    }
}
