import WireCapture

/// What `live` was asked to do besides what every audit is asked.
package struct LiveInvocation: Equatable {
    /// Most bytes taken of a frame; nil: all.
    package var snapshotLength: Int?
    /// Bytes of the system's buffer for each interface; nil: the default.
    package var bufferSize: Int?
    package var deliversImmediately = false
    package var isPromiscuous = true
    /// Ends after so many nanoseconds, packets, finished exchanges, whichever comes first.
    package var duration: Int64?
    package var packets: Int?
    package var exchanges: Int?
    /// Where the packets are written to; "-" for standard output.
    package var evidence: String?
    package var rotation: CaptureRotation?
    /// Name or number of the user to become.
    package var user: String?

    package init() {}
}

extension Invocation {
    /// For the capture itself.
    package var liveOptions: LiveOptions {
        var options = LiveOptions(interfaces: interfaces, filter: filter)
        if let length = live.snapshotLength { options.snapshotLength = length }
        if let size = live.bufferSize { options.bufferSize = size }
        options.deliversImmediately = live.deliversImmediately
        options.isPromiscuous = live.isPromiscuous
        options.heldBytesLimit = limits.liveBytes
        return options
    }
}
