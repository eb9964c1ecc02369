import Testing
import WireTesting

/// How a capture point repeats what it sees.
struct CaptureRepetition: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var delays: [Int64]
    /// Bytes of the IPv4 header that a copy has, by their offset in the frame: identification, TTL, checksum.
    var changes: [Int: UInt8] = [:]

    static let all = [
        CaptureRepetition(
            testDescription: "at once, without identification", delays: [30_000], changes: [18: 0, 19: 0]),
        CaptureRepetition(
            testDescription: "at once, with another", delays: [30_000], changes: [18: 7, 19: 9]),
        CaptureRepetition(testDescription: "6 ms later", delays: [6_000_000]),
        CaptureRepetition(testDescription: "20 ms later", delays: [20_000_000], changes: [22: 5]),
        CaptureRepetition(
            testDescription: "half a second later", delays: [500_000_000], changes: [22: 3, 24: 1, 25: 1]),
        CaptureRepetition(
            testDescription: "three times", delays: [12_000, 21_000], changes: [18: 1, 19: 1]),
        CaptureRepetition(
            testDescription: "three times, far apart", delays: [10_000_000, 250_000_000], changes: [22: 9]
        ),
    ]

    /// All frames with their copies, by time.
    func applied(to frames: [CapturedFrame]) -> [CapturedFrame] {
        let copies = delays.flatMap { delay in
            frames.map { frame in
                var copy = frame
                copy.time += delay
                for (offset, byte) in changes { copy.bytes[offset] = byte }
                return copy
            }
        }
        return (frames + copies).enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        .map(\.element)
    }
}
