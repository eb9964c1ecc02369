/// Why a log and a capture have nothing in common: what the log lacks then says nothing about the SDK.
public enum LogMismatch: Sendable, Equatable {
    /// Every row of a host of the capture lies before or after it.
    case otherTime
    /// No row has a host of the capture.
    case otherHosts
}

extension LogSummary {
    /// Nil where the log and the capture can be compared.
    public var mismatch: LogMismatch? {
        guard matched == 0, ambiguous == 0, notSelected == 0, hostTotal == 0, partlyRead == 0, withoutExchange == 0,
            tlsFailed == 0
        else { return nil }
        if outsideCapture > 0 { return .otherTime }
        return foreignHost > 0 ? .otherHosts : nil
    }
}
