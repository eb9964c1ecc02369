/// Wedjat (aozhimin's iOS-Monitor-Platform): hooks session tasks and measures header dictionaries as JSON.
public struct WedjatEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "wedjat", aliases: ["aozhimin"], title: "Wedjat (iOS-Monitor-Platform)", evidence: .source,
        source: "aozhimin/iOS-Monitor-Platform, README.md, section Traffic",
        sees: "HTTP and HTTPS tasks of NSURLSession, from their creation on.",
        cannotSee: """
            Start lines; fields that the loader adds later; bodies of upload tasks; framing; compressed sizes; hops of \
            redirections; WKWebView.
            """,
        counts: """
            Request: visible fields and cookies as pretty-printed JSON, plus the body data. Response: all fields as \
            such JSON, plus the expected length, or the decoded data where that is unknown.
            """,
        parameters: [.headers("min"), .body(.data)] + HeaderDictionaryEstimate.parameters)

    private let formula: HeaderDictionaryEstimate
    private let body: RequestBodySource

    public init(_ parameters: EstimatorParameters) {
        formula = HeaderDictionaryEstimate(parameters)
        body = parameters.bodySource
    }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        formula.estimate(exchange) { _ in body == .data }
    }
}
