import WireStatistics

/// Of a row that was merged from sessions.
func sessionQuantiles<Row>(_ get: @escaping @Sendable (Row) -> SessionQuantiles?) -> Field<Row> {
    .object(
        "session_errors", "How the errors of sessions are distributed, each session once; null unless merged.",
        quantilesFields, get
    ).orNull
}

private let quantilesFields: [Field<SessionQuantiles>] = [
    .count("sessions", "Sessions with a figure.") { $0.sessions }, .object("p50", meaning, quantileFields) { $0.p50 },
    .object("p90", meaning, quantileFields) { $0.p90 }, .object("p99", meaning, quantileFields) { $0.p99 },
]

private let meaning = "Quantile of the absolute error of a session as a share of its messages."

private let quantileFields: [Field<SessionQuantiles.Quantile>] = [
    .ratio("value", "The quantile.") { $0.value },
    .ratio("low", "Lower end of its 95 % interval; 0 of too few sessions.") { $0.low },
    .ratio("high", "Upper end of its 95 % interval; null of too few sessions.") { $0.high }.orNull,
]
