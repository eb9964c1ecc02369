import WireLogs

extension LogRow {
    package subscript(direction: Direction) -> LoggedBytes { direction == .up ? up : down }
}

extension LoggedBytes {
    /// The total, else the sum of the parts that are there; nil where there is none.
    package var sum: Int? {
        let parts = [startLine, headers, body].compactMap(\.self)
        return total ?? (parts.isEmpty ? nil : parts.reduce(0) { $0.saturatingSum($1) })
    }

    /// Start line and header fields, where there are any.
    package var head: Int? { headers.map { $0.saturatingSum(startLine ?? 0) } }
}
