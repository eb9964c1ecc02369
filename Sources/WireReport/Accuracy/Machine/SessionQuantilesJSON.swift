import WireAccuracy

extension JSONFields {
    /// Quantiles over sessions with their intervals.
    mutating func sessionQuantiles(_ name: StaticString, _ quantiles: SessionQuantiles?) {
        guard begin(name, isKnown: quantiles != nil), let quantiles else { return }
        integer("sessions", quantiles.sessions)
        for (name, quantile) in [("p50", quantiles.p50), ("p90", quantiles.p90), ("p99", quantiles.p99)] {
            begin(name: name)
            decimal("value", quantile.value, places: 6)
            decimal("low", quantile.low, places: 6)
            decimal("high", quantile.high, places: 6)
            end()
        }
        end()
    }
}
