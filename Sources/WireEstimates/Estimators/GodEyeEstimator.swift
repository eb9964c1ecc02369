/// GodEye: as NetworkEye, kept in bytes.
public struct GodEyeEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "godeye", title: "GodEye", evidence: .source,
        source: "zixun/GodEye, NetworkEye classes and Store.swift",
        sees: "HTTP and HTTPS of NSURLConnection, the shared session, and sessions that its hook extends.",
        cannotSee: """
            Requests: nothing of them is counted. Heads, framing, and the real size of a body whose length is not \
            announced. Of redirections only the final response.
            """,
        counts: """
            Request: nothing. Response: the expected content length, -1 when it is unknown; shown in whole KB (1024 \
            bytes).
            """,
        parameters: [.expectedLength])

    private let rule: ExpectedLengthRule

    public init(_ parameters: EstimatorParameters) { rule = parameters.expectedLengthRule }

    public var needs: ContentNeeds { rule == .decoded ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome { expectedLengthOutcome(exchange, rule) }

    /// A record's size as the SDK shows it.
    public static func display(_ bytes: Int) -> String { "\(bytes / 1024)KB" }
}
