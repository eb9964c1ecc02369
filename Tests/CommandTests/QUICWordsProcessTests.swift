import Foundation
import Testing

/// Reports of a capture that has QUIC and no TCP.
@Suite("The program: words for QUIC")
struct QUICWordsProcessTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/h3-loss")

    @Test(
        "a report names TCP only beside QUIC, and no segments",
        arguments: [
            ["audit"], ["accuracy", "--estimators", "all"],
            ["accuracy", "--estimators", "all", "--format", "md"], ["connections", "--format", "table"],
            ["exchanges", "--format", "table"],
        ])
    func reports(arguments: [String]) throws {
        let files = ["--keys", "keys.log", "capture.pcap"].map {
            $0.hasPrefix("--") ? $0 : Self.folder.appending(path: $0).path
        }
        let run = try WireAuditProcess.run(arguments + files)
        #expect(run.status == 0 && !run.output.isEmpty, "\(run.errors)")
        let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing("TCP/QUIC", with: "").replacing("TCP, TLS and QUIC", with: "")
        for word in ["TCP", "segment"] {
            let places = text.ranges(of: word).map { text[$0.lowerBound...].prefix(60) }
            #expect(places.isEmpty, "\(places)")
        }
    }
}
