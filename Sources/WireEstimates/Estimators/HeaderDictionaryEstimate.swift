/// The formula that Wedjat and DoKit share: header dictionaries as pretty-printed JSON, plus bodies. One record for a
/// task, with the request it began with and its final response.
struct HeaderDictionaryEstimate: Sendable {
    private let requestFields: FieldFormat
    private let responseFields: FieldFormat
    private let rule: ExpectedLengthRule

    static let parameters: [EstimatorDescription.Parameter] = [.transferEncoding, .expectedLength, .merge]

    init(_ parameters: EstimatorParameters) {
        requestFields = FieldFormat(
            style: .json, hidden: HiddenFields(parameters["headers"]), mergeSeparator: parameters.mergeSeparator)
        responseFields = FieldFormat(
            style: .json, mergeSeparator: parameters.mergeSeparator, chunkedValue: parameters.chunkedValue)
        rule = parameters.expectedLengthRule
    }

    /// - Parameter findsBody: whether the SDK finds the body of such a request.
    func estimate(_ exchange: ObservedExchange, findsBody: (ObservedRequest) -> Bool) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = up(original, findsBody: findsBody(original), sent: request) ?? .unknown
        let down = down(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }

    private func up(_ request: ObservedRequest, findsBody: Bool, sent: ObservedRequest) -> DirectionEstimate? {
        guard let size = findsBody ? request.bodyGiven : 0 else { return nil }
        var count = DirectionCount()
        count.skipRequestLine(of: request)
        count.countFields(of: request, as: requestFields)
        count.countBody(size, of: request.body, findsBody ? .failure : .bodyMissing)
        count.stand(for: request, sent: sent)
        return count.finish()
    }

    private func down(_ response: ObservedResponse?) -> DirectionEstimate? {
        var count = DirectionCount()
        guard let response else {
            count.headers = 0
            count.body = 0
            return count.finish()
        }
        guard let (size, cause) = response.expectedOrDelivered(rule) else { return nil }
        count.skipStatusLine(of: response)
        count.countFields(of: response, as: responseFields)
        count.countBody(size, of: response.body, cause)
        return count.finish()
    }
}
