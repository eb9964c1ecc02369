extension JoinModel {
    /// A row and its exchange, from which a model learns.
    struct Sample {
        var row: LogRow
        var moments: CallMoments
        var isFirst: Bool
        var isFailed: Bool
        /// Its end is when the requester closed.
        var isGivenUp: Bool
        var outcome: FailureRates.Outcome
        var tellsFailure: Bool
        /// No other exchange fits.
        var isCertain: Bool
    }
}
