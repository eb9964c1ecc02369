import Foundation
import Testing
import WireLogs
import WireTesting

@testable import WireAccuracy
@testable import WireCore

/// Instances that are tried; `.ci/bounds-lab` asks for more.
private let instances = ProcessInfo.processInfo.environment["WIREAUDIT_INSTANCES"].flatMap { Int($0) } ?? 100

@Suite("Bounds are what all assignments of bytes allow")
struct BruteForceBoundsTests {
    // MARK: Bodies that the log has

    /// Records and rows of which every byte is given to every row that it can be of, or to none.
    private struct Sharing {
        var records: [(time: Int64, bytes: Int)] = []
        var demands: [RecordSums.Demand] = []

        init(_ random: inout SeededRandom) {
            records = (0..<1 + random.below(8)).map { _ in (Int64(random.below(9)), random.below(3)) }
            records.sort { $0.time < $1.time }
            demands = (0...random.below(4)).map { _ in
                let (one, other) = (Int64(random.below(9)), Int64(random.below(9)))
                return RecordSums.Demand(window: min(one, other)...max(one, other), bytes: random.below(4))
            }
        }

        /// The most that the first row can have while all others have what they demand; nil: they cannot.
        func most() -> Int? {
            // What each has, up to what it demands; the first up to all that eight records have.
            let sizes = demands.enumerated().map { $0.offset == 0 ? 17 : $0.element.bytes + 1 }
            var steps = [1]
            for size in sizes { steps.append(steps[steps.count - 1] * size) }
            var isReached = Array(repeating: false, count: steps[sizes.count])
            isReached[0] = true
            for record in records {
                let owners = demands.indices.filter { demands[$0].window.contains(record.time) }
                for _ in 0..<record.bytes {
                    // From above, so that each byte is given once.
                    for state in isReached.indices.reversed() where isReached[state] {
                        for owner in owners where state / steps[owner] % sizes[owner] + 1 < sizes[owner] {
                            isReached[state + steps[owner]] = true
                        }
                    }
                }
            }
            // In the last states all others have what they demand.
            let satisfied = isReached.count / sizes[0] - 1
            return (0..<sizes[0]).last { isReached[satisfied * sizes[0] + $0] }
        }
    }

