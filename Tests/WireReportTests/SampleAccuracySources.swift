import WireAccuracy

private func simulated(_ id: String, _ title: String, _ note: String) -> AccuracySource {
    AccuracySource(id: id, title: title, kind: .simulated, note: note)
}

/// Ten simulated estimators, then two logs.
let sampleSources: [SampleSource] = sampleEstimators + sampleLogs

private let sampleEstimators: [SampleSource] = [
    SampleSource(
        source: simulated("dm", "DMURLProtocol (traffic monitor)", "headers=article body=stream te=identity"),
        unseen: { api, _ in api.isSecure ? .scope : nil },
        up: {
            [
                (.startLineEnd, -1), (.fieldLineEnd, -5), (.emptyLine, -2), (.fieldsMissing, -$0.hiddenFields),
                (.queryDropped, -$0.query), (.cookie, $0.cookies / 4), (.bodyMissing, -$0.requestBody),
            ]
        },
        down: {
            [
                (.startLineEnd, -2), (.fieldLineEnd, -6), (.emptyLine, -2), (.fieldsRewritten, $0.framing > 0 ? 1 : 0),
                (.chunkFraming, -$0.framing), (.bodyRecompressed, $0.decoded > $0.content ? $0.content / 50 : 0),
            ]
        }),
    SampleSource(
        source: simulated(
            "dm:headers=full,body=data", "DMURLProtocol (traffic monitor)",
            "headers=full body=data te=chunked"),
        unseen: { api, _ in api.isSecure ? .scope : nil },
        up: { [(.startLineEnd, -1), (.fieldLineEnd, -5), (.emptyLine, -2), (.queryDropped, -$0.query)] },
        down: { [(.startLineEnd, -2), (.fieldLineEnd, -6), (.emptyLine, -2), (.chunkFraming, -$0.framing)] }),
    SampleSource(
        source: simulated("networkeye", "NetworkEye", "eclWhenEncoded=unknown"),
        up: { _ in nil },
        down: {
            [
                (.startLineNotCounted, -17), (.fieldsNotCounted, 17 - $0.responseHead),
                (
                    .expectedLength,
                    $0.decoded > $0.content ? -$0.content - 1 : 0
                ), (.chunkFraming, -$0.framing),
            ]
        }),
    SampleSource(
        source: simulated("hertz", "Hertz", "body=data"),
        up: {
            [
                (.startLineNotCounted, -$0.requestLine),
                (
                    .fieldsNotCounted,
                    -$0.seenFields - $0.hiddenFields
                        - $0.cookies
                ),
            ]
        },
        down: {
            [
                (.startLineNotCounted, -17), (.fieldsNotCounted, 17 - $0.responseHead),
                (.bodyDecoded, $0.decoded - $0.content), (.chunkFraming, -$0.framing),
            ]
        }),
    SampleSource(
        source: simulated("dokit", "DoKit", "profile=article"),
        unseen: { api, call in api.requestBody > 600 && call % 2 == 0 ? .scope : nil },
        up: { [(.startLineNotCounted, -$0.requestLine), (.fieldsFormat, 38), (.fieldsMissing, -$0.hiddenFields)] },
        down: {
            [
                (.startLineNotCounted, -17), (.fieldsFormat, 30), (.bodyDecoded, $0.decoded - $0.content),
                (.chunkFraming, -$0.framing),
            ]
        }),
    SampleSource(
        source: simulated("metrics", "URLSessionTaskMetrics (iOS 13 and later)", "chunkedBug=off"),
        up: { _ in [] }, down: { _ in [] }),
    SampleSource(
        source: simulated("netfox", "netfox", "none"),
        unseen: { _, call in call % 7 == 6 ? .failure : nil },
        up: {
            [
                (.startLineNotCounted, -$0.requestLine),
                (
                    .fieldsNotCounted,
                    -$0.seenFields - $0.hiddenFields
                        - $0.cookies
                ),
            ]
        },
        down: {
            [
                (.startLineNotCounted, -17), (.fieldsNotCounted, 17 - $0.responseHead),
                (.bodyDecoded, $0.decoded - $0.content), (.chunkFraming, -$0.framing),
            ]
        }),
    SampleSource(
        source: simulated("datadog", "Datadog RUM resource size", "none"),
        isUnknown: { api, call in api.decoded > api.content && call % 9 == 0 },
        up: { _ in nil },
        down: {
            [
                (.startLineNotCounted, -17), (.fieldsNotCounted, 17 - $0.responseHead),
                (.bodyDecoded, $0.decoded - $0.content), (.chunkFraming, -$0.framing),
            ]
        }),
    SampleSource(
        source: simulated("okhttp", "OkHttp event listener", "parts=bodies"),
        up: {
            [
                (.startLineNotCounted, -$0.requestLine),
                (
                    .fieldsNotCounted,
                    -$0.seenFields - $0.hiddenFields
                        - $0.cookies
                ),
            ]
        },
        down: {
            [(.startLineNotCounted, -17), (.fieldsNotCounted, 17 - $0.responseHead), (.chunkFraming, -$0.framing)]
        }
    ),
    SampleSource(
        source: simulated("android-uid", "Android traffic counters of a UID", "mss=1448"),
        up: { [(.tcpip, $0.transport / 2), (.acknowledgments, $0.transport - $0.transport / 2)] },
        down: { [(.tcpip, $0.transport * 3 / 4), (.acknowledgments, $0.transport - $0.transport * 3 / 4)] }),
]

private let sampleLogs: [SampleSource] = [
    SampleSource(
        source: AccuracySource(
            id: "traffic.sqlite", title: "dm-sqlite log", kind: .log, note: "dm:headers=article,body=stream"),
        unseen: { api, call in api.isSecure ? .scope : call % 11 == 10 ? .merge : nil },
        up: {
            [
                (.startLineEnd, -1), (.fieldLineEnd, -5), (.emptyLine, -2), (.fieldsMissing, -$0.hiddenFields),
                (.bodyMissing, -$0.requestBody), (.unexplained, $0.query > 0 ? -7 : 0),
            ]
        },
        down: { [(.startLineEnd, -2), (.fieldLineEnd, -6), (.emptyLine, -2), (.chunkFraming, -$0.framing)] }),
    SampleSource(
        source: AccuracySource(id: "session.har", title: "har log", kind: .log, note: ""),
        up: { _ in [] }, down: { [(.chunkFraming, -$0.framing)] }),
]
