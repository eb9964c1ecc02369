import WireCore

/// Writes packets to pcapng files (draft-ietf-opsawg-pcapng) while they arrive, with what is known of their interfaces,
/// of lost packets, and of TLS keys.
///
///     let writer = try CaptureWriter(path: "shop.pcapng", interfaces: interfaces, tool: "wireaudit")
///     writer.write(frame, bytes)          // for each packet
///     writer.flush()                      // once a second or so
///     writer.finish(interfaces)
///
/// Blocks are collected and written whole. What goes wrong on the way is told by `fault`, and ends the writing, not the
/// program: the file is cut back to its last whole block. A pipe that nobody reads any more is such a fault where the
/// program ignores SIGPIPE, and so is a file size limit where it ignores SIGXFSZ.
///
/// New files can be read and written by their owner only, as captures hold private data; a file that was there keeps
/// its permissions, and loses its content.
public final class CaptureWriter {
    private let series: UnsafeBox<CaptureSeries>

    /// Creates the (first) file and writes its head.
    /// - Parameters:
    ///   - path: a file, a pipe, or "-" for standard output. With rotation the files are named after it, each with its
    ///     number and the moment (UTC) it begins at.
    ///   - interfaces: `CaptureFrame.interface` is an index in them.
    ///   - filter: the expression that packets were selected by.
    ///   - tool: name and version of this program.
    public convenience init(
        path: String, rotation: CaptureRotation? = nil, interfaces: [CaptureInterfaceSummary], filter: String? = nil,
        tool: String
    ) throws(CaptureWriteFault) {
        try self.init(
            CapturePlan(path: path, rotation: rotation, interfaces: interfaces, filter: filter, tool: tool))
    }

    init(_ plan: CapturePlan, clock: @escaping () -> Int64 = SystemFacts.now) throws(CaptureWriteFault) {
        let now = clock()
        let file = try CaptureSeries.firstFile(plan, time: now)
        series = UnsafeBox(CaptureSeries(plan, in: file, began: now, clock: clock))
        if let fault = series.value.fault { throw fault }
    }

    deinit { series.value.flush() }

    /// The file that is written, or was written last.
    public var currentPath: String { series.value.currentPath }
    /// Set once; nothing is written afterwards.
    public var fault: CaptureWriteFault? { series.value.fault }
    /// Trouble that does not end the writing: an old file of the ring that cannot be deleted. The latest, one line.
    public var problem: String? { series.value.files.problem }
    /// Bytes and packets of all files of this capture, deleted ones included. What waits to be handed to the system is
    /// counted; what a fault lost is not.
    public var bytesWritten: Int { series.value.bytesWritten }
    public var packetsWritten: Int { series.value.packetsWritten }
    public var filesWritten: Int { series.value.filesWritten }
    /// Files of the ring that were deleted.
    public var deletedFiles: Int { series.value.files.deleted }
    /// Bytes of keys that later files of the capture do not repeat, because they would be too many.
    public var forgottenSecretBytes: Int { series.value.forgottenSecretBytes }

    /// Writes one packet; `bytes` are what was captured of it. `droppedBefore` is written with it.
    public func write(_ frame: CaptureFrame, _ bytes: RawSpan) { series.value.write(frame, bytes) }

    /// Writes whole lines of a TLS key log in front of the next packet. Files that follow begin with them.
    public func addSecrets(_ keyLogLines: [UInt8]) { series.value.addSecrets(keyLogLines) }

    /// Takes the counts of the interfaces as they are now: the statistics at the end of a file use them.
    public func note(_ interfaces: [CaptureInterfaceSummary]) { series.value.note(interfaces) }

    /// Hands buffered blocks to the system, so that others see them and nothing of them is lost with this program.
    public func flush() { series.value.flush() }

    /// Writes what the interfaces counted by the end, and closes the file.
    public func finish(_ interfaces: [CaptureInterfaceSummary]) { series.value.finish(interfaces) }
}
