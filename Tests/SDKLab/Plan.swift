import Foundation

/// One call that the app makes.
struct PlannedCall: Sendable {
    enum Body: Sendable {
        case none
        case data(Data)
        case stream(Data)
    }

    /// Travels in the header X-Call-Id; all have the same length, so that no size tells them apart.
    var id = ""
    /// Seconds behind the session's start.
    var start = 0.0
    var method = "GET"
    var url: String
    var headers: [String: String] = [:]
    var body = Body.none
    /// Whole seconds: FoundationNetworking knows no shorter time-out.
    var timeout = 10.0
    /// Seconds behind `start` when the app gives up.
    var cancelAfter: Double?
}

/// A time in which the queue on which the SDK hears of responses is busy: it notes them late, behind each other.
struct PlannedPause: Sendable {
    /// Seconds behind the session's start.
    var start: Double
    var length: Double
}

/// The calls of a session: screens that load several APIs at once, lists that ask for one API again and again within
/// milliseconds, screens that are left before they have loaded, polls, and now and then a redirection, an upload, an abort,
/// a time-out, a handshake that fails.
struct Plan {
    private static let pauseCount = 4

    private(set) var calls: [PlannedCall] = []
    private(set) var pauses: [PlannedPause] = []
    private var random: SeededGenerator
    private var apis: APIs

    init(_ options: Options) {
        random = SeededGenerator(seed: options.seed)
        apis = APIs(options)
        var time = 0.0
        while calls.count < options.calls {
            addScene(at: time)
            time += Double.random(in: 0.05...0.3, using: &random)
        }
        addPolls(until: time)
        for index in 0..<Plan.pauseCount {
            let start = time * (Double(index) + Double.random(in: 0.2...0.8, using: &random)) / Double(Plan.pauseCount)
            pauses.append(PlannedPause(start: start, length: Double.random(in: 0.1...0.9, using: &random)))
        }
        calls.sort { $0.start < $1.start }
        for index in calls.indices { calls[index].id = "c" + String(100_000 + index) }
    }

    private mutating func addScene(at time: Double) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: addScreen(at: time)
        case 3..<5: addBurst(at: time)
        case 5: for _ in 0..<count(2...4) { add(apis.redirected(&random), at: time, spread: 0.02) }
        case 6: for _ in 0..<count(1...3) { add(apis.upload(&random), at: time, spread: 0.02) }
        case 7, 8: for _ in 0..<count(1...3) { add(apis.aborted(&random), at: time, spread: 0.05) }
        default: addTrouble(at: time)
        }
    }

    private mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func addScreen(at time: Double) {
        for _ in 0..<count(4...9) { add(apis.usual(&random), at: time, spread: 0.03) }
        if random.chance(0.5) { add(apis.redirected(&random), at: time, spread: 0.03) }
        if random.chance(0.3) { add(apis.upload(&random), at: time, spread: 0.03) }
    }

    /// The same API several times: with equal or with different queries and paths. Now and then the app gives all up at
    /// once; those that still wait for a free connection are never sent.
    private mutating func addBurst(at time: Double) {
        let kind = Int.random(in: 0..<APIs.burstKinds, using: &random)
        let end = random.chance(0.2) ? Double.random(in: 0.01...0.08, using: &random) : nil
        for _ in 0..<count(3...10) {
            var call = apis.inBurst(kind, &random)
            call.cancelAfter = end
            add(call, at: time, spread: 0.005)
        }
    }

    private mutating func addTrouble(at time: Double) {
        for _ in 0..<count(1...2) {
            if random.chance(0.4), let call = apis.untrusted(&random) { add(call, at: time, spread: 0.01) }
            add(apis.late(&random), at: time, spread: 0.01)
            // The app may ask once more, and is answered then.
            if random.chance(0.5), var again = calls.last {
                again.url = again.url.replacingOccurrences(of: "wait=1500", with: "wait=20")
                add(again, at: time + 1.1, spread: 0.01)
            }
        }
    }

    private mutating func addPolls(until end: Double) {
        for poll in stride(from: 0.05, to: end, by: 0.4) { add(apis.poll(), at: poll, spread: 0.002) }
    }

    private mutating func add(_ call: PlannedCall, at time: Double, spread: Double) {
        var call = call
        call.start = time + Double.random(in: 0..<spread, using: &random)
        calls.append(call)
    }
}
