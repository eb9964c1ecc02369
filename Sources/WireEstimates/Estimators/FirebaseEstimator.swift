/// Firebase Performance: body sizes; in the delegate path that of the last block only.
public struct FirebaseEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "firebase", aliases: ["firebase-perf"], title: "Firebase Performance", evidence: .source,
        source: "firebase/firebase-ios-sdk, FPRNetworkTrace.m, FPRNSURLSessionInstrument.m, FPRNSURLSessionDelegate.m",
        sees: "HTTP and HTTPS tasks of NSURLSession, not those of async/await in older versions.",
        cannotSee: """
            Heads, cookies, query strings and framing; compressed sizes; data of failed tasks; hops of redirections.
            """,
        counts: """
            Request: body bytes sent. Response: the decoded data, if the task has a completion handler; with a \
            delegate, the size of the last block that was delivered.
            """,
        parameters: [
            .init(
                "path", ["handler", "delegate"], "How the app gets data: by a completion handler or by its delegate."),
            .init(
                "lastBlock", ["unknown"],
                """
                Bytes of the last block in the delegate path, at most the data. The wire does not show it; unknown: no \
                figure.
                """, open: .bytes),
        ])

    private let hasHandler: Bool
    private let lastBlock: Int?

    public init(_ parameters: EstimatorParameters) {
        hasHandler = parameters["path"] == "handler"
        lastBlock = Int(parameters["lastBlock"])
    }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let down = down(exchange.response) ?? .unknown
        let up = DirectionCount.bodyOnly(request, counted: request.body.content, cause: .bodyMissing)
        return .recorded(up: up.finish(), down: down)
    }

    private func down(_ response: ObservedResponse?) -> DirectionEstimate? {
        guard let response else { return DirectionCount.lost(nil, .failure) }
        if hasHandler {
            return response.isComplete
                ? DirectionCount.delivered(response) : DirectionCount.lost(response, .failure)
        }
        guard let data = response.delivered else { return nil }
        guard data > 0 else { return DirectionCount.delivered(response) }
        guard let lastBlock else { return nil }
        return DirectionCount.bodyOnly(response, counted: min(lastBlock, data), cause: .lastBlockOnly).finish()
    }
}
