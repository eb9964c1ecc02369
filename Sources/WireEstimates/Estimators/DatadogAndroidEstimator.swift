/// Datadog RUM on Android: the length of the response's body (https://github.com/DataDog/dd-sdk-android).
public struct DatadogAndroidEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "datadog-android", title: "Datadog RUM (Android)", evidence: .source,
        source: "DataDog/dd-sdk-android, DatadogInterceptor.kt",
        sees: "Calls of OkHttp, with their last response.",
        cannotSee: "Requests; heads, cookies and framing; compressed sizes; hops of redirections.",
        counts: """
            Request: nothing. Response: the body's contentLength, or where that is -1 the bytes that can be read of it, \
            decompressed where OkHttp does that.
            """,
        parameters: [.gunzip])

    private let gunzips: Bool

    public init(_ parameters: EstimatorParameters) { gunzips = parameters["gunzip"] == "okhttp" }

    public var needs: ContentNeeds { gunzips ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard exchange.request != nil else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        guard let response = exchange.response else {
            return .recorded(up: nil, down: DirectionCount().finishWithoutFigure())
        }
        return .recorded(up: nil, down: response.declaredOrRead(gunzips: gunzips) ?? .unknown)
    }
}
