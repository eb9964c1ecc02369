/// The formula of SDKs that read a task's own counters: bytes of the request's body as given to the loader, and of the
/// data as delivered. One record for a task; what its earlier hops moved is not in it.
func taskCountsOutcome(_ exchange: ObservedExchange) -> EstimateOutcome {
    guard let request = exchange.request else { return .unknown }
    if exchange.response?.isRedirect == true { return .unseen(.redirect) }
    let down = DirectionCount.delivered(exchange.response) ?? .unknown
    let up = DirectionCount.bodyOnly(request, counted: request.body.content, cause: .bodyMissing)
    return .recorded(up: up.finish(), down: down)
}

/// The formula of SDKs that read the lengths of bodies as they are transferred: content with its coding, without
/// framing. One record for a call.
func encodedBodiesOutcome(_ exchange: ObservedExchange) -> EstimateOutcome {
    guard let request = exchange.request else { return .unknown }
    if exchange.response?.isRedirect == true { return .unseen(.redirect) }
    return encodedBodies(request, exchange.response)
}

/// Both bodies as content with its coding, without framing.
func encodedBodies(_ request: ObservedRequest, _ response: ObservedResponse?) -> EstimateOutcome {
    let up = DirectionCount.bodyOnly(request, counted: request.body.content, cause: .bodyMissing).finish()
    let down = response.map { DirectionCount.bodyOnly($0, counted: $0.body.content, cause: .bodyMissing).finish() }
    return .recorded(up: up, down: down ?? DirectionCount().finishWithoutFigure())
}

/// Messages as they are transferred: head, body and all framing, without interim responses.
func wholeMessages(_ request: ObservedRequest?, _ response: ObservedResponse?) -> EstimateOutcome {
    let up = request.map { DirectionCount.metrics($0, MetricsRules.wholeMessage).finish().totalOnly }
    let down = response.map { DirectionCount.metrics($0, MetricsRules.wholeMessage).finish().totalOnly }
    return .recorded(up: up, down: down ?? DirectionCount().finishWithoutFigure())
}
