/// Resource Timing, which every browser and web view has: `transferSize`
/// (https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-transfersize).
public struct ResourceTimingEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "resource-timing", aliases: ["performanceresourcetiming"], title: "W3C Resource Timing",
        evidence: .documentation, source: "W3C Resource Timing, PerformanceResourceTiming: transferSize",
        sees: "Resources of a page; hops of redirections are part of the last one's entry, without their bytes.",
        cannotSee: """
            Requests; true sizes of heads; framing; hops of redirections; responses that were cut; resources of other \
            origins without Timing-Allow-Origin.
            """,
        counts: """
            Request: nothing. Response: the body before decoding plus 300, which stands for the head; for a 304 that is \
            300. era=heads: the whole message, as earlier drafts asked for. tao=no: 0.
            """,
        parameters: [
            .init(
                "era", ["constant", "heads"],
                "constant: 300 bytes stand for the head. heads: head and framing as received, as in earlier drafts."),
            .init(
                "tao", ["yes", "no"],
                "no: a resource of another origin whose response has no Timing-Allow-Origin, which has no sizes."),
        ])

    /// Bytes that stand for any head: its true size would tell of cookies.
    private static let head = 300
    private let countsHeads: Bool
    private let isAllowed: Bool

    public init(_ parameters: EstimatorParameters) {
        countsHeads = parameters["era"] == "heads"
        isAllowed = parameters["tao"] == "yes"
    }

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard exchange.request != nil else { return .unknown }
        guard let response = exchange.response else { return .unseen(.failure) }
        if response.isRedirect { return .unseen(.redirect) }
        guard response.isComplete else {
            return .recorded(up: nil, down: DirectionCount.uncounted(response, .failure))
        }
        guard isAllowed else { return .recorded(up: nil, down: DirectionCount.uncounted(response, .scope)) }
        if countsHeads { return wholeMessages(nil, response) }
        var count = DirectionCount.bodyOnly(response, counted: response.body.content, cause: .bodyMissing)
        count.charge(ResourceTimingEstimator.head, for: 0, .fieldsFormat)
        count.headers = ResourceTimingEstimator.head
        return .recorded(up: nil, down: count.finish())
    }
}
