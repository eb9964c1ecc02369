/// Processes that a section of a pcapng file describes, by which packets tell whose they are.
struct PcapngProcesses: Sendable {
    /// Most processes that one section may describe.
    private static let limit = 65_536

    private enum Enterprise {
        static let wireshark: UInt32 = 32_622
        static let pcapdroid: UInt32 = 62_652
    }

    /// What a block tells: a number, and a place among the directory's names.
    private struct Described: Sendable {
        var pid: UInt32
        var name: Int32
        /// When the process began, nanoseconds; the least number where that is not told.
        var start = Int64.min
    }

    /// What the options of a packet tell.
    struct Mention {
        /// Places of Apple's blocks: of the process and of the effective one.
        var block: UInt32?
        var effectiveBlock: UInt32?
        var pid: UInt32?
        var comment: ProcessComment?

        var isEmpty: Bool { block == nil && effectiveBlock == nil && pid == nil && comment == nil }
    }

    /// Gives numbers; nil where nobody asks for processes.
    let directory: ProcessDirectory?
    /// Apple's, in their order.
    private var blocks: [Described] = []
    /// Wireshark's, by process number.
    private var processes: [UInt32: [Described]] = [:]
    private var processCount = 0
    /// Names of PCAPdroid's apps, by user.
    private var apps: [UInt32: Int32] = [:]

    init(_ directory: ProcessDirectory?) { self.directory = directory }

    mutating func beginSection() {
        blocks.removeAll()
        processes.removeAll()
        processCount = 0
        apps.removeAll()
    }

    // MARK: Blocks

    /// Whether a custom block (pcapng §4.8) is one that tells of a process.
    static func describes(enterprise: UInt32) -> Bool {
        enterprise == Enterprise.wireshark || enterprise == Enterprise.pcapdroid
    }

    /// Apple's process information block: the number, and options, of which 2 is the name. Packets refer to its place.
    /// False where there are too many.
    mutating func readBlock(_ buffer: RawSpan, body: Int, end: Int, order: PcapngOrder) -> Bool {
        guard let directory, end - body >= 4 else { return true }
        guard blocks.count < Self.limit else { return false }
        blocks.append(Self.described(buffer, body: body, end: end, order: order, directory))
        return true
    }

    /// False where there are too many.
    mutating func readCustom(_ buffer: RawSpan, body: Int, end: Int, order: PcapngOrder) -> Bool {
        guard let directory else { return true }
        return order.u32(buffer, body) == Enterprise.pcapdroid
            ? readApp(buffer, at: body + 4, end: end, order, directory)
            : readProcess(buffer, at: body + 4, end: end, directory)
    }

    /// PCAPdroid's: version 1, type 1, a reserved byte, the user, lengths of package and label, the package, the label.
    private mutating func readApp(
        _ buffer: RawSpan, at start: Int, end: Int, _ order: PcapngOrder, _ directory: ProcessDirectory
    ) -> Bool {
        guard end - start >= 10, order.u16(buffer, start) == 1, buffer.u8(start + 2) == 1 else { return true }
        let length = Int(buffer.u8(start + 8))
        guard end - start - 10 >= length else { return true }
        guard apps.count < Self.limit else { return false }
        apps[order.u32(buffer, start + 4)] = directory.name(start + 10..<start + 10 + length, in: buffer)
        return true
    }

    /// Wireshark's: type 3 and length of an entry, which is laid out as Apple's block is. It has its least significant bytes
    /// first, whatever the order of the section.
    private mutating func readProcess(
        _ buffer: RawSpan, at start: Int, end: Int, _ directory: ProcessDirectory
    ) -> Bool {
        guard end - start >= 12, buffer.le32(start) == 3 else { return true }
        let length = Int(buffer.le32(start + 4))
        guard length >= 4, end - start - 8 >= length else { return true }
        guard processCount < Self.limit else { return false }
        let process = Self.described(
            buffer, body: start + 8, end: start + 8 + length, order: PcapngOrder(), directory)
        processes[process.pid, default: []].append(process)
        processCount += 1
        return true
    }

    /// A process number and options: 2 is the name, and of Wireshark's 9 when it began.
    private static func described(
        _ buffer: RawSpan, body: Int, end: Int, order: PcapngOrder, _ directory: ProcessDirectory
    ) -> Described {
        var described = Described(pid: order.u32(buffer, body), name: 0)
        var options = PcapngOptions(from: body + 4, to: end, order: order)
        while options.advance(buffer) {
            let value = options.valueOffset..<options.valueOffset + options.length
            switch (options.code, options.length) {
            case (2, 1...): described.name = directory.name(value, in: buffer)
            case (9, 8...): described.start = Int64(clamping: order.u64(buffer, value.lowerBound))
            default: break
            }
        }
        return described
    }

    // MARK: Packets

    /// The number of the process of a packet. What Apple's options say goes before a number, and that before a comment.
    func number(of mention: Mention, _ buffer: RawSpan, at time: Int64) -> UInt16 {
        guard let directory else { return 0 }
        var identity = ProcessIdentity()
        let process = described(mention.block)
        let effective = described(mention.effectiveBlock)
        if process != nil || effective != nil {
            if let process { (identity.pid, identity.name) = (process.pid, process.name) }
            if let effective { (identity.effectivePID, identity.effectiveName) = (effective.pid, effective.name) }
        } else if let pid = mention.pid, identity.isKnown(pid) {
            identity.pid = pid
            identity.name = name(ofProcess: pid, at: time)
        } else if let comment = mention.comment {
            identity.isUser = comment.isUser
            identity.pid = comment.pid
            identity.name = comment.isUser ? apps[comment.pid] ?? 0 : directory.name(comment.name, in: buffer)
            identity.effectivePID = comment.effectivePID
            identity.effectiveName = directory.name(comment.effectiveName, in: buffer)
        }
        return directory.number(identity)
    }

    private func described(_ block: UInt32?) -> Described? {
        guard let block, Int(block) < blocks.count else { return nil }
        return blocks[Int(block)]
    }

    /// Numbers are used again: the process that began last before the packet is meant, or the first of all.
    private func name(ofProcess pid: UInt32, at time: Int64) -> Int32 {
        guard let known = processes[pid] else { return 0 }
        var (latest, earliest): (Described?, Described?)
        for process in known {
            if process.start <= time, process.start >= latest?.start ?? .min { latest = process }
            if process.start < earliest?.start ?? .max { earliest = process }
        }
        return (latest ?? earliest)?.name ?? 0
    }
}
