/// The formula of SDKs that read a task's own counters: bytes of the request's body as given to the loader, and of the
/// data as delivered. One record for a task; what its earlier hops moved is not in it.
func taskCountsOutcome(_ exchange: ObservedExchange) -> EstimateOutcome {
    guard let request = exchange.request else { return .unknown }
    if exchange.response?.isRedirect == true { return .unseen(.redirect) }
    let down = DirectionCount.delivered(exchange.response) ?? .unknown
    let up = DirectionCount.bodyOnly(request, counted: request.body.content, cause: .bodyMissing)
    return .recorded(up: up.finish(), down: down)
}
