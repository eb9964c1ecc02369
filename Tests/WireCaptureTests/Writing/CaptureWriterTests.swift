import Foundation
import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Writing of captures")
struct CaptureWriterTests {
    static let interfaces = [
        CaptureInterfaceSummary.sample(), .sample("tun0", linkType: LinkType(rawValue: 101)),
        .sample("any", linkType: LinkType(rawValue: 276)),
    ]

    /// A frame with random facts, and its bytes.
    static func randomFrame(_ number: Int, _ random: inout SeededRandom) -> (CaptureFrame, [UInt8]) {
        let length = random.oneIn(40) ? random.below(70_000) : random.below(random.oneIn(2) ? 100 : 1600)
        let interface = random.below(3)
        var frame = CaptureFrame.sample(
            number, nanoseconds: Int64(number) * 1_000_003 + Int64(random.below(999)), length: length,
            original: random.oneIn(5) ? random.below(70_000) : length, interface: interface,
            dropped: random.oneIn(6) ? random.element([1, 7, 70_000, .max]) : 0)
        frame.linkType = interfaces[interface].linkType
        frame.checkSequenceLength = random.oneIn(8) ? 1 + random.below(15) : 0
        return (frame, random.bytes(length))
    }

    @Test("random frames come back as they were", arguments: 1...8 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.path + "/c.pcapng"
        let size = random.element([4096, 5000, 65_536, 262_144])
        let plan = CapturePlan(
            path: path, interfaces: Self.interfaces, filter: "ip", tool: "test", bufferSize: size)
        let writer = try CaptureWriter(plan)
        var expected: [ParsedCapture.Frame] = []
        for number in 1...400 {
            let (frame, bytes) = Self.randomFrame(number, &random)
            writer.write(frame, unsafe bytes.span.bytes)
            expected.append(ParsedCapture.Frame(frame, bytes))
            if random.oneIn(30) { writer.flush() }
        }
        writer.finish([])
        #expect(writer.fault == nil)
        let file = try fileBytes(path)
        let parsed = parseCapture(file)
        #expect(parsed.ending == .end)
        #expect(parsed.frames == expected, "seed \(seed)")
        #expect(writer.packetsWritten == 400 && writer.bytesWritten == file.count && writer.filesWritten == 1)
    }

