import Foundation
import Testing
import WireCapture
import WireCore

/// UsingTheEngine.md shows this function; the test below holds the two together.
func printCosts(of path: String) throws {
    let audit = try CaptureAudit(paths: [path]).run()
    precondition(audit.ledger.balanced)
    for api in audit.apis {
        print(api.api, api.exchanges, api.costs.up.internet + api.costs.down.internet)
    }
}

@Suite("The library")
struct LibraryExampleTests {
    @Test("the example compiles, runs on a capture of the repository, and is what the article shows")
    func example() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).dropFirst().map { "/" + $0 }.joined()
        try printCosts(of: root + "/Captures/shop/capture.pcap")
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let start = try #require(source.range(of: "func printCosts"))
        let end = try #require(source.range(of: "\n}\n", range: start.lowerBound..<source.endIndex))
        let function = source[start.lowerBound..<end.upperBound]
        let article = root + "/Sources/wireaudit/Documentation.docc/UsingTheEngine.md"
        #expect(try String(contentsOfFile: article, encoding: .utf8).contains(function))
    }
}
