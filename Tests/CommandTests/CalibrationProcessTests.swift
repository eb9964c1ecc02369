import Foundation
import Testing
import WireTesting

@Suite("The program: baselines and calibrations")
struct CalibrationProcessTests {
    private let folder: TemporaryFolder
    private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/shop")
    private let capture = Self.shop.appending(path: "capture.pcap").path
    private let log = Self.shop.appending(path: "traffic.ndjson").path

    init() throws { folder = try TemporaryFolder() }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The log of an SDK whose figures are larger by a share.
    private func grownLog(by share: Double) throws -> String {
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
            var row = try object(String(line))
            let length = try #require(row["length"] as? Int)
            let more = Int(Double(length) * share)
            row["length"] = length + more
            row["bodyLength"] = try #require(row["bodyLength"] as? Int) + more
            return String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
        }
        return try folder.write("traffic.ndjson", Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    @Test("a run that grew by 5 % violates the baseline of an earlier one, and says by how much it may change")
    func baseline() throws {
        let json = try WireAuditProcess.run(["accuracy", "--format", "json", "--sdk-log", log, capture]).output
        let baseline = try folder.write("baseline.json", Array(json.utf8))
        let same = try WireAuditProcess.run(["check", "--baseline", baseline, "--sdk-log", log, capture])
        #expect(same.status == 0)
        #expect(same.output.contains("allowances from the spread of both runs"), "\(same.output)")
        let grown = try grownLog(by: 0.05)
        let worse = try WireAuditProcess.run(["check", "--baseline", baseline, "--sdk-log", grown, capture])
        #expect(worse.status == 1)
        #expect(worse.output.contains("% at equal message sizes; allowance ±"), "\(worse.output)")
        let tolerant = [
            "check", "--baseline", baseline, "--tolerance", "7%", "--sdk-log", grown, capture,
        ]
        #expect(try WireAuditProcess.run(tolerant).status == 0)
    }

    @Test("a violation names the API and the cause, also in JUnit")
    func causes() throws {
        let policy = try folder.write("a.policy", Array("api * bias <= 10% up\n".utf8))
        let text = try WireAuditProcess.run(["check", policy, capture]).output
        #expect(text.contains(" % exceeds 10 %; "))
        #expect(text.contains("header fields that the hook cannot see (H.missing)"), "\(text)")
        #expect(text.contains("(dmurlprotocol): request error -"), "\(text)")
        let total = try WireAuditProcess.run(["check", "--max-bias", "10%", "--format", "junit", capture]).output
        #expect(total.contains("header fields that the hook cannot see (H.missing)"), "\(total)")
        #expect(total.contains(" % of it in "), "\(total)")
    }

    @Test("a calibration is written from the first calls, and a later check is judged with it")
    func calibration() throws {
        let path = folder.path + "/app.cal.json"
        let written = try WireAuditProcess.run(["accuracy", "--calibration", path, "--sdk-log", log, capture])
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.contains("CALIBRATION \(path)"))
        #expect(written.output.contains("later calls: error against messages"))
        let json = try object(try String(contentsOfFile: path, encoding: .utf8))
        #expect(json["schema"] as? String == "wireaudit.calibration/2")
        let up = try #require((json["all"] as? [String: Any])?["up"] as? [String: Any])
        #expect((up["fitted_calls"] as? Int ?? 0) >= 10)
        let heldOut = try #require((up["held_out"] as? [String: Any])?["message"] as? [String: Any])
        let before = try #require(heldOut["relative_before"] as? Double)
        let after = try #require(heldOut["relative_after"] as? Double)
        #expect(abs(after) < abs(before) / 2)

        // The calibration knows this API; of the others it has too few calls, so that all together are not judged.
        let check = ["check", "--max-bias", "10%", "--api", "GET img*thumb.jpg", "--sdk-log", log, capture]
        let plain = try WireAuditProcess.run(check)
        #expect(plain.status == 1)
        let calibrated = try WireAuditProcess.run(check + ["--calibration", path])
        #expect(calibrated.status == 0, "\(calibrated.output)")
        #expect(
            calibrated.output.contains("calibrated by \(path): request error -"), "\(calibrated.output)")
        let xml = try WireAuditProcess.run(check + ["--calibration", path, "--format", "junit"]).output
        #expect(xml.contains("<system-out>calibrated by "))
        let again = folder.path + "/again.json"
        _ = try WireAuditProcess.run(["accuracy", "--calibration", again, "--jobs", "1", "--sdk-log", log, capture])
        #expect(try String(contentsOfFile: again, encoding: .utf8) == String(contentsOfFile: path, encoding: .utf8))
    }

    @Test("a calibration that cannot be made, read or written is told in one line with its status")
    func errors() throws {
        let one = Self.shop.deletingLastPathComponent().appending(path: "one-exchange/capture.pcap").path
        let path = folder.path + "/c.json"
        let notes = try folder.write("notes.json", Array("{}".utf8))
        let baseline = try folder.write(
            "old.json", Array("{\"schema\":\"wireaudit.accuracy/1\"}".utf8))
        let cases: [(arguments: [String], status: Int32, words: String)] = [
            (["accuracy", "--calibration", path, capture], 64, "--sdk-log"),
            (["accuracy", "--calibration", path, "--sdk-log", log, "--sdk-log", log, capture], 64, "2 logs"),
            (["accuracy", "--calibration", path, "--setup", "even", "--sdk-log", log, capture], 64, "--setup first"),
            (["accuracy", "--calibration", log, "--sdk-log", log, capture], 64, "overwrite"),
            (["accuracy", "--calibration", path, "-o", path, "--sdk-log", log, capture], 64, "same file"),
            (["accuracy", "--calibration", "-", "--sdk-log", log, capture], 64, "standard input"),
            (["accuracy", "--calibration", folder.path + "/no/c.json", "--sdk-log", log, capture], 74, "c.json"),
            (["accuracy", "--calibration", path, "--estimators", "dm", one], 65, "too few"),
            (["check", "--max-bias", "1%", "--calibration", notes, capture], 65, "calibration"),
            (["check", "--max-bias", "1%", "--calibration", path, capture], 66, "calibration"),
            (["check", "--baseline", baseline, "--calibration", notes, capture], 64, "without --calibration"),
            (["exchanges", "--calibration", path, capture], 64, "--calibration is an option of accuracy, check"),
        ]
        for (arguments, status, words) in cases {
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == status, "\(arguments): \(run.errors)")
            #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
