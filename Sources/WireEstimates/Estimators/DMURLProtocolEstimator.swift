/// DMURLProtocol, also "DoggerMonitor": a URL protocol that writes messages anew as text and measures that.
///
/// Request and response are separate rows of its log. A row of zeros is written where no response came.
public struct DMURLProtocolEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "dmurlprotocol", aliases: ["dm", "doggermonitor"], title: "DMURLProtocol (DoggerMonitor)",
        evidence: .source, source: "summertian4/iOS-ObjectiveC, NetworkTraffic; lengths: the author's article",
        sees: "Plain HTTP of NSURLConnection, the shared session, and sessions whose configuration it extends.",
        cannotSee: """
            HTTPS (unless gate says so), WKWebView, sockets and background sessions; fields that the loader adds \
            later; query strings; line ends as sent; framing; the server's own compressed bytes.
            """,
        counts: """
            Request: method, decoded path and version with one line feed; each visible field and the cookies as \
            "name: value" with one line feed; the body data, or its gzip size if a Content-Encoding is visible. \
            Response: status line without line end; fields likewise from the merged dictionary; the data, compressed \
            again with gzip if Content-Encoding is exactly "gzip", else as decoded.
            """,
        parameters: [
            .headers("article"), .body(.stream), .transferEncoding, .merge,
            .init("gate", ["http", "https", "both"], "Schemes that it handles. Copies of the project differ here."),
            .init("statusLineEnd", ["none", "lf"], "lf: one byte more for the status line, as some builds count."),
            .init("emptyLine", ["no", "yes"], "yes: one byte for the empty line of each message, as one copy counts."),
            .init(
                "recompression", ["yes", "no"],
                "no: a body with a Content-Encoding is counted as decoded, or as given, and not compressed again."),
            .init(
                "redirectRow", ["empty", "none"],
                "The row of a 3xx response that is followed. empty: without body. none: lost to the final response."),
            .init(
                "variant", ["original", "dcapm"],
                "dcapm: a copy that counts request fields and body, never compresses, and counts response data only."),
        ])

    enum Gate: String { case http, https, both }

    private let gate: Gate
    private let body: RequestBodySource
    private let requestFields: FieldFormat
    private let responseFields: FieldFormat
    private let statusLineEnd: Int
    private let recompresses: Bool
    private let keepsRedirectRow: Bool
    private let isDCAPM: Bool

    public init(_ parameters: EstimatorParameters) {
        gate = Gate(rawValue: parameters["gate"]) ?? .http
        body = parameters.bodySource
        let emptyLine = parameters["emptyLine"] == "yes" ? 1 : 0
        requestFields = FieldFormat(
            style: .text(lineEnd: 1), hidden: HiddenFields(parameters["headers"]),
            mergeSeparator: parameters.mergeSeparator, emptyLine: emptyLine)
        responseFields = FieldFormat(
            style: .text(lineEnd: 1), mergeSeparator: parameters.mergeSeparator,
            chunkedValue: parameters.chunkedValue, emptyLine: emptyLine)
        statusLineEnd = parameters["statusLineEnd"] == "lf" ? 1 : 0
        recompresses = parameters["recompression"] == "yes"
        keepsRedirectRow = parameters["redirectRow"] == "empty"
        isDCAPM = parameters["variant"] == "dcapm"
    }

    public var needs: ContentNeeds { isDCAPM || !recompresses ? .decodedSizes : [.decodedSizes, .recompression] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard isHandled(exchange.scheme) else { return .unseen(.scope) }
        // After a redirection, the row of the new request has the lengths of the request before.
        guard let request = exchange.request, let measured = exchange.taskRequest else { return .unknown }
        let up = up(measured, sent: request) ?? .unknown
        let down = down(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }

    private func isHandled(_ scheme: ObservedExchange.Scheme) -> Bool {
        switch gate {
        case .http: scheme == .http
        case .https: scheme == .https
        case .both: true
        }
    }

    private func up(_ request: ObservedRequest, sent: ObservedRequest) -> DirectionEstimate? {
        var count = DirectionCount()
        if isDCAPM {
            count.skipRequestLine(of: request)
        } else {
            count.countRequestLine(of: request, fromURL: true, lineEnd: 1)
        }
        count.countFields(of: request, as: requestFields)
        if body != .none, !isDCAPM, recompresses, showsContentEncoding(request) {
            guard let size = request.isComplete ? request.body.gzipSize(of: request.body.content) : nil else {
                return nil
            }
            count.countBody(size, of: request.body, .bodyRecompressed)
        } else if body == .data {
            guard let size = request.bodyGiven else { return nil }
            count.countBody(size, of: request.body, .failure)
        } else {
            count.countBody(0, of: request.body, .bodyMissing)
        }
        count.stand(for: request, sent: sent)
        return count.finish()
    }

    private func showsContentEncoding(_ request: ObservedRequest) -> Bool {
        guard let field = request.fields.first(.contentEncoding) else { return false }
        return !requestFields.hidden.contains(field, in: request.fields)
    }

    private func down(_ response: ObservedResponse?) -> DirectionEstimate? {
        var count = DirectionCount()
        guard let response else { return isDCAPM ? DirectionCount.zero : zeroRow }
        if response.isRedirect, !keepsRedirectRow {
            count.charge(0, for: response.message, .redirect)
            return count.finishWithoutFigure()
        }
        if isDCAPM {
            count.skipHead(of: response)
        } else {
            count.countStatusLine(of: response, lineEnd: statusLineEnd)
            count.countFields(of: response, as: responseFields)
        }
        guard let (size, cause) = bodySize(response) else { return nil }
        count.countBody(size, of: response.body, cause)
        return count.finish()
    }

    private var zeroRow: DirectionEstimate {
        var count = DirectionCount()
        count.startLine = 0
        count.headers = 0
        count.body = 0
        return count.finish()
    }

    private func bodySize(_ response: ObservedResponse) -> (Int, ErrorCause)? {
        if response.isRedirect { return (0, .redirect) }
        guard let data = response.delivered else { return nil }
        guard !isDCAPM, recompresses, response.fields.contains(.contentEncoding) else { return (data, .bodyDecoded) }
        guard response.isLiterallyGzip else { return (data, .encodingTest) }
        return response.body.gzipSize(of: data).map { ($0, .bodyRecompressed) }
    }
}

extension ObservedBody {
    /// Size after the SDK's gzip of so many bytes, which leaves an empty body empty. Nil: not computed.
    fileprivate func gzipSize(of size: Int) -> Int? { size == 0 ? 0 : recompressed }
}
