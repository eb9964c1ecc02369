/// Parameters that several estimators share, so that they have the same words everywhere.
extension EstimatorDescription.Parameter {
    /// - Parameter standard: the profile that is the default.
    static func headers(_ standard: String) -> Self {
        let words = ["article", "min", "full", "loader"]
        return Self(
            "headers", [standard] + words.filter { $0 != standard },
            """
            Request fields that the hook does not see, because the loader adds them later. article: Host, Accept, \
            Connection. min: those and Accept-Language, Accept-Encoding, User-Agent, Content-Length. full: none. \
            loader: Host, Content-Length, Transfer-Encoding, Connection, Accept-Encoding, User-Agent, \
            Accept-Language. Or your own list of hidden names joined by +, such as host+accept+cookie; a list of one \
            unusual name begins with +. Cookies count unless the list names them.
            """, open: .fieldNames)
    }

    static func body(_ standard: RequestBodySource) -> Self {
        let words = [RequestBodySource.stream, .data, .none]
        return Self(
            "body", [standard.rawValue] + words.filter { $0 != standard }.map(\.rawValue),
            """
            Where the request's body is when the SDK looks. stream: in the body stream, as inside a URL protocol. \
            data: in the request's body data. none: not in the request, as with upload tasks.
            """)
    }

    static let transferEncoding = Self(
        "te", ["Identity", "chunked"],
        "How the platform shows the value of Transfer-Encoding: chunked. Older systems show Identity.")

    static let expectedLength = Self(
        "ecl", ["unknown", "contentLength", "decoded"],
        """
        The expected length of a body that the platform decodes. unknown: -1. contentLength: the coded size that the \
        field gives. decoded: the size after decoding.
        """)

    static let merge = Self(
        "merge", ["comma-space", "comma"], "What joins the values of equal fields in the header dictionary.")

    static let metricsRules = [chunkedBug, headerFraming]

    static let chunkedBug = Self(
        "metricsChunkedBug", ["off", "on"],
        "on: the system reports chunked response bodies as 0 bytes, as one report claims.")

    private static let headerFraming = Self(
        "h2HeaderFraming", ["included", "excluded"],
        """
        Whether the headers of HTTP/2's HEADERS and CONTINUATION frames, nine bytes each, belong to the head; the \
        documentation does not say.
        """)
}

extension EstimatorParameters {
    var bodySource: RequestBodySource { RequestBodySource(rawValue: self["body"]) ?? .stream }
    var expectedLengthRule: ExpectedLengthRule { ExpectedLengthRule(rawValue: self["ecl"]) ?? .unknown }
    var mergeSeparator: Int { self["merge"] == "comma" ? 1 : 2 }
    /// Bytes that stand for the value `chunked`.
    var chunkedValue: Int { self["te"].utf8.count }
    var metricsRules: MetricsRules {
        MetricsRules(
            hasChunkedBug: self["metricsChunkedBug"] == "on", countsHeaderFrames: self["h2HeaderFraming"] != "excluded")
    }
}
