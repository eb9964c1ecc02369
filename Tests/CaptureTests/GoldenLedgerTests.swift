import Foundation
import Testing

@Suite("Golden ledgers")
struct GoldenLedgerTests {
    /// `bash .ci/run golden --update` sets it: the files are written anew instead of compared.
    static let updates = ProcessInfo.processInfo.environment["WIREAUDIT_UPDATE_GOLDEN"] == "1"

    @Test("the books are the same as before, byte for byte", arguments: CaptureCase.all)
    func books(capture: CaptureCase) throws {
        let text = LedgerText(try capture.audit()).text
        if Self.updates {
            try Data(text.utf8).write(to: URL(fileURLWithPath: capture.path + "/expected.ledger.txt"))
        }
        let expected = String(decoding: try capture.read("expected.ledger.txt"), as: UTF8.self)
        let difference = text.split(separator: "\n").difference(from: expected.split(separator: "\n"))
        let changes = difference.map { change in
            switch change {
            case .insert(_, let line, _): "+ " + line
            case .remove(_, let line, _): "- " + line
            }
        }
        #expect(text == expected, "\(changes.prefix(20).joined(separator: "\n"))")
    }
}
