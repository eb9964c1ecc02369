import WireAccuracy
import WireEstimates
import WireLogs
import WireStatistics

/// Sums and errors of some calls in one direction.
struct SampleTally {
    var coverage = Coverage()
    var errors: [Int] = []
    var message = 0
    var wire = 0
    var estimate = 0
    var wireErrors: [Int] = []
    var causes = CauseLedger()
    var messageCauses = CauseLedger()
    var unseen = CauseLedger()

    /// Takes one call in; its figures where the source gives one.
    mutating func add(
        _ api: SampleAPI, call: Int, to source: SampleSource, isUp: Bool
    ) -> (message: Int, wire: Int, estimate: Int)? {
        let message = isUp ? api.requestMessage : api.responseMessage
        let wire = message + api.transport
        if let reason = source.unseen(api, call) {
            count(message, wire)
            unseen[reason] -= message
            return nil
        }
        guard !source.isUnknown(api, call), let posts = isUp ? source.up(api) : source.down(api) else { return nil }
        count(message, wire)
        coverage.recordedCalls += 1
        coverage.recordedMessageBytes += message
        coverage.recordedWireBytes += wire
        var ledger = CauseLedger()
        for (cause, bytes) in posts { ledger[cause] += bytes }
        messageCauses += ledger
        let estimate = message + ledger.sum
        let carrying = isUp ? api.transport / 2 : api.transport * 3 / 4
        ledger[.tcpip] -= carrying
        ledger[.acknowledgments] -= api.transport - carrying
        errors.append(estimate - message)
        wireErrors.append(estimate - wire)
        self.message += message
        self.wire += wire
        self.estimate += estimate
        causes += ledger
        return (message, wire, estimate)
    }

    private mutating func count(_ message: Int, _ wire: Int) {
        coverage.calls += 1
        coverage.messageBytes += message
        coverage.wireBytes += wire
    }

    mutating func merge(_ other: SampleTally) {
        coverage += other.coverage
        errors += other.errors
        wireErrors += other.wireErrors
        message += other.message
        wire += other.wire
        estimate += other.estimate
        causes += other.causes
        messageCauses += other.messageCauses
        unseen += other.unseen
    }

    func row(source: Int, api: Int?, _ direction: Direction) -> AccuracyRow {
        var row = AccuracyRow(source: source, api: api, direction: direction)
        row.coverage = coverage
        row.message = statistics(errors, truth: message)
        row.wire = statistics(wireErrors, truth: wire)
        row.causes = causes
        row.messageCauses = messageCauses
        row.unseen = unseen
        return row
    }

    private func signedQuantiles(_ errors: [Int]) -> SignedQuantiles {
        func quantile(_ share: Double) -> Double { Double(errors[Int(share * Double(errors.count - 1))]) }
        var signed = SignedQuantiles()
        (signed.minimum, signed.maximum) = (errors.first ?? 0, errors.last ?? 0)
        (signed.low99, signed.high99) = (quantile(0.005), quantile(0.995))
        (signed.low90, signed.high90) = (quantile(0.05), quantile(0.95))
        (signed.low50, signed.median, signed.high50) = (quantile(0.25), quantile(0.5), quantile(0.75))
        return signed
    }

    private func statistics(_ errors: [Int], truth: Int) -> ErrorStatistics {
        var statistics = ErrorStatistics()
        guard !errors.isEmpty else { return statistics }
        let count = Double(errors.count)
        let sizes = errors.map { abs($0) }.sorted()
        func quantile(_ share: Double) -> Double { Double(sizes[Int(share * Double(sizes.count - 1))]) }
        statistics.count = errors.count
        statistics.truthTotal = truth
        statistics.estimateTotal = estimate
        statistics.bias = Double(errors.reduce(0, +)) / count
        let spread = errors.reduce(0.0) { $0 + (Double($1) - statistics.bias) * (Double($1) - statistics.bias) } / count
        let half = 1.96 * (spread / count).squareRoot()
        statistics.biasLow = statistics.bias - half
        statistics.biasHigh = statistics.bias + half
        statistics.meanAbsolute = Double(sizes.reduce(0, +)) / count
        statistics.medianAbsolute = quantile(0.5)
        statistics.rootMeanSquare = (errors.reduce(0.0) { $0 + Double($1) * Double($1) } / count).squareRoot()
        statistics.p50 = quantile(0.5)
        statistics.p90 = quantile(0.9)
        statistics.p99 = quantile(0.99)
        statistics.maximum = sizes.last ?? 0
        statistics.signed = signedQuantiles(errors.sorted())
        return statistics
    }
}
