import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// Outputs about sources of estimates: their accuracy, its calls and rows, and constants that correct them.
enum AccuracySchemas {
    static let accuracy = OutputSchema(
        "accuracy", version: 1, about: "How wrong estimates of bytes are, by source, API and direction.",
        command: "wireaudit accuracy --format json",
        fields: captureHead(others: [
            .bytes("bytes", "Sum of the original lengths of all packets."),
            .boolean("balanced", "The ledger adds up to bytes."),
        ]) + comparisonFields + hiddenFields + questionFields + [
            .object("work", "Bodies that were decoded for the estimators.", workFields),
            .list("warnings", of: .object(warningFields), "Findings, the most severe first."),
        ])
}

private let source = SchemaField.text("source", "Id of the source.")
private let direction = SchemaField.word("direction", directionWords, "up: requests, down: responses.")

private let comparisonFields: [SchemaField] = [
    .object(
        "exchanges", "Exchanges of the capture.",
        [
            .count("total", "All."), .count("compared", "Exchanges that can be compared."),
            .map(
                "left_out", keys: "the reason", of: .integer(unit: "count", least: 0),
                "Exchanges that cannot be compared, by the flag that excludes them."),
        ]),
    .list("sources", of: .object(sourceFields), "Estimators and logs."),
    .list(
        "apis", of: .object([.text("api", "The API."), .count("calls", "Its calls.").orNull]),
        "By wire bytes, largest first."),
    .list("totals", of: .object([source] + rowFields), "A row for each source and direction, over all APIs."),
    .list(
        "rows", of: .object([source, .text("api", "The API.")] + rowFields), "A row for each source, API and direction."
    ),
    .list(
        "advice",
        of: .object([
            source, direction, .list("changes", of: .object(adviceFields), "What to change in the SDK."),
            .list("allowances", of: .object(adviceFields), "What to add because no hook can see it."),
        ]), "What would repair the error, by source and direction."),
    .list("logs", of: .object(logFields), "What became of each log."),
]

private let sourceFields: [SchemaField] = [
    .text("id", "Id in this output."), .text("title", "Display name."),
    .word("kind", ["log", "simulated"], "A log of an SDK, or a simulated estimator."),
    .text("parameters", "Parameters of a simulated estimator.").orNull,
    .text("formula", "Formula by which the figures of a log are explained.").orNull,
    .list("formulas", of: .object(formulaFields), "Published and fitted formulas of a log."),
    .count("unknown", "Directions without a figure because the formula needs what the capture lacks."),
    .count("unstated", "Directions without a figure because the log states none."),
    .difference("added_bytes", "Bytes that a simulated estimator adds where nothing was sent.").orNull,
]

private let formulaFields: [SchemaField] = [
    .word("kind", ["published", "fitted"], "By the SDK's project, or by the figures of the log."), direction,
    .text("id", "Id of the estimator."), .text("parameters", "Its parameters."),
    .object("fitting", "First half of the rows.", exactFields),
    .object("confirming", "Second half of the rows.", exactFields),
    .count("guessed_reasons", "Figures that fit with a guessed reason phrase only."),
]

private let sampleFields: [SchemaField] = [
    .count("calls", "Calls of the capture."), .count("sampled_calls", "Those that the log has a figure for."),
    .difference("error", "Estimated error of all calls."),
    .difference("error_low", "Its 95 % interval: lower end."), .difference("error_high", "Upper end."),
    .number("relative_error", "error, of the message bytes of all calls.", unit: "ratio").orNull,
    .number("relative_low", "Lower end.", unit: "ratio").orNull,
    .number("relative_high", "Upper end.", unit: "ratio").orNull,
]

private let exactFields: [SchemaField] = [
    .count("exact", "Figures that the formula gives to the byte."), .count("compared", "Figures compared."),
]

private let rowFields: [SchemaField] = [
    direction,
    .object(
        "coverage", "What the source recorded.",
        [
            .count("calls", "Calls."), .count("recorded_calls", "Calls that the source recorded."),
            .bytes("message_bytes", "HTTP messages."),
            .bytes("recorded_message_bytes", "Of recorded calls."), .bytes("wire_bytes", "Wire bytes."),
            .bytes("recorded_wire_bytes", "Of recorded calls."),
        ]),
    .object("message", "Error against HTTP messages.", statisticFields),
    .object("wire", "Error against wire bytes.", statisticFields),
    causeMap("message_causes", "Error against messages by cause."),
    causeMap("causes", "Error against wire bytes by cause."),
    causeMap("unseen", "Message bytes of calls that were not recorded, as negative numbers."),
    .object("spread", "How single calls spread; input of check --baseline.", spreadFields).orNull,
    sessionQuantiles,
]

