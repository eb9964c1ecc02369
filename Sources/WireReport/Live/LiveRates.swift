import WireCore
import WireRecords

/// How fast a live audit's numbers grow: about the last two seconds, and the bytes of each second of the last minutes.
/// Takes a bounded number of samples, whatever the rate at which it is told.
public struct LiveRates: Sendable {
    /// The time that a rate looks back on, nanoseconds.
    static let window: Int64 = 2_000_000_000
    /// Samples closer together are taken as one.
    static let closest: Int64 = 40_000_000
    /// A rate right after the start is not told from less time than this: one packet would make a peak.
    static let shortest: Int64 = 500_000_000
    /// Seconds of history.
    static let historyLength = 256
    private static let second: Int64 = 1_000_000_000

    private struct Sample {
        var time: Int64
        var packets: Int
        var bytes: Int
        /// What each API's wire bytes grew by since the sample before.
        var growth: [(api: Int32, bytes: Int)]
    }

    private let options: ReportOptions
    private var samples: [Sample] = []
    private var apis = LiveAPIGrowth()

    private var start: Int64 = 0
    /// Bytes of each second since the start, the last one unfinished; the oldest are given up.
    private var seconds: [Int] = [0]
    private var lastSecond: Int64 = 0

    public init(options: ReportOptions = ReportOptions()) { self.options = options }

    /// - Parameter time: nanoseconds of a clock that never goes back.
    public mutating func note(_ snapshot: AuditSnapshot, at time: Int64) {
        guard let last = samples.last else { return begin(snapshot, at: time) }
        guard time >= last.time, time - last.time >= Self.closest else { return }
        noteHistory(max(snapshot.bytes - last.bytes, 0), at: time)
        let sample = Sample(
            time: time, packets: snapshot.packets, bytes: snapshot.bytes, growth: grow(snapshot.apis))
        samples.append(sample)
        while samples.count > 2, samples[1].time <= time - Self.window { forgetOldest() }
    }

    private mutating func begin(_ snapshot: AuditSnapshot, at time: Int64) {
        start = time
        samples = [Sample(time: time, packets: snapshot.packets, bytes: snapshot.bytes, growth: [])]
        _ = grow(snapshot.apis)
        apis.startAnew()
    }

    // MARK: Now

    /// Frames in a second.
    public var packetsPerSecond: Int { rate { $0.packets } }
    /// Bytes of frames in a second.
    public var bytesPerSecond: Int { rate { $0.bytes } }

    /// Wire bytes of an API in a second.
    public func wirePerSecond(api: String) -> Int { perSecond(apis.growth(api: api)) }

    /// The same of an API that probably stood in this row of the latest snapshot.
    func wirePerSecond(row: Int, api: String) -> Int { perSecond(apis.growth(row: row, api: api)) }

    private func rate(_ count: (Sample) -> Int) -> Int {
        guard let first = samples.first, let last = samples.last else { return 0 }
        return perSecond(count(last) - count(first))
    }

    /// Rounded to the nearest; what shrank has no rate.
    private func perSecond(_ growth: Int) -> Int {
        guard let first = samples.first, let last = samples.last, growth > 0 else { return 0 }
        let length = UInt(max(last.time - first.time, Self.shortest))
        let wide = UInt(growth).multipliedFullWidth(by: UInt(Self.second))
        guard wide.high < length else { return .max }
        let (whole, rest) = length.dividingFullWidth(wide)
        return Int(clamping: rest >= length - rest ? whole + 1 : whole)
    }

    // MARK: APIs

    private mutating func grow(_ rows: [APISummary]) -> [(api: Int32, bytes: Int)] {
        let changes = apis.note(rows, options)
        guard apis.count > 2 * rows.count + 1024 else { return changes }
        // Names that left the audit must not fill the memory.
        for sample in samples { apis.keep(sample.growth) }
        apis.keep(changes)
        let moved = apis.forgetOthers()
        for index in samples.indices { samples[index].growth = moved(samples[index].growth) }
        return moved(changes)
    }

    private mutating func forgetOldest() {
        samples.removeFirst()
        apis.takeBack(samples[0].growth)
        samples[0].growth = []
    }

    // MARK: History

    /// Bytes of each whole second, the latest last; at most the last 256 seconds.
    public var history: [Int] { Array(seconds.dropLast()) }

    /// What came in a longer pause is shared out over its seconds: nobody knows when it came.
    private mutating func noteHistory(_ bytes: Int, at time: Int64) {
        let now = (time - start) / Self.second
        let passed = now - lastSecond
        guard passed > 1 else {
            if passed == 1 { seconds.append(0) }
            seconds[seconds.count - 1] += bytes
            return finishHistory(now)
        }
        let (share, rest) = bytes.quotientAndRemainder(dividingBy: Int(passed))
        let shown = min(Int(passed), Self.historyLength + 1)
        seconds += Array(repeating: share, count: shown)
        seconds[seconds.count - 1] += rest
        finishHistory(now)
    }

    private mutating func finishHistory(_ now: Int64) {
        lastSecond = now
        if seconds.count > Self.historyLength + 1 {
            seconds.removeFirst(seconds.count - Self.historyLength - 1)
        }
    }
}
