import WireCore
import WireTesting

/// Small capture files of every kind.
enum CaptureSeeds {
    static let made = pcap + pcapng + compressed

    private static let frame = SampleConversation().packets()[3].frame()

    private static let pcap: [[UInt8]] = [UInt32(0xa1b2_c3d4), 0xa1b2_3c4d, 0xa1b2_cd34].flatMap { magic in
        [true, false].map { littleEndian in
            var file = PcapFileBuilder(littleEndian: littleEndian, magic: magic)
            for second in 0..<3 { file.record(seconds: UInt32(second), fraction: 7, frame) }
            return file.bytes
        }
    }

    private static let pcapng: [[UInt8]] = [true, false].map { littleEndian in
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        file.interface(options: [(2, Array("eth0".utf8)), (9, [9]), (14, file.number(5)), (13, [4])])
        file.interface(linkType: 101, snapshotLength: 60, options: [(9, [0x8a])])
        file.names([(1, [10, 0, 0, 2] + Array("a.test\u{0}b.test\u{0}".utf8))])
        file.secrets(Array("CLIENT_RANDOM 00 11\n".utf8))
        file.enhancedPacket(time: 1 << 40, frame, options: [(2, [0, 0, 0, 0]), (4, file.number(3))])
        file.enhancedPacket(interface: 1, time: 1 << 41, Array(frame.dropFirst(14)), original: 9000)
        file.obsoletePacket(drops: 2, time: 5, frame)
        file.simplePacket(frame)
        file.statistics(interfaceDrops: 4, systemDrops: 2)
        file.block(0x0bad) { $0.u64(1) }
        file.block(0x8000_0001, options: [(2, Array("Shop".utf8))]) { $0.u32(501) }
        file.block(0x0bad) { body in
            body.u32(62_652)
            body.u16(1)
            body.bytes += [1, 0, 0x8B, 0x27, 0, 0, 4, 0] + Array("shop".utf8)
        }
        let comment = Array("PID: 501, ProcName: Shop, EPID: 7, EProcName: Other, SVC: BE".utf8)
        file.enhancedPacket(time: 1, frame, options: [(1, Array("u-10123".utf8)), (1, comment)])
        file.enhancedPacket(time: 1, frame, options: [(0x8001, [0, 0, 0, 0])])
        file.section(littleEndian: !littleEndian)
        file.interface()
        file.enhancedPacket(time: 9, frame)
        return file.bytes
    }

    private static let compressed: [[UInt8]] = [
        CompressedFileBuilder.gzip(pcap[0]), CompressedFileBuilder.zstd(pcapng[0]),
        CompressedFileBuilder.gzip(Array(pcapng[1].prefix(200)))
            + CompressedFileBuilder.gzip(Array(pcapng[1].dropFirst(200))),
    ]
}
