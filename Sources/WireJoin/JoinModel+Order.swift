import WireLogs

/// How likely pairs are where the order of a log takes the place of times.
extension JoinModel {
    /// Of a pair, but for times; nil where the two cannot be one.
    func orderedCost(_ row: LogRow, isFailure: Bool, _ call: WireCall) -> Int32? {
        statusCost(row, call).map { $0 + failures.cost(call.outcome, tellsFailure: isFailure) - recordedCost }
    }

    /// Of a row without exchange: order puts it where it stands.
    func orderedLeaveCost(_ row: LogRow) -> Int32 {
        thousandths(-orphaned.share(tellsFailure: row.tellsFailure).naturalLogarithm)
    }
}
