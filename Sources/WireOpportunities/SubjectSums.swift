/// Bytes and counts by API or host, and the calls or connections that they are of. What is beyond the limit is summed without
/// a name.
struct SubjectSums {
    private static let limit = 65_536
    /// Subjects that a report names.
    private static let shown = 5

    private(set) var bytes = 0
    private(set) var count = 0
    private var sums: [String: (bytes: Int, count: Int)] = [:]
    var parts = SavingParts()

    mutating func add(_ part: Opportunity.Part, count: Int = 1, _ name: @autoclosure () -> String) {
        add(part.bytes, count: count, name())
        parts.add(part)
    }

    mutating func add(_ bytes: Int, count: Int, _ name: @autoclosure () -> String) {
        self.bytes += bytes
        self.count += count
        let name = name()
        guard sums[name] != nil || sums.count < SubjectSums.limit else { return }
        let sum = sums[name] ?? (0, 0)
        sums[name] = (sum.bytes + bytes, sum.count + count)
    }

    /// Nil where nothing is saved.
    func opportunity(_ kind: Opportunity.Kind, isComputed: Bool) -> Opportunity? {
        guard bytes > 0 else { return nil }
        var opportunity = Opportunity(kind, isComputed: isComputed)
        (opportunity.bytes, opportunity.count) = (bytes, count)
        let sorted = sums.map { Opportunity.Subject(name: $0.key, bytes: $0.value.bytes, count: $0.value.count) }
            .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
        opportunity.subjects = Array(sorted.prefix(SubjectSums.shown))
        opportunity.furtherSubjects = sorted.count - opportunity.subjects.count
        opportunity.parts = parts.largest
        return opportunity
    }
}
