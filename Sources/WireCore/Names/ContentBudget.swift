/// Bytes of content that the connections of a shard keep until it is whole: DNS answers, bodies that name an operation. Whoever
/// keeps some gives them back when it goes.
final class ContentBudget {
    /// Most bytes: those beyond are not kept, and what they belong to is not read.
    private static let limit = 4 << 20

    private(set) var used = 0

    /// False where there is no room.
    func reserve(_ count: Int) -> Bool {
        guard count <= ContentBudget.limit - used else { return false }
        used += count
        return true
    }

    func release(_ count: Int) { used -= count }
}
