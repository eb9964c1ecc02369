import Testing
import WireAccuracy
import WireComparison
import WireRecords
import WireReport

@Suite("Calibrations in reports")
struct CalibrationReportTests {
    private func calibration() -> Calibration {
        func constant(_ mean: Double, _ count: Int) -> Calibration.Constant {
            Calibration.Constant(mean: mean, count: count, deviation: count > 1 ? 2.5 : nil)
        }
        var conditions = CalibrationConditions(source: "sdk \"1\".har", format: .har)
        conditions.files = ["a.pcap"]
        (conditions.first, conditions.split, conditions.last) = (1_000_000_000, 2_500_000_000, 4_000_000_001)
        (conditions.http, conditions.tls) = (["HTTP/1.1": 30, "HTTP/2": 5], ["none": 35])
        (conditions.figures, conditions.recorded) = (40, 35)
        var side = Calibration.Side()
        side.calls = 17
        side.constants = Calibration.Constants(message: constant(60.125, 17), transport: constant(104, 17))
        var heldOut = Calibration.HeldOut()
        heldOut.calls = 18
        (heldOut.message.truth, heldOut.message.before, heldOut.message.after) = (10_000, -460, -8)
        heldOut.message.withFallback = 13
        (heldOut.wire.truth, heldOut.wire.before, heldOut.wire.after) = (20_000, -2480, 100)
        side.heldOut = heldOut
        var api = Calibration.API(name: "GET a /x")
        api.up = Calibration.Side()
        api.up?.calls = 3
        return Calibration(
            conditions: conditions, up: Calibration.Total(all: side, setup: constant(1280.5, 4)), down: nil, apis: [api]
        )
    }

    @Test("are read as they were written")
    func roundTrip() throws {
        let written = calibration()
        let text = calibrationJSON(written).text
        #expect(try StrictJSON.parse(text)["schema"]?.string == "wireaudit.calibration/2")
        let read = try Calibration(json: Array(text.utf8))
        #expect(read.up?.all.constants == written.up?.all.constants)
        #expect(read.up?.setup == written.up?.setup)
        #expect(read.down == nil)
        #expect(read.apis.map(\.name) == ["GET a /x"])
        #expect(read.apis.first?.up?.constants == nil)
        #expect(read.conditions.source == written.conditions.source)
        #expect(read.conditions.format == .har)
        #expect(read.conditions.http == written.conditions.http)
        #expect(
            text.contains("\"relative_before\":-0.046,\"relative_with_fallback\":0.0013,\"relative_after\":-0.0008"))
        for length in stride(from: 0, to: text.utf8.count - 1, by: 7) {
            #expect(throws: PolicyError.self) { try Calibration(json: Array(text.utf8.prefix(length))) }
        }
    }

    @Test(
        "refuse what is no calibration",
        arguments: [
            ("{}", "it has no schema"), ("[]", "expected an object at byte 1"),
            ("{\"schema\":\"wireaudit.accuracy/1\"}", "its schema is \"wireaudit.accuracy/1\""),
            ("{\"schema\":\"wireaudit.calibration/2\"}", "it has no constants"),
            ("{\"all\":{\"up\":{\"fitted_calls\":1}}}", "a direction has no constants at byte 31"),
        ])
    func refuses(json: String, what: String) {
        let found = #expect(throws: PolicyError.self) { try Calibration(json: Array(json.utf8)) }
        #expect(found?.message.hasSuffix(what) == true, "\(found?.message ?? "")")
    }

    @Test("say what they are worth on later calls")
    func words() {
        let text = calibrationText(calibration(), path: "app.json", style: TerminalStyle(width: 400)).text
        #expect(text.contains("Fitted to the calls before 1970-01-01 00:00:02.500 UTC, checked on the later ones"))
        #expect(
            text.contains(
                "requests, 18 later calls: error against messages -4.6 % before, +0.13 % with the fallback alone, "
                    + "-0.08 % with one constant per API; against wire bytes -12.4 % before"), "\(text)")
        #expect(text.contains("+1280.5 B for each connection (4)"), "\(text)")
        var effect = CalibrationEffect()
        (effect.up.calls, effect.up.byFallback, effect.up.message, effect.up.wire) = (12, 2, 1000, 2000)
        (effect.up.messageBefore, effect.up.messageAfter, effect.up.wireBefore, effect.up.wireAfter) = (
            -46, 1, -248, 10
        )
        #expect(
            calibrationLines(effect, path: "app.json") == [
                "calibrated by app.json: request error -4.6 % becomes +0.1 % against messages, -12.4 % becomes +0.5 % "
                    + "against wire bytes (12 calls, 2 of them by the fallback)"
            ])
    }
}
