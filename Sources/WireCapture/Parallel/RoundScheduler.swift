import Platform
import WireCore

/// Shares rounds out to threads: each part takes its rounds in their order, in one thread at a time, and rounds are
/// settled in order. Whoever has nothing better to do does what there is to do; nothing is bound to a thread.
final class RoundScheduler: @unchecked Sendable {
    private enum Task {
        case take(Round, part: Int)
        case settle(Round)
        /// Nothing now.
        case none
        /// Nothing any more.
        case over
    }

    /// Rounds that may be on their way at one time, and that wake a sleeper: waking one for each would cost more than many
    /// rounds do.
    private let roundLimit: Int
    private static let wakingCount = 3
    private let halves: UnsafeHalves
    private let gate = ThreadGate()
    private var threads: [WorkerThread] = []

    // Behind the gate.
    /// Rounds that are not settled, the oldest first, and how many parts have not taken each.
    private var open: [(round: Round, remaining: Int)] = []
    /// Number of the first of `open`.
    private var firstNumber = 0
    /// For each part the numbers of rounds that it has not taken.
    private var waiting: [[Int]]
    private var waitingHeads: [Int]
    private var isBusy: [Bool]
    /// A round is being settled, or something else is done that must not happen meanwhile.
    private var isSettling = false
    private var isClosed = false
    private var free: [Round] = []
    /// Parts that could be taken further now.
    private var readyCount = 0
    private var sleepingWorkers = 0
    private var readerSleeps = false

    /// - Parameter threads: those beside the caller's. There may be fewer, if the system gives no more.
    init(_ halves: UnsafeHalves, threads count: Int) {
        self.halves = halves
        roundLimit = 6 + 2 * count
        waiting = [[Int]](repeating: [], count: halves.partCount)
        waitingHeads = [Int](repeating: 0, count: halves.partCount)
        isBusy = [Bool](repeating: false, count: halves.partCount)
        for _ in 0..<count {
            guard let thread = WorkerThread({ [self] in work() }) else { break }
            threads.append(thread)
        }
    }

    // MARK: The caller's side

    /// An empty round. Works on others as long as there are too many.
    func nextRound() -> Round {
        gate.lock()
        while open.count >= roundLimit { workOrWait(at: .reader) }
        let round = free.popLast()
        gate.unlock()
        return round ?? Round()
    }

    /// Gives out a round.
    func publish(_ round: Round) {
        gate.lock()
        for part in round.parts {
            if !isBusy[part], waiting[part].isEmpty { readyCount += 1 }
            waiting[part].append(firstNumber + open.count)
        }
        open.append((round, round.parts.count))
        if sleepingWorkers > 0, open.count >= RoundScheduler.wakingCount { gate.signal(.workers) }
        gate.unlock()
    }

    /// Returns when all rounds are settled.
    func drain() {
        gate.lock()
        while !open.isEmpty { workOrWait(at: .reader) }
        gate.unlock()
    }

    /// Does something while nothing is settled, if that is possible at once.
    func betweenSettlements(_ body: () -> Void) {
        gate.lock()
        let isPossible = !isSettling
        if isPossible { isSettling = true }
        gate.unlock()
        guard isPossible else { return }
        body()
        gate.lock()
        isSettling = false
        if sleepingWorkers > 0 { gate.signal(.workers) }
        gate.unlock()
    }

    /// Ends the threads. Rounds that are not settled yet are lost.
    func close() {
        gate.lock()
        isClosed = true
        gate.signalAll(.workers)
        gate.unlock()
        for thread in threads { thread.join() }
        threads = []
    }

    // MARK: Work

    private func work() {
        gate.lock()
        while !isClosed { workOrWait(at: .workers) }
        gate.unlock()
    }

    /// Does one thing, or waits for news. The gate is locked before and after.
    private func workOrWait(at place: ThreadGate.Place) {
        switch nextTask() {
        case .take(let round, let part):
            wakeMore(place)
            gate.unlock()
            halves.take(round, part: part)
            gate.lock()
            isBusy[part] = false
            if !waiting[part].isEmpty { readyCount += 1 }
            if let index = open.firstIndex(where: { $0.round === round }) { open[index].remaining -= 1 }
        case .settle(let round):
            wakeMore(place)
            gate.unlock()
            halves.settle(round)
            gate.lock()
            isSettling = false
            open.removeFirst()
            firstNumber += 1
            free.append(round)
            if readerSleeps { gate.signal(.reader) }
        case .none: wait(at: place)
        case .over: break
        }
    }

    private func wait(at place: ThreadGate.Place) {
        if place == .reader {
            readerSleeps = true
            gate.wait(at: .reader)
            readerSleeps = false
        } else {
            sleepingWorkers += 1
            gate.wait(at: .workers)
            sleepingWorkers -= 1
        }
    }

    /// There is more to do than this thread has taken.
    private func wakeMore(_ place: ThreadGate.Place) {
        guard readyCount > 0 else { return }
        if readerSleeps {
            gate.signal(.reader)
        } else if sleepingWorkers > 0, place == .workers || open.count >= RoundScheduler.wakingCount {
            gate.signal(.workers)
        }
    }

    private func nextTask() -> Task {
        if isClosed { return .over }
        if !isSettling, let first = open.first, first.remaining == 0 {
            isSettling = true
            return .settle(first.round)
        }
        guard readyCount > 0 else { return .none }
        var oldest: (part: Int, number: Int)?
        for part in waiting.indices where !isBusy[part] && waitingHeads[part] < waiting[part].count {
            let number = waiting[part][waitingHeads[part]]
            if oldest == nil || number < oldest!.number { oldest = (part, number) }
        }
        guard let (part, number) = oldest else { return .none }
        isBusy[part] = true
        readyCount -= 1
        waitingHeads[part] += 1
        if waitingHeads[part] == waiting[part].count {
            waiting[part].removeAll(keepingCapacity: true)
            waitingHeads[part] = 0
        }
        return .take(open[number - firstNumber].round, part: part)
    }
}
