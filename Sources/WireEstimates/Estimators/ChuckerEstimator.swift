/// Chucker: header fields as text, and bodies as an interceptor gets them (https://github.com/ChuckerTeam/chucker).
public struct ChuckerEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "chucker", title: "Chucker", evidence: .source,
        source: "ChuckerTeam/chucker, RequestProcessor.kt, ResponseProcessor.kt",
        sees: "Calls of OkHttp, with their last response.",
        cannotSee: """
            Start lines and framing; fields that OkHttp adds later, cookies among them; compressed sizes where OkHttp \
            decompresses; bodies that the app did not read to their end; hops of redirections.
            """,
        counts: """
            Request: Headers.byteCount(), which is name, value and four for each field, plus the body's contentLength, \
            -1 where it is not known. Response: Headers.byteCount() plus the bytes read of the body. Without \
            Content-Length and Content-Encoding where OkHttp decompresses.
            """,
        parameters: [
            .init(
                "headers", ["okhttp", "full"],
                """
                Request fields that OkHttp adds later. okhttp: Host, Connection, Content-Length, Content-Type, \
                Transfer-Encoding, Accept-Encoding, User-Agent, Cookie. full: none. Or your own list of hidden names \
                joined by +; a list of one unusual name begins with +.
                """, open: .fieldNames),
            .init("total", ["all", "body"], "body: the body alone, which it keeps apart."),
            .gunzip,
        ])

    private let hidden: HiddenFields
    private let countsFields: Bool
    private let gunzips: Bool

    public init(_ parameters: EstimatorParameters) {
        hidden = HiddenFields(parameters["headers"])
        countsFields = parameters["total"] == "all"
        gunzips = parameters["gunzip"] == "okhttp"
    }

    public var needs: ContentNeeds { gunzips ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        var up = head(of: request, hidden)
        up.countBody(request.declaredBody ?? 0, of: request.body, .expectedLength)
        guard let response = exchange.response else {
            return .recorded(up: up.finish(), down: DirectionCount().finishWithoutFigure())
        }
        return .recorded(up: up.finish(), down: down(response) ?? .unknown)
    }

    private func down(_ response: ObservedResponse) -> DirectionEstimate? {
        let isGunzipped = gunzips && response.isGunzipped
        let removed = HiddenFields(isGunzipped ? "content-encoding+content-length" : "full")
        var count = head(of: response, removed)
        guard response.isComplete else {
            count.skipBody(response.body, .failure)
            return countsFields ? count.finish() : count.finishWithoutFigure()
        }
        guard let read = response.okHttpBody(gunzips: gunzips).read else { return nil }
        count.countBody(read, of: response.body, .bodyDecoded)
        return count.finish()
    }

    private func head<Message: ObservedMessage>(of message: Message, _ hidden: HiddenFields) -> DirectionCount {
        var count = DirectionCount()
        guard countsFields else {
            count.skipHead(of: message)
            return count
        }
        message.skipStartLine(&count)
        count.countFields(of: message, as: FieldFormat(style: .text(lineEnd: 2), hidden: hidden))
        return count
    }
}
