import WireCore

/// The files of one capture, one after the other. All that a packet needs lies in this one value.
struct CaptureSeries: ~Copyable {
    /// Most packets that a new file waits for one which is younger than all before it.
    private static let postponementLimit = 16

    /// Every file begins with these: they describe the interfaces.
    private let interfaceBlocks: [UInt8]
    private let isFiltered: Bool
    private let tool: String
    private let system: SystemFacts
    private let clock: () -> Int64
    /// nil: there is one file only.
    private let names: RotatedFileName?
    /// Bytes that the packets of a file end at; behind them is room for the statistics.
    private let byteLimit: Int
    private let longestDuration: Int64

    private var file: EvidenceFile
    /// Packets can be written: neither finished nor failed.
    private(set) var isOpen = true
    private(set) var fault: CaptureWriteFault?
    private var buffer: UnsafeBlockBuffer
    private var secrets: KeptSecrets
    private var tallies: [InterfaceTally]
    private(set) var files: RotatedFiles
    private(set) var filesWritten = 1
    private let captureStart: Int64

    // Of the current file.

    private var fileStart: Int64
    /// Bytes and packets, buffered ones included.
    private var fileBytes = 0
    private var filePackets = 0
    /// Bytes that the system has.
    private var handedBytes = 0
    private var earliestTime = Int64.max
    private var latestTime = Int64.min
    /// A packet of this time or later goes to the next file; the largest number for none.
    private var deadline = Int64.min
    /// Packets that belong to the next file, and are in this one because they are older than others in it.
    private var postponed = 0

    // Of the files before it.

    private var earlierBytes = 0
    private var earlierPackets = 0

    /// Begins with a file that was made for it (`firstFile`). Its head is written at once: that the disk is full is to
    /// be known before the capture begins.
    init(_ plan: CapturePlan, in file: EvidenceFile, began: Int64, clock: @escaping () -> Int64) {
        let system = SystemFacts.current()
        names = plan.names
        interfaceBlocks = plan.interfaces.flatMap {
            CaptureBlocks.interface($0, filter: plan.filter, system: system)
        }
        isFiltered = plan.filter.map { !$0.isEmpty } ?? false
        tool = plan.tool
        self.system = system
        self.clock = clock
        byteLimit = plan.byteLimit
        longestDuration = plan.rotation?.maximumDuration ?? .max
        self.file = file
        buffer = UnsafeBlockBuffer(capacity: plan.bufferSize)
        secrets = KeptSecrets(limit: plan.keptSecrets)
        tallies = plan.interfaces.map { _ in InterfaceTally() }
        files = RotatedFiles(limit: plan.rotation?.fileCount)
        captureStart = began
        fileStart = began
        files.add(file)
        putHead()
        handOver()
    }

    static func firstFile(_ plan: CapturePlan, time: Int64) throws(CaptureWriteFault) -> EvidenceFile {
        if plan.rotation != nil, plan.path == "-" {
            throw CaptureWriteFault(path: "-", reason: "it cannot be rotated; name a file")
        }
        return try open(path: plan.path, names: plan.names, number: 1, time: time)
    }

    var currentPath: String { file.path }
    var bytesWritten: Int { earlierBytes + fileBytes }
    var packetsWritten: Int { earlierPackets + filePackets }
    var forgottenSecretBytes: Int { secrets.forgotten }

    // MARK: Packets

    @inline(__always)
    mutating func write(_ frame: CaptureFrame, _ bytes: RawSpan) {
        guard isOpen else { return }
        let block = PacketBlock(frame, captured: bytes.byteCount)
        let length = block.length
        if frame.time >= deadline || fileBytes &+ length > byteLimit || buffer.room < length
            || frame.time < earliestTime
        {
            makeReady(for: frame, length: length)
            guard isOpen else { return }
        }
        guard frame.interface >= 0, frame.interface < tallies.count else {
            return failAtInterface()
        }
        buffer.append(block, bytes)
        fileBytes &+= length
        filePackets &+= 1
        latestTime = max(latestTime, frame.time)
        tallies[frame.interface].count(droppedBefore: frame.droppedBefore)
    }

    /// What only some packets need: a new file, an empty buffer, a larger one, the time that a file begins at.
    @inline(never)
    private mutating func makeReady(for frame: CaptureFrame, length: Int) {
        let isDue = frame.time >= deadline && deadline < .max || fileBytes + length > byteLimit
        if names != nil, filePackets > 0, isDue {
            // A reader that takes the files in the order of their times keeps the order of the packets where no file
            // begins before the end of the one before it.
            guard frame.time >= latestTime || postponed == Self.postponementLimit else {
                postponed += 1
                return makeRoom(length)
            }
            startNextFile(at: frame.time)
            guard isOpen else { return }
        }
        if frame.time < earliestTime {
            // After the clock was set back too a file holds no more than its time.
            earliestTime = frame.time
            let (sum, overflow) = frame.time.addingReportingOverflow(longestDuration)
            deadline = overflow ? .max : sum
        }
        makeRoom(length)
    }

    private mutating func makeRoom(_ length: Int) {
        guard buffer.room < length else { return }
        handOver()
        buffer.enlarge(to: length)
    }

    @inline(never)
    private mutating func failAtInterface() {
        handOver()
        if isOpen { fail("a packet came from an interface that was not described") }
    }

    // MARK: Other blocks

