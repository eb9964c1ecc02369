import WireComparison
import WireStatistics

/// How the single calls of a row spread: what `check --baseline` needs of an earlier run.
let spreadFields: [Field<RowSpread>] = [
    .object(
        "message", "Against messages.", errorFields, at: \.message, blank: ErrorSpread.blank, where: { $0.calls > 0 }),
    .object(
        "wire", "Against wire bytes.", errorFields, at: \.wire, blank: ErrorSpread.blank, where: { $0.calls > 0 }),
    .object(
        "size", "Size of messages.", sizeFields, at: \.size, blank: SizeSpread(calls: 0, mean: 0, deviation: 0),
        where: { $0.calls > 0 }),
    .object("calls", "Single calls, equal errors together.", callFields, at: \.calls, blank: CallErrors()),
    .object(
        "sessions", "How the sessions of a merged row differ.", sessionFields, at: \.sessions,
        blank: SessionSpread(sessions: 0, messageEffect: 1, wireEffect: 1, sizeError: 0), where: { $0.sessions > 1 }),
    .list(
        "blocks", of: blockFields,
        "Calls by eighths of the time from the first call to the last; empty for all APIs together and in merged results.",
        at: \.blocks, blank: TimeBlock(block: 0)),
]

private let errorFields: [Field<ErrorSpread>] = [
    .count("calls", "Calls.") { $0.calls }.reading(\.calls),
    .number("inverse_mean", "Mean of 1 / truth.", unit: "1/byte", places: 15) { $0.inverseMean }.orNull
        .reading(\.inverseMean),
    .number("inverse_deviation", "Standard deviation of that.", unit: "1/byte", places: 15) {
        $0.inverseDeviation
    }.orNull.reading(\.inverseDeviation),
    .number("relative_error", "Mean of error / truth.", unit: "ratio", places: 9) { $0.signed.mean }.orNull
        .reading(\.signed.mean),
    .number("constant_bytes", "Part of the error that does not grow with the message.", places: 6) {
        $0.signed.slope
    }.orNull.reading(\.signed.slope),
    .number("deviation", "Standard deviation of the rest.", unit: "ratio", places: 9) { $0.signed.deviation }.orNull
        .reading(\.signed.deviation),
    .number("absolute_relative_error", "As relative_error, of absolute errors.", unit: "ratio", places: 9) {
        $0.absolute.mean
    }.orNull.reading(\.absolute.mean),
    .number("absolute_constant_bytes", "As constant_bytes, of absolute errors.", places: 6) {
        $0.absolute.slope
    }.orNull.reading(\.absolute.slope),
    .number("absolute_deviation", "As deviation, of absolute errors.", unit: "ratio", places: 9) {
        $0.absolute.deviation
    }.orNull.reading(\.absolute.deviation),
]

extension ErrorSpread {
    fileprivate static var blank: ErrorSpread {
        ErrorSpread(calls: 0, inverseMean: 0, inverseVariance: 0, signed: Line(), absolute: Line())
    }

    fileprivate var inverseDeviation: Double {
        get { inverseVariance.squareRoot() }
        set { inverseVariance = newValue * newValue }
    }
}

private let sizeFields: [Field<SizeSpread>] = [
    .count("calls", "Calls.") { $0.calls }.reading(\.calls),
    .number("log2_mean", "Mean of the binary logarithm.", unit: "log2 bytes", places: 9) { $0.mean }.orNull
        .reading(\.mean),
    .number("log2_deviation", "Standard deviation of that.", unit: "log2 bytes", places: 9) { $0.deviation }.orNull
        .reading(\.deviation),
]

private let callFields: [Field<CallErrors>] = [
    .list("completed", of: groupFields, "Completed calls.", at: \.completed.groups, blank: ErrorSeries.Group.blank),
    .list(
        "without_bodies", of: groupFields, "The same with bodies left out.", at: \.withoutBodies.groups,
        blank: ErrorSeries.Group.blank),
    .list("failed", of: groupFields, "Calls that failed.", at: \.failed.groups, blank: ErrorSeries.Group.blank),
]

private let groupFields: [Field<ErrorSeries.Group>] = [
    .number("error", "Error of each call.", places: 6) { $0.error }.orNull.reading(\.error),
    .count("calls", "Calls.") { $0.calls }.reading(\.calls),
    .number("inverse_mean", "Mean of 1 / truth.", unit: "1/byte", places: 15) { $0.inverseMean }.orNull
        .reading(\.inverseMean),
    .number("inverse_rms", "Root mean square of 1 / truth.", unit: "1/byte", places: 15) { $0.inverseRMS }.orNull
        .reading(\.inverseRMS),
]

/// Sums as means, which are read behind the number of calls.
extension ErrorSeries.Group {
    fileprivate static var blank: Self { Self(error: 0, calls: 0, inverses: 0, inverseSquares: 0) }

    fileprivate var inverseMean: Double {
        get { inverses / Double(max(calls, 1)) }
        set { inverses = newValue * Double(calls) }
    }

    fileprivate var inverseRMS: Double {
        get { (inverseSquares / Double(max(calls, 1))).squareRoot() }
        set { inverseSquares = newValue * (newValue * Double(calls)) }
    }
}

private let sessionFields: [Field<SessionSpread>] = [
    .count("count", "Sessions with a call.") { $0.sessions }.reading(\.sessions),
    .number(
        "message_effect", "Variance of the mean error over that of independent calls, at least 1.", places: 6
    ) { $0.messageEffect }.orNull.reading { (spread, reader) throws(OwnFileReader.Problem) in
        spread.messageEffect = max(1, try reader.number() ?? 1)
    },
    .number("wire_effect", "The same against wire bytes.", places: 6) { $0.wireEffect }.orNull
        .reading { (spread, reader) throws(OwnFileReader.Problem) in
            spread.wireEffect = max(1, try reader.number() ?? 1)
        },
    .number("size_error", "Standard error of the wire bytes per call, of these.", unit: "ratio", places: 9) {
        $0.sizeError
    }.orNull.reading { (spread, reader) throws(OwnFileReader.Problem) in
        spread.sizeError = max(0, try reader.number() ?? 0)
    },
]

private let blockFields: [Field<TimeBlock>] = [
    .count("block", "The eighth, from 0.") { $0.block }.reading(\.block),
    .count("calls", "Completed calls.") { $0.calls }.reading(\.calls),
    .number("inverse_sum", "Sum of 1 / truth.", unit: "1/byte", places: 12) { $0.inverses }.orNull.reading(\.inverses),
    .number("error_sum", "Sum of error / truth.", unit: "ratio", places: 9) { $0.errors }.orNull.reading(\.errors),
    .number("error_sum_without_bodies", "The same with bodies left out.", unit: "ratio", places: 9) {
        $0.errorsWithoutBodies
    }.orNull.reading(\.errorsWithoutBodies),
    .count("sized_calls", "Calls with bytes on the wire.") { $0.sizedCalls }.reading(\.sizedCalls),
    .number("log2_sum", "Sum of the binary logarithms of their bytes.", unit: "log2 bytes", places: 6) {
        $0.sizes
    }.orNull.reading(\.sizes),
]
