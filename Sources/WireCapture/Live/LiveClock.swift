import Platform

/// The two clocks of a live capture, nanoseconds. Tests have their own.
struct LiveClock: Sendable {
    /// Goes forward only.
    var monotonic: @Sendable () -> Int64
    /// What frames are stamped with, since 1970-01-01 00:00 UTC. Can be set, so it can jump.
    var wall: @Sendable () -> Int64

    static let system = LiveClock(monotonic: { read(CLOCK_MONOTONIC) }, wall: { read(CLOCK_REALTIME) })

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
