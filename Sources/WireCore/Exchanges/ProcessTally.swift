/// Which processes the packets of a connection name, and how many of them each.
struct ProcessTally {
    /// Most further processes that are counted; packets of a connection hardly ever name two.
    private static let limit = 15

    private var first: (number: UInt16, packets: UInt32) = (0, 0)
    private var others: [(number: UInt16, packets: UInt32)] = []

    /// A packet names a process.
    @inline(__always)
    mutating func count(_ number: UInt16) {
        if first.number == 0 { first.number = number }
        guard first.number == number else { return countOther(number) }
        first.packets &+= 1
    }

    @inline(never)
    private mutating func countOther(_ number: UInt16) {
        if let place = others.firstIndex(where: { $0.number == number }) {
            others[place].packets &+= 1
        } else if others.count < Self.limit {
            others.append((number, 1))
        }
    }

    /// The process whose app most packets name, among equals that which was named first; 0 where none is. And whether they
    /// name several apps.
    func leading(_ directory: ProcessDirectory) -> (number: UInt16, isDisputed: Bool) {
        guard !others.isEmpty else { return (first.number, false) }
        var apps: [(name: String, number: UInt16, packets: UInt64)] = []
        for (number, packets) in [first] + others {
            let name = directory.process(number)?.app ?? ""
            if let place = apps.firstIndex(where: { $0.name == name }) {
                apps[place].packets += UInt64(packets)
            } else {
                apps.append((name, number, UInt64(packets)))
            }
        }
        let most = apps.reduce(0) { max($0, $1.packets) }
        return (apps.first { $0.packets == most }?.number ?? first.number, apps.count > 1)
    }
}
