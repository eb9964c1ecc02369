import WireEstimates
import WireLogs

extension ClientPlatform {
    /// The platform whose network library an estimator hooks.
    init(estimator id: String) {
        switch id.prefix(while: { $0 != ":" }) {
        case "okhttp", "matrix", "android-uid", "cronet", "firebase-android", "datadog-android", "embrace-android",
            "chucker", "argusapm", "dokit-android":
            self = .android
        case "har-chrome", "resource-timing": self = .browser
        case "otel": self = .openTelemetry
        case "har", "netlog", "qlog", "firebase", "sentry", "datadog", "newrelic", "flutter",
            "datadog-react-native", "instabug-react-native":
            self = .unknown
        default: self = .apple
        }
    }

    /// The one change that makes an SDK record what was transferred.
    var transferAdvice: String {
        switch self {
        case .apple:
            """
            Record the byte counts of each URLSessionTaskTransactionMetrics (countOfRequestHeaderBytesSent, \
            countOfRequestBodyBytesSent, countOfResponseHeaderBytesReceived, countOfResponseBodyBytesReceived) instead of \
            counting the text of messages.
            """
        case .android:
            """
            Record what is transferred. Cronet: getSentByteCount and getReceivedByteCount of RequestFinishedInfo.Metrics. \
            OkHttp: byteCount of requestBodyEnd and responseBodyEnd of an EventListener, and the fields that a network \
            interceptor sees. HttpURLConnection has no counts: wrap its streams.
            """
        case .browser:
            """
            Record encodedBodySize of PerformanceResourceTiming: the body as transferred. transferSize is that and a constant \
            300 bytes for the head; a page cannot see heads as they are sent.
            """
        case .openTelemetry:
            "Record http.request.size and http.response.size as they are defined: messages as transferred, with their heads."
        case .unknown:
            """
            Record the counts of transferred bytes that the network library has, of heads and bodies, instead of counting \
            the text of messages.
            """
        }
    }
}

extension ErrorCause {
    /// Counts of transferred bytes have no such error: one change removes all of these.
    var isRemovedByTransferCounts: Bool {
        switch self {
        case .startLineEnd, .fieldLineEnd, .emptyLine, .fieldsMissing, .fieldsFormat, .fieldsRewritten,
            .fieldsNotCounted, .startLineNotCounted, .startLineRewritten, .reasonGuessed, .cookie, .queryDropped,
            .pathRewritten, .headerCompression, .bodyMissing, .bodyRecompressed, .bodyDecoded, .encodingTest,
            .expectedLength, .chunkFraming, .lastBlockOnly:
            true
        default: false
        }
    }

    /// `advice` in the words of the platform; neutral ones where it is not known.
    func advice(on platform: ClientPlatform) -> String? {
        guard platform != .apple, let advice else { return advice }
        return headAdvice(on: platform) ?? bodyAdvice ?? callAdvice ?? advice
    }

    private func headAdvice(on platform: ClientPlatform) -> String? {
        switch self {
        case .fieldsMissing, .fieldsRewritten, .headerCompression: platform.transferAdvice
        case .fieldsNotCounted: "Count each field as name, colon, space, value and CRLF."
        case .startLineRewritten: "Count the request line as it is sent: the URL does not show it."
        case .reasonGuessed: "Count the reason phrase that was received: servers send their own, and HTTP/2 has none."
        case .cookie: "Count the Cookie field that was sent, not the cookies that are stored when the row is written."
        case .queryDropped: "Append a question mark and the encoded query to the path."
        case .pathRewritten: "Count the path as the URL encodes it, with a trailing slash."
        default: nil
        }
    }

    private var bodyAdvice: String? {
        switch self {
        case .bodyMissing: "Count the body of the request while it is sent."
        case .bodyRecompressed: "Do not compress the body again: count the bytes that were transferred."
        case .bodyDecoded: "Count the body as it is transferred, before it is decompressed."
        case .encodingTest:
            "Compare Content-Encoding case-insensitively and support br, deflate and zstd in addition to gzip."
        case .expectedLength: "Do not record the length that is announced: count the bytes received."
        case .chunkFraming: "Count chunk framing with the body."
        case .lastBlockOnly: "Add up all blocks of data, not just the last."
        default: nil
        }
    }

    private var callAdvice: String? {
        switch self {
        case .redirect: "Write a row for each hop of a redirection."
        case .cache: "Do not count answers from the cache."
        case .failure:
            "Record failed and cancelled calls too, with the bytes that were sent and received until then, not with zeros."
        case .scope:
            """
            Put the SDK into each HTTP client of the app; web views and sockets remain invisible, so compare with the \
            counters of the interface.
            """
        case .rowMissing: "Write one row for each call, with both sizes, when it completes."
        case .merge: "Keep the counts of a call under an id of its own, so that concurrent calls are not mixed up."
        case .attribution: "Count each call by itself instead of with a shared counter."
        case .handshake:
            "An app cannot count these bytes; add a calibration constant for each call that opens a connection."
        case .dns: "An app cannot count these bytes; add a calibration constant for each call that looks up its host."
        case .tunnel: "Count the messages of a WebSocket as they are sent and received."
        default: nil
        }
    }
}
