/// One interface of a live capture: what it is, and what came and was lost there.
public struct CaptureInterfaceSummary: Sendable, Equatable {
    public var name: String
    /// What the system calls it besides its name; nil where it does not.
    public var description: String?
    public var linkType: LinkType
    /// Most bytes captured of a frame.
    public var snapshotLength: Int
    /// Frames audited, with their original lengths.
    public var packets = 0
    public var bytes = 0
    /// Frames that fit the filter and came to the capture, lost ones included, as the system counts them; nil where it
    /// does not.
    public var received: Int?
    /// Frames lost because the buffer between system and program was full.
    public var droppedByKernel = 0
    /// Frames lost by the interface or its driver before they came that far, by their own count.
    public var droppedByInterface = 0
    /// Why nothing comes from it any more, one clause; nil while it is captured, or when the capture as a whole ended.
    public var fault: String?

    public var dropped: Int { droppedByKernel + droppedByInterface }

    public init(name: String, description: String? = nil, linkType: LinkType, snapshotLength: Int) {
        self.name = name
        self.description = description
        self.linkType = linkType
        self.snapshotLength = snapshotLength
    }
}
