/// ArgusAPM: lengths of bodies, and of the URL where there is none (https://github.com/Qihoo360/ArgusAPM).
public struct ArgusAPMEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "argusapm", title: "ArgusAPM", evidence: .source, source: "Qihoo360/ArgusAPM, NetWorkInterceptor.java",
        sees: "Calls of OkHttp that get a response, with the last one.",
        cannotSee: """
            Heads, cookies and framing; compressed sizes; bodies of responses whose status is not 2xx; hops of \
            redirections.
            """,
        counts: """
            Request: the body's contentLength, or where that is not above 0 the length of the URL. Response: the body's \
            contentLength, or where that is not above 0 the bytes that can be read of it; 0 without success.
            """,
        parameters: [.gunzip])

    private let gunzips: Bool

    public init(_ parameters: EstimatorParameters) { gunzips = parameters["gunzip"] == "okhttp" }

    public var needs: ContentNeeds { gunzips ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        guard let response = exchange.response else { return .unseen(.failure) }
        if response.isRedirect { return .unseen(.redirect) }
        var down = DirectionCount.bodyOnly(response, counted: 0, cause: .bodyMissing).finish()
        if (200..<300).contains(response.status) {
            down = response.declaredOrRead(gunzips: gunzips, leastDeclared: 1) ?? .unknown
        }
        return .recorded(up: up(request, exchange), down: down)
    }

    private func up(_ request: ObservedRequest, _ exchange: ObservedExchange) -> DirectionEstimate {
        if let declared = request.declaredBody, declared > 0 {
            return DirectionCount.bodyOnly(request, counted: declared, cause: .expectedLength).finish()
        }
        let scheme = exchange.scheme == .https ? "https://".utf8.count : "http://".utf8.count
        let url = scheme + exchange.host.count + request.path.count + (request.query.map { $0.count + 1 } ?? 0)
        var count = DirectionCount()
        count.skipHead(of: request)
        count.charge(url, for: 0, .startLineRewritten)
        count.startLine = url
        count.countBody(0, of: request.body, .bodyMissing)
        return count.finish()
    }
}
