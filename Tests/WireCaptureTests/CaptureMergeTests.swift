import Testing
import WireCapture
import WireTesting

@Suite("Order of several files")
struct CaptureMergeTests {
    @Test("rotated files come in the order of their times, whatever the order of the arguments")
    func rotated() throws {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.write("c", pcap(times: [30, 31])), try folder.write("a", pcap(times: [10, 19])),
            try folder.write("b", CompressedFileBuilder.gzip(pcapng(times: [20, 21, 20]))),
        ]
        let frames = try merge(paths)
        #expect(frames.map(\.seconds) == [10, 19, 20, 21, 20, 30, 31])
        #expect(frames.map(\.file) == [0, 0, 1, 1, 1, 2, 2])
        #expect(frames.map { Int64($0.firstByte) } == frames.map(\.seconds))
    }

    @Test("overlapping files interleave frame by frame; equal times go by the order of the files")
    func interleaved() throws {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.write("a", pcap(times: [1, 3, 5, 5, 9])), try folder.write("b", pcap(times: [2, 3, 4, 5, 6])),
            try folder.write("c", pcap(times: [3, 7])),
        ]
        let frames = try merge(paths)
        #expect(frames.map(\.seconds) == [1, 2, 3, 3, 3, 4, 5, 5, 5, 6, 7, 9])
        #expect(frames.map(\.file) == [0, 1, 0, 1, 2, 1, 0, 0, 1, 1, 2, 0])
    }

    @Test("a file whose times go back keeps its own order")
    func timesGoBack() throws {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.write("a", pcap(times: [5, 1, 8])), try folder.write("b", pcap(times: [6, 2, 7])),
        ]
        let frames = try merge(paths)
        #expect(frames.filter { $0.file == 0 }.map(\.seconds) == [5, 1, 8])
        #expect(frames.filter { $0.file == 1 }.map(\.seconds) == [6, 2, 7])
        #expect(frames.map(\.seconds) == [5, 1, 6, 2, 7, 8])
    }

    @Test("interfaces of overlapping files are numbered apart, from 0")
    func interfaces() throws {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.write("a", pcapng(times: [1, 4])), try folder.write("b", pcapng(times: [2, 5])),
            try folder.write("c", pcap(times: [3])),
        ]
        let numbers = try merge(paths).map(\.interface)
        #expect(numbers.first == 0)
        #expect(Set(numbers).count == 5)
    }

    /// Times of files, and which of them have the same interface numbers.
    static let followers: [(files: [[UInt32]], groups: [Int])] = [
        ([[1, 2], [3, 4], [5, 6]], [0, 0, 0]),
        // Frames of one time at the border.
        ([[1, 2], [2, 3], [3, 3], [3, 4]], [0, 0, 0, 0]),
        // A time that both files have frames before and behind.
        ([[1, 4], [3, 6], [7, 8], [9]], [0, 1, 2, 2]),
        // What follows an overlap belongs to neither file for certain.
        ([[1, 9], [2, 3], [10], [11, 14], [12], [15]], [0, 1, 2, 2, 4, 5]),
        // Times that go back inside of a file.
        ([[1, 7, 2], [3, 4], [5]], [0, 1, 2]),
        ([[1], [], [2]], [0, 3, 0]),
    ]

    @Test("files that follow each other without overlap share interface numbers", arguments: followers)
    func sharedInterfaces(files: [[UInt32]], groups: [Int]) throws {
        for make in [{ pcap(times: $0) }, { pcapng(times: $0) }] as [([UInt32]) -> [UInt8]] {
            let folder = try TemporaryFolder()
            let paths = try files.enumerated().map { try folder.write("\($0)", make($1)) }
            let merged = try merge(paths)
            // Files are numbered by their times, and those in the table stand in that order, but for an empty one.
            let order = files.indices.filter { !files[$0].isEmpty }
            var firsts: [Int: Int] = [:]
            for frame in merged where firsts[order[frame.file]] == nil { firsts[order[frame.file]] = frame.interface }
            for (one, other) in order.flatMap({ one in order.map { (one, $0) } }) {
                #expect((firsts[one] == firsts[other]) == (groups[one] == groups[other]), "\(files): \(one), \(other)")
            }
            #expect(merged.map(\.seconds).count == files.joined().count)
        }
    }

    @Test("a packet like the last one of the file before is no copy; one of an overlapping file is")
    func border() throws {
        let folder = try TemporaryFolder()
        var packet = PacketBuilder()
        packet.identification = 0
        packet.payload = [1, 2, 3, 4]
        let bytes = packet.frame()
        func write(_ name: String, milliseconds: [UInt64]) throws -> String {
            var file = PcapngFileBuilder()
            file.section()
            file.interface()
            for time in milliseconds { file.enhancedPacket(time: 1_000_000 + time * 1000, bytes) }
            return try folder.write(name, file.bytes)
        }
        let first = try write("a", milliseconds: [0, 100])
        for (name, times, copies) in [("b", [101, 200], 0), ("c", [99, 200], 1)] as [(String, [UInt64], Int)] {
            let ledger = try CaptureAudit(paths: [first, write(name, milliseconds: times)]).run().ledger
            #expect(ledger.layers.duplicate == copies * bytes.count)
            #expect(ledger.balanced)
        }
    }

    @Test("files of two formats, and pcap files of two link types, share no numbers")
    func otherInterfaces() throws {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.write("a", pcap(times: [1])), try folder.write("b", pcapng(times: [2])),
            try folder.write("c", pcap(times: [3])), try folder.write("d", pcap(times: [4], network: 101)),
            try folder.write("e", pcap(times: [5], network: 101)),
        ]
        let numbers = try merge(paths).map { $0.interface / 65_536 }
        #expect(numbers == [0, 1, 2, 3, 3])
    }

    @Test("more overlapping files than are kept open at one time")
    func manyFiles() throws {
        let folder = try TemporaryFolder()
        // Larger than a reader's buffer, so that every file is read in several goes.
        let paths = try (0..<150).map { index in
            try folder.write("\(index)", pcap(times: [10, 20, 30].map { $0 + UInt32(index % 7) }, size: 40_000))
        }
        let frames = try merge(paths)
        #expect(frames.count == 450)
        #expect(frames.map(\.seconds) == frames.map(\.seconds).sorted())
        #expect(Set(frames.map(\.file)).count == 150)
        #expect(frames.allSatisfy { $0.seconds == Int64($0.firstByte) })
    }

    @Test("files without frames take part without harm")
    func emptyFiles() throws {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.write("none", pcap(times: [])), try folder.write("b", pcap(times: [2])),
            try folder.write("none too", CompressedFileBuilder.zstd(pcapng(times: []))),
            try folder.write("a", pcap(times: [1])),
        ]
        #expect(try merge(paths).map(\.seconds) == [1, 2])
        let files = try CaptureAudit(paths: paths).run().files
        #expect(files.map { String($0.path.split(separator: "/").last!) } == ["a", "b", "none", "none too"])
        #expect(files.map(\.packets) == [1, 1, 0, 0])
        #expect(files.map(\.first) == [1_000_000_000, 2_000_000_000, nil, nil])
    }
}
