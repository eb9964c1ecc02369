/// The calls of a row in one block of the capture's time: what a change in mid-session adds up to.
///
/// Calls that follow each other are alike: a cookie, a token or a warm cache that appears in mid-session is in all calls
/// behind it. How blocks of time differ shows how much of a mean is the chance of when that happened.
public struct TimeBlock: Sendable, Equatable {
    /// Blocks in the time of all calls. They must be longer than what makes calls alike, so they are few.
    package static let count = 8

    /// From 0, in order of time.
    public var block: Int
    /// Completed calls with a byte of truth.
    public var calls: Int
    /// Sums over these of 1 / truth and of error / truth, with and without what the contents of bodies made of it.
    public var inverses: Double
    public var errors: Double
    public var errorsWithoutBodies: Double
    /// Calls of at least a byte on the wire, and the sum of their sizes on the scale of `SizeSums`.
    public var sizedCalls: Int
    public var sizes: Double

    public init(
        block: Int, calls: Int = 0, inverses: Double = 0, errors: Double = 0, errorsWithoutBodies: Double = 0
    ) {
        self.block = block
        self.calls = calls
        self.inverses = inverses
        self.errors = errors
        self.errorsWithoutBodies = errorsWithoutBodies
        sizedCalls = 0
        sizes = 0
    }
}

/// The times of all calls of a capture: gives fine blocks while they come in, and `TimeBlock.count` of equal length at the
/// end.
package struct BlockScale: Sendable {
    private static let limit = 64

    /// Low bits of the nanoseconds that a fine block does not tell apart: of a millisecond at least.
    private(set) var shift = 20
    private var first = Int.max
    private var last = Int.min

    package init() {}

    /// The fine block of the time.
    package mutating func place(_ time: Int64) -> Int {
        let time = Int(time)
        first = min(first, time)
        last = max(last, time)
        while last >> shift &- first >> shift >= BlockScale.limit { shift += 1 }
        return time >> shift
    }

    /// The block of a fine one.
    fileprivate func block(of place: Int) -> Int {
        let start = first >> shift
        return (place &- start) * TimeBlock.count / (last >> shift &- start &+ 1)
    }
}

/// Sums of a row's calls by fine blocks, in the units of `RelativeErrorSums` and `SizeSums`. They follow from the calls
/// alone, not from their order, and wrap instead of trapping.
package struct BlockSums: Sendable {
    private struct Entry: KeyedCount, Sendable {
        var key: Int
        var calls = 0
        var inverses = 0
        var errors = 0
        var errorsWithoutBodies = 0
        var sizedCalls = 0
        var sizes = 0

        mutating func absorb(_ other: Entry) {
            calls &+= other.calls
            inverses &+= other.inverses
            errors &+= other.errors
            errorsWithoutBodies &+= other.errorsWithoutBodies
            sizedCalls &+= other.sizedCalls
            sizes &+= other.sizes
        }
    }

    private var entries: [Entry] = []
    private var shift = 0

    package init() {}

    package mutating func add(error: Int, withoutBodies: Int, truth: Int, at time: Int64, _ scale: inout BlockScale) {
        guard truth > 0 else { return }
        var entry = Entry(key: scale.place(time))
        entry.calls = 1
        entry.inverses = (1 << 36) / truth
        entry.errors = RelativeErrorSums.scaled(Double(error), of: truth)
        entry.errorsWithoutBodies = RelativeErrorSums.scaled(Double(withoutBodies), of: truth)
        add(entry, scale)
    }

    package mutating func add(size: Int, at time: Int64, _ scale: inout BlockScale) {
        guard size > 0 else { return }
        var entry = Entry(key: scale.place(time))
        entry.sizedCalls = 1
        entry.sizes = SizeSums.scaled(size)
        add(entry, scale)
    }

    private mutating func add(_ entry: Entry, _ scale: BlockScale) {
        coarsen(to: scale.shift)
        let index = entries.position(of: entry.key)
        if index < entries.count, entries[index].key == entry.key { return entries[index].absorb(entry) }
        entries.insert(entry, at: index)
    }

    private mutating func coarsen(to coarser: Int) {
        guard coarser > shift else { return }
        let dropped = coarser - shift
        regroup { $0 >> dropped }
        shift = coarser
    }

    private mutating func regroup(_ key: (Int) -> Int) {
        var coarse: [Entry] = []
        for var entry in entries {
            entry.key = key(entry.key)
            if coarse.last?.key == entry.key {
                coarse[coarse.count - 1].absorb(entry)
            } else {
                coarse.append(entry)
            }
        }
        entries = coarse
    }

    /// Blocks with a call, in order of time.
    package func blocks(_ scale: BlockScale) -> [TimeBlock] {
        var sums = self
        sums.coarsen(to: scale.shift)
        sums.regroup { scale.block(of: $0) }
        return sums.entries.map { entry in
            var block = TimeBlock(
                block: entry.key, calls: entry.calls, inverses: Double(entry.inverses) * 0x1p-36,
                errors: Double(entry.errors) * 0x1p-24,
                errorsWithoutBodies: Double(entry.errorsWithoutBodies) * 0x1p-24)
            block.sizedCalls = entry.sizedCalls
            block.sizes = Double(entry.sizes) * SizeSums.unit
            return block
        }
    }
}
