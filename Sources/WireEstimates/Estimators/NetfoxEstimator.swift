/// netfox: body lengths, of responses only when they are text or images.
public struct NetfoxEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "netfox", title: "netfox", evidence: .source,
        source: "kasketis/netfox, NFXProtocol.swift, NFXHTTPModel.swift, NFXHelper.swift",
        sees: "HTTP and HTTPS of NSURLConnection, the shared session, and sessions whose configuration it extends.",
        cannotSee: """
            Heads, cookies and framing; compressed sizes; binary responses that are no images; bodies that are not in \
            a stream; data of failed loads; hops of redirections.
            """,
        counts: """
            Request: the body stream, 0 without. Response: the decoded data, if it is UTF-8 text or an image; else no \
            figure.
            """,
        parameters: [.body(.stream)])

    private let body: RequestBodySource

    public init(_ parameters: EstimatorParameters) { body = parameters.bodySource }

    public var needs: ContentNeeds { [.decodedSizes, .text] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = original.bodyEstimate(isFound: body == .stream, sent: request) ?? .unknown
        let down = down(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }

    private func down(_ response: ObservedResponse?) -> DirectionEstimate? {
        guard let response, response.isComplete else { return DirectionCount.lost(response, .failure) }
        let isImage = response.fields.first(.contentType).map { response.fields.hasPrefix($0, "image/") } ?? false
        if isImage || response.body.content == 0 { return DirectionCount.delivered(response) }
        guard let isText = response.body.isText else { return nil }
        return isText ? DirectionCount.delivered(response) : DirectionCount.lost(response, .bodyMissing)
    }
}
