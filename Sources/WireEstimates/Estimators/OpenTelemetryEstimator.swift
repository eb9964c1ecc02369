/// OpenTelemetry's attributes for sizes of HTTP messages, by their published definition.
public struct OpenTelemetryEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "otel", aliases: ["opentelemetry", "otlp"], title: "OpenTelemetry by its definition",
        evidence: .documentation,
        source: "OpenTelemetry semantic conventions, http.request.size and http.request.body.size",
        sees: "Every request that the instrumented client sends, each hop and retry as a span.",
        cannotSee: "Everything below HTTP; interim responses. With figure=body also heads and framing.",
        counts: """
            Request and response: all bytes that were sent for the message: start line, header section, body, trailers \
            and framing, with HTTP/2 and HTTP/3 also padding and control frames of the stream (http.request.size, \
            http.response.size). With figure=body the body as it was transferred, \
            without framing (http.request.body.size, http.response.body.size).
            """,
        parameters: [
            .init("figure", ["size", "body"], "size: the whole message. body: the content as transferred.")
        ])

    private let countsBody: Bool

    public init(_ parameters: EstimatorParameters) { countsBody = parameters["figure"] == "body" }

    public var needs: ContentNeeds { [] }

    public var isExactOnHTTP1: Bool { !countsBody }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        return countsBody ? encodedBodies(request, exchange.response) : wholeMessages(request, exchange.response)
    }
}
