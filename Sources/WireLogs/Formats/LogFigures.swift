/// What the figure of a row is, in logs whose rows can have figures of several definitions: the name that the log has for
/// it.
package enum FigureDefinition: String, CaseIterable, Sendable {
    // OpenTelemetry, and Sentry's conventions.
    case requestSize = "http.request.size"
    case responseSize = "http.response.size"
    case requestBody = "http.request.body.size"
    case responseBody = "http.response.body.size"
    case decodedBody = "http.decoded_response_content_length"
    // Sentry's breadcrumbs.
    case sentRequest = "request_body_size"
    case receivedResponse = "response_body_size"
    // Datadog.
    case resourceSize = "resource.size"
    case resourceTransfer = "resource.transfer_size"
    case resourceBody = "resource.encoded_body_size"
    // OkHttp's interceptor, by its level.
    case basicBody = "of level BASIC"
    case loggedBody = "of level BODY"

    /// The estimator that counts what the name is published to mean, in logs of the format. Nil where that is the
    /// format's own estimator with its default parameters, and where nothing is published.
    package func formula(_ format: SDKLogFormat) -> String? {
        switch (format, self) {
        case (.otlp, .requestBody), (.otlp, .responseBody): "otel:figure=body"
        case (.sentry, .requestBody), (.sentry, .responseBody): "sentry:figure=encoded"
        case (.sentry, .responseSize): "sentry:figure=transfer"
        case (.datadog, .resourceBody): "datadog:figure=content"
        case (.okhttpLog, .basicBody): "okhttp-log:level=basic"
        case (.okhttpLog, .loggedBody): "okhttp-log:level=body"
        default: nil
        }
    }
}

/// What the figures of both directions of a row are; nil where there is none, or where all rows have the same.
package struct LogFigures: Sendable {
    var up: FigureDefinition?
    var down: FigureDefinition?

    package init(up: FigureDefinition? = nil, down: FigureDefinition? = nil) {
        self.up = up
        self.down = down
    }

    package subscript(direction: Direction) -> FigureDefinition? {
        get { direction == .up ? up : down }
        set { if direction == .up { up = newValue } else { down = newValue } }
    }

    /// The first figure that is known, with its definition.
    static func first(
        _ figures: [(size: Int?, definition: FigureDefinition)]
    ) -> (size: Int?, definition: FigureDefinition?) {
        let known = figures.first { $0.size != nil }
        return (known?.size, known?.definition)
    }
}
