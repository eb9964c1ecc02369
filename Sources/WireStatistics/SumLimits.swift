/// How large sums that come from files may be.
package enum SumLimits {
    /// Most that all counts of a result add up to: no sum of some of them overflows.
    package static let counts = 1 << 62
    /// Most that a sum over calls is, up or down.
    package static let totals: UInt128 = 1 << 120
}
