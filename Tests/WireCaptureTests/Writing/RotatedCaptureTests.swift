import Foundation
import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Captures of several files")
struct RotatedCaptureTests {
    private static let data = [UInt8](repeating: 0x5a, count: 3000)

    private static func write(_ frame: CaptureFrame, to writer: CaptureWriter) {
        writer.write(frame, unsafe data.span.bytes.extracting(first: frame.capturedLength))
    }

    /// The frames of each file, in the order of the files' names.
    private static func files(_ folder: TemporaryFolder) throws -> [ParsedCapture] {
        try fileNames(folder.path).map { parseCapture(try fileBytes(folder.path + "/" + $0)) }
    }

    @Test(
        "no file is larger than its limit, no packet is missing, every file is whole",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func bySize(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let limit = 4096 + random.below(20_000)
        let writer = try CaptureWriter(
            CapturePlan(
                path: folder.path + "/c.pcapng", rotation: CaptureRotation(maximumBytes: limit),
                interfaces: [.sample(), .sample("b")], tool: "t", bufferSize: 4096 + random.below(20_000)),
            clock: { 1_800_000_000_000_000_000 })
        var times: [Int64] = []
        for number in 1...600 {
            let frame = CaptureFrame.sample(
                number, nanoseconds: Int64(number), length: random.below(3000), interface: random.below(2))
            times.append(frame.time)
            Self.write(frame, to: writer)
        }
        writer.finish([])
        let files = try Self.files(folder)
        #expect(files.flatMap(\.frames).map(\.time) == times)
        #expect(files.allSatisfy { $0.ending == .end && !$0.frames.isEmpty && $0.position <= limit })
        // A file ends only when the next packet would be too much.
        let largest = 3000 + 32 + 2 * CaptureBlocks.statisticsLimit
        #expect(files.dropLast().allSatisfy { $0.position + largest > limit })
        #expect(writer.filesWritten == files.count && files.count > 10 && writer.deletedFiles == 0)
        #expect(writer.packetsWritten == 600 && writer.bytesWritten == files.reduce(0) { $0 + $1.position })
        let names = try fileNames(folder.path)
        #expect(names[0] == "c_00001_20270115080000.pcapng" && names[9] == "c_00010_20270115080000.pcapng")
        #expect(writer.currentPath == folder.path + "/" + names.last!)
    }

    @Test("a packet larger than the limit has a file to itself")
    func largePackets() throws {
        let folder = try TemporaryFolder()
        let writer = try CaptureWriter(
            path: folder.path + "/c", rotation: CaptureRotation(maximumBytes: 2000), interfaces: [.sample()], tool: "t")
        for (number, length) in [10, 3000, 10, 20, 3000, 3000].enumerated() {
            Self.write(.sample(number, length: length), to: writer)
        }
        writer.finish([])
        #expect(
            try Self.files(folder).map { $0.frames.map(\.bytes.count) } == [[10], [3000], [10, 20], [3000], [3000]])
    }

    /// Seconds of packets, and how they are divided into files of ten seconds.
    static let times: [[[Int64]]] = [
        [[0, 1, 9], [10, 11, 19], [20]], [[5, 14], [15], [100, 101], [110]],
        // The clock is set back: a little, and by hours.
        [[100, 95, 104], [105]], [[5000, 5005, 100, 109, 112], [5010]],
        [[5000] + (0...16).map { 100 + $0 * 10 }, [270, 279], [280]],
        // It is set forward.
        [[5], [5000, 5009], [5010]],
    ]

    @Test("a file holds packets of its time, counted from its first one", arguments: times.indices)
    func byTime(index: Int) throws {
        let folder = try TemporaryFolder()
        let writer = try CaptureWriter(
            path: folder.path + "/c", rotation: CaptureRotation(maximumDuration: 10_000_000_000),
            interfaces: [.sample()], tool: "t")
        for second in Self.times[index].joined() { Self.write(.sample(1, seconds: second, length: 60), to: writer) }
        writer.finish([])
        #expect(try Self.files(folder).map { $0.frames.map { $0.time / 1_000_000_000 } } == Self.times[index])
    }

