/// TLS key log lines that every new file of a capture begins with, so that it can be read without the others. The
/// newest are kept.
struct KeptSecrets {
    /// Most bytes that are kept.
    let limit: Int
    private(set) var lines: [UInt8] = []
    /// Bytes of lines that later files do not hold any more.
    private(set) var forgotten = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes whole lines, each with its end.
    mutating func add(_ new: [UInt8]) {
        lines += new
        guard lines.count > limit else { return }
        // A quarter more than needed, so that lines are moved seldom.
        let wanted = lines.count - limit + limit / 4
        let end = lines[(wanted - 1)...].firstIndex(of: 0x0a).map { $0 + 1 } ?? lines.count
        lines.removeFirst(end)
        forgotten += end
    }
}
