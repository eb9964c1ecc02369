import Foundation
import Testing
import WireCore
import WireRecords
import WireReport

@Suite("The list of interfaces")
struct InterfacesReportTests {
    private func rows() -> [InterfaceRow] {
        var wireless = InterfaceRow(name: "en0")
        wireless.addresses = ["192.168.1.17", "fe80::1c2b:3a4d:5e6f:7081"]
        wireless.description = "Wi-Fi"
        wireless.linkTypes = [.ethernet, LinkType(rawValue: 127)]
        wireless.isUp = true
        wireless.isRunning = true
        wireless.isWireless = true
        wireless.mayCapture = true
        var loopback = InterfaceRow(name: "lo")
        loopback.addresses = ["127.0.0.1"]
        loopback.isLoopback = true
        loopback.isUp = true
        loopback.problem = "Operation not permitted"
        var down = InterfaceRow(name: "bluetooth-monitor")
        down.problem = "Operation not permitted"
        return [wireless, loopback, down]
    }

    private let remedy = "sudo setcap cap_net_raw,cap_net_admin+eip /usr/local/bin/wireaudit"

    @Test("a person gets a table, each problem once, and the command that helps")
    func table() {
        #expect(
            interfacesText(rows(), style: TerminalStyle(width: 80), remedy: remedy).text == """
                INTERFACE          state        capture  link type  addresses
                en0                up           yes      Ethernet   192.168.1.17
                                                                    fe80::1c2b:3a4d:5e6f:7081
                                                                    wireless, Wi-Fi
                lo                 up, no link  no       —          127.0.0.1
                                                                    loopback
                bluetooth-monitor  down         no       —

                ! 2 interfaces: Operation not permitted
                To get permission to capture:
                  sudo setcap cap_net_raw,cap_net_admin+eip /usr/local/bin/wireaudit

                """)
    }

    @Test("where all is allowed nothing is said of it")
    func allowed() {
        let text = interfacesText([rows()[0]], style: TerminalStyle(width: 100), remedy: remedy).text
        #expect(!text.contains("setcap"))
        #expect(text.contains("192.168.1.17 fe80::1c2b:3a4d:5e6f:7081\n"))
        #expect(interfacesText([], style: TerminalStyle()).text == "There is no interface to capture on.\n")
    }

    @Test("where there is no room beside, addresses stand below")
    func narrow() {
        let text = interfacesText(rows(), style: TerminalStyle(width: 40), remedy: nil).text
        #expect(text.contains("\n  192.168.1.17"))
        #expect(text.contains("\n  127.0.0.1\n  loopback\n"))
    }

    @Test("JSON has the fields of the contract")
    func json() throws {
        let text = interfacesJSON([rows()[0]], remedy: remedy).text
        #expect(
            text == """
                {"schema":"wireaudit.interfaces/1","version":"\(toolVersion)","interfaces":[{"name":"en0",\
                "description":"Wi-Fi","addresses":["192.168.1.17","fe80::1c2b:3a4d:5e6f:7081"],\
                "link_types":["EN10MB","IEEE802_11_RADIOTAP"],"up":true,"running":true,"loopback":false,\
                "wireless":true,"may_capture":true,"problem":null}],"remedy":null}

                """)
        let barred = try #require(
            JSONSerialization.jsonObject(with: Data(interfacesJSON(rows(), remedy: remedy).text.utf8)) as? [String: Any]
        )
        #expect(barred["remedy"] as? String == remedy)
        #expect((barred["interfaces"] as? [[String: Any]])?.last?["problem"] as? String == "Operation not permitted")
    }

    @Test("a name cannot act on the terminal")
    func hostile() {
        var row = InterfaceRow(name: "\u{1B}[2J")
        row.description = "\u{202E}x"
        row.problem = "a\nb"
        let text = interfacesText([row], style: TerminalStyle(color: false), remedy: nil).text
        #expect(text.contains("\\x1b[2J"))
        #expect(text.contains("\\u{202e}x"))
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
}
