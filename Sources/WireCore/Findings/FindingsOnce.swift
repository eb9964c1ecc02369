/// Findings of one connection's layer, each told once.
struct FindingsOnce {
    private var all: [FindingCode] = []
    private var takenCount = 0

    mutating func add(_ code: FindingCode) {
        if !all.contains(code) { all.append(code) }
    }

    /// Those since the last call.
    mutating func takeNew() -> ArraySlice<FindingCode> {
        defer { takenCount = all.count }
        return all[takenCount...]
    }
}
