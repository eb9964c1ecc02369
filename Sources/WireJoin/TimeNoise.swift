/// How far the times of rows lie from those of their exchanges once the clocks are brought together, for one kind of
/// time. All in nanoseconds.
package struct TimeNoise: Equatable {
    /// Rows are later than exchanges by so much, in the middle.
    var lag: Int64
    /// Within this much around the lag, two fits are equally good: the usual spread of single rows.
    package var slack: Int64
    /// Farther apart, a row and an exchange are not a pair where others are near.
    package var limit: Int64

    /// No limit is larger, so that sums of a million distances fit into 64 bits.
    package static let largest: Int64 = 60_000_000_000

    /// Times were cut down to whole steps: an event lies somewhere in the step behind its row's time.
    mutating func widen(toStep step: Int64) {
        (lag, slack, limit) = (lag - step / 2, slack + step / 2, min(limit + step, TimeNoise.largest))
    }

    /// Where nothing is known but the log's resolution.
    package static func unknown(_ limit: Int64) -> TimeNoise {
        TimeNoise(lag: 0, slack: limit, limit: limit)
    }
}

/// The log's clock against the capture's, and how exact rows are.
package struct ClockModel {
    package var fit: ClockFit
    /// By `TimeChannel`.
    var noise: [TimeNoise]

    package init(fit: ClockFit, noise: [TimeNoise]) {
        self.fit = fit
        self.noise = noise
    }

    /// Where the log's clock would have put a time of the capture, lag apart.
    @inline(__always)
    package func logTime(_ time: Int64) -> Int64 {
        let since = Double(time.saturatingSubtract(fit.origin))
        return time.saturatingAdd(fit.offset).saturatingAdd(Int64(nearest: since * fit.drift * 1e-6))
    }

    /// When by the capture's clock it was for a time of the log.
    package func captureTime(_ time: Int64) -> Int64 {
        let since = Double(time.saturatingSubtract(fit.origin).saturatingSubtract(fit.offset))
        let drift = Int64(nearest: since * (fit.drift * 1e-6 / (1 + fit.drift * 1e-6)))
        return time.saturatingSubtract(fit.offset).saturatingSubtract(drift)
    }
}
