/// What the capture file says of one frame, besides its bytes.
public struct CaptureFrame: Sendable {
    /// Number of the frame in its file, counted from 1.
    public var number: Int
    /// When it was captured: nanoseconds since 1970-01-01 00:00 UTC. Where the record holds no time (pcapng SPB), that
    /// of the frame before it.
    public var time: Int64
    /// Bytes of the frame that the file holds.
    public var capturedLength: Int
    /// Bytes of the frame on the medium. The ledger counts these. May be more or, in odd files, fewer than captured.
    public var originalLength: Int
    /// How the frame begins.
    public var linkType: LinkType
    /// Bytes of frame check sequence at the end of the frame, when the file declares them.
    public var checkSequenceLength: Int
    /// Which interface of the capture saw it: a number of its own for each pcapng interface of each section and file.
    public var interface: Int
    /// Number of the process that its record in the file names, in the directory of the audit; 0 for none.
    public var process: UInt16
    /// What the sending device says of the packet (Apple's pcapng option 0x8004); 0 where it says nothing.
    package var senderFlags: UInt8 = 0
    /// Frames that the capturing program lost since the frame before it, where that is known.
    public var droppedBefore: Int

    /// Interface numbers that a file has to itself, so that a frame's interface is unique over all files.
    package static let interfacesPerFile = 65_536

    public init(
        number: Int, time: Int64, capturedLength: Int, originalLength: Int, linkType: LinkType,
        checkSequenceLength: Int = 0, interface: Int = 0, droppedBefore: Int = 0, process: UInt16 = 0
    ) {
        self.number = number
        self.time = time
        self.capturedLength = capturedLength
        self.originalLength = originalLength
        self.linkType = linkType
        self.checkSequenceLength = checkSequenceLength
        self.interface = interface
        self.droppedBefore = droppedBefore
        self.process = process
    }
}
