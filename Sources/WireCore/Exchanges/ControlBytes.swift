/// Bytes of the preface and of frames that steer an HTTP/2 connection, without headers of packets and records.
struct ControlBytes {
    /// All of them.
    private var all = 0
    /// Those that every connection has once, however many calls it carries: the preface, SETTINGS, and what comes before the
    /// first call.
    private var opening = 0

    mutating func add(_ bytes: Int, isOpening: Bool) {
        all += bytes
        if isOpening { opening += bytes }
    }

    /// Their part of what steering cost.
    func opening(of cost: Int) -> Int {
        guard all > 0 else { return 0 }
        return Int(Double(cost) * Double(opening) / Double(all))
    }
}
