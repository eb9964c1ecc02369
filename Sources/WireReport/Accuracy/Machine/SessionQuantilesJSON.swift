import WireRecords
import WireStatistics

/// Writes quantiles over sessions with their intervals; null where the row is not of sessions.
func writeSessionQuantiles(_ quantiles: SessionQuantiles?, to json: inout JSONFields) {
    guard json.begin("session_errors", isKnown: quantiles != nil), let quantiles else { return }
    json.integer("sessions", quantiles.sessions)
    for (name, quantile) in [("p50", quantiles.p50), ("p90", quantiles.p90), ("p99", quantiles.p99)] {
        json.begin(name: name)
        json.decimal("value", quantile.value, places: 6)
        json.decimal("low", quantile.low, places: 6)
        json.decimal("high", quantile.high, places: 6)
        json.end()
    }
    json.end()
}
