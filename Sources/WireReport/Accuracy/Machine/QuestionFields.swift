import WireAccuracy
import WireLogs

/// What users of single SDKs ask.
let questionFields: [Field<AccuracyReport>] = [
    .list("parts", of: partFields, "Sources that record heads and bodies apart.") {
        $0.named($0.result.parts, \.source)
    },
    .list("encryption", of: encryptionFields, "Calls over TLS.") { $0.named($0.result.encryption, \.source) },
    .list("screens", of: screenFields, "Rows of a log by host and path, as its screens show them.") {
        $0.named($0.result.screens, \.source)
    },
]

/// Sums over the calls of which the source has both head and body.
private let partFields: [Field<InSource<PartRow>>] = [
    .text("source", "Id of the source.") { $0.source },
    .word("direction", "up: requests, down: responses.") { $0.value.direction },
    .word("part", "Head or body of the message.") { $0.value.part },
    .count("calls", "Calls of which the source has both.") { $0.value.calls },
    .count("exact_calls", "Calls without error.") { $0.value.exactCalls },
    .bytes("truth_total", "Sum of the bytes in the capture.") { $0.value.truth },
    .estimate("estimate_total", "Sum of the estimates.") { $0.value.estimate },
    .difference("error_total", "estimate_total - truth_total.") {
        clampedDifference($0.value.estimate, $0.value.truth)
    },
    .bytes("max", "Largest absolute error.") { $0.value.maximum },
]

private let encryptionFields: [Field<InSource<EncryptionRow>>] = [
    .text("source", "Id of the source.") { $0.source },
    .word("direction", "up: requests, down: responses.") { $0.value.direction },
    .count("calls", "Calls over TLS.") { $0.value.calls },
    .estimate("estimate_total", "Sum of the estimates.") { $0.value.estimate },
    .bytes("before", "Messages before encryption.") { $0.value.before },
    .bytes("after", "The same after encryption.") { $0.value.after },
]

private let screenFields: [Field<InSource<ScreenRow>>] =
    [
        .text("source", "Id of the source.") { $0.source }, .text("host", "Host name.") { $0.value.host }.orNull,
        .text("path", "Path.") { $0.value.path }.orNull,
    ] + Field.directions(screenSideFields, { $0.value.up }, { $0.value.down })

private let screenSideFields: [Field<ScreenRow.Side>] = [
    .count("rows", "Rows.") { $0.rows }, .estimate("length", "Sum of their figures.") { $0.length },
    .count("unread_rows", "Those of them whose calls were not read: the messages are not all.") { $0.unreadRows },
    .count("messages", "Messages of the capture.") { $0.messages },
    .bytes("message_bytes", "Their bytes.") { $0.messageBytes },
]