/// Of a row that was merged from sessions.
let sessionQuantiles = SchemaField.object(
    "session_errors", "How the errors of sessions are distributed, each session once; null unless merged.",
    [.count("sessions", "Sessions with a figure.")]
        + ["p50", "p90", "p99"].map { name in
            .object(
                name, "Quantile of the absolute error of a session as a share of its messages.",
                [
                    .number("value", "The quantile.", unit: "ratio"),
                    .number("low", "Lower end of its 95 % interval; 0 of too few sessions.", unit: "ratio"),
                    .number("high", "Upper end of its 95 % interval; null of too few sessions.", unit: "ratio").orNull,
                ])
        }
).orNull

private let statisticFields: [SchemaField] = [
    .count("count", "Calls compared; a missing estimate counts as 0."),
    .bytes("truth_total", "Sum of the bytes in the capture."),
    .estimate("estimate_total", "Sum of the estimates."), .difference("error_total", "estimate_total - truth_total."),
    .number("bias", "Mean error.").orNull,
    .number("bias_low", "Lower end of the 95 % interval of the mean error.").orNull,
    .number("bias_high", "Upper end of the 95 % interval of the mean error.").orNull,
    .number("relative_bias", "error_total / truth_total.", unit: "ratio").orNull,
    .number("ratio", "estimate_total / truth_total.", unit: "ratio").orNull,
    .word(
        "resampled", Resampling.allCases.map(\.rawValue),
        "What the interval of the mean error resamples: calls, or from 20 merged sessions on whole sessions."),
    .number("mean_absolute", "Mean of the absolute errors.").orNull,
    .number("median_absolute", "Median of the absolute errors; equal to p50.").orNull,
    .number("rmse", "Root mean square error.").orNull, .number("p50", "50th percentile of the absolute errors.").orNull,
    .number("p90", "90th percentile of the absolute errors.").orNull,
    .number("p99", "99th percentile of the absolute errors.").orNull,
    .bytes("max", "Largest absolute error.").orNull,
    .boolean("approximate", "Percentiles come from buckets."),
    .number("quantile_error", "Greatest relative error of approximate percentiles.", unit: "ratio").orNull,
    .object(
        "signed", "Percentiles of the error with its sign.",
        [.difference("min", "Least value.")]
            + ["p0_5", "p5", "p25", "p50", "p75", "p95", "p99_5"].map {
                SchemaField.number($0, "Percentile of the error; the number is in the name.").orNull
            }
            + [.difference("max", "Greatest value.")]
    ).orNull,
]

private let spreadFields: [SchemaField] = [
    .object("message", "Against messages.", errorSpreadFields).orNull,
    .object("wire", "Against wire bytes.", errorSpreadFields).orNull,
    .object(
        "size", "Size of messages.",
        [
            .count("calls", "Calls."), .number("log2_mean", "Mean of the binary logarithm.", unit: "log2 bytes").orNull,
            .number("log2_deviation", "Standard deviation of that.", unit: "log2 bytes").orNull,
        ]
    ).orNull,
    .object(
        "calls", "Single calls, equal errors together.",
        [
            .list("completed", of: .object(seriesFields), "Completed calls."),
            .list("without_bodies", of: .object(seriesFields), "The same with bodies left out."),
            .list("failed", of: .object(seriesFields), "Calls that failed."),
        ]
    ).orNull,
    .object(
        "sessions", "How the sessions of a merged row differ.",
        [
            .count("count", "Sessions with a call."),
            .number("message_effect", "Variance of the mean error over that of independent calls, at least 1.").orNull,
            .number("wire_effect", "The same against wire bytes.").orNull,
            .number("size_error", "Standard error of the wire bytes per call, of these.", unit: "ratio").orNull,
        ]
    ).orNull,
    .list(
        "blocks", of: .object(blockFields),
        "Calls by eighths of the time from the first call to the last; empty for all APIs together and in merged results."
    ),
]

private let blockFields: [SchemaField] = [
    .count("block", "The eighth, from 0."), .count("calls", "Completed calls."),
    .number("inverse_sum", "Sum of 1 / truth.", unit: "1/byte").orNull,
    .number("error_sum", "Sum of error / truth.", unit: "ratio").orNull,
    .number("error_sum_without_bodies", "The same with bodies left out.", unit: "ratio").orNull,
    .count("sized_calls", "Calls with bytes on the wire."),
    .number("log2_sum", "Sum of the binary logarithms of their bytes.", unit: "log2 bytes").orNull,
]

private let seriesFields: [SchemaField] = [
    .number("error", "Error of each call.").orNull, .count("calls", "Calls."),
    .number("inverse_mean", "Mean of 1 / truth.", unit: "1/byte").orNull,
    .number("inverse_rms", "Root mean square of 1 / truth.", unit: "1/byte").orNull,
]

