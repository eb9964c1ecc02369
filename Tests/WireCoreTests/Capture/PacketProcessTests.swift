import Testing
import WireCore
import WireTesting

@Suite("Processes that a pcapng file names")
struct PacketProcessTests {
    typealias Option = PcapngFileBuilder.Option

    /// Whose the frames of a file are.
    static func processes(_ file: PcapngFileBuilder, limit: Int = 100) -> [CaptureProcess?] {
        let directory = ProcessDirectory(limit: limit)
        let parsed = parseCapture(file.bytes, processes: directory)
        #expect(parsed.ending == .end)
        return parsed.frames.map { directory.process($0.process) }
    }

    private static func file(littleEndian: Bool = true) -> PcapngFileBuilder {
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        file.interface()
        return file
    }

    private static func four(_ number: UInt32, _ littleEndian: Bool = true) -> [UInt8] {
        var writer = ByteWriter(littleEndian: littleEndian)
        writer.u32(number)
        return writer.bytes
    }

    private static func commented(_ texts: [String]) -> CaptureProcess? {
        var file = file()
        file.enhancedPacket([1], options: texts.map { (1, Array($0.utf8)) })
        return processes(file)[0]
    }

    // MARK: Comments

    @Test(
        "comments of capturing programs name the process",
        arguments: [
            (
                "PID: 501, ProcName: Shop, EPID: 501, EProcName: Shop, SVC: BE",
                CaptureProcess(app: "Shop", name: "Shop", pid: 501)
            ),
            (
                "PID: 88, ProcName: nsurlsessiond, EPID: 501, EProcName: Shop, SVC: BE",
                CaptureProcess(app: "Shop", name: "nsurlsessiond", pid: 88)
            ),
            (
                "PID: 88, ProcName: a, b, EPID: 4294967295, EProcName: , SVC: BE",
                CaptureProcess(app: "a, b", name: "a, b", pid: 88)
            ),
            (
                "PID: 4711\nCmd: /usr/bin/curl\nArgs: curl -s https://a.test/x",
                CaptureProcess(app: "curl", name: "curl", pid: 4711)
            ),
            ("PID: 4711\nCmd: curl", CaptureProcess(app: "curl", name: "curl", pid: 4711)),
            ("PID=4 TID=5280", CaptureProcess(app: "pid 4", pid: 4)),
            ("PID=4 TID=5280 VlanId=0 SrcPortId=3", CaptureProcess(app: "pid 4", pid: 4)),
            ("u-10123", CaptureProcess(app: "uid 10123")), ("u-0", CaptureProcess(app: "uid 0")),
        ])
    func comments(text: String, process: CaptureProcess) {
        #expect(Self.commented([text]) == process)
        #expect(Self.commented(["a note", text, "PID=9 TID=9"]) == process)
    }

    @Test(
        "other comments, and those of a process that nobody knows, name none",
        arguments: [
            "", "PID", "PID: ", "PID: x", "PID=-1 TID=0", "PID=0 TID=0", "u-", "u--1", "u-101 is the user",
            "u-4294967295",
            "ParentPID: 1\nParentCmd: /sbin/init\nParentArgs: ", "the PID: 501", "PID: 99999999999999999999",
            "PID: 4294967295, ProcName: , EPID: 4294967295, EProcName: , SVC: BE",
        ])
    func otherComments(text: String) {
        #expect(Self.commented([text]) == nil)
    }

    // MARK: Blocks

