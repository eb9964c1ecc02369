/// Lengths that OkHttp tells an interceptor of the app, which looks before a body is sent and after OkHttp undid what it
/// does of its own accord (https://square.github.io/okhttp/features/interceptors/). -1 stands for a length that is not known.
extension ObservedRequest {
    /// `RequestBody.contentLength()`; nil without a body.
    var declaredBody: Int? {
        if fields.contains(.transferEncoding) { return -1 }
        return fields.contentLength ?? (body.content > 0 ? -1 : nil)
    }
}

extension ObservedResponse {
    /// The body as an interceptor of the app gets it.
    ///
    /// - Parameter gunzips: OkHttp asked for gzip itself, and undoes it. Content-Length and Content-Encoding are gone then.
    /// - Returns: `ResponseBody.contentLength()`, and the bytes that can be read; nil where these are not known.
    func okHttpBody(gunzips: Bool) -> (declared: Int, read: Int?) {
        if gunzips && isGunzipped { return (-1, delivered) }
        return (fields.contains(.transferEncoding) ? -1 : fields.contentLength ?? -1, body.content)
    }

    /// OkHttp undoes gzip where it asked for it: `gzip` in any case is the whole value.
    var isGunzipped: Bool {
        let last = fields.fields.last { $0.known == .contentEncoding }
        guard body.content > 0, let field = last else { return false }
        return fields.isEqual(field.value, "gzip")
    }

    /// What an SDK has that counts the length that is told, or else what can be read. Nil: not known.
    func declaredOrRead(gunzips: Bool, leastDeclared: Int = 0) -> DirectionEstimate? {
        let (declared, read) = okHttpBody(gunzips: gunzips)
        if declared >= leastDeclared {
            return DirectionCount.bodyOnly(self, counted: declared, cause: .expectedLength).finish()
        }
        guard isComplete else { return DirectionCount.uncounted(self, .failure) }
        return read.map { DirectionCount.bodyOnly(self, counted: $0, cause: .bodyDecoded).finish() }
    }
}

extension DirectionCount {
    /// A message of which an SDK that counts bodies has no figure.
    static func uncounted<Message: ObservedMessage>(_ message: Message, _ cause: ErrorCause) -> DirectionEstimate {
        var count = DirectionCount()
        count.skipHead(of: message)
        count.skipBody(message.body, cause)
        return count.finishWithoutFigure()
    }
}

extension EstimatorDescription.Parameter {
    static let gunzip = Self(
        "gunzip", ["okhttp", "app"],
        """
        okhttp: the app leaves gzip to OkHttp, which undoes it before the SDK looks, and drops Content-Length. app: the \
        app asks for codings itself, or the SDK looks before OkHttp.
        """)
}
