/// A fair sample of calls for each source and direction, of bounded size: every call has the same chance to be in it
/// (reservoir sampling with a fixed seed, so that the same capture gives the same sample).
struct CallSample {
    private static let size = 300

    private var points: [[ScatterPoint]]
    private var seen: [Int]
    private var state: UInt64

    init(sources: Int, seed: UInt64) {
        points = Array(repeating: [], count: sources * 2)
        seen = Array(repeating: 0, count: sources * 2)
        state = seed
    }

    mutating func add(_ point: ScatterPoint) {
        let place = point.source * 2 + (point.direction == .up ? 0 : 1)
        seen[place] += 1
        if points[place].count < CallSample.size {
            points[place].append(point)
            return
        }
        let chosen = Int(next() % UInt64(seen[place]))
        if chosen < CallSample.size { points[place][chosen] = point }
    }

    var all: [ScatterPoint] { Array(points.joined()) }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
