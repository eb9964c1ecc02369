import Testing
import WireCore

@testable import WireCapture

@Suite("Why a live capture cannot begin")
struct LiveErrorTests {
    // Of <pcap/pcap.h>.
    private static let failed: Int32 = -1
    private static let noSuchDevice: Int32 = -5
    private static let permissionDenied: Int32 = -8
    private static let notUp: Int32 = -9
    private static let promiscuousDenied: Int32 = -11

    private static func error(_ code: Int32, on interface: String = "eth0", known: [String] = ["eth0"]) -> LiveError {
        PcapSource.liveError(
            PcapProblem(code: code, reason: "words"), interface: interface, LiveOptions(filter: "tpc"), known: known)
    }

    @Test("the library's codes become errors that say what to do")
    func codes() {
        #expect(Self.error(Self.noSuchDevice, on: "etx0") == .noInterface(name: "etx0", known: ["eth0"]))
        #expect(Self.error(Self.notUp) == .notUp(interface: "eth0"))
        #expect(Self.error(Self.failed) == .cannotCapture(interface: "eth0", reason: "words"))
        #expect(Self.error(PcapSource.filterProblem) == .filter(expression: "tpc", reason: "words"))
        for code in [Self.permissionDenied, Self.promiscuousDenied] {
            #expect(
                Self.error(code)
                    == .noPermission(interface: "eth0", reason: "words", remedy: InterfaceInfo.remedy))
        }
    }

    @Test("a wrong name is said before the missing permission, which the system looks at first")
    func wrongNameWithoutPermission() {
        #expect(
            Self.error(Self.permissionDenied, on: "no such one", known: ["eth0"])
                == .noInterface(name: "no such one", known: ["eth0"]))
        // Without a list nobody knows.
        guard case .noPermission = Self.error(Self.permissionDenied, on: "no such one", known: []) else {
            Issue.record("not the permission")
            return
        }
    }

    @Test("messages are one line and name the interface")
    func messages() {
        let errors: [LiveError] = [
            .noInterface(name: "wlan9", known: ["wlan0"]), .notUp(interface: "wlan9"),
            .noPermission(interface: "wlan9", reason: "socket: not permitted", remedy: "sudo setcap x /bin/y"),
            .cannotCapture(interface: "wlan9", reason: "out of luck"),
        ]
        for error in errors {
            #expect(error.message.contains("wlan9"), "\(error.message)")
            #expect(!error.message.contains("\n"))
        }
        #expect(errors[0].message(nearest: "wlan0").contains("did you mean wlan0?"))
        #expect(!errors[0].message.contains("did you mean"))
        #expect(errors[2].message.contains("sudo setcap x /bin/y"))
        #expect(LiveError.filter(expression: "tpc", reason: "syntax error").message.contains("syntax error"))
    }

    @Test("what would be counted twice is refused", arguments: [[], ["a", "b", "a"], ["any", "lo"], ["lo", "any"]])
    func names(_ names: [String]) {
        #expect(throws: LiveError.self) { try LiveCapture.check(names) }
    }

    @Test("other names are not looked at", arguments: [["any"], ["a"], ["a", "b"]])
    func goodNames(_ names: [String]) throws {
        try LiveCapture.check(names)
    }

    @Test("a word for the shell is quoted where it must be")
    func quoting() {
        #expect(CapturePermission.quoted("/usr/local/bin/wireaudit-1.0_x") == "/usr/local/bin/wireaudit-1.0_x")
        #expect(CapturePermission.quoted("/home/a b/$x") == "'/home/a b/$x'")
        #expect(CapturePermission.quoted("it's") == "'it'\\''s'")
        #expect(CapturePermission.quoted("") == "''")
    }

    @Test("link types have their registered numbers, whatever the system calls them")
    func linkTypes() {
        #expect(LinkType(dataLink: 1) == .ethernet)
        #expect(LinkType(dataLink: 12) == .raw)
        #expect(LinkType(dataLink: 0) == .null)
        #expect(LinkType(dataLink: 276) == .cooked2)
        #expect(LinkType(dataLink: 11) == .atmRFC1483)
        #expect(LinkType(dataLink: 127) == .radiotap)
        for number in [0, 1, 11, 12, 127, 276] as [Int32] { #expect(LinkType(dataLink: number).dataLink == number) }
        #expect(
            LinkType.rawBSD.dataLink == LinkType.raw.dataLink && LinkType.rawOpenBSD.dataLink == LinkType.raw.dataLink)
    }

    @Test("the system's interfaces can be listed without permission, each once")
    func list() throws {
        let names = try InterfaceList.read().map(\.name)
        #expect(Set(names).count == names.count)
    }
}
