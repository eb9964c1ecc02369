/// A count of the system that wraps around at 32 bits, made one that does not.
struct WideCounter: Equatable, Sendable {
    /// What was counted since the start.
    private(set) var total = 0
    private var last: UInt32 = 0
    /// The sum of all steps; below `total` while the system's count stands behind an earlier one, as it does when an
    /// interface begins anew or cannot be asked any more.
    private var sum = 0

    /// Takes the system's present count; returns by how much there are more than ever before.
    mutating func advance(to value: UInt32) -> Int {
        // Half of the range separates a wrap from a step back.
        sum += Int(Int32(bitPattern: value &- last))
        last = value
        let increase = max(0, sum - total)
        total += increase
        return increase
    }
}

/// Losses that were counted and wait for the frame that is told of them.
///
/// The system says how many frames were lost, not when: some time between two readings of its counters. Its buffer may
/// hold frames from before the loss at that time. So the frame that is told is the first one captured after the
/// reading.
struct DropMarks: Equatable, Sendable {
    private struct Mark: Equatable, Sendable {
        var count: Int
        /// Time of the reading, by the clock that stamps frames.
        var time: Int64
        /// The same by the monotonic clock.
        var reading: Int64
    }

    /// Most readings kept apart; more are put together.
    private static let limit = 64

    private var marks: [Mark] = []

    var isEmpty: Bool { marks.isEmpty }

    /// A reading brought so many more losses.
    mutating func lost(_ count: Int, time: Int64, reading: Int64) {
        guard count > 0 else { return }
        if marks.count == Self.limit {
            marks[marks.count - 1].count += count
            marks[marks.count - 1].time = time
            marks[marks.count - 1].reading = reading
        } else {
            marks.append(Mark(count: count, time: time, reading: reading))
        }
    }

    /// Nothing has been left in the system's buffer since that moment of the monotonic clock: whatever comes next was
    /// captured after the readings before it, even if its time says otherwise because the clock was set back.
    mutating func bufferWasEmpty(since moment: Int64) {
        for index in marks.indices where marks[index].reading <= moment { marks[index].time = .min }
    }

    /// Losses to tell with a frame of this time.
    mutating func take(before time: Int64) -> Int {
        guard let first = marks.first, first.time < time || marks.contains(where: { $0.time < time }) else { return 0 }
        var count = 0
        marks.removeAll { mark in
            guard mark.time < time else { return false }
            count += mark.count
            return true
        }
        return count
    }
}
