/// Firebase Performance on Android: lengths of bodies where they are told beforehand
/// (https://github.com/firebase/firebase-android-sdk, firebase-perf).
public struct FirebaseAndroidEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "firebase-android", title: "Firebase Performance (Android)", evidence: .source,
        source: "firebase/firebase-android-sdk, FirebasePerfOkHttpClient.java",
        sees: "Calls of OkHttp, with their last response.",
        cannotSee: """
            Heads, cookies and framing; bodies whose length is not told beforehand: chunked ones, and those that OkHttp \
            decompresses; hops of redirections.
            """,
        counts: """
            Request: the body's contentLength. Response: the body's contentLength. Where that is -1 there is no figure.
            """,
        parameters: [.gunzip])

    private let gunzips: Bool

    public init(_ parameters: EstimatorParameters) { gunzips = parameters["gunzip"] == "okhttp" }

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        var up = DirectionCount.uncounted(request, .expectedLength)
        if let declared = request.declaredBody, declared >= 0 {
            up = DirectionCount.bodyOnly(request, counted: declared, cause: .expectedLength).finish()
        }
        guard let response = exchange.response else {
            return .recorded(up: up, down: DirectionCount().finishWithoutFigure())
        }
        let declared = response.okHttpBody(gunzips: gunzips).declared
        let down =
            declared < 0
            ? DirectionCount.uncounted(response, .expectedLength)
            : DirectionCount.bodyOnly(response, counted: declared, cause: .expectedLength).finish()
        return .recorded(up: up, down: down)
    }
}