private let errorSpreadFields: [SchemaField] = [
    .count("calls", "Calls."), .number("inverse_mean", "Mean of 1 / truth.", unit: "1/byte").orNull,
    .number("inverse_deviation", "Standard deviation of that.", unit: "1/byte").orNull,
    .number("relative_error", "Mean of error / truth.", unit: "ratio").orNull,
    .number("constant_bytes", "Part of the error that does not grow with the message.").orNull,
    .number("deviation", "Standard deviation of the rest.", unit: "ratio").orNull,
    .number("absolute_relative_error", "As relative_error, of absolute errors.", unit: "ratio").orNull,
    .number("absolute_constant_bytes", "As constant_bytes, of absolute errors.").orNull,
    .number("absolute_deviation", "As deviation, of absolute errors.", unit: "ratio").orNull,
]

private let adviceFields: [SchemaField] = [
    .text("cause", "Id of the cause."), .text("advice", "What to do, in one sentence."),
    .difference("bytes", "Error that it repairs."), .difference("remaining", "Error that remains."),
    .number("relative_remaining", "Error that remains, of the bytes in the capture.", unit: "ratio").orNull,
    .difference("remaining_with_above", "Error that remains with the changes listed before it, too."),
]

private let logFields: [SchemaField] = [
    SchemaField(name: "source", type: .text, meaning: "Id of the source.", isNullable: true),
    .text("path", "Path of the log."),
    .word("format", SDKLogFormat.allCases.map(\.rawValue), "Format of the log."),
    .text("columns", "Format columns: what its columns hold, as for --sdk-columns.").orNull,
    .object(
        "rows", "Rows by what became of them.",
        [.count("total", "All.")] + rowStates.map { SchemaField.count($0.name, $0.meaning) }),
    .object(
        "clock", "Clock of the log against that of the capture.",
        [
            .seconds("offset", "How far the log's clock is ahead at origin."),
            .number("drift_ppm", "Drift of the log's clock.", unit: "parts per million").orNull,
            .moment("origin", "When the offset holds."), .count("pairs", "Rows and exchanges that tell it."),
            .seconds("spread", "How far rows lie from it."),
            .seconds("offset_error", "Uncertainty of the offset.").orNull,
            .number("drift_error_ppm", "Uncertainty of the drift.", unit: "parts per million").orNull,
        ]
    ).orNull,
    .object(
        "session_doubt", "Why the log may be of another session than the capture.",
        [
            .seconds("clock_offset", "Offset of the clocks."),
            .count("agreeing_sizes", "Rows whose size fits their exchange."),
            .text("warning", "In words.").orNull,
        ]
    ).orNull,
    .object(
        "ambiguous_error", "Least and greatest error in total that ambiguous rows leave open.",
        directionWords.map {
            SchemaField.object(
                $0, "Of this direction.", [.difference("low", "Least value."), .difference("high", "Greatest value.")]
            ).orNull
        }
    ).orNull,
    .object(
        "bounds", "What the figures of rows can be whose calls were not read, by lengths and times of records alone.",
        [
            .seconds("clock_low", "Least that the log's clock can be ahead of the capture's.").orNull,
            .seconds("clock_high", "Most that it can be ahead.").orNull,
            .count("figures", "Figures with bounds."), .count("not_true", "Of these, figures outside of their bounds."),
            .count("exact", "Of these, figures of which the message is known to the byte."),
            .list(
                "unbounded",
                of: .object([
                    .word("reason", LogBounds.Reason.allCases.map(\.rawValue), "Why they have none."),
                    .count("rows", "Rows."),
                ]), "Rows without bounds."),
            .list(
                "apis",
                of: .object(
                    [.text("api", "API."), .text("host", "Its host."), .count("rows", "Rows.")]
                        + bothDirections([
                            .count("rows", "Rows with a figure and bounds."),
                            .estimate("logged", "Sum of their figures."),
                            .bytes("message_low", "Least that their messages can have taken."),
                            .bytes("message_high", "Most that their messages can have taken."),
                            .count("exact", "Rows of which both are the same."),
                            .count("too_high", "Rows whose figure is above the most."),
                            .count("too_low", "Rows whose figure is below the least."),
                        ])), "By API, most logged bytes first."),
        ]
    ).orNull,
    .object(
        "sample", "What is known of all calls, where the log has a random part of them.",
        [.number("share", "Part of the calls.", unit: "ratio")]
            + directionWords.map { SchemaField.object($0, "Of this direction.", sampleFields).orNull }
    ).orNull,
    .object(
        "exchanges", "Exchanges of the capture.",
        [
            .count("total", "All that the log could hold."), .count("unseen", "Exchanges without a row."),
            .bytes("unseen_message_bytes", "Messages of these exchanges."),
            .bytes("unseen_wire_bytes", "Wire bytes of these exchanges."),
            .count("not_joined", "Of unseen: a row that found no exchange, or fits several, may be theirs."),
            .count(
                "invisible", "Of unseen: the SDK does not see them; nothing else explains it. The rest has lost rows."),
            .count("foreign_host", "Of hosts that the log never names; not in unseen, nor in any error."),
            .bytes("foreign_host_wire_bytes", "Wire bytes of these exchanges."),
            .count("merged_hops", "Hops of redirected calls that have one row for the whole call; not in unseen."),
        ]),
    .object(
        "figures", "How the formula explains the figures.",
        [.count("compared", "Figures compared."), .count("explained", "Figures that it gives to the byte.")]),
    .list(
        "problems",
        of: .object([
            .text("what", "What is wrong."), .count("count", "Rows."),
            .count("first_row", "First of them.", of: "row number").orNull,
        ]), "Rows that could not be read in full."),
]

