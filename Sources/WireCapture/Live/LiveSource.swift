import WireCore

/// One open interface, as the live capture sees it. Tests have their own.
protocol LiveSource: AnyObject {
    /// Name, link type and lengths; the counts in it are not used.
    var summary: CaptureInterfaceSummary { get }
    /// To be polled for reading; nil where the system cannot.
    var descriptor: Int32? { get }
    /// Milliseconds that a poll may last at most; nil when any time will do.
    var longestWait: Int? { get }

    /// Hands out frames that are there now, at most `limit`, without waiting: time, length on the medium, and bytes.
    /// Returns why there can be no more, or nil while there can.
    func dispatch(limit: Int, _ body: (_ time: Int64, _ originalLength: Int, _ bytes: RawSpan) -> Void) -> String?

    /// What the system counted since the interface was opened; nil where it does not count.
    func statistics() -> LiveStatistics?
    func close()
}

/// Frames as the system counts them, in numbers that wrap around.
struct LiveStatistics: Equatable {
    /// Nil where frames are counted that are not handed out.
    var received: UInt32?
    var droppedByKernel: UInt32
    var droppedByInterface: UInt32
}
