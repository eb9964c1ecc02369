import WireCore

/// The blocks that tell of a capture instead of holding its packets.
enum CaptureBlocks {
    private enum BlockType {
        static let sectionHeader: UInt32 = 0x0a0d_0d0a
        static let interface: UInt32 = 1
        static let statistics: UInt32 = 5
        static let secrets: UInt32 = 10
    }

    /// Longest text of a comment, bytes.
    static let commentLimit = 252
    /// Longest statistics block.
    static let statisticsLimit = 116 + commentLimit
    /// Key log lines go into blocks of about this size.
    private static let secretsBlock = 64 << 10

    /// What is said of one interface at the end of a file.
    struct Statistics {
        var start: Int64
        var end: Int64
        /// Came to the capture and fit its filter, lost ones included.
        var accepted: Int?
        /// Stand in the file.
        var delivered: Int
        var droppedByInterface: Int
        var droppedByKernel: Int
        /// Why nothing came from it any more.
        var fault: String?
    }

    /// Section header block (pcapng §4.1), with the length of the section left open.
    static func sectionHeader(tool: String, system: SystemFacts, comment: String?) -> [UInt8] {
        var block = BlockBytes(type: BlockType.sectionHeader)
        block.u32(0x1a2b_3c4d)
        block.u16(1)
        block.u16(0)
        block.u64(.max)
        if let comment { block.option(1, comment) }
        block.option(2, system.hardware)
        block.option(3, system.system)
        block.option(4, tool)
        return block.finished()
    }

    /// Interface description block (pcapng §4.2): times in nanoseconds.
    static func interface(
        _ interface: CaptureInterfaceSummary, filter: String?, system: SystemFacts
    ) -> [UInt8] {
        var block = BlockBytes(type: BlockType.interface)
        block.u16(UInt16(truncatingIfNeeded: interface.linkType.rawValue))
        block.u16(0)
        block.u32(UInt32(clamping: interface.snapshotLength))
        block.option(2, interface.name)
        if let description = interface.description { block.option(3, description) }
        block.option(9, CollectionOfOne(9))
        // The zero says that an expression of libpcap follows.
        if let filter, !filter.isEmpty { block.option(11, [0] + Array(filter.utf8)) }
        block.option(12, system.system)
        return block.finished()
    }

    /// Interface statistics block (pcapng §4.6). What the system counts as received is what fit the filter; without a
    /// filter that is all that the interface received.
    static func statistics(_ statistics: Statistics, of interface: Int, isFiltered: Bool) -> [UInt8] {
        var block = BlockBytes(type: BlockType.statistics)
        block.u32(UInt32(truncatingIfNeeded: interface))
        block.time(statistics.end)
        if let fault = statistics.fault { block.option(1, cut(fault)) }
        block.option(2, time: statistics.start)
        block.option(3, time: statistics.end)
        if let accepted = statistics.accepted, !isFiltered { block.option(4, count: accepted) }
        block.option(5, count: statistics.droppedByInterface)
        if let accepted = statistics.accepted { block.option(6, count: accepted) }
        block.option(7, count: statistics.droppedByKernel)
        block.option(8, count: statistics.delivered)
        return block.finished()
    }

    /// Decryption secrets blocks (pcapng §4.7) with whole lines of a TLS key log.
    static func secrets(_ lines: ArraySlice<UInt8>) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var rest = lines
        while !rest.isEmpty {
            var end = rest.index(rest.startIndex, offsetBy: secretsBlock, limitedBy: rest.endIndex) ?? rest.endIndex
            if end < rest.endIndex {
                let before = rest[..<end].lastIndex(of: 0x0a)
                end = before.map { $0 + 1 } ?? rest[end...].firstIndex(of: 0x0a).map { $0 + 1 } ?? rest.endIndex
            }
            blocks.append(secretsBlock(rest[..<end]))
            rest = rest[end...]
        }
        return blocks
    }

    private static func secretsBlock(_ lines: ArraySlice<UInt8>) -> [UInt8] {
        var block = BlockBytes(type: BlockType.secrets)
        block.u32(0x544c_534b)
        block.u32(UInt32(truncatingIfNeeded: lines.count))
        block.append(lines)
        return block.finished()
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > commentLimit else { return text }
        var shorter = text.prefix(commentLimit)
        while shorter.utf8.count > commentLimit { shorter.removeLast() }
        return String(shorter)
    }
}