private let rowStates: [(name: String, meaning: String)] = [
    ("matched", "With one exchange."), ("ambiguous", "With several exchanges equally likely."),
    ("duplicates", "Written twice."),
    ("host_total", "Of hosts that TLS hides: compared in total."),
    ("partly_read", "Of hosts whose TLS was decrypted in part, without an exchange in that part."),
    ("without_exchange", "Without an exchange in the capture."),
    ("foreign_host", "Of hosts without readable exchanges."), ("tls_failed", "Of calls whose TLS handshake failed."),
    ("outside_capture", "From before or after the capture."),
    ("not_selected", "Of calls that --host or --api leaves out."),
    ("rejected", "Unusable."),
]

private let hiddenFields: [SchemaField] = [
    .list(
        "hosts",
        of: .object(
            [
                .text("host", "Host name."),
                .list("ports", of: .integer(unit: "port", least: 0), "Ports of the server."),
                .count("connections", "Connections."), .moment("first", "First packet.").orNull,
                .moment("last", "Last packet.").orNull,
            ]
                + bothDirections([
                    .bytes("wire", "Wire bytes."), .bytes("tls_setup", "TLS handshake records."),
                    .bytes("application", "application_data records."),
                ]) + [.list("logs", of: .object(hostLogFields), "What each log has for the host.")]),
        "Hosts whose TLS was not read: compared in total."),
    .list(
        "failed_handshakes",
        of: .object([
            .text("host", "Host name."), .count("connections", "Connections."), .count("alerts", "Alerts seen."),
            .bytes("wire_up", "Wire bytes up."), .bytes("wire_down", "Wire bytes down."),
        ]), "Hosts with TLS handshakes that failed."),
]

private let hostLogFields: [SchemaField] =
    [
        source, .count("rows", "Rows of the host."),
        .count("rows_outside_capture", "Rows from before or after the capture."),
        .moment("first", "First row, by the log's clock.").orNull, .moment("last", "Last row.").orNull,
    ]
    + bothDirections([
        .count("rows", "Rows with a figure."), .estimate("logged", "Sum of their figures.").orNull,
        .difference("difference", "logged - wire.").orNull, .number("ratio", "logged / wire.", unit: "ratio").orNull,
        .number("application_ratio", "logged / application.", unit: "ratio").orNull,
    ])

private let questionFields: [SchemaField] = [
    .list(
        "parts",
        of: .object([
            source, direction, .word("part", MessagePart.allCases.map(\.rawValue), "Head or body of the message."),
            .count("calls", "Calls of which the source has both."), .count("exact_calls", "Calls without error."),
            .bytes("truth_total", "Sum of the bytes in the capture."),
            .estimate("estimate_total", "Sum of the estimates."),
            .difference("error_total", "estimate_total - truth_total."), .bytes("max", "Largest absolute error."),
        ]), "Sources that record heads and bodies apart."),
    .list(
        "encryption",
        of: .object([
            source, direction, .count("calls", "Calls over TLS."), .estimate("estimate_total", "Sum of the estimates."),
            .bytes("before", "Messages before encryption."), .bytes("after", "The same after encryption."),
        ]), "Calls over TLS."),
    .list(
        "screens",
        of: .object(
            [source, .text("host", "Host name.").orNull, .text("path", "Path.").orNull]
                + bothDirections([
                    .count("rows", "Rows."), .estimate("length", "Sum of their figures."),
                    .count("unread_rows", "Those of them whose calls were not read: the messages are not all."),
                    .count("messages", "Messages of the capture."),
                    .bytes("message_bytes", "Their bytes."),
                ])), "Rows of a log by host and path, as its screens show them."),
]

private let workFields: [SchemaField] = [
    .count("decoded_bodies", "Bodies decoded."), .bytes("coded_bytes", "Bytes read."),
    .bytes("decoded_bytes", "Bytes written."),
    .count("recompressed_bodies", "Bodies compressed again."), .bytes("recompressed_bytes", "Bytes read for that."),
    .count("remembered", "Bodies seen before."), .count("undecodable", "Bodies that could not be decoded."),
]
