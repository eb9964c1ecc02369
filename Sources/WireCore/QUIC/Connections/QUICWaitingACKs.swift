/// ACK frames of one side that the capture shows before packets which they acknowledge.
///
/// Such a frame is booked to the connection, and moved to its exchange when the packets have come.
///
///     waiting ─▶ all seen: moved to the owner of the highest packet with exchange data, else to that of the ACK before
///        └─▶ given up: stays with the connection
struct QUICWaitingACKs {
    /// Whose the latest ACK frame of the side is.
    enum Latest: Equatable {
        case owner(Owner)
        /// An entry that waits.
        case waiting(Int)
    }

    struct Entry {
        let id: Int
        /// Packet numbers that it acknowledges first, in order.
        var numbers: [Range<UInt64>]
        /// The highest of these that was seen and carried exchange data.
        var best: (number: UInt64, owner: Owner)?
        /// Whose it is where none of them carried any.
        var before: Latest
        /// What was booked to the connection for it.
        var cost = WaitingACKCost()
    }

    private(set) var entries: [Entry] = []
    private(set) var latest = Latest.owner(.connection)
    private var nextID = 0

    /// Most frames that wait, and most ranges of packet numbers of one.
    static let limit = 64
    private static let rangeLimit = 32

    var isEmpty: Bool { entries.isEmpty }

    /// An ACK frame is an owner's.
    mutating func settle(_ owner: Owner) { latest = .owner(owner) }

    /// An ACK frame waits for numbers of these. Returns its entry.
    mutating func wait(_ numbers: [Range<UInt64>], _ best: (number: UInt64, owner: Owner)?) -> Int {
        let kept = Array(numbers.sorted { $0.lowerBound < $1.lowerBound }.suffix(QUICWaitingACKs.rangeLimit))
        entries.append(Entry(id: nextID, numbers: kept, best: best, before: latest))
        latest = .waiting(nextID)
        nextID += 1
        return nextID - 1
    }

    /// More was booked to the connection for an entry. `frame`: number of its frame; 0 where nobody asks.
    mutating func add(_ cost: HeaderCost, frame: Int, to id: Int) {
        add(WaitingACKCost(sum: cost, frames: frame > 0 ? [(frame, cost.internet)] : []), to: id)
    }

    private mutating func add(_ cost: WaitingACKCost, to id: Int) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[index].cost.add(cost)
    }

    /// A packet was seen, with exchange data of an owner or without. Returns what is decided by that.
    mutating func see(_ number: UInt64, _ owner: Owner?, _ seen: QUICRanges) -> [(owner: Owner, cost: WaitingACKCost)] {
        var decided: [(owner: Owner, cost: WaitingACKCost)] = []
        var index = 0
        while index < entries.count {
            guard entries[index].numbers.contains(where: { $0.contains(number) }) else {
                index += 1
                continue
            }
            if let owner, entries[index].best.map({ number > $0.number }) ?? true {
                entries[index].best = (number, owner)
            }
            if entries[index].isWaiting(seen) {
                index += 1
            } else if let result = decide(index) {
                decided.append(result)
            }
        }
        return decided
    }

    /// Takes an entry out that waits no more.
    private mutating func decide(_ index: Int) -> (owner: Owner, cost: WaitingACKCost)? {
        let entry = entries.remove(at: index)
        let result = entry.best.map { Latest.owner($0.owner) } ?? entry.before
        if latest == .waiting(entry.id) { latest = result }
        for place in entries.indices where entries[place].before == .waiting(entry.id) {
            entries[place].before = result
        }
        switch result {
        case .owner(let owner): return (owner, entry.cost)
        case .waiting(let id):
            add(entry.cost, to: id)
            return nil
        }
    }

    /// Gives up the oldest where there are too many; returns whether it did.
    mutating func makeRoom() -> Bool {
        guard entries.count >= QUICWaitingACKs.limit else { return false }
        giveUp(all: false)
        return true
    }

    /// Gives up the oldest, or all of them: the connection keeps what was booked to it.
    mutating func giveUp(all: Bool) {
        while let first = entries.first {
            entries.removeFirst()
            let result = Latest.owner(first.best?.owner ?? .connection)
            if latest == .waiting(first.id) { latest = result }
            for place in entries.indices where entries[place].before == .waiting(first.id) {
                entries[place].before = result
            }
            guard all else { return }
        }
    }

    /// Something that is to come, or came, may go to the owner.
    func concerns(_ owner: Owner) -> Bool {
        latest == .owner(owner) || entries.contains { $0.best?.owner == owner || $0.before == .owner(owner) }
    }
}

/// What ACK frames cost whose owner is not known yet.
struct WaitingACKCost {
    var sum = HeaderCost()
    /// Bytes by the number of their frame, where there is a trace.
    var frames: [(frame: Int, bytes: Int)] = []

    mutating func add(_ other: WaitingACKCost) {
        sum.internet += other.sum.internet
        sum.link += other.sum.link
        sum.hidden += other.sum.hidden
        frames += other.frames
    }
}

extension QUICWaitingACKs.Entry {
    /// A packet that decides has not come: one above those with exchange data that were seen.
    func isWaiting(_ seen: QUICRanges) -> Bool {
        guard let missing = QUICWaitingACKs.missing(of: numbers, in: seen) else { return false }
        return best.map { missing > $0.number } ?? true
    }
}

extension QUICWaitingACKs {
    /// The highest of these numbers that was not seen.
    static func missing(of numbers: [Range<UInt64>], in seen: QUICRanges) -> UInt64? {
        numbers.lazy.compactMap { seen.highestMissing(in: $0) }.max()
    }
}
