/// How large sums that come from files may be.
enum SumLimits {
    /// Most that all counts of a result add up to: no sum of some of them overflows.
    static let counts = 1 << 62
    /// Most that a sum over calls is, up or down.
    static let totals: UInt128 = 1 << 120
}