    mutating func addSecrets(_ lines: [UInt8]) {
        guard isOpen, !lines.isEmpty else { return }
        var lines = lines
        if lines.last != 0x0a { lines.append(0x0a) }
        if filePackets > 0, fileBytes + lines.count > byteLimit { startNextFile(at: latestTime) }
        for block in CaptureBlocks.secrets(lines[...]) { put(block) }
        if names != nil { secrets.add(lines) }
    }

    mutating func note(_ interfaces: [CaptureInterfaceSummary]) {
        for index in 0..<min(interfaces.count, tallies.count) { tallies[index].note(interfaces[index]) }
    }

    private mutating func put(_ block: [UInt8]) {
        guard isOpen else { return }
        makeRoom(block.count)
        guard isOpen else { return }
        unsafe buffer.append(block.span.bytes)
        fileBytes += block.count
    }

    private mutating func putHead() {
        let comment =
            names == nil
            ? nil : "file \(filesWritten) of the capture that began at \(Moment(nanoseconds: captureStart).text) UTC"
        put(CaptureBlocks.sectionHeader(tool: tool, system: system, comment: comment))
        put(interfaceBlocks)
        for block in CaptureBlocks.secrets(secrets.lines[...]) { put(block) }
    }

    private mutating func putStatistics(end: Int64, isLast: Bool) {
        let start = min(fileStart, earliestTime)
        for index in tallies.indices {
            let statistics = tallies[index].take(from: start, to: max(start, end), isLast: isLast)
            put(CaptureBlocks.statistics(statistics, of: index, isFiltered: isFiltered))
        }
    }

    // MARK: Files

    /// Hands the buffered blocks to the system.
    mutating func flush() {
        guard isOpen else { return }
        handOver()
        if isOpen, file.isDeleted { fail("it was deleted while it was written") }
    }

    mutating func finish(_ interfaces: [CaptureInterfaceSummary]) {
        guard isOpen else { return }
        note(interfaces)
        putStatistics(end: max(clock(), latestTime), isLast: true)
        flush()
        guard isOpen else { return }
        isOpen = false
        if let reason = file.close() { fail(reason) }
    }

    private mutating func startNextFile(at time: Int64) {
        putStatistics(end: time, isLast: false)
        flush()
        guard isOpen else { return }
        if let reason = file.close() { return fail(reason) }
        do throws(CaptureWriteFault) {
            file = try Self.open(path: file.path, names: names, number: filesWritten + 1, time: time)
        } catch {
            isOpen = false
            fault = CaptureWriteFault(
                path: error.path, reason: error.reason, packetsWritten: packetsWritten, bytesWritten: bytesWritten)
            return
        }
        filesWritten += 1
        files.add(file)
        earlierBytes += fileBytes
        earlierPackets += filePackets
        (fileBytes, filePackets, handedBytes) = (0, 0, 0)
        (fileStart, earliestTime, latestTime) = (time, .max, .min)
        (deadline, postponed) = (.min, 0)
        putHead()
        handOver()
    }

    private static func open(
        path: String, names: RotatedFileName?, number: Int, time: Int64
    ) throws(CaptureWriteFault) -> EvidenceFile {
        var attempt = 1
        while true {
            let name = names?.path(number: number, time: time, attempt: attempt) ?? path
            do throws(EvidenceFile.Failure) {
                return try EvidenceFile(path: name, isNew: names != nil)
            } catch {
                attempt += 1
                guard error.exists, names != nil, attempt < 100 else {
                    throw CaptureWriteFault(path: name, reason: error.reason)
                }
            }
        }
    }

    private mutating func handOver() {
        guard isOpen, buffer.count > 0 else { return }
        let file = file
        let (count, reason) = buffer.withBytes { file.write($0) }
        if let reason { return fail(reason, having: count) }
        handedBytes += buffer.count
        buffer.removeAll()
    }

    /// Gives up: the file ends with its last whole block, of which the system has `count` bytes of the buffer.
    private mutating func fail(_ reason: String, having count: Int = 0) {
        let (end, packetsBehind) = buffer.wholeBlocks(within: count)
        fileBytes -= buffer.count - end
        filePackets -= packetsBehind
        handedBytes += end
        buffer.removeAll()
        file.cut(to: handedBytes)
        isOpen = false
        fault = CaptureWriteFault(
            path: file.path, reason: reason, packetsWritten: packetsWritten, bytesWritten: bytesWritten)
        _ = file.close()
        guard handedBytes == 0, names != nil else { return }
        // An empty file is no capture, and would only be in the way of the others.
        if EvidenceFile.delete(file.path, file.identity) == nil { filesWritten -= 1 }
    }
}

/// What a capture is to be written as.
struct CapturePlan {
    /// Most bytes of keys that a new file begins with.
    static let secretsLimit = 4 << 20

    var path: String
    var rotation: CaptureRotation?
    var interfaces: [CaptureInterfaceSummary]
    var filter: String?
    var tool: String
    var bufferSize = 256 << 10

    /// Bytes of a file without its statistics.
    var byteLimit: Int {
        guard let maximum = rotation?.maximumBytes else { return .max }
        return max(0, maximum - interfaces.count * CaptureBlocks.statisticsLimit)
    }

    var names: RotatedFileName? { rotation == nil ? nil : RotatedFileName(path: path) }

    /// Keys are to leave room for packets.
    var keptSecrets: Int {
        min(Self.secretsLimit, (rotation?.maximumBytes ?? .max) / 4)
    }
}
