import WireLogs

extension JoinModel {
    /// A row and its exchange, from which a model learns.
    package struct Sample {
        package var row: LogRow
        var moments: CallMoments
        package var isFirst: Bool
        package var isFailed: Bool
        /// Its end is when the requester closed.
        package var isGivenUp: Bool
        package var outcome: FailureRates.Outcome
        package var tellsFailure: Bool
        /// No other exchange fits.
        package var isCertain: Bool
    }
}