    @Test("frames of every small length are padded to whole words, with and without options")
    func padding() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "test")
        let data = [UInt8](repeating: 0xee, count: 70)
        for length in 0...70 {
            for dropped in [0, 3] {
                writer.write(
                    .sample(1, length: length, dropped: dropped), unsafe data.span.bytes.extracting(first: length))
            }
        }
        writer.finish([.sample()])
        let packets = try #require(WrittenBlock.blocks(of: fileBytes(path))).filter { $0.type == WrittenBlock.packet }
        #expect(packets.count == 142)
        for (index, packet) in packets.enumerated() {
            let length = index / 2
            let padded = (length + 3) / 4 * 4
            #expect(packet.u32(12) == length)
            #expect(Array(packet.body[20..<20 + length]).allSatisfy { $0 == 0xee })
            #expect(packet.body[20 + length..<20 + padded].allSatisfy { $0 == 0 })
            let options = packet.options(from: 20 + padded)
            #expect(options?[4] == (index % 2 == 0 ? nil : [3, 0, 0, 0, 0, 0, 0, 0]))
            #expect(options?.count == index % 2)
        }
    }

    @Test("the head names program, system, interfaces and filter")
    func head() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        var first = CaptureInterfaceSummary.sample("eth0")
        first.description = "Büro"
        let second = CaptureInterfaceSummary(
            name: "any", linkType: LinkType(rawValue: 276), snapshotLength: 96)
        let writer = try CaptureWriter(path: path, interfaces: [first, second], filter: "tcp port 443", tool: "w 1.0")
        let blocks = try #require(WrittenBlock.blocks(of: fileBytes(path)))
        #expect(blocks.map(\.type) == [WrittenBlock.sectionHeader, WrittenBlock.interface, WrittenBlock.interface])
        #expect(blocks[0].u32(0) == 0x1a2b_3c4d && blocks[0].u64(4 + 4) == -1)
        let options = try #require(blocks[0].options(from: 16))
        #expect(options[4] == Array("w 1.0".utf8))
        let uname = ProcessInfo.processInfo
        #expect(options[3] != nil && options[2] != nil && options[1] == nil)
        #expect(!String(decoding: blocks[0].body, as: UTF8.self).contains(uname.hostName))
        let interfaces = try blocks[1...].map { try #require($0.options(from: 8)) }
        #expect(interfaces.map { $0[2] } == [Array("eth0".utf8), Array("any".utf8)])
        #expect(interfaces.map { $0[3] } == [Array("Büro".utf8), nil])
        #expect(interfaces.allSatisfy { $0[9] == [9] && $0[11] == [0] + Array("tcp port 443".utf8) })
        #expect(interfaces.allSatisfy { $0[12] == options[3] })
        #expect(blocks[1...].map { $0.u16(0) } == [1, 276])
        #expect(blocks[1...].map { $0.u32(4) } == [262_144, 96])
        writer.finish([])
    }

    @Test("the end tells what each interface received and lost")
    func statistics() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        for filter in [nil, "", "ip"] {
            var now: Int64 = 1_700_000_000_000_000_005
            let plan = CapturePlan(path: path, interfaces: [.sample(), .sample("b")], filter: filter, tool: "t")
            let writer = try CaptureWriter(plan, clock: { now })
            writer.write(.sample(1, seconds: 1_700_000_001, length: 0, dropped: 2), unsafe [UInt8]().span.bytes)
            now += 5_000_000_000
            var second = CaptureInterfaceSummary.sample("b", received: 7, kernel: 3, interface: 4)
            second.fault = "it was removed"
            writer.finish([.sample(received: 9, kernel: 2, interface: 6), second])
            let bytes = try fileBytes(path)
            let blocks = try #require(WrittenBlock.blocks(of: bytes)).filter { $0.type == WrittenBlock.statistics }
            #expect(blocks.map { $0.u32(0) } == [0, 1])
            #expect(blocks.map { $0.time(4) } == [1_700_000_005_000_000_005, 1_700_000_005_000_000_005])
            for (index, block) in blocks.enumerated() {
                let options = try #require(block.options(from: 12))
                let times = [2, 3].map { options[$0].map { WrittenBlock(type: 0, body: $0).time(0) } }
                #expect(times == [1_700_000_000_000_000_005, 1_700_000_005_000_000_005])
                let counts = [4, 5, 6, 7, 8].map { options[$0].map { WrittenBlock(type: 0, body: $0).u64(0) } }
                let received = [9, 7][index]
                #expect(
                    counts == [filter == "ip" ? nil : received, [6, 4][index], received, [2, 3][index], 1 - index])
                #expect(options[1] == (index == 0 ? nil : Array("it was removed".utf8)))
            }
            #expect(parseCapture(bytes).dropped == 15)
        }
    }

    @Test("texts that no option can hold are left out, long comments are cut at a character")
    func longTexts() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let long = String(repeating: "ü", count: 40_000)
        var interface = CaptureInterfaceSummary(name: "x", description: long, linkType: .ethernet, snapshotLength: 1)
        let writer = try CaptureWriter(path: path, interfaces: [interface], filter: long, tool: long)
        interface.fault = String(repeating: "€", count: 200)
        writer.finish([interface])
        let blocks = try #require(WrittenBlock.blocks(of: fileBytes(path)))
        #expect(blocks[1].options(from: 8)?.keys.sorted() == [2, 9, 12])
        #expect(blocks[2].options(from: 12)?[1] == Array(String(repeating: "€", count: 84).utf8))
    }

    @Test("nothing is written after the end, and ending twice is ending once")
    func afterTheEnd() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        writer.finish([.sample(received: 1)])
        let bytes = try fileBytes(path)
        writer.write(.sample(1, length: 1), unsafe [UInt8](repeating: 0, count: 1).span.bytes)
        writer.addSecrets([0x61, 0x0a])
        writer.flush()
        writer.finish([.sample(received: 5)])
        #expect(try fileBytes(path) == bytes)
        #expect(writer.fault == nil && writer.packetsWritten == 0 && writer.bytesWritten == bytes.count)
    }

    @Test("times before 1970 become the format's first; lengths beyond its numbers its largest")
    func extremes() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        let nothing: [UInt8] = []
        for time in [Int64.min, -1, 0, .max] {
            var frame = CaptureFrame.sample(1, length: 0, original: time < 0 ? -5 : .max)
            frame.time = time
            frame.droppedBefore = time < 0 ? .min : .max
            frame.checkSequenceLength = time < 0 ? -1 : 99
            writer.write(frame, unsafe nothing.span.bytes)
        }
        writer.finish([])
        let frames = try parseCapture(fileBytes(path)).frames
        #expect(frames.map(\.time) == [0, 0, 0, .max])
        #expect(frames.map(\.original) == [0, 0, 4_294_967_295, 4_294_967_295])
        #expect(frames.map(\.droppedBefore) == [0, 0, .max, .max])
        #expect(frames.map(\.checkSequenceLength) == [0, 0, 15, 15])
    }
}
