import WireNative

/// Who sent a packet, or gets it, as the capture names it.
public struct CaptureProcess: Hashable, Sendable {
    /// On whose behalf: the effective process where one is told, since a service of the system sends for the apps; else the
    /// process itself. Without a name `pid 501` or, of a user of Android, `uid 10123`.
    public var app: String
    /// The process whose socket it is.
    public var name: String?
    /// Its number.
    public var pid: Int?

    public init(app: String, name: String? = nil, pid: Int? = nil) {
        (self.app, self.name, self.pid) = (app, name, pid)
    }
}

/// What tells of a process: numbers, and names by their places in the directory, 0 for none.
struct ProcessIdentity: Hashable, Sendable {
    /// Stands for a number that is not told, as the capturing programs write it.
    static let untold = UInt32.max

    var name: Int32 = 0
    var pid = untold
    var effectiveName: Int32 = 0
    var effectivePID = untold
    /// `pid` is the number of a user: Android gives each app one.
    var isUser = false

    /// It tells of somebody. The number 0 without a name is no process, and mostly stands for one that is not known.
    var isTold: Bool {
        name != 0 || effectiveName != 0 || isKnown(pid) || isKnown(effectivePID)
    }

    func isKnown(_ number: UInt32) -> Bool { number != Self.untold && (number != 0 || isUser) }
}

/// Gives each process that a capture names a number, so that a packet carries no more than that: from 1 in the order in
/// which they appear, 0 for none.
///
/// Who reads a capture asks for numbers, while other threads ask for what they stand for.
public final class ProcessDirectory: Sendable {
    /// What numbers of processes have room for.
    private static let most = Int(UInt16.max)
    /// Bytes of a name that are kept.
    private static let nameLength = 255

    private struct State {
        var names = NameTable()
        var numbers: [ProcessIdentity: UInt16] = [:]
        var processes: [CaptureProcess] = []
        var overflows = 0
    }

    private let limit: Int
    private let state = Guarded(State())

    /// - Parameter limit: most processes; packets of further ones stay without.
    public init(limit: Int = 4096) { self.limit = min(max(limit, 1), Self.most) }

    var isEmpty: Bool { state.withLock { $0.processes.isEmpty } }

    /// How often a process had no place.
    var overflows: Int { state.withLock { $0.overflows } }

    /// The place of a name, which ends at a zero byte; 0 where it is empty, or there are too many.
    func name(_ range: Range<Int>, in bytes: RawSpan) -> Int32 {
        var end = range.lowerBound
        let most = min(range.upperBound, range.lowerBound + Self.nameLength)
        while end < most, bytes.u8(end) != 0 { end += 1 }
        guard end > range.lowerBound else { return 0 }
        let text = bytes.extracting(range.lowerBound..<end)
        return state.withLock { state in
            // Each has two names at most.
            guard let place = state.names.intern(text, limit: 2 * limit) else {
                state.overflows += 1
                return 0
            }
            return Int32(place + 1)
        }
    }

    /// The number of a process; 0 where it is none, or there are too many.
    func number(_ identity: ProcessIdentity) -> UInt16 {
        guard identity.isTold else { return 0 }
        return state.withLock { state in
            if let number = state.numbers[identity] { return number }
            guard state.processes.count < limit else {
                state.overflows += 1
                return 0
            }
            state.processes.append(process(identity, state.names))
            let number = UInt16(state.processes.count)
            state.numbers[identity] = number
            return number
        }
    }

    /// What a number stands for; nil of 0.
    package func process(_ number: UInt16) -> CaptureProcess? {
        number == 0 ? nil : state.withLock { $0.processes[Int(number) - 1] }
    }

    private func process(_ identity: ProcessIdentity, _ names: NameTable) -> CaptureProcess {
        func text(_ place: Int32) -> String? { place == 0 ? nil : NameTable.text(names.names[Int(place) - 1]) }
        func number(_ pid: UInt32) -> String? {
            identity.isKnown(pid) ? "\(identity.isUser ? "uid" : "pid") \(pid)" : nil
        }
        let name = text(identity.name)
        let isOther = identity.effectivePID != identity.pid
        let app =
            text(identity.effectiveName) ?? (isOther ? number(identity.effectivePID) : nil) ?? name
            ?? number(identity.pid)
        let hasNumber = !identity.isUser && identity.pid != ProcessIdentity.untold
        return CaptureProcess(app: app ?? "", name: name, pid: hasNumber ? Int(identity.pid) : nil)
    }
}