    @Test(
        "no file begins before the end of the one before it, where times go back by a little", arguments: [false, true])
    func disorder(bySize: Bool) throws {
        var random = SeededRandom(seed: 9)
        let folder = try TemporaryFolder()
        let rotation = bySize ? CaptureRotation(maximumBytes: 8000) : CaptureRotation(maximumDuration: 50_000)
        let writer = try CaptureWriter(
            path: folder.path + "/c.pcapng", rotation: rotation, interfaces: [.sample(), .sample("b")], tool: "t")
        var times: [Int64] = []
        for number in 1...2000 {
            let time = Int64(number) * 1000 - Int64(random.below(4000))
            times.append(1_800_000_000_000_000_000 + time)
            Self.write(.sample(1, nanoseconds: time, length: 150, interface: random.below(2)), to: writer)
        }
        writer.finish([])
        let files = try Self.files(folder)
        #expect(files.count > 30 && files.flatMap(\.frames).map(\.time) == times)
        for (earlier, later) in zip(files, files.dropFirst()) {
            #expect(try #require(earlier.frames.map(\.time).max()) <= #require(later.frames.first?.time))
        }
        #expect(!bySize || files.allSatisfy { $0.position <= 8000 + 16 * 184 })
        // The reader then has the order that they were written in, and takes them for one capture.
        let paths = try fileNames(folder.path).map { folder.path + "/" + $0 }
        var inputs = try CaptureInputs(paths: paths.reversed())
        var read: [Int64] = []
        while let turn = inputs.nextTurn() {
            let pause = try turn.reader.drain(through: turn.limit) { frame, _, _, _ throws(CaptureError) in
                read.append(frame.time)
            }
            #expect(turn.firstInterface == 0)
            if pause == .needsBytes { turn.reader.refill() }
        }
        #expect(read == times)
    }

    @Test("drops add up over the files to what the interfaces counted", arguments: [false, true])
    func drops(isTold: Bool) throws {
        let folder = try TemporaryFolder()
        let writer = try CaptureWriter(
            path: folder.path + "/c", rotation: CaptureRotation(maximumDuration: 1_000_000_000),
            interfaces: [.sample(), .sample("b")], tool: "t")
        var counts = [CaptureInterfaceSummary.sample(received: 0), .sample("b", received: 0)]
        var random = SeededRandom(seed: 3)
        var inFiles: [Int] = []
        for second in 0..<20 {
            var sum = 0
            for number in 0..<5 {
                let (interface, dropped) = (random.below(2), random.oneIn(2) ? random.below(9) : 0)
                if random.oneIn(2) {
                    counts[interface].droppedByKernel += dropped
                } else {
                    counts[interface].droppedByInterface += dropped
                }
                counts[interface].received! += 1 + dropped
                sum += dropped
                if isTold { writer.note(counts) }
                let frame = CaptureFrame.sample(
                    1, seconds: Int64(second), nanoseconds: Int64(number), length: 1, interface: interface,
                    dropped: dropped)
                Self.write(frame, to: writer)
            }
            inFiles.append(sum)
        }
        // Lost behind the last packet.
        counts[1].droppedByKernel += 4
        inFiles[19] += 4
        writer.finish(counts)
        let files = try Self.files(folder)
        #expect(files.map(\.dropped) == inFiles)
        #expect(inFiles.reduce(0, +) == counts[0].dropped + counts[1].dropped)
        guard isTold else { return }
        var sums = [[0, 0, 0], [0, 0, 0]]
        for name in try fileNames(folder.path) {
            let blocks = try #require(WrittenBlock.blocks(of: fileBytes(folder.path + "/" + name)))
            for block in blocks where block.type == WrittenBlock.statistics {
                let options = try #require(block.options(from: 12))
                for (index, code) in [5, 6, 7].enumerated() {
                    sums[block.u32(0)][index] += try WrittenBlock(type: 0, body: #require(options[code])).u64(0)
                }
            }
        }
        #expect(sums == counts.map { [$0.droppedByInterface, $0.received!, $0.droppedByKernel] })
    }

    @Test("a ring keeps its newest files over thousands of rotations, and no file that is not its own")
    func ring() throws {
        let folder = try TemporaryFolder()
        let foreign = try folder.write("c_00000_20200101000000", [1])
        let writer = try CaptureWriter(
            path: folder.path + "/c", rotation: CaptureRotation(maximumDuration: 1, fileCount: 3),
            interfaces: [.sample()], tool: "t")
        for number in 1...3000 { Self.write(.sample(number, nanoseconds: Int64(number), length: 60), to: writer) }
        #expect(writer.filesWritten == 3000 && writer.deletedFiles == 2997 && writer.problem == nil)
        writer.finish([])
        let names = try fileNames(folder.path)
        #expect(names.count == 4)
        #expect(names.dropFirst().map { $0.prefix(7) } == ["c_02998", "c_02999", "c_03000"])
        #expect(FileManager.default.fileExists(atPath: foreign))
        #expect(
            try Self.files(folder).dropFirst().flatMap(\.frames).map(\.time).map { $0 % 10_000 } == [2998, 2999, 3000])
        #expect(writer.packetsWritten == 3000)
    }

