/// Embrace on Apple's platforms: the body data, and the data as delivered (https://github.com/embrace-io/embrace-apple-sdk).
public struct EmbraceAppleEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "embrace-ios", title: "Embrace (Apple)", evidence: .source,
        source: "embrace-io/embrace-apple-sdk, URLSessionTaskHandler.swift",
        sees: "HTTP and HTTPS tasks of NSURLSession.",
        cannotSee: "Heads, cookies and framing; compressed sizes; streams and upload tasks; hops of redirections.",
        counts: "Request: the size of the body data; of streams and uploads no figure. Response: the decoded data.",
        parameters: [.body(.data)])

    private let body: RequestBodySource

    public init(_ parameters: EstimatorParameters) { body = parameters.bodySource }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = original.bodyEstimate(isFound: body == .data, sent: request) ?? .unknown
        return .recorded(up: up, down: DirectionCount.delivered(exchange.response) ?? .unknown)
    }
}

/// Embrace on Android: the lengths that are told beforehand (https://github.com/embrace-io/embrace-android-sdk).
public struct EmbraceAndroidEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "embrace-android", title: "Embrace (Android)", evidence: .source,
        source: "embrace-io/embrace-android-sdk, OkHttpDataSource.kt",
        sees: "Calls of OkHttp, with their last response.",
        cannotSee: """
            Heads, cookies and framing; bodies whose length is not told beforehand: chunked ones, and those that OkHttp \
            decompresses; hops of redirections.
            """,
        counts: """
            Request: the body's contentLength, -1 where it is not known, 0 without a body. Response: Content-Length; \
            without it 0, or with capture=on the size of the body.
            """,
        parameters: [
            .init("capture", ["off", "on"], "on: the app lets the SDK keep bodies, which buffers them."), .gunzip,
        ])

    private let keepsBodies: Bool
    private let gunzips: Bool

    public init(_ parameters: EstimatorParameters) {
        keepsBodies = parameters["capture"] == "on"
        gunzips = parameters["gunzip"] == "okhttp"
    }

    public var needs: ContentNeeds { keepsBodies && gunzips ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = DirectionCount.bodyOnly(request, counted: request.declaredBody ?? 0, cause: .expectedLength).finish()
        guard let response = exchange.response else {
            return .recorded(up: up, down: DirectionCount().finishWithoutFigure())
        }
        let declared = response.okHttpBody(gunzips: gunzips).declared
        guard declared < 0, keepsBodies else {
            let counted = max(declared, 0)
            return .recorded(
                up: up, down: DirectionCount.bodyOnly(response, counted: counted, cause: .expectedLength).finish())
        }
        return .recorded(up: up, down: response.declaredOrRead(gunzips: gunzips) ?? .unknown)
    }
}