    @Test("the most of a row is to the byte what others' bodies leave")
    func bodies() {
        var (random, compared) = (SeededRandom(seed: 20_261_129), 0)
        for number in 0..<instances {
            let sharing = Sharing(&random)
            let records = RecordSums(
                sharing.records.map {
                    HiddenPiece(time: $0.time, bytes: $0.bytes + 22, content: $0.bytes, isFromClient: true)
                })
            let window = sharing.demands[0].window
            guard let most = sharing.most() else { continue }
            compared += 1
            let others = Array(sharing.demands.dropFirst())
            #expect(
                records.total(window) - records.bytes(in: window, demandedBy: others) == most,
                "instance \(number): \(sharing)")
        }
        #expect(compared * 3 > instances)
    }

    // MARK: Calls of HTTP/2

    /// A connection of HTTP/2 behind its opening: records, and the times of rows, drawn without regard to each other.
    private struct Calls {
        static let lengths = [9, 13, 17, 30, 41, 60, 100, 255, 300, 1500]
        var pieces: [HiddenPiece] = []
        var windows: [ClosedRange<Int64>] = []

        init(_ random: inout SeededRandom) {
            for _ in 0...random.below(3) {
                let start = 100 + Int64(random.below(60))
                windows.append(start...start + 4 + Int64(random.below(12)))
                add(start + Int64(random.below(2)), isFromClient: true, &random)
                add(start + 2 + Int64(random.below(3)), isFromClient: false, &random)
            }
            for _ in 0..<random.below(3) {
                let start = random.element(windows).lowerBound
                add(start + Int64(random.below(10)), isFromClient: random.oneIn(2), &random)
            }
            pieces.sort { $0.time < $1.time }
        }

        private mutating func add(_ time: Int64, isFromClient: Bool, _ random: inout SeededRandom) {
            let length = random.element(Calls.lengths)
            pieces.append(HiddenPiece(time: time, bytes: length + 22, content: length, isFromClient: isFromClient))
        }

        /// The client's first flights, the server's with a ticket of 255 bytes, and a first call.
        static let opening = [(0, 36, true), (0, 90, true), (1, 255, false), (1, 57, false), (2, 700, false)].map {
            HiddenPiece(time: Int64($0), bytes: $1 + 22, content: $1, isFromClient: $2)
        }

        var connection: HiddenConnection {
            var record = ConnectionRecord.blank
            (record.time, record.duration) = (0, 200)
            var facts = TLSFacts()
            (facts.version, facts.handshakeWasRead, facts.blindness) = (.tls13, true, .noKeys)
            facts.offeredProtocols = [Array("h2".utf8)]
            record.tls = facts
            record.hidden = HiddenTraffic(
                pieces: Calls.opening + pieces, calls: nil, isComplete: true, showsContentLength: true)
            return HiddenConnection(record, host: [])!
        }

        /// The least and the most that the messages of each row can have, over all assignments of records to rows whose
        /// time holds them, or to none where a record may have frames of the connection alone. Each row has a request, then
        /// an answer. Nil: there is no assignment.
        func messages() -> [(up: ClosedRange<Int>, down: ClosedRange<Int>)]? {
            var found: [(up: ClosedRange<Int>, down: ClosedRange<Int>)]?
            var owners = Array(repeating: -1, count: pieces.count)
            func assign(_ place: Int) {
                guard place < pieces.count else {
                    guard let sizes = sizes(owners) else { return }
                    found = found.map { zip($0, sizes).map { (join($0.up, $1.up), join($0.down, $1.down)) } } ?? sizes
                    return
                }
                for row in windows.indices where windows[row].contains(pieces[place].time) {
                    owners[place] = row
                    assign(place + 1)
                }
                owners[place] = -1
                if pieces[place].content <= 52 || (pieces[place].content == 255 && !pieces[place].isFromClient) {
                    assign(place + 1)
                }
            }
            assign(0)
            return found
        }

        private func join(_ one: ClosedRange<Int>, _ other: ClosedRange<Int>) -> ClosedRange<Int> {
            min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
        }

        /// What rows have if records are theirs, less frames that may stand beside theirs. Nil: one of them has no call.
        private func sizes(_ owners: [Int]) -> [(up: ClosedRange<Int>, down: ClosedRange<Int>)]? {
            var sizes: [(up: ClosedRange<Int>, down: ClosedRange<Int>)] = []
            for row in windows.indices {
                let own = pieces.indices.filter { owners[$0] == row }.map { pieces[$0] }
                let (sent, received) = (own.filter(\.isFromClient), own.filter { !$0.isFromClient })
                guard let asked = sent.first, let answered = received.first, asked.time <= answered.time else {
                    return nil
                }
                let near = pieces.filter { windows[row].contains($0.time) }
                sizes.append(
                    (
                        range(sent, beside: 43, most: near.count { !$0.isFromClient } + 1),
                        range(received, beside: 30, most: near.count(where: \.isFromClient) + 1)
                    ))
            }
            return sizes
        }

        private func range(_ own: [HiddenPiece], beside control: Int, most: Int) -> ClosedRange<Int> {
            let lengths = own.map { Int($0.content) }
            let taken = lengths.map { min($0, control) }.sorted(by: >).prefix(most).reduce(0, +)
            let all = lengths.reduce(0, +)
            return all - taken...all
        }
    }

    @Test("no assignment gives a lone call of HTTP/2 less than its least")
    func loneCalls() {
        var (random, compared, bounded) = (SeededRandom(seed: 47), 0, 0)
        for number in 0..<instances {
            let calls = Calls(&random)
            guard let messages = calls.messages() else { continue }
            compared += 1
            var clusters = [LoneCalls.Cluster(window: 0...3, rows: 1)]
            for window in calls.windows.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if let last = clusters.last, last.window.upperBound >= window.lowerBound {
                    clusters[clusters.count - 1] = LoneCalls.Cluster(
                        window: last.window.lowerBound...max(last.window.upperBound, window.upperBound),
                        rows: last.rows + 1)
                } else {
                    clusters.append(LoneCalls.Cluster(window: window, rows: 1))
                }
            }
            let connection = LoneCalls(calls.connection, clusters, doubt: nil)
            let timeline = HostTimeline([calls.connection])
            for (window, message) in zip(calls.windows, messages) {
                let least = connection.least(window)
                if least.up > 0 || least.down > 0 { bounded += 1 }
                #expect(least.up <= message.up.lowerBound, "instance \(number): \(calls)")
                #expect(least.down <= message.down.lowerBound, "instance \(number): \(calls)")
                #expect(message.up.upperBound <= timeline.most(.up, window), "instance \(number): \(calls)")
                #expect(message.down.upperBound <= timeline.most(.down, window), "instance \(number): \(calls)")
            }
        }
        #expect(compared * 3 > instances && bounded * 20 > instances)
    }
}