    @Test("Apple's blocks by their places in the section, in both byte orders", arguments: [false, true])
    func appleBlocks(littleEndian: Bool) {
        func four(_ number: UInt32) -> [UInt8] { Self.four(number, littleEndian) }
        var file = Self.file(littleEndian: littleEndian)
        file.block(0x8000_0001, options: [(2, Array("nsurlsessiond".utf8)), (4, Bytes.zeros(16))]) { $0.u32(88) }
        file.block(0x8000_0001, options: [(2, Array("Shop\u{0}".utf8))]) { $0.u32(501) }
        file.block(0x8000_0001) { $0.u32(502) }
        let packets: [[Option]] = [
            [(0x8001, four(0)), (0x8003, four(1))], [(0x8001, four(1))], [(0x8003, four(2))], [(0x8001, four(3))],
            [(0x8001, [0])], [(1, Array("PID=7 TID=7".utf8)), (8, four(9) + four(9)), (0x8001, four(1))],
        ]
        for options in packets { file.enhancedPacket([1], options: options) }
        file.section(littleEndian: littleEndian)
        file.interface()
        file.enhancedPacket([1], options: [(0x8001, four(0))])
        file.simplePacket([1])
        let shop = CaptureProcess(app: "Shop", name: "Shop", pid: 501)
        #expect(
            Self.processes(file) == [
                CaptureProcess(app: "Shop", name: "nsurlsessiond", pid: 88), shop, CaptureProcess(app: "pid 502"), nil,
                nil,
                shop, nil, nil,
            ])
    }

    /// A process information entry as Wireshark writes it into its custom block, least significant byte first.
    private static func entry(_ pid: UInt32, _ name: String, start: UInt64? = nil) -> [UInt8] {
        var entry = ByteWriter()
        entry.u32(pid)
        for (code, value) in [(2, Array(name.utf8)), (9, start.map { PcapngFileBuilder().number($0) } ?? [])]
        where !value.isEmpty {
            entry.u16(UInt16(code))
            entry.u16(UInt16(value.count))
            entry.bytes += value
            entry.pad()
        }
        entry.u32(0)
        return four(3) + four(UInt32(entry.bytes.count)) + entry.bytes
    }

    @Test("process numbers by Wireshark's blocks: the one that began last before the packet", arguments: [false, true])
    func processNumbers(littleEndian: Bool) {
        var file = Self.file(littleEndian: littleEndian)
        let entries = [
            Self.entry(500, "first", start: 990_000), Self.entry(500, "second", start: 1_020_000),
            Self.entry(600, "old"), Self.entry(600, "new"), Self.entry(4, ""),
        ]
        for entry in entries {
            file.block(0xbad) { body in
                body.u32(32_622)
                body.bytes += entry
            }
        }
        for (time, pid) in [(1005, 500), (1025, 500), (900, 500), (1001, 600), (1, 700), (1, 4), (1, 0)] {
            let value = Self.four(UInt32(pid), littleEndian) + Self.four(1, littleEndian)
            file.enhancedPacket(time: UInt64(time), [1], options: [(8, value)])
        }
        func named(_ name: String, _ pid: Int) -> CaptureProcess { CaptureProcess(app: name, name: name, pid: pid) }
        #expect(
            Self.processes(file) == [
                named("first", 500), named("second", 500), named("first", 500), named("new", 600),
                CaptureProcess(app: "pid 700", pid: 700), CaptureProcess(app: "pid 4", pid: 4), nil,
            ])
    }

    @Test("PCAPdroid's users by the packages that its custom blocks name", arguments: [0xbad, 0x4000_0bad] as [UInt32])
    func packages(type: UInt32) {
        func mapping(_ uid: UInt32, _ package: String, length: UInt8? = nil, version: UInt16 = 1) -> [UInt8] {
            var body = ByteWriter()
            body.u32(62_652)
            body.u16(version)
            body.bytes += [1, 0]
            body.u32(uid)
            body.bytes += [length ?? UInt8(package.utf8.count), 4]
            body.bytes += Array(package.utf8) + Array("Shop".utf8)
            return body.bytes
        }
        var file = Self.file()
        let blocks = [
            mapping(10_123, "com.example.shop"), mapping(10_124, "cut", length: 250),
            mapping(10_125, "later", version: 2),
            Array(mapping(10_126, "").prefix(12)), Self.four(1) + Bytes.zeros(40),
        ]
        for block in blocks { file.block(type) { $0.bytes += block } }
        for uid in 10_123...10_126 { file.enhancedPacket([1], options: [(1, Array("u-\(uid)".utf8))]) }
        #expect(
            Self.processes(file) == [
                CaptureProcess(app: "com.example.shop", name: "com.example.shop"), CaptureProcess(app: "uid 10124"),
                CaptureProcess(app: "uid 10125"), CaptureProcess(app: "uid 10126"),
            ])
    }

    // MARK: Flags

    @Test("Apple's packet flags are the low byte of their option, in both byte orders", arguments: [false, true])
    func senderFlags(littleEndian: Bool) {
        func four(_ number: UInt32) -> [UInt8] { Self.four(number, littleEndian) }
        var file = Self.file(littleEndian: littleEndian)
        let packets: [[Option]] = [
            [(0x8004, four(4))], [(0x8004, four(2))], [(0x8004, four(0x1_0006))], [(0x8004, four(0x20))],
            [(0x8004, [4, 4])], [], [(0x8001, four(0)), (0x8004, four(1)), (0x8003, four(0))],
        ]
        for options in packets { file.enhancedPacket([1], options: options) }
        file.simplePacket([1])
        #expect(parseCapture(file.bytes).frames.map(\.senderFlags) == [4, 2, 6, 0x20, 0, 0, 1, 0])
    }

    // MARK: Limits

    @Test("beyond the limit packets stay without process, and known ones keep theirs")
    func limit() {
        var file = Self.file()
        for pid in [1, 2, 3, 1, 4, 2] { file.enhancedPacket([1], options: [(1, Array("PID=\(pid) TID=1".utf8))]) }
        #expect(Self.processes(file, limit: 2).map { $0?.pid } == [1, 2, nil, 1, nil, 2])
    }

    @Test("a long name is cut, and one that is no UTF-8 is shown byte by byte")
    func names() {
        var file = Self.file()
        file.block(0x8000_0001, options: [(2, [UInt8](repeating: 0x61, count: 4000))]) { $0.u32(1) }
        file.block(0x8000_0001, options: [(2, [0x61, 0xff])]) { $0.u32(1) }
        for place in 0..<2 as Range<UInt32> { file.enhancedPacket([1], options: [(0x8001, Self.four(place))]) }
        #expect(Self.processes(file).map { $0?.name } == [String(repeating: "a", count: 255), "a\u{ff}"])
    }
}
