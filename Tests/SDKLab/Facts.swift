import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sizes by the formula of DMURLProtocol, bytes.
struct Sizes: Sendable {
    var line = 0
    var headers = 0
    var body = 0

    var sum: Int { line + headers + body }
}

/// What an SDK takes from a request.
struct RequestFacts: Sendable {
    var call: String?
    var url: String
    var host: String
    /// Decoded, without query, as `URL.path` has it.
    var path: String
    var method: String
    var sizes = Sizes()
    /// DoKit's figure: headers as pretty-printed JSON, and the body data. Streams count as nothing, as DoKit has it for
    /// methods other than POST.
    var doKit = 0

    init(_ request: URLRequest) {
        call = request.value(forHTTPHeaderField: callField)
        url = request.url?.absoluteString ?? ""
        host = request.url?.host ?? ""
        path = request.url?.path ?? ""
        method = request.httpMethod ?? "GET"
        var headers = request.allHTTPHeaderFields ?? [:]
        if let url = request.url, let cookies = HTTPCookieStorage.shared.cookies(for: url), !cookies.isEmpty {
            headers["Cookie"] = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
        }
        let body = request.httpBody ?? Data()
        sizes.line = "\(method) \(path) HTTP/1.1\n".utf8.count
        sizes.headers = headers.lineBytes
        // A stream is read only where the body has a coding (and then while it goes out: none of the plan's has one).
        let hasCoding = headers.contains { $0.key.lowercased() == "content-encoding" }
        sizes.body = hasCoding ? Compression.gzip(body).count : body.count
        doKit = headers.jsonBytes + body.count
    }
}

/// What an SDK takes from a response.
struct ResponseFacts: Sendable {
    var status: Int
    var expectedLength: Int64
    var sizes = Sizes()
    var doKit = 0
    private var isGzip: Bool
    private var jsonBytes: Int

    init(_ response: HTTPURLResponse, body: Data) {
        status = response.statusCode
        expectedLength = response.expectedContentLength
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        isGzip = headers.first { $0.key.lowercased() == "content-encoding" }?.value == "gzip"
        // The reason phrase is the platform's: the one on the wire is not to be had.
        let reason = HTTPURLResponse.localizedString(forStatusCode: status)
        sizes.line = "HTTP/1.1 \(status) \(reason)".utf8.count
        sizes.headers = headers.lineBytes
        jsonBytes = headers.jsonBytes
        setBody(body)
    }

    mutating func setBody(_ body: Data) {
        sizes.body = isGzip ? Compression.gzip(body).count : body.count
        doKit = jsonBytes + (expectedLength >= 0 ? Int(expectedLength) : body.count)
    }
}

extension [String: String] {
    /// Bytes of lines `name: value`, each with a line feed.
    fileprivate var lineBytes: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 3 } }

    /// Bytes of the dictionary as pretty-printed JSON.
    fileprivate var jsonBytes: Int {
        let json = try? JSONSerialization.data(withJSONObject: self, options: .prettyPrinted)
        return json?.count ?? 0
    }
}
