import Testing

@testable import WireComparison

@Suite("Manifest of a fleet")
struct FleetManifestTests {
    private func read(_ text: String) throws(FleetManifest.Problem) -> FleetManifest {
        try FleetManifest(csv: Array(text.utf8))
    }

    @Test("sessions, files and labels are told apart by their bytes")
    func exactNames() throws {
        let lines = ["session,capture,build", "\u{E9},\u{E9}.pcap,\u{E9}", "e\u{301},x.pcap,e\u{301}"]
        let manifest = try read((lines + ["\u{E9},e\u{301}.pcap,\u{E9}"]).joined(separator: "\n"))
        #expect(manifest.sessions.map(\.captures.count) == [2, 1])
        #expect(manifest.sessions[0] != manifest.sessions[1])
    }

    @Test("names sessions with their files and labels; lines of one session are its files")
    func sessions() throws {
        let manifest = try read(
            "session,build,capture,keys,log,device\r\na,1,a-1.pcap,a.keys,,phone\r\na,,a-2.pcap,a.keys,a.sqlite,\n"
                + "b,2,\"b,1.pcap\",,,\n\n")
        #expect(manifest.labels == ["build", "device"])
        #expect(manifest.sessions.map(\.name) == ["a", "b"])
        #expect(manifest.sessions[0].captures == ["a-1.pcap", "a-2.pcap"])
        #expect(manifest.sessions[0].keys == ["a.keys"])
        #expect(manifest.sessions[0].logs == ["a.sqlite"])
        #expect(manifest.sessions[0].labels.map(\.value) == ["1", "phone"])
        #expect(manifest.sessions[1].captures == ["b,1.pcap"])
        #expect(manifest.sessions[1].labels.map(\.value) == ["2", ""])
    }

    @Test("takes values with separators, quotes and line ends in quotes")
    func quoted() throws {
        let manifest = try read("session,capture\r\n\"a\nb \"\"c\"\"\",\"x,y.pcap\"\r\nd,z.pcap\r\n")
        #expect(manifest.sessions.map(\.name) == ["a\nb \"c\"", "d"])
        #expect(manifest.sessions.map(\.captures) == [["x,y.pcap"], ["z.pcap"]])
        #expect(manifest.sessions.map(\.line) == [2, 4])
    }

    @Test("is refused where it is not UTF-8, with the line")
    func notText() {
        #expect(throws: FleetManifest.Problem(message: "line 2 is not UTF-8; save the list as UTF-8")) {
            try FleetManifest(csv: Array("session,capture\na,".utf8) + [0xE9, 0x0A])
        }
    }

    @Test(
        "says what is wrong with it, and where",
        arguments: [
            ("", "it is empty"), ("\n", "no column 'session'"),
            ("session,capture,\na,x,1\n", "a column without a name"),
            ("session,build\n", "no column 'capture'"),
            ("session,capture\n", "no session"), ("session,capture\na\n", "line 2 has 1 values, not 2"),
            ("session,capture\n,x\n", "line 2 has no session"), ("session,capture\na,\n", "session 'a' has no capture"),
            ("session,capture,build\na,x,1\na,y,2\n", "line 3 gives session 'a' another build"),
            ("session,capture,capture\na,x,1\n", "names 'capture' twice"),
            ("session,capture\na,x\nb,\"y\nc,z\n", "line 3 opens a quote that nothing closes"),
            ("session,capture\n\"a\nb\",x\nc\n", "line 4 has 1 values, not 2"),
        ])
    func problems(text: String, message: String) {
        #expect {
            try read(text)
        } throws: { error in
            (error as? FleetManifest.Problem)?.message.contains(message) == true
        }
    }
}
