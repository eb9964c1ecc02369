import Testing
import WireCapture
import WireTesting
import wireaudit

@Suite("Arguments of live captures")
struct LiveArgumentTests {
    private func invocation(_ arguments: [String]) throws -> Invocation {
        guard case .run(let invocation) = try ArgumentParser.parse(arguments) else {
            Issue.record("\(arguments) is no run")
            return try #require(nil)
        }
        return invocation
    }

    private func message(_ arguments: [String]) -> String? {
        do throws(UsageError) {
            _ = try ArgumentParser.parse(arguments)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("an interface is enough; the defaults are the capture's own")
    func defaults() throws {
        let found = try invocation(["live", "-i", "eth0"])
        #expect(found.command == .live && found.interfaces == ["eth0"] && found.files.isEmpty)
        #expect(found.live == LiveInvocation())
        #expect(found.liveOptions == LiveOptions(interfaces: ["eth0"]))
        #expect(found.format == nil && found.live.isPromiscuous && !found.live.deliversImmediately)
    }

    @Test("every option of live is understood")
    func options() throws {
        func check(_ arguments: [String], _ holds: (Invocation) -> Bool) throws {
            #expect(holds(try invocation(["live", "-i", "eth0"] + arguments)), "\(arguments)")
        }
        for spelling in [["-i", "lo"], ["-ilo"], ["--interface", "lo"], ["--interface=lo"]] {
            try check(spelling) { $0.interfaces == ["eth0", "lo"] && $0.liveOptions.interfaces == ["eth0", "lo"] }
        }
        for spelling in [["-w", "a.pcapng"], ["--write=a.pcapng"]] {
            try check(spelling) { $0.live.evidence == "a.pcapng" && $0.live.rotation == nil }
        }
        try check(["-w", "a.pcapng", "--rotate", "100MB,1h,10files"]) {
            $0.live.rotation
                == CaptureRotation(
                    maximumBytes: 100_000_000, maximumDuration: 3_600_000_000_000, fileCount: 10)
        }
        try check(["-w", "-", "-o", "report.txt"]) { $0.live.evidence == "-" && $0.output == "report.txt" }
        try check(["--filter", "tcp port 80"]) { $0.liveOptions.filter == "tcp port 80" }
        try check(["--snapshot-length", "96"]) { $0.liveOptions.snapshotLength == 96 }
        try check(["--snapshot-length", "262144"]) { $0.liveOptions.snapshotLength == 262_144 }
        try check(["--buffer", "64MiB"]) { $0.liveOptions.bufferSize == 64 << 20 }
        try check(["--buffer", "2mb"]) { $0.liveOptions.bufferSize == 2_000_000 }
        try check(["--immediate", "--no-promiscuous"]) {
            $0.liveOptions.deliversImmediately && !$0.liveOptions.isPromiscuous
        }
        try check(["--duration", "90s"]) { $0.live.duration == 90_000_000_000 }
        try check(["--packets", "5", "--exchanges", "7"]) { $0.live.packets == 5 && $0.live.exchanges == 7 }
        for spelling in [["-Z", "ann"], ["--user", "ann"]] { try check(spelling) { $0.live.user == "ann" } }
        for format in ["table", "json", "ndjson"] { try check(["--format", format]) { $0.format?.rawValue == format } }
        try check(["--top", "5", "--keys", "k.log", "--layer", "link", "--no-body-decoding", "-o", "x"]) {
            $0.top == 5 && $0.keys == ["k.log"] && $0.layer == .link && !$0.decodesBodies && $0.output == "x"
        }
    }

    @Test(
        "wrong use is told in one line",
        arguments: [
            ([], "live needs -i IFACE; 'wireaudit interfaces' lists them"),
            (["eth0"], "live takes options only, not 'eth0'; did you mean '-i eth0'?"),
            (["-i", "lo", "eth0"], "live takes options only, not 'eth0'; did you mean '-i eth0'?"),
            (["a.pcap"], "live takes options only, not 'a.pcap'; 'wireaudit a.pcap' audits a file"),
            (["-i", "lo", "-"], "live takes options only, not '-'; 'wireaudit -' audits a file"),
            (["-i", ""], "-i needs a value that is not empty"),
            (["-i", "lo", "-i", "lo"], "-i lo is given twice"),
            (["-i", "lo", "-i", "any"], "-i any stands for all interfaces; leave the others out"),
            (["-i", "any", "-i", "lo"], "-i any stands for all interfaces; leave the others out"),
            (["-i", "lo", "--duration", "5"], "--duration needs a time such as 30s, 10min or 1h, not '5'"),
            (["-i", "lo", "--duration", "0s"], "--duration needs a time such as 30s, 10min or 1h, not '0s'"),
            (["-i", "lo", "--duration", "5MB"], "--duration needs a time such as 30s, 10min or 1h, not '5MB'"),
            (["-i", "lo", "--duration=-5s"], "--duration needs a time such as 30s, 10min or 1h, not '-5s'"),
            (
                ["-i", "lo", "--duration", "999999999d"],
                "--duration needs a time such as 30s, 10min or 1h, not '999999999d'"
            ),
            (["-i", "lo", "--buffer", "5s"], "--buffer needs a size such as 64MiB, not '5s'"),
            (["-i", "lo", "--buffer", "1kB"], "--buffer can be 64KiB to 2047MiB, not '1kB'"),
            (["-i", "lo", "--buffer", "2GiB"], "--buffer can be 64KiB to 2047MiB, not '2GiB'"),
            (
                ["-i", "lo", "--snapshot-length", "262145"],
                "--snapshot-length can be 262144 at most; that is the default"
            ),
            (["-i", "lo", "--snapshot-length", "0"], "--snapshot-length needs a positive number, not '0'"),
            (["-i", "lo", "--packets", "x"], "--packets needs a positive number, not 'x'"),
            (["-i", "lo", "--exchanges", "-1"], "--exchanges needs a positive number, not '-1'"),
            (["-i", "lo", "--rotate", "1MB"], "--rotate needs --write FILE"),
            (
                ["-i", "lo", "-w", "-", "-o", "x", "--rotate", "1MB"],
                "--rotate needs --write with a file, standard output (-) is only one"
            ),
            (["-i", "lo", "-w", "-", "-o", "-"], "packets and the report would both go to standard output"),
            (["-i", "lo", "-w", "x", "-o", "x"], "packets and the report would both go to 'x'"),
            (
                ["-i", "lo", "--format", "csv"],
                "--format of 'live' takes table, json, ndjson; csv is a format of audit, exchanges, connections, accuracy, "
                    + "merge"
            ),
            (
                ["-i", "lo", "--jobs", "2"],
                "--jobs is an option of audit, exchanges, connections, accuracy, check, compare, fleet, not of live"
            ),
        ])
    func errors(arguments: [String], expected: String) {
        #expect(message(["live"] + arguments) == expected)
    }

    @Test("a rotation that is none is told with the reason")
    func rotations() throws {
        for word in ["5x", "", "10files", "1MB,2MB", "1MB,\u{1B}[2J"] {
            let found = try #require(message(["live", "-i", "lo", "-w", "a", "--rotate", word]))
            #expect(found.hasPrefix("--rotate cannot be '") && !found.contains("\u{1B}") && !found.contains("\n"))
        }
    }

    @Test("options of live belong to live, and interfaces takes none of them")
    func owners() throws {
        #expect(message(["-i", "eth0"]) == "-i is an option of live, not of audit")
        #expect(message(["exchanges", "-w", "x", "a.pcap"]) == "-w is an option of live, not of exchanges")
        #expect(message(["interfaces", "eth0"]) == "'interfaces' takes options only")
        #expect(message(["interfaces", "-i", "eth0"]) == "-i is an option of live, not of interfaces")
        let found = try invocation(["interfaces", "--format", "json", "-o", "x"])
        #expect(found.command == .interfaces && found.format == .json && found.output == "x")
    }

    @Test(
        "sizes and times have a unit, in any case",
        arguments: [
            ("1B", .bytes(1)), ("10kB", .bytes(10_000)), ("3mb", .bytes(3_000_000)), ("2GiB", .bytes(2 << 30)),
            ("1TB", .bytes(1_000_000_000_000)), ("1TiB", .bytes(1 << 40)), ("0s", .nanoseconds(0)),
            ("250ms", .nanoseconds(250_000_000)),
            ("30s", .nanoseconds(30_000_000_000)), ("10MIN", .nanoseconds(600_000_000_000)),
            ("2h", .nanoseconds(7_200_000_000_000)), ("1d", .nanoseconds(86_400_000_000_000)),
            ("9223372036s", .nanoseconds(9_223_372_036_000_000_000)),
        ] as [(String, Quantity)])
    func quantities(text: String, expected: Quantity) throws {
        #expect(try Quantity(parsing: text) == expected)
    }

    @Test(
        "what is no size and no time has a reason",
        arguments: [
            ("", .noNumber), ("s", .noNumber), ("-5s", .noNumber), ("+5s", .noNumber), ("٣s", .noNumber),
            ("5", .noUnit), ("5 s", .unknownUnit(" s")), ("5m", .unknownUnit("m")), ("1.5GB", .unknownUnit(".5gb")),
            ("9223372037s", .tooLarge), ("9223372036854775808B", .tooLarge), ("8388608TiB", .tooLarge),
            ("99999999999999999999999s", .tooLarge),
        ] as [(String, Quantity.Problem)])
    func problems(text: String, expected: Quantity.Problem) {
        #expect(throws: expected) { try Quantity(parsing: text) }
    }
}