    @Test("a ring leaves a file that took the place of its own, and does not mind one that is gone")
    func replacedFiles() throws {
        let folder = try TemporaryFolder()
        let writer = try CaptureWriter(
            path: folder.path + "/c", rotation: CaptureRotation(maximumDuration: 1, fileCount: 2),
            interfaces: [.sample()], tool: "t")
        var paths: [String] = []
        for number in 1...5 {
            Self.write(.sample(number, nanoseconds: Int64(number), length: 60), to: writer)
            paths.append(writer.currentPath)
            if number == 2 { try FileManager.default.removeItem(atPath: paths[0]) }
            if number == 3 {
                let other = try folder.write("other", [7])
                try FileManager.default.removeItem(atPath: paths[1])
                try FileManager.default.moveItem(atPath: other, toPath: paths[1])
            }
        }
        #expect(try fileBytes(paths[1]) == [7])
        #expect(writer.problem?.contains("another file") == true)
        #expect(writer.problem?.contains(paths[1]) == true)
        #expect(writer.fault == nil && writer.deletedFiles == 2)
    }

    @Test("a name that is taken gets a number behind it")
    func takenNames() throws {
        let folder = try TemporaryFolder()
        let taken = try folder.write("c_00002_20270115080000.x", [1, 2, 3])
        let rotation = CaptureRotation(maximumDuration: 1)
        let writer = try CaptureWriter(
            path: folder.path + "/c.x", rotation: rotation, interfaces: [.sample()], tool: "t")
        for number in 1...2 { Self.write(.sample(number, nanoseconds: Int64(number), length: 60), to: writer) }
        #expect(writer.currentPath == folder.path + "/c_00002_20270115080000_2.x")
        #expect(try fileBytes(taken) == [1, 2, 3])
        writer.finish([])
    }

    @Test("a rotated capture is audited like the same capture in one file")
    func sameAudit() throws {
        let folder = try TemporaryFolder()
        for name in ["shop", "loss", "h2c"] {
            let path = storedCapture(name + "/capture.pcap")
            let single = try CaptureAudit(paths: [path]).run()
            let writer = try CaptureWriter(
                path: folder.path + "/" + name, rotation: CaptureRotation(maximumBytes: 4096),
                interfaces: [.sample()], tool: "t")
            try copy(path, to: writer)
            writer.finish([.sample()])
            let files = try fileNames(folder.path).filter { $0.hasPrefix(name) }.map { folder.path + "/" + $0 }
            #expect(files.count > 3)
            let rotated = try CaptureAudit(paths: files).run()
            #expect(booked(rotated) == booked(single), "\(name)")
        }
    }
}
