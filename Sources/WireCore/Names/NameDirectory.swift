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
    }

    private typealias Generation = [IPAddress: [Name]]

    private struct State {
        var names = Generation()
        /// What was forgotten, and at which frame: those in front of it may still be asked about.
        var former: [(end: Int, names: Generation)] = []
        /// Nobody asks about frames before this one any more.
        var settled = 0
    }

    private let limit: Int
    private let state = Guarded(State())

    /// - Parameter limit: most addresses with names; beyond that all are forgotten.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Takes a name record of the capture file; a name that is known already stays. Returns whether there was no room.
    func add(_ address: IPAddress, name: [UInt8], at ordinal: Int) -> Bool {
        guard !name.isEmpty else { return false }
        return state.withLock { state in
            guard state.names[address] == nil else { return false }
            guard state.names.count < limit else { return true }
            state.names[address] = [Name(ordinal: ordinal, text: name.map(\.lowercasedASCII))]
            return false
        }
    }

    /// Takes a name of a DNS answer, in place of an earlier one. Returns whether the directory was full and forgot all
    /// others.
    func replace(_ address: IPAddress, name: [UInt8], at ordinal: Int) -> Bool {
        state.withLock { state in
            var isFull = false
            if state.names[address] == nil, state.names.count >= limit {
                isFull = true
                state.former.removeAll { $0.end <= state.settled }
                state.former.append((ordinal, state.names))
                state.names = [:]
            }
            var names = state.names[address] ?? []
            if names.last?.text == name { return isFull }
            while names.count > 1, names[1].ordinal <= state.settled { names.removeFirst() }
            names.append(Name(ordinal: ordinal, text: name))
            state.names[address] = names
            return isFull
        }
    }

    /// The name that an address had at a frame.
    func name(of address: IPAddress, at ordinal: Int) -> [UInt8]? {
        state.withLock { state in
            let names = state.former.first { ordinal < $0.end }?.names ?? state.names
            return names[address]?.last { $0.ordinal <= ordinal }?.text
        }
    }

    /// Nobody will ask about frames before this one any more.
    func settle(_ ordinal: Int) {
        state.withLock { $0.settled = max($0.settled, ordinal) }
    }
}
