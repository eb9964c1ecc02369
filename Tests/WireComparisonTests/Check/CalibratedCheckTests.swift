import Testing
import WireCore

@testable import WireAccuracy
@testable import WireComparison

private let noConstants =
    "the calibration does not apply: less than half of the calls are of APIs that it has a constant of"

@Suite("Checks with a calibration")
struct CalibratedCheckTests {
    /// The estimator of the sample is calibrated: of requests it has a constant of its own for these APIs, and the fallback for the
    /// others; of responses it has none.
    private func sample(own: Set<Int>) -> SampleAccuracy {
        var sample = SampleAccuracy(logs: false)
        sample.result.calibratedSource = 0
        sample.result.expectations = sample.result.apis.indices.map { api in
            var expectation = CalibrationExpectation(
                api: api, direction: .up, constant: Calibration.Constant(mean: 30, count: 8, deviation: 2))
            (expectation.isFallback, expectation.calls) = (!own.contains(api), sample.result.apiCalls[api])
            (expectation.variance, expectation.freedom) = (4, 7)
            return expectation
        }
        return sample
    }

    @Test(
        "judge APIs that have a constant of their own, and all of these together",
        arguments: [
            (
                [0, 1], "api * bias <= 10% up",
                ["violated dm up GET a /x: bias -50.0", "violated dm up POST a /y: bias 30.0"]
            ),
            (
                [1], "api * bias <= 10% up",
                [
                    "violated dm up GET a /x: bias -50.0",
                    "notApplicable dm up POST a /y: the calibration has no constant of its own for it",
                ]
            ),
            ([0, 1], "bias <= 30% up", ["passed dm up: bias -23.333333333333332"]),
            ([1], "bias <= 30% up", ["violated dm up: bias -50.0"]),
            ([1], "bias <= 60 B up", ["passed dm up: bias -50.0"]),
            // The fallback is no measure of an API, and constants of one call in five none of all calls.
            ([], "bias <= 30% up", ["unjudged dm up: " + noConstants]),
            ([0], "bias <= 30% up", ["unjudged dm up: " + noConstants]),
            (
                [], "api GET* bias <= 90% up",
                [
                    "notApplicable dm up GET a /x: the calibration has no constant of its own for it",
                    "violated dm up: none of the 1 APIs that \"GET*\" matches could be checked",
                ]
            ),
            (
                [1], "bias <= 60%",
                [
                    "passed dm up: bias -50.0",
                    "unjudged dm down: " + noConstants,
                ]
            ),
            // Other metrics, and errors against the wire, are judged as they are.
            ([], "api POST* error <= 70 B up", ["passed dm up POST a /y: error 60.0"]),
        ] as [(Set<Int>, String, [String])])
    func judged(own: Set<Int>, policy: String, outcomes: [String]) throws {
        let report = try sample(own: own).check(policy)
        #expect(report.outcomes.map(brief) == outcomes)
    }

    @Test("say what was expected of an API, and what was found")
    func finding() throws {
        let outcome = try #require(try sample(own: [1]).check("api GET* bias <= 10% up").outcomes.first)
        let found = try #require(outcome.calibration)
        #expect(found.expected == 30)
        #expect(found.fitted == 8 && found.calls == 4 && found.allCalls == 4)
        // A byte for each of four calls, and somewhat for the variance, of 400 bytes.
        #expect(found.allowance > 1 && found.allowance < 5)
        #expect(try sample(own: [1]).check("api * bias <= 10% up").outcomes.map(\.isUncalibrated) == [false, true])
    }
}
