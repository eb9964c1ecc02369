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

    @Test("interfaces are numbered apart over files, from 0")
    func interfaces() throws {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.write("a", pcapng(times: [1, 2])), try folder.write("b", pcapng(times: [3, 4])),
            try folder.write("c", pcap(times: [5])),
        ]
        let numbers = try merge(paths).map(\.interface)
        #expect(numbers.first == 0)
        #expect(Set(numbers).count == 5)
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
