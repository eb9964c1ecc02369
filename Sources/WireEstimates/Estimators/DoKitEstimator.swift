/// DoKit's network flow: a URL protocol that measures header dictionaries as JSON.
public struct DoKitEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "dokit", aliases: ["doraemonkit"], title: "DoKit (DoraemonKit) network flow", evidence: .source,
        source: "didi/DoKit, DoraemonNetFlowHttpModel.m, DoraemonUrlUtil.m, DoraemonNSURLProtocol.m",
        sees: "HTTP and HTTPS of NSURLConnection, the shared session, and sessions whose configuration it extends.",
        cannotSee: """
            Requests whose type is multipart/form-data; start lines; fields that the loader adds later; streams of \
            methods other than POST; framing; compressed sizes; hops of redirections.
            """,
        counts: """
            Request: visible fields and cookies as pretty-printed JSON, plus the body data or, for POST, the stream. \
            Response: all fields as such JSON, plus the expected length, or the decoded data where that is unknown.
            """,
        parameters: [.headers("min"), .body(.stream)] + HeaderDictionaryEstimate.parameters + [
            .init(
                "emptyPost", ["recorded", "lost"],
                "lost: a POST without body has no record, as we read the newer version.")
        ])

    private let formula: HeaderDictionaryEstimate
    private let body: RequestBodySource
    private let losesEmptyPOST: Bool

    public init(_ parameters: EstimatorParameters) {
        formula = HeaderDictionaryEstimate(parameters)
        body = parameters.bodySource
        losesEmptyPOST = parameters["emptyPost"] == "lost"
    }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        if let request = exchange.taskRequest {
            if isMultipart(request) { return .unseen(.scope) }
            let isEmpty = body == .none || (request.isComplete && request.body.content == 0)
            if losesEmptyPOST, request.isPOST, isEmpty { return .unseen(.scope) }
        }
        return formula.estimate(exchange) { $0.bodyIsFound(at: body) }
    }

    private func isMultipart(_ request: ObservedRequest) -> Bool {
        guard let type = request.fields.first(.contentType) else { return false }
        return request.fields.contains(type, "multipart/form-data")
    }
}

extension ObservedRequest {
    /// An SDK that takes the body data or, for POST, reads the stream finds the body.
    func bodyIsFound(at source: RequestBodySource) -> Bool { source == .data || (source == .stream && isPOST) }
}
