/// Signed bytes by cause. For one estimate they sum to estimate − truth.
///
/// An estimate has few causes and there are very many estimates, so few values are kept in place, in the order of the
/// taxonomy; a ledger of more causes, such as one of sums, moves to an array. Sums wrap instead of trapping: sizes come
/// from files.
public struct CauseLedger: Sendable, Equatable {
    private static let slotCount = 8

    /// A bit for each cause that has a slot.
    private var present: UInt64 = 0
    private var slots = InlineArray<8, Int>(repeating: 0)
    /// Values of all causes, once they do not fit in the slots.
    private var all: [Int] = []

    public init() {}

    public subscript(cause: ErrorCause) -> Int {
        get {
            guard all.isEmpty else { return all[cause.rawValue] }
            let bit = CauseLedger.bit(cause.rawValue)
            return present & bit == 0 ? 0 : slots[slot(bit)]
        }
        set { set(newValue, cause.rawValue) }
    }

    /// Adds to one cause.
    public mutating func add(_ bytes: Int, to cause: ErrorCause) { add(bytes, at: cause.rawValue) }

    /// All causes together.
    public var sum: Int {
        guard all.isEmpty else { return all.reduce(0, &+) }
        var sum = 0
        for index in 0..<present.nonzeroBitCount { sum &+= slots[index] }
        return sum
    }

    /// What the contents of bodies made of the error (`ErrorCause.dependsOnBody`).
    public var ofBodies: Int {
        ErrorCause.bodyCauses.reduce(0) { $0 &+ self[$1] }
    }

    /// The causes that are not zero, in the order of the taxonomy.
    public var posts: [(cause: ErrorCause, bytes: Int)] {
        ErrorCause.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
    }

    public static func += (left: inout CauseLedger, right: CauseLedger) {
        guard right.all.isEmpty else {
            if left.all.isEmpty { left.moveToArray() }
            for index in right.all.indices { left.all[index] &+= right.all[index] }
            return
        }
        var rest = right.present
        var slot = 0
        while rest != 0 {
            left.add(right.slots[slot], at: rest.trailingZeroBitCount)
            rest &= rest &- 1
            slot += 1
        }
    }

    public static func == (left: CauseLedger, right: CauseLedger) -> Bool {
        ErrorCause.allCases.allSatisfy { left[$0] == right[$0] }
    }
}

extension CauseLedger {
    private static func bit(_ cause: Int) -> UInt64 { 1 << UInt64(cause) }

    /// Slots are in the order of their causes.
    private func slot(_ bit: UInt64) -> Int { (present & (bit &- 1)).nonzeroBitCount }

    private mutating func add(_ bytes: Int, at cause: Int) {
        guard bytes != 0 else { return }
        if !all.isEmpty {
            all[cause] &+= bytes
        } else if present & CauseLedger.bit(cause) != 0 {
            slots[slot(CauseLedger.bit(cause))] &+= bytes
        } else {
            set(bytes, cause)
        }
    }

    private mutating func set(_ value: Int, _ cause: Int) {
        guard all.isEmpty else {
            all[cause] = value
            return
        }
        let bit = CauseLedger.bit(cause)
        let place = slot(bit)
        if present & bit != 0 {
            slots[place] = value
        } else if value != 0 {
            let count = present.nonzeroBitCount
            guard count < CauseLedger.slotCount else {
                moveToArray()
                all[cause] = value
                return
            }
            var index = count
            while index > place {
                slots[index] = slots[index - 1]
                index -= 1
            }
            slots[place] = value
            present |= bit
        }
    }

    private mutating func moveToArray() {
        var values = [Int](repeating: 0, count: ErrorCause.allCases.count)
        for cause in ErrorCause.allCases { values[cause.rawValue] = self[cause] }
        all = values
        present = 0
    }
}
