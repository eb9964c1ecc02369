/// OkHttp's HttpLoggingInterceptor: bodies as its lines tell them
/// (https://github.com/square/okhttp, okhttp-logging-interceptor).
public struct OkHttpLogEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "okhttp-log", title: "OkHttp HttpLoggingInterceptor", evidence: .source,
        source: "square/okhttp, HttpLoggingInterceptor.kt",
        sees: "Calls of OkHttp, with their last response; as a network interceptor each hop.",
        cannotSee: """
            Heads as bytes, cookies and framing; bodies whose length is not told beforehand (level BASIC); bodies in \
            codings other than gzip (level BODY).
            """,
        counts: """
            Request: the body's contentLength. Response: at level BASIC the body's contentLength, at level BODY the \
            bytes after gzip was undone. Where that is not known there is no figure.
            """,
        parameters: [
            .init("level", ["basic", "body"], "Of the log. HEADERS tells no sizes."),
            .init("at", ["application", "network"], "network: it sees hops, and bodies before OkHttp undoes gzip."),
            .gunzip,
        ])

    private let readsBodies: Bool
    private let seesHops: Bool
    private let gunzips: Bool

    public init(_ parameters: EstimatorParameters) {
        readsBodies = parameters["level"] == "body"
        seesHops = parameters["at"] == "network"
        gunzips = parameters["gunzip"] == "okhttp" && !seesHops
    }

    public var needs: ContentNeeds { readsBodies ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true, !seesHops { return .unseen(.redirect) }
        var up = DirectionCount.uncounted(request, .expectedLength)
        let declared = request.declaredBody ?? 0
        if declared >= 0 { up = DirectionCount.bodyOnly(request, counted: declared, cause: .expectedLength).finish() }
        guard let response = exchange.response else {
            return .recorded(up: up, down: DirectionCount().finishWithoutFigure())
        }
        return .recorded(up: up, down: (readsBodies ? read(response) : told(response)) ?? .unknown)
    }

    private func told(_ response: ObservedResponse) -> DirectionEstimate {
        let declared = response.okHttpBody(gunzips: gunzips).declared
        guard declared >= 0 else { return DirectionCount.uncounted(response, .expectedLength) }
        return DirectionCount.bodyOnly(response, counted: declared, cause: .expectedLength).finish()
    }

    /// Nil: the size of the body is not known.
    private func read(_ response: ObservedResponse) -> DirectionEstimate? {
        guard response.isComplete else { return DirectionCount.uncounted(response, .failure) }
        let isEncoded = response.fields.contains(.contentEncoding) && !response.isGunzipped
        if isEncoded, response.fields.contentCoding != .none {
            return DirectionCount.uncounted(response, .bodyMissing)
        }
        return response.okHttpBody(gunzips: true).read.map {
            DirectionCount.bodyOnly(response, counted: $0, cause: .bodyDecoded).finish()
        }
    }
}
