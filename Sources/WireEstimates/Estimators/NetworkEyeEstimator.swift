/// NetworkEye: a URL protocol that adds the expected length of each response to one sum.
public struct NetworkEyeEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "networkeye", title: "NetworkEye", evidence: .source,
        source: "coderyi/NetworkEye, NEHTTPEye.m and NEHTTPModelManager.m",
        sees: "HTTP and HTTPS of NSURLConnection, the shared session, and sessions whose configuration it extends.",
        cannotSee: """
            Requests: nothing of them is counted. Heads, framing, and the real size of a body whose length is not \
            announced. Of redirections only the final response.
            """,
        counts: """
            Request: nothing. Response: the expected content length, -1 when it is unknown; kept as a sum of MB \
            (1024 x 1024 bytes).
            """,
        parameters: [.expectedLength])

    private let rule: ExpectedLengthRule

    public init(_ parameters: EstimatorParameters) { rule = parameters.expectedLengthRule }

    public var needs: ContentNeeds { rule == .decoded ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome { expectedLengthOutcome(exchange, rule) }

    /// What is added to the stored sum, in its unit.
    public static func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1_048_576 }
}

/// One record for the final response, with its expected length. A task without response has 0.
func expectedLengthOutcome(_ exchange: ObservedExchange, _ rule: ExpectedLengthRule) -> EstimateOutcome {
    guard let request = exchange.request else { return .unknown }
    if exchange.response?.isRedirect == true { return .unseen(.redirect) }
    var up = DirectionCount()
    up.skipHead(of: request)
    up.skipBody(request.body, .bodyMissing)
    guard let response = exchange.response else {
        return .recorded(up: up.finishWithoutFigure(), down: DirectionCount.zero)
    }
    guard let length = response.expectedLength(rule) else {
        return .recorded(up: up.finishWithoutFigure(), down: .unknown)
    }
    let down = DirectionCount.bodyOnly(response, counted: length, cause: .expectedLength)
    return .recorded(up: up.finishWithoutFigure(), down: down.finish())
}
