import Synchronization
import WireNative

/// Names of addresses, as the capture tells them: from DNS answers, and from records of its file.
///
/// Connections ask for names while packets behind theirs may already have been looked at, by another thread. So each name
/// is kept with its place in the capture, and who asks says where it is: what is answered depends on the capture alone.
final class NameDirectory: Sendable {
    private struct Name {
        /// The frame that brought it.
        var ordinal: Int
        var text: [UInt8]
        /// It stands in a record of the file, which is of the whole capture.
        var isRecord = false
    }

    /// Names of one address in the order of their frames.
    private struct Names {
        private var names: [Name] = []
        /// Nobody will ask for those in front of this index any more.
        private var first = 0
        /// That of a record of the file.
        private var record: Name?

        /// Adds a name unless it is the latest one.
        mutating func add(_ name: Name, settled: Int) {
            if name.isRecord { record = name }
            if names.last?.text == name.text { return }
            while first + 1 < names.count, names[first + 1].ordinal <= settled { first += 1 }
            if first > 32, first > names.count / 2 {
                names.removeFirst(first)
                first = 0
            }
            names.append(name)
        }

        /// The name at a frame.
        func text(at ordinal: Int) -> [UInt8]? {
            var (low, high) = (first, names.count)
            while low < high {
                let middle = (low + high) / 2
                if names[middle].ordinal <= ordinal { low = middle + 1 } else { high = middle }
            }
            return low > first ? names[low - 1].text : nil
        }

        /// The name of a record of the file that came up to a frame; only the first can be one.
        func recordedText(at ordinal: Int) -> [UInt8]? {
            guard let record, record.ordinal <= ordinal else { return nil }
            return record.text
        }
    }

    private typealias Generation = [IPAddress: Names]

    private struct State {
        var names = Generation()
        /// What was forgotten, and at which frame: those in front of it may still be asked about.
        var former: [(end: Int, names: Generation)] = []
        /// Nobody asks about frames before this one any more.
        var settled = 0
    }

    private let limit: Int
    private let state = Guarded(State())
    /// There may be names. Most captures have none, and the lock takes time.
    private let isUsed = Atomic<Bool>(false)

    /// - Parameter limit: most addresses with names; beyond that all are forgotten.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Takes a name record of the capture file; a name that is known already stays. Returns whether there was no room.
    func add(_ address: IPAddress, name: [UInt8], at ordinal: Int) -> Bool {
        guard !name.isEmpty else { return false }
        isUsed.store(true, ordering: .releasing)
        return state.withLock { state in
            guard state.names[address] == nil else { return false }
            guard state.names.count < limit else { return true }
            let name = Name(ordinal: ordinal, text: name.map(\.lowercasedASCII), isRecord: true)
            state.names[address, default: Names()].add(name, settled: 0)
            return false
        }
    }

    /// Takes a name of a DNS answer, in place of an earlier one. Returns whether the directory was full and forgot all
    /// others.
    func replace(_ address: IPAddress, name: [UInt8], at ordinal: Int) -> Bool {
        isUsed.store(true, ordering: .releasing)
        return state.withLock { state in
            var isFull = false
            if state.names[address] == nil, state.names.count >= limit {
                isFull = true
                state.former.removeAll { $0.end <= state.settled }
                state.former.append((ordinal, state.names))
                state.names = [:]
            }
            // In place: copies of a long list would take the square of its length.
            state.names[address, default: Names()].add(Name(ordinal: ordinal, text: name), settled: state.settled)
            return isFull
        }
    }

    /// How often all names were forgotten that may still be asked about.
    var formerCount: Int { state.withLock { $0.former.count } }

    /// The name that an address had at a frame.
    func name(of address: IPAddress, at ordinal: Int) -> [UInt8]? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return state.withLock { state in
            let names = state.former.first { ordinal < $0.end }?.names ?? state.names
            return names[address]?.text(at: ordinal)
        }
    }

    /// The name that a record of the file up to a frame gave to an address.
    func recordedName(of address: IPAddress, at ordinal: Int) -> [UInt8]? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return state.withLock { state in
            let names = state.former.first { ordinal < $0.end }?.names ?? state.names
            return names[address]?.recordedText(at: ordinal)
        }
    }

    /// Nobody will ask about frames before this one any more.
    func settle(_ ordinal: Int) {
        state.withLock { $0.settled = max($0.settled, ordinal) }
    }
}
