import Testing
import WireEstimates
import WireTesting

@Suite("Properties of every estimator")
struct EstimatePropertyTests {
    private static let described = EstimatorCatalog.descriptions.filter(\.isSimulated)

    /// What is wrong with a direction; empty where all is right.
    private func faults(_ estimate: DirectionEstimate?, message: Int, sumsParts: Bool) -> [String] {
        guard let estimate, !estimate.isUnknown else { return [] }
        var faults: [String] = []
        let error = (estimate.total ?? 0) - message
        if estimate.causes.sum != error { faults.append("causes \(estimate.causes.sum), error \(error)") }
        let parts = [estimate.startLine, estimate.headers, estimate.body].compactMap { $0 }
        if sumsParts, !parts.isEmpty, estimate.total != parts.reduce(0, +) {
            faults.append("parts \(parts), total \(String(describing: estimate.total))")
        }
        return faults
    }

    @Test("causes sum to the error and parts to the total, for any exchange", arguments: 1...8 as ClosedRange<UInt64>)
    func balance(seed: UInt64) throws {
        var source = RandomExchange(seed: seed)
        var compared = 0
        for number in 0..<150 {
            let exchange = source.next()
            for description in Self.described {
                let text = source.choice(description)
                let estimator = try estimator(text)
                guard case .recorded(let up, let down) = estimator.estimate(exchange) else { continue }
                compared += 1
                // OkHttp's count of fields stands beside its figure.
                let sumsParts = description.id != "okhttp"
                let faults =
                    faults(up, message: exchange.request?.message ?? 0, sumsParts: sumsParts)
                    + faults(down, message: exchange.response?.message ?? 0, sumsParts: sumsParts)
                #expect(faults.isEmpty, "seed \(seed), exchange \(number), \(text)")
            }
        }
        #expect(compared > 150 * Self.described.count / 2, "seed \(seed)")
    }

    @Test("whole exchanges with known bodies always have an answer", arguments: [21, 22] as [UInt64])
    func noUnknowns(seed: UInt64) throws {
        var source = RandomExchange(seed: seed, isPlain: true)
        for number in 0..<200 {
            let exchange = source.next()
            // Of bodies that are no text Instabug has no length.
            for description in Self.described where !["firebase", "instabug-react-native"].contains(description.id) {
                let text = source.choice(description)
                #expect(try outcome(text, exchange) != "unknown", "seed \(seed), exchange \(number), \(text)")
            }
        }
    }

    @Test("estimators that need nothing of bodies do not look at what is known of them", arguments: [31] as [UInt64])
    func needs(seed: UInt64) throws {
        var source = RandomExchange(seed: seed, isPlain: true)
        for number in 0..<200 {
            let full = source.next()
            for description in Self.described {
                let text = source.choice(description)
                let estimator = try estimator(text)
                var bare = full
                bare.response?.body.keepOnly(estimator.needs)
                bare.request?.body.keepOnly(estimator.needs)
                bare.redirectedFrom?.body.keepOnly(estimator.needs)
                #expect(
                    figures(estimator.estimate(full)) == figures(estimator.estimate(bare)),
                    "seed \(seed), exchange \(number), \(text)")
            }
        }
    }

    private func figures(_ outcome: EstimateOutcome) -> [[Int?]] {
        switch outcome {
        case .recorded(let up, let down):
            [up, down].map { direction in
                (direction?.figures ?? []) + ErrorCause.allCases.map { direction?.causes[$0] }
            }
        case .unseen(let cause): [[cause.rawValue]]
        case .unknown: [[nil]]
        }
    }

    @Test("each value of each parameter matters to some exchange")
    func parametersMatter() throws {
        for description in Self.described {
            for parameter in description.parameters {
                for value in parameter.values.dropFirst() + openValues(parameter)
                where !Self.sameAsDefault.contains("\(description.id):\(parameter.name)=\(value)") {
                    #expect(
                        try differs(description, parameter.name, value),
                        "\(description.id): \(parameter.name)=\(value)")
                }
            }
        }
    }

    /// A body that the SDK does not find counts 0 wherever it is; one that it finds counts the same.
    private static let sameAsDefault = ["hertz:body=none", "flex:body=stream"]
    /// Some parameters only matter beside another one.
    private static let besides = [
        "lastBlock": ":path=delegate", "mtnm:body": ":os=pre13", "datadog:metricsChunkedBug": ":figure=encoded",
    ]

    private func openValues(_ parameter: EstimatorDescription.Parameter) -> [String] {
        switch parameter.open {
        case .fieldNames: ["accept+cookie"]
        case .bytes: ["12"]
        case nil: []
        }
    }

    private func differs(_ description: EstimatorDescription, _ name: String, _ value: String) throws -> Bool {
        let beside = Self.besides[name] ?? Self.besides["\(description.id):\(name)"] ?? ""
        let standard = try estimator(description.id + beside)
        let changed = try estimator("\(description.id)\(beside):\(name)=\(value)")
        var source = RandomExchange(seed: 5)
        for _ in 0..<2000 {
            let exchange = source.next()
            if figures(standard.estimate(exchange)) != figures(changed.estimate(exchange)) { return true }
        }
        return false
    }
}

extension ObservedBody {
    /// Forgets what nobody asked for. The size of a body that is not coded is known all the same.
    fileprivate mutating func keepOnly(_ needs: ContentNeeds) {
        if !needs.contains(.decodedSizes) { decoded = nil }
        if !needs.contains(.recompression) { recompressed = nil }
        if !needs.contains(.text) { isText = nil }
        if !needs.contains(.strings) { string = nil }
    }
}
