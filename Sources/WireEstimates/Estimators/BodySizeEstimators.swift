/// Bugsnag Performance on Apple's platforms: the task's own counters (https://github.com/bugsnag/bugsnag-cocoa-performance).
public struct BugsnagEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "bugsnag", title: "Bugsnag Performance (Apple)", evidence: .source,
        source: "bugsnag/bugsnag-cocoa-performance, SpanAttributesProvider.mm",
        sees: "HTTP and HTTPS tasks of NSURLSession.",
        cannotSee: "Heads, cookies and framing; compressed sizes; hops of redirections.",
        counts: """
            Request: countOfBytesSent, the body (http.request_content_length). Response: countOfBytesReceived, the \
            decoded data (http.response_content_length). Zeros are left out.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome { taskCountsOutcome(exchange) }
}

/// PostHog's session replay on iOS: a transfer size that is the decoded one (https://github.com/PostHog/posthog-ios).
public struct PostHogEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "posthog", title: "PostHog session replay (iOS)", evidence: .source,
        source: "PostHog/posthog-ios, NetworkSample.swift", sees: "HTTP and HTTPS tasks of NSURLSession.",
        cannotSee: "Requests; heads, cookies and framing; compressed sizes; hops of redirections.",
        counts: "Request: nothing. Response: the decoded data, which it calls transferSize.")

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard exchange.request != nil else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        return .recorded(up: nil, down: DirectionCount.delivered(exchange.response) ?? .unknown)
    }
}

/// Flutter's HTTP profile, as DevTools show it: bodies of dart:io (https://docs.flutter.dev/tools/devtools/network).
public struct FlutterEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "flutter", aliases: ["httpprofile"], title: "Flutter HttpProfile", evidence: .source,
        source: "flutter/devtools, http_request_data.dart",
        sees: "Calls of dart:io's HttpClient, with their last response.",
        cannotSee: "Heads, cookies and framing; sizes before gzip is undone; hops of redirections.",
        counts: """
            Request: the body's bytes. Response: the body's bytes as the app gets them: gzip is undone, other codings \
            are not.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = DirectionCount.bodyOnly(request, counted: request.body.content, cause: .bodyMissing).finish()
        guard let response = exchange.response else { return .recorded(up: up, down: DirectionCount.zero) }
        let read = response.okHttpBody(gunzips: true).read
        let down = read.map { DirectionCount.bodyOnly(response, counted: $0, cause: .bodyDecoded).finish() }
        return .recorded(up: up, down: down ?? .unknown)
    }
}
