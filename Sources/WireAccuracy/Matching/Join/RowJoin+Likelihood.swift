/// Likelihoods of several readings together.
extension RowJoin {
    /// Whether one of several exchanges is at least half as likely as none of them.
    ///
    /// - Parameter costs: by exchange, by how much it is less likely than none: thousandths of a natural logarithm.
    static func isLikely(_ costs: some Sequence<Int64>) -> Bool {
        var likelihood = 0.0
        for cost in costs {
            // e^-x by halves, with a straight line between them: 6 % off at most.
            let (halves, rest) = max(0, cost).quotientAndRemainder(dividingBy: 693)
            let part = 1 - Double(rest) / 1386
            likelihood += Double(sign: .plus, exponent: -Int(min(halves, 1000)), significand: part)
        }
        return likelihood >= 0.5
    }
}
