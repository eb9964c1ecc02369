import WireCore

/// The files of one audit and whose turn it is.
///
/// Every file is opened once to learn its format and first time; then files are in the order of those times. A file is
/// opened for reading when the merge reaches its first time. As long as one file's frames are all earlier than the
/// others' next ones, it is read without looking at the others at all.
package struct CaptureInputs {
    /// A stretch of one file: all its frames up to and including a time.
    package struct Turn {
        package var reader: CaptureFileReader
        /// Index of the file in `summaries`.
        package var file: Int
        package var limit: Int64
        /// Number of the file's first interface.
        package var firstInterface: Int

        /// A frame with the number that its interface has over all files.
        @inline(__always)
        func numbered(_ frame: CaptureFrame) -> CaptureFrame {
            var frame = frame
            frame.interface = number(of: frame.interface)
            return frame
        }

        /// The number that an interface of the file has over all files.
        @inline(__always)
        func number(of interface: Int) -> Int { firstInterface + min(interface, CaptureFrame.interfacesPerFile - 1) }
    }

    private struct Input {
        var path: String
        var file: InputFile
        var summary: CaptureFileSummary
        /// Time of the first frame; nil when there is none.
        var firstTime: Int64?
        var linkType: LinkType?
        /// Kept where it cannot be opened again, or is the only one; else made when its turn comes.
        var reader: CaptureFileReader?
        /// Number of its first interface, once it is being read.
        var firstInterface = 0
    }

    private var inputs: [Input] = []
    /// Files being read, by index in `inputs`, ascending.
    private var active: [Int] = []
    private var nextToOpen = 0
    /// The file opened last was never read together with another one.
    private var latestIsAlone = false
    /// Whose turn it was last.
    private var current: Int?
    private let openFiles: OpenFiles
    private let processes: ProcessDirectory?
    private var finishedPackets = 0
    private let totalBytes: Int?

    /// - Parameter processes: gets the processes that the files name.
    package init(
        paths: [String], openFiles limit: Int = OpenFiles.standardLimit, processes: ProcessDirectory? = nil
    ) throws(CaptureError) {
        self.processes = processes
        openFiles = OpenFiles(limit: limit)
        var seen: Set<InputFile.Identity> = []
        for path in paths {
            let file = try InputFile(path: path, among: openFiles)
            guard seen.insert(file.identity).inserted else {
                throw .cannotOpen(path: path, reason: "it is named twice")
            }
            inputs.append(try Self.probe(file, isOnly: paths.count == 1, processes))
        }
        let sizes = inputs.map(\.file.size)
        totalBytes = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
        // The sort of the standard library keeps equal elements in order: ties go by the order of the arguments.
        inputs.sort { ($0.firstTime ?? .max) < ($1.firstTime ?? .max) }
    }

    var summaries: [CaptureFileSummary] { inputs.map(\.summary) }

    /// Some input cannot be read a second time: it may be made while it is read.
    var hasPipe: Bool { inputs.contains { !$0.file.isReopenable } }

    /// Plain pcapng files that can be read a second time.
    var plainBlockFiles: [String] {
        inputs.filter { $0.file.isReopenable && $0.summary.format == "pcapng" && $0.summary.compression == nil }
            .map(\.path)
    }

    /// Link types of the files' first frames or headers; Ethernet where no file tells one.
    var firstLinkTypes: [LinkType] {
        let known = inputs.compactMap(\.linkType)
        return known.isEmpty ? [.ethernet] : known
    }

    var progress: AuditProgress {
        AuditProgress(
            bytesRead: inputs.reduce(0) { $0 + $1.file.position }, totalBytes: totalBytes,
            packets: active.reduce(finishedPackets) { $0 + (inputs[$1].reader?.frameCount ?? 0) })
    }

    private static func probe(
        _ file: InputFile, isOnly: Bool, _ processes: ProcessDirectory?
    ) throws(CaptureError) -> Input {
        let reader = CaptureFileReader(
            file: file, bufferSize: isOnly ? largeBuffer : smallBuffer, processes: processes)
        try reader.readToFirstFrame()
        let summary = CaptureFileSummary(
            path: file.path, format: (reader.format ?? .pcap).rawValue, compression: reader.source.compression)
        var input = Input(
            path: file.path, file: file, summary: summary, firstTime: reader.waitingFrame?.time,
            linkType: reader.waitingFrame?.linkType ?? reader.declaredLinkType, reader: reader)
        if !isOnly, file.isReopenable {
            file.rewind()
            input.reader = nil
        }
        return input
    }

    static let largeBuffer = 256 << 10
    private static let smallBuffer = 64 << 10
    /// Files read at one time that get a large buffer each.
    private static let largeBufferCount = 4

    /// The next stretch to read; nil when all files are finished.
    package mutating func nextTurn() -> Turn? {
        closeFinished()
        while nextToOpen < inputs.count, opensNow() { activate() }
        guard let first = active.min(by: isEarlier), let reader = inputs[first].reader else { return nil }
        current = first
        return Turn(
            reader: reader, file: first, limit: limit(of: first), firstInterface: inputs[first].firstInterface)
    }

    /// The file of the last turn has told its end by now, if it was there.
    private mutating func closeFinished() {
        guard let current, let reader = inputs[current].reader, reader.ending != nil else { return }
        finishedPackets += reader.frameCount
        inputs[current].file.close()
        inputs[current].reader = nil
        active.removeAll { $0 == current }
        self.current = nil
    }

    private func opensNow() -> Bool {
        guard let head = active.min(by: isEarlier) else { return true }
        // Frames of one time go by the order of the files: those of `head` come first, then this file is opened.
        return (inputs[nextToOpen].firstTime ?? .max) < time(of: head)
    }

    private mutating func activate() {
        if inputs[nextToOpen].reader == nil {
            let size = active.count < Self.largeBufferCount ? Self.largeBuffer : Self.smallBuffer
            let reader = CaptureFileReader(
                file: inputs[nextToOpen].file, bufferSize: size, processes: processes)
            // It was a capture a moment ago. What others and it gave so far is worth more than an error now.
            do { try reader.readToFirstFrame() } catch { reader.abandon() }
            inputs[nextToOpen].reader = reader
        }
        inputs[nextToOpen].firstInterface = firstInterface(of: nextToOpen)
        latestIsAlone = active.isEmpty
        active.append(nextToOpen)
        nextToOpen += 1
    }

    /// A file has its interface numbers to itself. But it goes on with those of the one before it where each of the two stands alone in its time: a packet
    /// on the border between them is then not taken for the copy that another interface saw.
    private func firstInterface(of index: Int) -> Int {
        guard index > 0 else { return 0 }
        let (file, before) = (inputs[index], inputs[index - 1])
        let goesOn =
            active.isEmpty && latestIsAlone && file.summary.format == before.summary.format
            && (file.summary.format == CaptureParser.Format.pcapng.rawValue || file.linkType == before.linkType)
        return goesOn ? before.firstInterface : index * CaptureFrame.interfacesPerFile
    }

    /// Time of a file's next frame. Where that is not known, the file goes on until it is: it comes first.
    private func time(of index: Int) -> Int64 {
        inputs[index].reader?.waitingFrame?.time ?? .min
    }

    private func isEarlier(_ one: Int, _ other: Int) -> Bool {
        (time(of: one), one) < (time(of: other), other)
    }

    /// Up to which time, inclusive, all frames of a file come before the next frame of any other.
    private func limit(of index: Int) -> Int64 {
        var limit = Int64.max
        for other in active where other != index {
            let time = time(of: other)
            limit = min(limit, index < other ? time : max(time, .min + 1) - 1)
        }
        guard nextToOpen < inputs.count, let time = inputs[nextToOpen].firstTime else { return limit }
        return min(limit, time)
    }
}
