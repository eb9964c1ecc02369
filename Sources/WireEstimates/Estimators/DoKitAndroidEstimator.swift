/// DoKit on Android: bodies of documents and data, as the app reads them (https://github.com/didi/DoKit).
public struct DoKitAndroidEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "dokit-android", title: "DoKit (Android)", evidence: .source,
        source: "didi/DoKit, DokitCapInterceptor, NetworkInterpreter, ResourceTypeHelper",
        sees: "Calls of OkHttp that get a response, with the last one; none whose response is an image.",
        cannotSee: """
            Heads, cookies and framing; compressed sizes; bodies of style sheets, scripts and other types; hops of \
            redirections.
            """,
        counts: """
            Request: the body, with its coding undone. Response: the bytes that the app reads, if Content-Type is \
            application/json, text/javascript or another text than text/css; else 0.
            """,
        parameters: [.gunzip])

    private let gunzips: Bool

    public init(_ parameters: EstimatorParameters) { gunzips = parameters["gunzip"] == "okhttp" }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        guard let response = exchange.response else { return .unseen(.failure) }
        if response.isRedirect { return .unseen(.redirect) }
        if response.hasType("image/") { return .unseen(.scope) }
        let body = request.body.content == 0 ? 0 : request.body.decoded
        let up = body.map {
            DirectionCount.bodyOnly(request, counted: $0, cause: .bodyDecoded).finish()
        }
        return .recorded(up: up ?? .unknown, down: down(response) ?? .unknown)
    }

    private func down(_ response: ObservedResponse) -> DirectionEstimate? {
        guard response.isComplete else {
            return DirectionCount.bodyOnly(response, counted: 0, cause: .failure).finish()
        }
        let isStyle = response.hasType("text/css", isWhole: true)
        let isRead = response.hasType("text/") && !isStyle || response.hasType("application/json", isWhole: true)
        guard isRead else { return DirectionCount.bodyOnly(response, counted: 0, cause: .bodyMissing).finish() }
        return response.okHttpBody(gunzips: gunzips).read
            .map { DirectionCount.bodyOnly(response, counted: $0, cause: .bodyDecoded).finish() }
    }
}

extension ObservedResponse {
    /// Content-Type begins with the text, in any case.
    ///
    /// - Parameter isWhole: only parameters may follow.
    fileprivate func hasType(_ text: StaticString, isWhole: Bool = false) -> Bool {
        guard let field = fields.first(.contentType), fields.hasPrefix(field, text) else { return false }
        let rest = fields.value(field).dropFirst(text.utf8CodeUnitCount)
        return !isWhole || rest.isEmpty || rest.first == UInt8(ascii: ";")
    }
}
