/// Datadog RUM for React Native: the length of the response's data (https://github.com/DataDog/dd-sdk-reactnative).
public struct DatadogReactNativeEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "datadog-react-native", title: "Datadog RUM (React Native)", evidence: .source,
        source: "DataDog/dd-sdk-reactnative, responseSize.ts",
        sees: "Calls of XMLHttpRequest, and so of fetch, with their last response.",
        cannotSee:
            "Requests; heads, cookies and framing; sizes before decoding without Content-Length; hops of redirections.",
        counts: "Request: nothing. Response: Content-Length, or without it the bytes of the decoded data.",
        parameters: [.platform])

    private let platform: ReactNativePlatform

    public init(_ parameters: EstimatorParameters) { platform = parameters.reactNativePlatform }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard exchange.request != nil else { return .unknown }
        guard let response = exchange.response else {
            return .recorded(up: nil, down: DirectionCount().finishWithoutFigure())
        }
        if response.isRedirect { return .unseen(.redirect) }
        if let length = response.shownLength(on: platform) {
            return .recorded(
                up: nil, down: DirectionCount.bodyOnly(response, counted: length, cause: .expectedLength).finish())
        }
        guard response.isComplete else { return .recorded(up: nil, down: DirectionCount.uncounted(response, .failure)) }
        let data = platform == .android ? response.okHttpBody(gunzips: true).read : response.delivered
        let down = data.map { DirectionCount.bodyOnly(response, counted: $0, cause: .bodyDecoded).finish() }
        return .recorded(up: nil, down: down ?? .unknown)
    }
}

/// Instabug (Luciq) for React Native: lengths of strings (https://github.com/Instabug/Instabug-React-Native).
public struct InstabugReactNativeEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "instabug-react-native", aliases: ["luciq-react-native"], title: "Instabug (React Native)",
        evidence: .source, source: "Instabug/Instabug-React-Native, XhrNetworkInterceptor.ts",
        sees: "Calls of XMLHttpRequest, and so of fetch, with their last response.",
        cannotSee: """
            Heads, cookies and framing; how many bytes a character takes; compressed sizes without Content-Length; hops \
            of redirections.
            """,
        counts: """
            Request: UTF-16 code units of the body's string; of forms and binary data the JSON of an object, which cannot \
            be computed. Response: Content-Length above 0, or else UTF-16 code units of the text.
            """,
        parameters: [
            .init(
                "type", ["blob", "text"],
                """
                responseType of XMLHttpRequest. blob: as fetch sets it; the text is counted. text: as axios leaves it; \
                the text as a JSON string is counted, with quotes and escapes.
                """),
            .platform,
        ])

    private let quotes: Bool
    private let platform: ReactNativePlatform

    public init(_ parameters: EstimatorParameters) {
        quotes = parameters["type"] == "text"
        platform = parameters.reactNativePlatform
    }

    public var needs: ContentNeeds { [.decodedSizes, .strings] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        guard let response = exchange.response, response.isComplete else {
            // The error's text takes the place of the request's body.
            let down = exchange.response.map { DirectionCount.uncounted($0, .failure) }
            return .recorded(up: .unknown, down: down ?? DirectionCount().finishWithoutFigure())
        }
        return .recorded(up: up(request) ?? .unknown, down: down(response) ?? .unknown)
    }

    private func up(_ request: ObservedRequest) -> DirectionEstimate? {
        let isForm = request.fields.first(.contentType).map { request.fields.hasPrefix($0, "multipart/") } ?? false
        guard !isForm, request.fields.contentCoding == .none, let string = request.body.characters else { return nil }
        return DirectionCount.bodyOnly(request, counted: string.plain, cause: .bodyMissing).finish()
    }

    private func down(_ response: ObservedResponse) -> DirectionEstimate? {
        if let length = response.shownLength(on: platform), length > 0 {
            return DirectionCount.bodyOnly(response, counted: length, cause: .expectedLength).finish()
        }
        // What stays coded is no text.
        let isDecoded = platform == .ios ? response.fields.contentCoding != .foreign : response.isReadByOkHttp
        guard isDecoded, let string = response.body.characters else { return nil }
        let counted = string.plain == 0 || !quotes ? string.plain : string.quoted
        return DirectionCount.bodyOnly(response, counted: counted, cause: .bodyDecoded).finish()
    }
}

/// The network library below React Native's XMLHttpRequest. Raw values are words of parameters.
private enum ReactNativePlatform: String {
    /// OkHttp: it undoes gzip, and no other coding, and removes Content-Length then.
    case android
    /// NSURLSession: it undoes codings and keeps Content-Length.
    case ios
}

extension EstimatorDescription.Parameter {
    fileprivate static let platform = Self(
        "platform", ["android", "ios"],
        "android: OkHttp undoes gzip and removes Content-Length. ios: NSURLSession undoes codings and keeps it.")
}

extension EstimatorParameters {
    fileprivate var reactNativePlatform: ReactNativePlatform {
        ReactNativePlatform(rawValue: self["platform"]) ?? .android
    }
}

extension ObservedBody {
    fileprivate var characters: StringUnits? { content == 0 ? .empty : string }
}

extension ObservedResponse {
    /// Content-Length as the app is shown it.
    fileprivate func shownLength(on platform: ReactNativePlatform) -> Int? {
        platform == .android && isGunzipped ? nil : fields.contentLength
    }

    fileprivate var isReadByOkHttp: Bool { isGunzipped || fields.contentCoding == .none }
}
