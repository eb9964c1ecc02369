import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport

@Suite("What reports say of what cannot be compared")
struct AccuracyUncomparedTests {
    @Test("a capture without keys says what was not read, and shows no figures of nothing")
    func withoutKeys() {
        var audit = sampleTLSAudit()
        audit.keyLogs = []
        for index in audit.hosts.indices { audit.hosts[index].setup = SetupSummary() }
        audit.hosts[0].setup.tlsConnections = 8
        audit.hosts[0].setup.unreadConnections = 7
        let none = accuracy(of: [], sources: Array(sampleSources.prefix(4)))
        let forms = AccuracyForms(none, audit: audit) { $0.hasChosenSources = false }
        for text in [forms.markdown, forms.page] {
            #expect(
                text.contains(
                    "7 of 8 TLS connections were not decrypted: calls on them are not counted; "
                        + "decrypt TLS with --keys FILE."))
        }
        for text in forms.all {
            #expect(!text.contains("no figure for any call"))
            #expect(!text.contains("No SDK was chosen"))
        }
        #expect(forms.terminal.contains("No call of this capture can be compared."))
        #expect(!forms.page.contains("Wire bytes</dt>") && !forms.page.contains("0 B"))
        audit.hosts[0].setup.unreadConnections = 0
        #expect(!AccuracyForms(none, audit: audit).page.contains("TLS connections were not decrypted"))
    }

    @Test("the page's links lead to sections that it has")
    func links() {
        let nothing = AccuracyForms(AccuracyResult()).page
        let none = AccuracyForms(accuracy(of: [], sources: Array(sampleSources.prefix(4)))).page
        for page in [nothing, none, AccuracyForms(smallAccuracy()).page, AccuracyForms(hostAccuracy()).page] {
            for link in page.matches(of: /href="#([a-z]+)"/) {
                #expect(page.contains("id=\"\(link.1)\""), "\(link.1)")
            }
        }
    }

    @Test("sources without any figure share one sentence")
    func silentSources() {
        var result = accuracy(of: sampleAPIs, sources: [sampleSources[5]])
        for number in 1...3 {
            result.sources.append(
                AccuracySource(id: "silent\(number)", title: "S\(number)", kind: .simulated, note: ""))
        }
        let forms = AccuracyForms(result)
        #expect(forms.terminal.contains("No figure for any call: silent1, silent2, silent3."))
        #expect(forms.markdown.contains("No figure for any call: `silent1`, `silent2`, `silent3`."))
        #expect(forms.page.contains("No figure for any call: S1, S2 and S3."))
        for text in forms.all { #expect(!text.contains(": no figure for any call.")) }
    }

    @Test("TLS handshakes that failed are named as that, with the host and what they cost")
    func failedHandshakes() throws {
        var result = smallAccuracy()
        var host = FailedHandshakes(host: "pinned.example.com")
        (host.connections, host.alerts, host.wireUp, host.wireDown) = (3, 2, 1500, 2964)
        result.failedHandshakes = [host]
        let forms = AccuracyForms(result)
        let cost = "failed (2 by an alert, 1 closed before any application data): 4,464 bytes on the wire, no call."
        #expect(forms.terminal.contains("3 TLS handshakes with pinned.example.com " + cost))
        #expect(forms.markdown.contains("3 TLS handshakes with `pinned.example.com` " + cost))
        #expect(forms.page.contains("3 TLS handshakes with pinned.example.com " + cost))
        let json = accuracyJSON(result, audit: sampleAudit(), options: ReportOptions()).text
        let own = try #require(try StrictJSON.parse(json)["failed_handshakes"]?.array.first)
        #expect(own.names == ["host", "connections", "alerts", "wire_up", "wire_down"])
        #expect(own["wire_down"]?.integer == 2964)
        result.failedHandshakes[0].host = hostileText
        let hostile = AccuracyForms(result)
        #expect(unsafeCharacters(hostile.terminal + hostile.markdown).isEmpty)
        #expect(HTMLTags(hostile.page).problems.isEmpty)
    }

    @Test("a capture without a readable exchange is not said to be compared whole")
    func nothingReadable() {
        let none = AccuracyForms(accuracy(of: [], sources: [])).page
        #expect(none.contains("Every exchange") == false)
        var empty = AccuracyResult()
        #expect(AccuracyForms(empty).page.contains("The capture has no readable exchange"))
        #expect(!AccuracyForms(empty).page.contains("Every exchange of the capture is in the comparison"))
        (empty.exchanges, empty.counted) = (2, 2)
        #expect(AccuracyForms(empty).page.contains("Every exchange of the capture is in the comparison"))
    }
}
