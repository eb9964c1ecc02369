/// What a live capture captures, and how.
public struct LiveOptions: Sendable, Equatable {
    /// Names of interfaces, at least one. `any` stands for all interfaces of the system (Linux).
    public var interfaces: [String]
    /// Frames that do not match this expression (pcap-filter(7)) stay in the system; nil: all frames are taken.
    public var filter: String?
    /// Most bytes taken of a frame. The default is the most that the library takes.
    public var snapshotLength: Int
    /// Bytes of the system's buffer for each interface. Frames that find it full are lost.
    public var bufferSize: Int
    /// Each frame is handed over within 5 ms, at the price of more work and of a buffer that many small parts fill up
    /// sooner; else within 50 ms.
    public var deliversImmediately: Bool
    /// Frames for other stations are taken as well, where the medium brings them.
    public var isPromiscuous: Bool
    /// Most bytes held while several interfaces wait for one another; with more, frames go on without waiting.
    public var heldBytesLimit = 64 << 20

    public init(
        interfaces: [String] = [], filter: String? = nil, snapshotLength: Int = 262_144, bufferSize: Int = 16 << 20,
        deliversImmediately: Bool = false, isPromiscuous: Bool = true
    ) {
        self.interfaces = interfaces
        self.filter = filter
        self.snapshotLength = snapshotLength
        self.bufferSize = bufferSize
        self.deliversImmediately = deliversImmediately
        self.isPromiscuous = isPromiscuous
    }
}
