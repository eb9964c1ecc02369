/// Bytes of unfinished DNS answers that the connections of a shard keep. Whoever keeps some gives them back when it goes.
final class AnswerBudget {
    /// Most bytes: those beyond are not kept, and their answers not read.
    private static let limit = 1 << 20

    private(set) var used = 0

    /// False where there is no room.
    func take(_ count: Int) -> Bool {
        guard count <= AnswerBudget.limit - used else { return false }
        used += count
        return true
    }

    func giveBack(_ count: Int) { used -= count }
}
