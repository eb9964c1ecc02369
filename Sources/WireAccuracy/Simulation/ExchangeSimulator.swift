import WireCore
import WireEstimates

/// What the chosen estimators would have recorded for each exchange of a capture.
///
///     let simulator = ExchangeSimulator(try EstimatorCatalog.choose("standard"), jobs: 2)
///     // audit with options.keepsHeads and with examiner: simulator.examiner
///     let simulation = simulator.simulate(&record)       // records in the order of their times
public struct ExchangeSimulator {
    public let estimators: [ChosenEstimator]
    /// To be given to the audit; nil where nobody looks at bodies.
    public let examiner: ContentExaminer?
    private var observer = ExchangeObserver()

    /// The redirection that led to the exchange simulated last.
    package var redirect: RedirectLinks.Finding { observer.redirect }

    /// - Parameters:
    ///   - needs: what is wanted of bodies beyond what the estimators need.
    ///   - recompresses: re-compression costs far more time than anything else; without it estimators that need it have
    ///     no figure.
    ///   - jobs: threads that may be used.
    public init(
        _ estimators: [ChosenEstimator], needs: ContentNeeds = [], recompresses: Bool = true, jobs: Int,
        limits: ContentLimits = ContentLimits()
    ) {
        self.estimators = estimators
        var needs = estimators.reduce(needs) { $0.union($1.estimator.needs) }
        if !recompresses { needs.remove(.recompression) }
        examiner = needs.isEmpty ? nil : ContentExaminer(needs: needs, jobs: jobs, limits: limits)
    }

    /// What was recorded by each estimator, in their order. Completes the record's decoded sizes.
    public mutating func simulate(_ record: inout ExchangeRecord) -> (ObservedExchange, [EstimateOutcome]) {
        let exchange = observer.observe(record)
        // The bytes of a tunnel stand where a stream's body would.
        let isKnown = { [isStream = record.stream != nil] (facts: MessageFacts?) in
            facts.map { $0.complete && !(isStream && $0.framing == .tunnel) } ?? false
        }
        let request = isKnown(record.request) ? exchange.request?.body.decoded : nil
        let response = isKnown(record.response) ? exchange.response?.body.decoded : nil
        record.decodedBody =
            record.isReversed ? Directions(up: response, down: request) : Directions(up: request, down: response)
        return (exchange, estimators.map { $0.estimator.estimate(exchange) })
    }
}
