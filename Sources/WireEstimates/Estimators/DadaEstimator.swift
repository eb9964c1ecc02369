/// Dada's plugins behind a URL protocol: what a plugin can count that is given the body and the data.
public struct DadaEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "dada", aliases: ["dada-aop", "interceptor.bodyread"], title: "Dada URL protocol plugins",
        evidence: .model,
        source: "Article on Dada Express's URL protocol; it gives no byte figures, so this is a model",
        sees: "HTTP and HTTPS of NSURLConnection and the shared session; bodies of POST, read from their stream.",
        cannotSee: "Heads, cookies, query strings and framing; compressed sizes; hops of redirections; WKWebView.",
        counts: "Request: a POST's body stream, else the body data. Response: the decoded data.",
        parameters: [.body(.stream)])

    private let body: RequestBodySource

    public init(_ parameters: EstimatorParameters) { body = parameters.bodySource }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = original.bodyEstimate(isFound: original.bodyIsFound(at: body), sent: request) ?? .unknown
        let down = DirectionCount.delivered(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }
}
